//! What is on the screen: nothing that moves it but what we put there, colours that are legible
//! everywhere and off where they are not wanted, and lines that fit.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::json;
use unicode_width::UnicodeWidthStr as _;

use crate::support::questions::{MENU, NAME, QUESTION, newest_apply, pending};
use crate::support::{Sandbox, Terminal, Way, create, differences};

#[test]
fn t6_hostile_text_does_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let hostile = "x\u{1b}]52;c;ZXZpbA==\u{7}y\u{1b}[2Jz\rover\u{202e}bidi\u{200b}\u{9b}31m";
    let mut document = create(NAME, &format!("{hostile}\n"));
    document["rationale"] = json!(hostile);
    let id = sandbox.propose(&document);
    for args in [
        &["skill-loop", "show", &id][..],
        &["skill-loop", "list"],
        &["skill-loop", "apply", &id],
    ] {
        let Some(mut terminal) = Terminal::start(&sandbox, args) else {
            return;
        };
        if args.contains(&"apply") {
            terminal.expect(QUESTION).press("\r");
        }
        let (_, screen) = terminal.end();
        for bad in [
            "\u{1b}]",
            "\u{1b}[2J",
            "\u{7}",
            "\u{202e}",
            "\u{200b}",
            "\u{9b}",
            "\rover",
        ] {
            assert!(!screen.contains(bad), "{args:?} {bad:?}: {screen:?}");
        }
    }
}

/// `--color` × `NO_COLOR` × `CLICOLOR_FORCE` × terminal or pipe × `TERM`, each stream apart.
#[test]
fn g3_the_colour_table() {
    let (sandbox, id) = pending();
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    let plain = sandbox.sl(&["show", &id]).ok().stdout;
    let choices = [None, Some("auto"), Some("always"), Some("never")];
    for choice in choices {
        for no_color in [None, Some(""), Some("1")] {
            for force in [None, Some("0"), Some("1")] {
                let mut sandboxed = sandbox.process(program);
                sandboxed.args(["skill-loop", "show", &id]);
                sandboxed.args(choice.map(|when| format!("--color={when}")));
                no_color.map(|value| sandboxed.env("NO_COLOR", value));
                force.map(|value| sandboxed.env("CLICOLOR_FORCE", value));
                let out = sandboxed.output().unwrap();
                let stdout = String::from_utf8(out.stdout).unwrap();
                let stdout = stdout.replace(&*sandbox.root().to_string_lossy(), "[SANDBOX]");
                let colored = match choice {
                    Some("always") => true,
                    Some("never") => false,
                    _ => no_color.is_none_or(str::is_empty) && force == Some("1"),
                };
                let what = format!("{choice:?} {no_color:?} {force:?}");
                assert_eq!(stdout.contains('\u{1b}'), colored, "{what}");
                let stripped = anstream::adapter::strip_str(&stdout).to_string();
                assert_eq!(stripped, plain, "{what}");
            }
        }
    }
}

#[test]
fn g3_the_colour_of_a_terminal_and_of_each_stream_apart() {
    let (sandbox, _) = pending();
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    let table = [
        ("", "", true),
        ("TERM=dumb", "", false),
        ("NO_COLOR=1", "", false),
        ("NO_COLOR=", "", true),
        ("NO_COLOR=1", "--color=always", true),
        ("TERM=dumb", "--color=always", true),
        ("CLICOLOR_FORCE=1", "--color=never", false),
        ("TERM=dumb CLICOLOR_FORCE=1", "", true),
        ("CLICOLOR_FORCE=0", "", true),
    ];
    for (environment, flag, colored) in table {
        // An error on stderr: the terminal's, with stdout in a file, and the other way round.
        for (redirect, on_terminal) in [(">/dev/null", colored), ("2>/dev/null", false)] {
            let line = format!(
                "TERM=xterm; export TERM; env {environment} '{}' skill-loop show p-000000 {flag} {redirect}",
                program.display()
            );
            let Some(terminal) = Terminal::start_line(&sandbox, &line) else {
                return;
            };
            let (status, screen) = terminal.end();
            assert_eq!(status, 1);
            assert_eq!(
                screen.contains('\u{1b}'),
                on_terminal,
                "{environment} {flag} {redirect}: {screen:?}"
            );
        }
    }
}

