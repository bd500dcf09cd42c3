//! The environment of a child (conference.md A2).
//!
//! Promises: what is not named here, or passed on purpose, does not reach a child; what would make
//! it a part of somebody's session, or switch its guards off, never does.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// Names and values.
pub type Environment = BTreeMap<OsString, OsString>;

/// Set for every child, to another value for each; the honest sign that it is one.
pub const CHILD: &str = "LITHERMES_CHILD";

/// Kept as they are.
const NAMES: [&str; 6] = ["PATH", "HOME", "HERMES_HOME", "LANG", "TMPDIR", "TERM"];
/// Kept, whatever follows.
const BEGINNINGS: [&str; 2] = ["LC_", "SSL_CERT_"];
/// Kept, whatever stands before.
const ENDS: [&str; 1] = ["_proxy"];
/// Never kept, not even by name.
const NEVER: [&str; 3] = ["HERMES_SESSION_ID", "HERMES_YOLO_MODE", CHILD];

/// What of this process's environment a child gets; `passed` are the names that the person who
/// approved the conference lets through.
pub fn of_this_process(passed: &[String]) -> Environment {
    chosen(std::env::vars_os(), passed)
}

/// As [`of_this_process`], of any variables.
pub fn chosen(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
    passed: &[String],
) -> Environment {
    let kept = |name: &OsStr| is_usual(name) || passed.iter().any(|one| name == one.as_str());
    variables
        .into_iter()
        .filter(|(name, _)| kept(name) && !is_refused(name))
        .collect()
}

/// Whether no child may ever see it.
pub(super) fn is_refused(name: &OsStr) -> bool {
    NEVER.iter().any(|never| name == *never)
}

fn is_usual(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    NAMES.iter().any(|usual| name == *usual)
        || BEGINNINGS
            .iter()
            .any(|begin| bytes.starts_with(begin.as_bytes()))
        || ENDS.iter().any(|end| bytes.ends_with(end.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::chosen;

    fn names(passed: &[&str]) -> Vec<String> {
        let all = [
            "PATH",
            "HOME",
            "HERMES_HOME",
            "LANG",
            "LC_ALL",
            "LC_TIME",
            "TMPDIR",
            "TERM",
            "SSL_CERT_FILE",
            "SSL_CERT_DIR",
            "http_proxy",
            "no_proxy",
            "LITHERMES_CHILD",
            "HERMES_SESSION_ID",
            "HERMES_YOLO_MODE",
            "HERMES_INTERACTIVE",
            "PATHS",
            "XLC_ALL",
            "LANGUAGE",
            "http_proxy_auth",
            "LD_PRELOAD",
            "TOKEN",
            "PWD",
            "",
        ];
        let variables = all.map(|name| (name.into(), "value".into()));
        let passed: Vec<String> = passed.iter().map(|name| (*name).to_owned()).collect();
        let kept = chosen(variables, &passed);
        kept.into_keys()
            .map(|name| name.into_string().unwrap())
            .collect()
    }

    #[test]
    fn only_the_usual_names_reach_a_child() {
        let usual = [
            "HERMES_HOME",
            "HOME",
            "LANG",
            "LC_ALL",
            "LC_TIME",
            "PATH",
            "SSL_CERT_DIR",
            "SSL_CERT_FILE",
            "TERM",
            "TMPDIR",
            "http_proxy",
            "no_proxy",
        ];
        assert_eq!(names(&[]), usual);
    }

    #[test]
    fn a_name_is_passed_exactly_and_some_are_never() {
        let with = names(&[
            "TOKEN",
            "token",
            "PW",
            "HERMES_SESSION_ID",
            "HERMES_YOLO_MODE",
            "LITHERMES_CHILD",
        ]);
        let mut wanted = names(&[]);
        wanted.push("TOKEN".to_owned());
        wanted.sort();
        assert_eq!(with, wanted);
    }
}
