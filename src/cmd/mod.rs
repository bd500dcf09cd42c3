//! The commands: select, plan, confirm, act, report. Nothing that a library user would miss.
//!
//! Promises: one command one file; what goes wrong is one error with one exit status; an answer
//! is text for a person or, with `--json`, one document.

mod completions;
mod conference;
mod doctor;
mod foreground;
mod host_child;
mod invocation;
mod skill_loop;
mod tour;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser as _, ValueEnum as _};

use crate::args::{Args, ColorChoice, Command};
use crate::error::{Code, Error, Result};
use crate::term::output::Output;
use invocation::Invocation;

/// Runs the program with these arguments and gives its exit status.
pub fn main(argv: Vec<OsString>) -> ExitCode {
    if argv.get(1).is_some_and(|word| word == host_child::NAME) {
        return host_child::main(&argv[1..]);
    }
    if argv.get(1).is_some_and(|word| word == host_child::LEASH) {
        return host_child::leash(&argv[2..]);
    }
    let args = match Args::try_parse_from(&argv) {
        Ok(args) => args,
        Err(error) => return usage(&argv, &error),
    };
    let output = Output::new(args.global.json, args.global.quiet, args.global.color);
    let invocation = Invocation::new(&args.global, argv, output);
    let status = match run(&invocation, &args.command) {
        Ok(status) => status,
        Err(error) => {
            invocation.output.failure(&error);
            error.code().exit()
        }
    };
    ended(invocation.output, status)
}

fn run(invocation: &Invocation, command: &Command) -> Result<u8> {
    match command {
        Command::SkillLoop(verb) => skill_loop::run(invocation, verb),
        Command::Conference(verb) => conference::run(invocation, verb),
        Command::Doctor(_) => doctor::run(invocation),
        Command::Tour(_) => tour::run(invocation),
        Command::Completions(args) => completions::run(invocation, args),
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
    let json = !asked && argv.iter().any(|word| word == "--json");
    let output = Output::new(json, false, asked_color(argv));
    let text = error.render();
    let status = if asked { 0 } else { Code::Usage.exit() };
    if asked {
        output.text(&text.ansi().to_string());
    } else if json {
        let text = text.to_string();
        let paragraph = text.lines().take_while(|line| !line.is_empty());
        let first: Vec<&str> = paragraph.map(str::trim).collect();
        let first = first.join(" ").trim_start_matches("error: ").to_owned();
        output.failure(&Error::new(Code::Usage, first).hint("lithermes --help"));
    } else {
        output.complaint(&text.ansi().to_string());
    }
    ended(output, status)
}

/// `--color` of a line that is no command: the last that makes sense.
fn asked_color(argv: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = argv.iter().filter_map(|word| word.to_str()).collect();
    let pairs = words.windows(2).map(|pair| match pair {
        ["--color", value] => Some(*value),
        [_, word] => word.strip_prefix("--color="),
        _ => None,
    });
    let choices = pairs
        .flatten()
        .map(|value| ColorChoice::from_str(value, false));
    choices.flatten().last().unwrap_or_default()
}

/// The decision stands also where its report could not be delivered, and the report of that goes
/// to whichever stream still works.
fn ended(output: Output, status: u8) -> ExitCode {
    ExitCode::from(match output.finish() {
        Ok(()) => status,
        Err(error) => {
            let error = error.hint("what the command did stands: look before you repeat it");
            Output::new(false, false, ColorChoice::Never).failure_text(&error);
            status.max(Code::Io.exit())
        }
    })
}