/// What every command shows on a terminal of this width; the environment may say more.
fn screens(
    sandbox: &Sandbox,
    id: &str,
    columns: usize,
    environment: &str,
    flag: &str,
) -> Vec<(String, String)> {
    let receipt = newest_apply(sandbox);
    let lines: [(&[&str], Way<'_>); 14] = [
        (&["skill-loop", "list", "--all"], &[]),
        (&["skill-loop", "show", id], &[]),
        (&["skill-loop", "show", "p-000000"], &[]),
        (&["skill-loop", "log"], &[]),
        (&["skill-loop", "verify"], &[]),
        (&["skill-loop", "apply", id, "--dry-run"], &[]),
        (&["skill-loop", "apply", id], &[(QUESTION, "no\r")]),
        (
            &["skill-loop", "apply"],
            &[(MENU, "s"), (MENU, "r"), ("Reason", "\u{1b}"), (MENU, "q")],
        ),
        (&["skill-loop", "rollback", &receipt], &[(QUESTION, "no\r")]),
        (&["skill-loop", "propose", "no-document"], &[]),
        (&["doctor"], &[]),
        (&["--help"], &[]),
        (&["skill-loop", "aply"], &[]),
        (&["skill-loop", "list", "--state", "gone"], &[]),
    ];
    let mut all = Vec::new();
    for (args, way) in lines {
        let args = [
            args,
            if flag.is_empty() {
                &[]
            } else {
                std::slice::from_ref(&flag)
            },
        ]
        .concat();
        let line = format!(
            "TERM=xterm; export TERM; exec env {environment} {}",
            Terminal::line(&args)
        );
        let Some(mut terminal) = Terminal::start_wide(sandbox, columns, &line) else {
            return Vec::new();
        };
        terminal.go(way);
        all.push((args.join(" "), terminal.end().1));
    }
    all
}

/// A light background and a dark one, and whatever palette: only base colours, which each palette
/// makes legible on its own background, and never white, black or a background of our own.
#[test]
fn colours_are_legible_on_light_and_on_dark() {
    let (sandbox, id) = pending();
    let escape = Regex::new("\u{1b}(?:\\[([0-9;?]*)([A-Za-z])|.)").unwrap();
    let mut used = BTreeSet::new();
    for (command, screen) in screens(&sandbox, &id, 100, "", "") {
        for found in escape.captures_iter(&screen) {
            let kind = found.get(2).map_or("", |kind| kind.as_str());
            assert_eq!(kind, "m", "{command}: {:?}", &found[0]);
            used.extend(found[1].split(';').map(str::to_owned));
        }
        let is_plain = ["log", "verify"].iter().any(|verb| command.ends_with(verb));
        assert_eq!(screen.contains('\u{1b}'), !is_plain, "{command}: {screen}");
    }
    // Reset, bold, faint, underlined; red, green, yellow, cyan.
    let legible = ["0", "1", "2", "4", "31", "32", "33", "36"];
    assert!(
        used.iter().all(|code| legible.contains(&code.as_str())),
        "{used:?}"
    );
}

/// Questions, help and usage errors obey the same switches as everything else.
#[test]
fn g3_where_colour_is_off_no_escape_is_on_the_screen() {
    let (sandbox, id) = pending();
    for (environment, flag) in [("NO_COLOR=1", ""), ("TERM=dumb", ""), ("", "--color=never")] {
        for (command, screen) in screens(&sandbox, &id, 100, environment, flag) {
            assert!(
                !screen.contains('\u{1b}'),
                "{environment} {command}: {screen:?}"
            );
        }
    }
}

#[test]
fn g3_help_and_usage_errors_obey_the_switches() {
    let sandbox = Sandbox::new();
    let table: [(&[&str], &str, bool); 9] = [
        (&[], "", false),
        (&["--color=always"], "", true),
        (&["--color", "always"], "", true),
        (&["--color", "always", "--color=never"], "", false),
        (&["--color=blue"], "", false),
        (&[], "CLICOLOR_FORCE", true),
        (&["--color=never"], "CLICOLOR_FORCE", false),
        (&["--color"], "CLICOLOR_FORCE", true),
        (&["--color=always"], "NO_COLOR", true),
    ];
    for (flags, variable, colored) in table {
        for (words, status) in [(&["--help"][..], 0), (&["skill-loop", "aply"], 2)] {
            let mut command = sandbox.command();
            command.args(words).args(flags);
            if !variable.is_empty() {
                command.env(variable, "1");
            }
            let ran = sandbox.ran(&mut command);
            let malformed = flags == ["--color"] || flags == ["--color=blue"];
            assert!(
                ran.status == status || (malformed && ran.status == 2),
                "{words:?} {flags:?}: {ran:?}"
            );
            let text = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!text.is_empty());
            assert_eq!(
                text.contains('\u{1b}'),
                colored,
                "{words:?} {flags:?} {variable}: {text:?}"
            );
        }
    }
}

