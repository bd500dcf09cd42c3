//! Profile names and the sticky `active_profile` file (hermes-host.md §1).
//!
//! Promises: a name that leaves this module is `default` or a valid id of one path component.

use std::io::Read as _;
use std::path::Path;

use super::shown;
use crate::error::{Code, Error, Result};

/// `active_profile` holds one name of at most 64 characters; nobody writes more than this.
const MOST_BYTES: u64 = 4096;

/// Names that the host keeps for itself.
const RESERVED: [&str; 5] = ["hermes", "test", "tmp", "root", "sudo"];

/// Whether `name` matches `^[a-z0-9][a-z0-9_-]{0,63}$`.
pub(super) fn is_id(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.len() <= 64
        && name.bytes().next().is_some_and(plain)
        && name.bytes().all(|b| plain(b) || b == b'_' || b == b'-')
}

/// The spelling on disk: trimmed and in lower case, as the host takes it. `Err` says what is
/// wrong with it.
pub(super) fn canonical(name: &str) -> Result<String, String> {
    let lower = name.trim().to_lowercase();
    let shown: String = name.chars().take(80).collect();
    let shown = shown.escape_debug();
    if !is_id(&lower) {
        return Err(format!(
            "`{shown}` is no profile name: expected `default` or 1 to 64 of a-z, 0-9, `_` and `-`, \
             beginning with a letter or digit"
        ));
    }
    if RESERVED.contains(&lower.as_str()) {
        return Err(format!(
            "`{shown}` is no profile name: the host reserves it"
        ));
    }
    Ok(lower)
}

/// The profile that `<root>/active_profile` switches to. `None` where the file is missing, empty,
/// unreadable, no UTF-8, or says `default`: the host passes over all of these in silence.
/// `NOT_FOUND` for a name that cannot be a profile's, where the host stops too.
pub(super) fn active(root: &Path) -> Result<Option<String>> {
    let path = root.join("active_profile");
    let Some(text) = read(&path) else {
        return Ok(None);
    };
    let text = text.trim();
    if text.is_empty() || text == "default" {
        return Ok(None);
    }
    let name = canonical(text).map_err(|why| {
        let text = format!("{why}: `{}`", shown(&path));
        Error::new(Code::NotFound, text).hint("hermes profile use default")
    })?;
    Ok(Some(name))
}

/// The text of a regular file, its beginning only; `None` where the host would skip it.
fn read(path: &Path) -> Option<String> {
    // Opening a pipe would wait for a writer.
    if !fs_err::metadata(path).ok()?.is_file() {
        return None;
    }
    let file = fs_err::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        // The cut may fall into a character; what is before it is too long for a name anyway.
        Err(error) if error.as_bytes().len() as u64 == MOST_BYTES => {
            let valid = error.utf8_error().valid_up_to();
            (valid + 4 > error.as_bytes().len())
                .then(|| String::from_utf8_lossy(error.as_bytes()).into_owned())
        }
        Err(_) => None,
    }
}
