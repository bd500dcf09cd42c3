//! The binary: parse, run, render the result or the error, exit. No logic.

use std::process::ExitCode;

fn main() -> ExitCode {
    lithermes::cmd::main(std::env::args_os().collect())
}