/// What was typed is quoted in the answer.
#[test]
fn t6_a_usage_error_shows_what_was_typed_and_obeys_none_of_it() {
    let sandbox = Sandbox::new();
    let hostile = "\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{202e}x\ry";
    for color in ["--color=never", "--color=always"] {
        for args in [
            &["skill-loop", hostile][..],
            &["skill-loop", "list", "--state", hostile],
            &["skill-loop", "log", "--limit", hostile],
            &[hostile],
            &["skill-loop", "list", "--json", hostile],
        ] {
            let ran = sandbox.run(&[args, &[color]].concat()).exits(2);
            for bad in ["\u{1b}[2J", "\u{1b}]", "\u{7}", "\u{202e}", "\r"] {
                assert!(
                    !ran.stderr.contains(bad) && !ran.stdout.contains(bad),
                    "{args:?}: {ran:?}"
                );
            }
        }
    }
}

/// At 80 columns and at 200 nothing that is ours to lay out goes over the edge, and what was cut
/// at 80 is there at 200. In a window of one column nothing breaks.
#[test]
fn screens_fit_their_terminal() {
    let (sandbox, id) = pending();
    let long =
        "Because of a reason that takes more room than a terminal of eighty columns has got.";
    let mut document = create("second", "x\n");
    document["rationale"] = json!(long);
    sandbox.propose(&document);
    let before = sandbox.tree();
    let widest = |screen: &str| {
        let plain = anstream::adapter::strip_str(screen).to_string();
        plain
            .lines()
            .map(|line| line.trim_end_matches('\r').width())
            .max()
            .unwrap_or(0)
    };
    for columns in [80, 200] {
        for (command, screen) in screens(&sandbox, &id, columns, "", "") {
            // Sentences, paths and command lines are whole: the terminal wraps them.
            let wraps = ["show", "log", "propose", "doctor", "aply"]
                .iter()
                .any(|verb| command.contains(verb));
            if columns == 200 || !wraps {
                assert!(
                    widest(&screen) <= columns,
                    "{command}: {}\n{screen}",
                    widest(&screen)
                );
            }
            if command.contains("list --all") {
                assert_eq!(screen.contains(long), columns == 200, "{screen}");
                assert!(screen.contains('…') || columns == 200, "{screen}");
            }
            if command == "skill-loop log" {
                let heads = screen.lines().filter(|line| line.starts_with("l-"));
                assert!(heads.map(str::len).all(|length| length < 80), "{screen}");
            }
        }
    }
    for columns in [1, 20] {
        for (command, screen) in screens(&sandbox, &id, columns, "", "") {
            assert!(
                !screen.contains("panicked") && !screen.is_empty(),
                "{command}: {screen}"
            );
        }
    }
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}
