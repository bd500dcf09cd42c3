//! `host-child`: stands above one child of a conference (conference.md A2). Nobody types this.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser as _;

use crate::args::{ColorChoice, HostChildArgs};
use crate::process::shim::{NAME as SHIM, Order, leash, watch};
use crate::term::output::Output;

/// The first argument of a lithermes that is one.
pub(super) const NAME: &str = SHIM;

/// The first argument of a lithermes that is about to become the child's program.
pub(super) const LEASH: &str = leash::NAME;

/// Becomes the program that these words name; 127 where that failed.
pub(super) fn leash(words: &[OsString]) -> ExitCode {
    // Why is told where the process above looks for it.
    drop(leash::run(words));
    ExitCode::from(127)
}

/// Runs it; `argv` begins with its name.
pub(super) fn main(argv: &[OsString]) -> ExitCode {
    let args = match HostChildArgs::try_parse_from(argv) {
        Ok(args) => args,
        Err(error) => return super::usage(argv, &error),
    };
    let order = Order {
        argv: &args.argv,
        stdin_bytes: args.stdin_bytes,
        time: Duration::from_millis(args.time_ms),
        keep: args.keep.as_deref(),
    };
    match watch(&order) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            Output::new(false, false, ColorChoice::Never).failure(&error);
            ExitCode::from(error.code().exit())
        }
    }
}
