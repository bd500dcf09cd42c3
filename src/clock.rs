//! The one place that asks for the time, the user and the host.
//!
//! In builds with `debug_assertions` the environment may fix them (`LITHERMES_TEST_CLOCK`,
//! `LITHERMES_TEST_ACTOR`); the release binary ignores both, and a test proves that.

use jiff::{Timestamp, Unit};

/// Now, in whole seconds.
#[expect(clippy::disallowed_methods, reason = "this is the one place")]
pub fn now() -> Timestamp {
    if let Some(fixed) = seam("LITHERMES_TEST_CLOCK").and_then(|text| text.parse().ok()) {
        return fixed;
    }
    let now = Timestamp::now();
    now.round(Unit::Second).unwrap_or(now)
}

/// `user@host` of whoever runs this, for receipts.
pub fn actor() -> String {
    if let Some(fixed) = seam("LITHERMES_TEST_ACTOR") {
        return fixed;
    }
    let user = ["USER", "LOGNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_else(|| format!("uid{}", rustix::process::getuid().as_raw()));
    let host = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    format!("{user}@{host}")
}

/// A test seam: the value of an environment variable, and never anything in a release build.
pub(crate) fn seam(name: &str) -> Option<String> {
    if cfg!(debug_assertions) {
        std::env::var(name).ok()
    } else {
        None
    }
}
