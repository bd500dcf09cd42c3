//! What the shim tells the root, one JSON document a line. The root tells it nothing: it hangs up.

use std::ffi::OsString;

use serde::{Deserialize, Serialize};

use super::finished::Status;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Message {
    /// There is no child, and why.
    NotStarted(String),
    /// There will be one, and it will work here. Said before, for a child can end the shim at once.
    Folder(OsString),
    /// There is one, the leader of this group.
    Started(i32),
    /// It is over, and so is everything that came of it, as far as this says.
    Ended(Receipt),
}

/// How it ended.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Receipt {
    pub(super) cause: Cause,
    pub(super) status: Option<Status>,
    pub(super) outlived: bool,
    /// Why nobody can prove that nothing lives; `None` where it is proven.
    pub(super) doubt: Option<String>,
    /// What stood in the file that was to be kept; `None` where there is none.
    pub(super) kept: Option<String>,
    /// Why the folder is still there; `None` where it is gone.
    pub(super) folder_left: Option<String>,
}

/// What came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cause {
    /// The child ended.
    Exit,
    /// Its time was up.
    Deadline,
    /// The root hung up or died.
    HungUp,
}
