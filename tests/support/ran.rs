//! What a command did: status and both streams, with the sandbox's path taken out.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

#[derive(Debug)]
pub struct Ran {
    /// Exit status; a signal is `-1`.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn new(output: Output, root: &Path) -> Self {
        let real = fs_err::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let clean = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let text = text.replace(&*real.to_string_lossy(), "[SANDBOX]");
            text.replace(&*root.to_string_lossy(), "[SANDBOX]")
        };
        Self {
            status: output.status.code().unwrap_or(-1),
            stdout: clean(output.stdout),
            stderr: clean(output.stderr),
        }
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        self.exits(0)
    }

    #[track_caller]
    pub fn exits(self, status: i32) -> Self {
        assert_eq!(
            self.status, status,
            "stdout:\n{}\nstderr:\n{}",
            self.stdout, self.stderr
        );
        self
    }

    /// Failed with this code, said on stderr.
    #[track_caller]
    pub fn fails(self, code: &str) -> Self {
        let said = self.stderr.contains(&format!("error[{code}]"));
        assert!(
            said && self.status != 0,
            "status {}\n{}\n{}",
            self.status,
            self.stdout,
            self.stderr
        );
        self
    }

    /// Standard output is exactly one JSON document with a schema.
    #[track_caller]
    pub fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr));
        assert!(
            document["schema"]
                .as_str()
                .unwrap()
                .starts_with("lithermes/"),
            "{document}"
        );
        document
    }
}
