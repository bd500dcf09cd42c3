//! A file that a child leaves in its folder for the root.
//!
//! Promises: only a regular file is read, never through a link; it is read whole or not at all.

use std::io::Read as _;
use std::path::Path;

use fs_err::os::unix::fs::OpenOptionsExt as _;
use rustix::fs::OFlags;

use crate::process::KEPT;

/// Its text; `None` where there is no such file, or it is too large.
pub(super) fn text(path: &Path) -> Option<String> {
    // A pipe would wait for somebody who writes.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).ok()?;
    let mut options = fs_err::OpenOptions::new();
    options.read(true);
    options.custom_flags(flags);
    let file = options.open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(KEPT as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= KEPT).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{KEPT, text};

    #[test]
    fn only_a_regular_file_that_is_not_too_large_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs_err::write(at("whole"), "a".repeat(KEPT)).unwrap();
        fs_err::write(at("more"), "a".repeat(KEPT + 1)).unwrap();
        fs_err::write(at("bytes"), b"a\xff").unwrap();
        fs_err::create_dir(at("folder")).unwrap();
        std::os::unix::fs::symlink(at("whole"), at("link")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        assert_eq!(text(&at("whole")).map(|text| text.len()), Some(KEPT));
        assert_eq!(text(&at("bytes")).as_deref(), Some("a\u{fffd}"));
        for name in ["more", "folder", "link", "pipe", "none"] {
            assert_eq!(text(&at(name)), None, "{name}");
        }
    }
}
