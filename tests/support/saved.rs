//! A sandbox as it was, put back to the same path as often as wanted.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::Sandbox;

/// A copy of everything below a sandbox.
pub struct Saved {
    copy: tempfile::TempDir,
}

impl Saved {
    pub fn of(sandbox: &Sandbox) -> Self {
        let copy = tempfile::tempdir_in(sandbox.root().parent().unwrap()).unwrap();
        copy_below(sandbox.root(), copy.path());
        Self { copy }
    }

    pub fn path(&self) -> &Path {
        self.copy.path()
    }

    /// The sandbox is what it was, byte for byte and mode for mode.
    pub fn restore(&self, sandbox: &Sandbox) {
        for entry in fs_err::read_dir(sandbox.root()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() || path.is_file() {
                fs_err::remove_file(path).unwrap();
            } else {
                fs_err::remove_dir_all(path).unwrap();
            }
        }
        copy_below(self.copy.path(), sandbox.root());
    }
}

fn copy_below(from: &Path, to: &Path) {
    for entry in fs_err::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        let meta = fs_err::symlink_metadata(&path).unwrap();
        if meta.is_symlink() {
            let link = fs_err::read_link(&path).unwrap();
            fs_err::os::unix::fs::symlink(link, target).unwrap();
        } else if meta.is_dir() {
            fs_err::create_dir(&target).unwrap();
            copy_below(&path, &target);
            let mode = std::fs::Permissions::from_mode(meta.permissions().mode());
            fs_err::set_permissions(&target, mode).unwrap();
        } else {
            fs_err::copy(&path, &target).unwrap();
        }
    }
}
