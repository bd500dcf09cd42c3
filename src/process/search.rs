//! Programs as a shell finds them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// The program `name` as a shell would find it; relative entries of `PATH` do not count.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).filter(|dir| dir.is_absolute());
    candidates.map(|dir| dir.join(name)).find(|file| {
        let found = fs_err::metadata(file);
        found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::on_path;

    #[test]
    fn what_is_there_is_found() {
        assert_eq!(on_path("no-such-program-anywhere"), None);
        assert!(on_path("sh").unwrap().ends_with("sh"));
    }
}
