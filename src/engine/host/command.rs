//! The host `command`: any program that reads a charter and prints a packet (conference.md A2, A8).
//!
//! Promises: no shell; the child reads the charter's canonical JSON and then the end of file; what
//! it printed is handed on whole, or known to be too large, and is not believed here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::engine::charter::Charter;
use crate::engine::packet;
use crate::process::{self, Cancel, Environment, Finished, Job, Shim};

/// How long the free probe before the gate may take.
pub const PROBE: Duration = Duration::from_secs(10);

/// A program that does the work of children.
#[derive(Debug, Clone)]
pub struct Command {
    /// What runs, as [`command_line`] gives it.
    pub argv: Vec<OsString>,
    /// What it knows of the environment.
    pub environment: Environment,
    /// What stands above it.
    pub shim: Shim,
}

impl Command {
    /// The command of a conference with this root.
    pub fn new(root: &Path, words: &[String], environment: Environment) -> Self {
        Self {
            argv: command_line(root, words),
            environment,
            shim: Shim::default(),
        }
    }

    /// Runs it on one charter; blocks until it is over. `time` is the lane's timeout or what is
    /// left of the wall clock, whichever is less.
    pub fn run(&self, charter: &Charter, time: Duration, cancel: &Cancel) -> Finished {
        let mut job = Job::new(self.argv.clone(), self.environment.clone(), time);
        job.stdin = charter.bytes();
        job.stdout_limit = packet::MAX_BYTES;
        job.shim = self.shim.clone();
        process::run(&job, cancel)
    }
}

/// The words of a command as they are run in an empty folder: a program with a `/` and arguments
/// that name a file are relative to the conference's root, which has to be absolute. A program
/// without `/` is left to the search path.
pub fn command_line(root: &Path, words: &[String]) -> Vec<OsString> {
    let mut line = Vec::with_capacity(words.len());
    for (place, word) in words.iter().enumerate() {
        let file = match place {
            0 => word.contains('/').then(|| root.join(word)),
            _ => file_of(root, word),
        };
        line.push(file.map_or_else(|| word.into(), PathBuf::into_os_string));
    }
    line
}

/// The files that the words of a command name, in their order: what an approval's digest covers.
pub fn named_files(root: &Path, words: &[String]) -> Vec<PathBuf> {
    let is_path = |(place, word): &(usize, &String)| *place > 0 || word.contains('/');
    let words = words.iter().enumerate().filter(is_path);
    words.filter_map(|(_, word)| file_of(root, word)).collect()
}

fn file_of(root: &Path, word: &str) -> Option<PathBuf> {
    let path = root.join(word);
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::{command_line, named_files};

    #[test]
    fn what_names_a_file_of_the_root_is_found_from_anywhere() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
        for name in ["work.sh", "python3", "-x"] {
            fs_err::write(root.path().join(name), "").unwrap();
        }
        fs_err::create_dir(root.path().join("folder")).unwrap();
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        for (text, line, files) in [
            ("./work.sh", at("./work.sh"), at("./work.sh")),
            (
                "python3 work.sh 5",
                format!("python3 {} 5", at("work.sh")),
                at("work.sh"),
            ),
            (
                "./none work.shx folder",
                format!("{} work.shx folder", at("./none")),
                String::new(),
            ),
            (
                "/bin/sh -c work.sh",
                format!("/bin/sh -c {}", at("work.sh")),
                format!("/bin/sh {}", at("work.sh")),
            ),
        ] {
            let joined = |parts: Vec<String>| parts.join(" ");
            let got = command_line(root.path(), &words(text));
            assert_eq!(
                joined(
                    got.into_iter()
                        .map(|word| word.into_string().unwrap())
                        .collect()
                ),
                line
            );
            let named = named_files(root.path(), &words(text));
            assert_eq!(
                joined(
                    named
                        .iter()
                        .map(|path| path.to_str().unwrap().to_owned())
                        .collect()
                ),
                files
            );
        }
    }
}
