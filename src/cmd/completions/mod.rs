//! `completions`: the script that a shell loads, and the ids that the script asks for.
//!
//! Promises: asking for ids makes nothing, takes no lock and warns of nothing; what cannot be read
//! completes to nothing. Only hex digits and plain words come out, whatever the files say.

// The commands and options are static and come from `clap_complete::generate`, which is stable.
// The ids come by a call of this same command, behind `--`, from a few lines of our own around the
// static script (`templates/completions.*`). clap_complete's engine for live values would do both,
// but it is behind `unstable-dynamic`: it may change with any release, it takes an environment
// variable that turns every other command into a completer, and it knows no candidate that is
// filtered by what else stands on the line. All that the lines of our own rely on is the name of
// the static function, `_lithermes`, and tests/shells.rs runs them in the real shells.

mod cursor;
mod ids;

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};
use serde_json::{Value, json};

use super::invocation::Invocation;
use crate::args::{Args, CompletionsArgs};
use crate::error::Result;
use ids::Candidate;

const NAME: &str = "lithermes";
/// Where the static script goes in a template.
const STATIC: &str = "@STATIC@\n";
const BASH: &str = include_str!("../../../templates/completions.bash");
const ZSH: &str = include_str!("../../../templates/completions.zsh");
const FISH: &str = include_str!("../../../templates/completions.fish");

pub(super) fn run(invocation: &Invocation, args: &CompletionsArgs) -> Result<u8> {
    if args.words.is_empty() {
        let script = script(args.shell);
        invocation.output.text(&script);
        answer(invocation, args.shell, &json!(script), &Value::Null);
        return Ok(0);
    }
    let words = args.words.iter().map(|word| word.to_string_lossy());
    let words: Vec<String> = words.map(std::borrow::Cow::into_owned).collect();
    let Some(cursor) = cursor::find(&Args::command(), &words) else {
        answer(invocation, args.shell, &Value::Null, &Value::Null);
        return Ok(1);
    };
    // A script has nobody to tell what is wrong; the command itself will say it.
    let candidates = ids::of(invocation, &cursor).unwrap_or_default();
    let lines: Vec<String> = candidates.iter().map(|one| line(args.shell, one)).collect();
    invocation.output.text(&lines.join("\n"));
    let list = candidates
        .iter()
        .map(|one| json!({"id": one.id, "about": one.about}));
    let list: Vec<Value> = list.collect();
    answer(invocation, args.shell, &Value::Null, &json!(list));
    Ok(0)
}

fn answer(invocation: &Invocation, shell: Shell, script: &Value, ids: &Value) {
    invocation.output.document(&json!({
        "schema": "lithermes/completions/v1",
        "shell": shell.to_string(),
        "script": script,
        "ids": ids,
    }));
}

/// As the lines of our own in the script of that shell take it.
fn line(shell: Shell, candidate: &Candidate) -> String {
    let Candidate { id, about } = candidate;
    match shell {
        Shell::Zsh if !about.is_empty() => format!("{id}:{about}"),
        Shell::Fish if !about.is_empty() => format!("{id}\t{about}"),
        _ => id.clone(),
    }
}

/// The script, ending in a line feed.
fn script(shell: Shell) -> String {
    let mut bytes = Vec::new();
    generate(shell, &mut Args::command(), NAME, &mut bytes);
    let fixed = String::from_utf8_lossy(&bytes);
    match shell {
        Shell::Bash => BASH.replacen(STATIC, &fixed, 1),
        Shell::Zsh => ZSH.replacen(STATIC, &fixed, 1),
        Shell::Fish => FISH.replacen(STATIC, &fixed, 1),
        _ => fixed.into_owned(),
    }
}
