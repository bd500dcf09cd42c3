//! Ctrl-C and its like, as something that arrives.
//!
//! Promises: nothing is done in a signal's handler but to write one byte; afterwards a signal does
//! again what it did before.

use std::io::Read as _;
use std::os::unix::net::UnixStream;

use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level;

use crate::error::Result;

/// Heard as long as it is there.
pub(super) struct Signals {
    ids: Vec<SigId>,
    end: UnixStream,
}

impl Signals {
    /// Calls `heard` once for each signal that asks to stop.
    pub(super) fn listen(heard: impl Fn() + Send + 'static) -> Result<Self> {
        let (mut read, write) = UnixStream::pair()?;
        let mut ids = Vec::new();
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            ids.push(low_level::pipe::register(signal, write.try_clone()?)?);
        }
        let end = read.try_clone()?;
        let listen = move || {
            let mut byte = [0];
            while matches!(read.read(&mut byte), Ok(1)) {
                heard();
            }
        };
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(listen)?;
        Ok(Self { ids, end })
    }

    /// Hears no more.
    pub(super) fn close(self) {
        for id in self.ids {
            low_level::unregister(id);
        }
        // Wakes the listener; it fails only where it was shut down before.
        drop(self.end.shutdown(std::net::Shutdown::Both));
    }
}
