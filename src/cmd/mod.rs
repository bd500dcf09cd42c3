//! The commands: select, plan, confirm, act, report. Nothing that a library user would miss.
//!
//! Promises: one command one file; what goes wrong is one error with one exit status; an answer
//! is text for a person or, with `--json`, one document.

mod doctor;
mod foreground;
mod host_child;
mod invocation;
mod skill_loop;
mod tour;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, ColorChoice, Command};
use crate::error::{Code, Error, Result};
use crate::term::output::Output;
use invocation::Invocation;

/// Runs the program with these arguments and gives its exit status.
pub fn main(argv: Vec<OsString>) -> ExitCode {
    if argv.get(1).is_some_and(|word| word == host_child::NAME) {
        return host_child::main(&argv[1..]);
    }
    let args = match Args::try_parse_from(&argv) {
        Ok(args) => args,
        Err(error) => return usage(&argv, &error),
    };
    let output = Output::new(args.global.json, args.global.quiet, args.global.color);
    let invocation = Invocation::new(&args.global, argv, output);
    let ended = run(&invocation, &args.command);
    let status = match ended {
        Ok(status) => status,
        Err(error) => {
            invocation.output.failure(&error);
            error.code().exit()
        }
    };
    match invocation.output.finish() {
        Ok(()) => ExitCode::from(status),
        // The decision stands; only its report could not be delivered.
        Err(_) => ExitCode::from(status.max(Code::Io.exit())),
    }
}

fn run(invocation: &Invocation, command: &Command) -> Result<u8> {
    match command {
        Command::SkillLoop(verb) => skill_loop::run(invocation, verb),
        Command::Doctor(_) => doctor::run(invocation),
        Command::Tour(_) => tour::run(invocation),
    }
}

/// clap's own answers: help and version on stdout, a usage error on stderr, and as the one
/// document where `--json` stands among the arguments.
fn usage(argv: &[OsString], error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    let json = argv.iter().any(|word| word == "--json");
    if json && !asked {
        let output = Output::new(true, false, ColorChoice::Never);
        let text = error.render().to_string();
        let first = text
            .lines()
            .next()
            .unwrap_or("")
            .trim_start_matches("error: ")
            .to_owned();
        let hint = "lithermes --help";
        output.failure(&Error::new(Code::Usage, first).hint(hint));
        return ExitCode::from(Code::Usage.exit());
    }
    // A closed pipe is no reason to panic, and there is nobody left to tell.
    let printed = error.print();
    drop(printed);
    ExitCode::from(if asked { 0 } else { Code::Usage.exit() })
}
