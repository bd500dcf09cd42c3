//! The host's program, and which version it is, without running it.
//!
//! Promises: only names of directories are read, and the first line of a script.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::guard::text;
use crate::process;

/// The program's name.
pub const NAME: &str = "hermes";
/// How the folder begins that an installed package leaves beside it.
const PACKAGE: &str = "hermes_agent-";
/// A kernel reads no more of a first line.
const FIRST_LINE: u64 = 256;
const MOST_ENTRIES: usize = 100_000;

/// An installed host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Where `PATH` finds it.
    pub path: PathBuf,
    /// Its version, where its package tells.
    pub version: Option<String>,
}

/// The `hermes` that `PATH` finds; `None` where there is none.
pub fn find() -> Option<Program> {
    let path = process::on_path(NAME)?;
    Some(Program {
        version: version(&path),
        path,
    })
}

/// Which one is there, in one line.
pub fn told(found: Option<&Program>) -> String {
    let Some(program) = found else {
        return "Hermes is not on PATH".to_owned();
    };
    let version = program.version.as_deref().unwrap_or("of unknown version");
    let path = program.path.to_string_lossy();
    format!("Hermes {} at {}", text::line(version), text::line(&path))
}

/// The version of the package that a program belongs to. The program lies in `PREFIX/bin`, or is
/// a link to one that does, or names an interpreter that does; the package lies in
/// `PREFIX/lib/python3.x/site-packages`.
pub fn version(program: &Path) -> Option<String> {
    let real = fs_err::canonicalize(program).ok();
    let interpreter = real.as_deref().and_then(interpreter);
    let programs = [real, interpreter, Some(program.to_owned())];
    programs.into_iter().flatten().find_map(|program| {
        let prefix = program.parent()?.parent()?.to_owned();
        packaged(&prefix)
    })
}

/// The interpreter in the first line of a script. It may be a link; its place is what counts.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    let file = fs_err::File::open(script).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head).into_owned();
    let line = head.lines().next()?.strip_prefix("#!")?.trim();
    Some(PathBuf::from(line.split_whitespace().next()?))
}

/// The version in the name of a package's folder below a prefix; none where there are several.
fn packaged(prefix: &Path) -> Option<String> {
    let mut versions: Vec<String> = names(&prefix.join("lib"))
        .into_iter()
        .filter(|name| name.starts_with("python3"))
        .flat_map(|python| names(&prefix.join("lib").join(python).join("site-packages")))
        .filter_map(|name| {
            let version = name.strip_prefix(PACKAGE)?.strip_suffix(".dist-info")?;
            Some(version.to_owned())
        })
        .collect();
    versions.dedup();
    match &versions[..] {
        [version] => Some(version.clone()),
        _ => None,
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs_err::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.take(MOST_ENTRIES).collect()
}

impl Program {
    /// Whether its curator has `adopt`, which came with 0.20.0; `None` where the version is not
    /// known or is none.
    pub fn adopts(&self) -> Option<bool> {
        let mut parts = self.version.as_deref()?.split('.');
        let mut number = || parts.next()?.parse::<u32>().ok();
        Some((number()?, number()?) >= (0, 20))
    }
}

#[cfg(test)]
mod tests {
    use super::{Program, version};
    use std::os::unix::fs::symlink;
    use std::path::{Path, PathBuf};
    use tempfile::TempDir;

    fn installed(prefix: &Path, version: &str) -> PathBuf {
        let packages = prefix.join("lib/python3.11/site-packages");
        let package = packages.join(format!("hermes_agent-{version}.dist-info"));
        fs_err::create_dir_all(package).unwrap();
        fs_err::create_dir_all(packages.join("hermes_agent-notes")).unwrap();
        fs_err::create_dir_all(prefix.join("bin")).unwrap();
        let program = prefix.join("bin/hermes");
        fs_err::write(&program, "#!/bin/sh\n").unwrap();
        program
    }

    #[test]
    fn the_version_is_found_beside_behind_a_link_and_through_the_interpreter() {
        let held = TempDir::new().unwrap();
        let program = installed(&held.path().join("venv"), "0.19.0");
        assert_eq!(version(&program).as_deref(), Some("0.19.0"));
        let link = held.path().join("hermes");
        symlink(&program, &link).unwrap();
        assert_eq!(version(&link).as_deref(), Some("0.19.0"));
        // A virtual environment's interpreter is a link out of it.
        symlink("/bin/sh", held.path().join("venv/bin/python3")).unwrap();
        let script = held.path().join("elsewhere/bin/hermes");
        fs_err::create_dir_all(script.parent().unwrap()).unwrap();
        let line = format!("#!{}/venv/bin/python3 -E\n", held.path().display());
        fs_err::write(&script, line).unwrap();
        assert_eq!(version(&script).as_deref(), Some("0.19.0"));
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        let held = TempDir::new().unwrap();
        let program = installed(&held.path().join("two"), "0.19.0");
        installed(&held.path().join("two"), "0.20.1");
        assert_eq!(version(&program), None);
        let bare = held.path().join("bare/bin/hermes");
        fs_err::create_dir_all(bare.parent().unwrap()).unwrap();
        for bytes in [
            &b""[..],
            b"\x7fELF\xff\xfe",
            b"#!",
            b"#! \n",
            b"#!/usr/bin/env python3\n",
        ] {
            fs_err::write(&bare, bytes).unwrap();
            assert_eq!(version(&bare), None, "{bytes:?}");
        }
        assert_eq!(version(&held.path().join("nowhere")), None);
    }

    #[test]
    fn adopt_came_with_0_20() {
        let adopts = |version: Option<&str>| {
            let program = Program {
                path: PathBuf::from("/x/hermes"),
                version: version.map(str::to_owned),
            };
            program.adopts()
        };
        for (version, expected) in [
            (Some("0.19.0"), Some(false)),
            (Some("0.9.12"), Some(false)),
            (Some("0.20.0"), Some(true)),
            (Some("0.20.0rc1"), Some(true)),
            (Some("1.0"), Some(true)),
            (Some("nightly"), None),
            (Some("0.20rc1"), None),
            (None, None),
        ] {
            assert_eq!(adopts(version), expected, "{version:?}");
        }
    }
}
