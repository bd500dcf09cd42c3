//! A person at a terminal: only the typed word decides, and nothing else does anything.

use crate::support::{Sandbox, Terminal, create, differences, marked, patch};

const NAME: &str = "release-notes";
const QUESTION: &str = "anything else changes nothing";
const MENU: &str = "quit, keeping what was decided";

/// A sandbox with one pending proposal on a skill that a receipt made; its id.
fn pending() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create(NAME, "one\n")));
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    (sandbox, id)
}

#[test]
fn s5_at_the_prompt_only_the_typed_word_applies() {
    let noise = "x".repeat(4096);
    let answers = [
        ("Enter", "\r", 130),
        ("q", "q\r", 130),
        ("Esc", "\u{1b}", 130),
        ("Y", "Y\r", 130),
        ("y", "y\r", 130),
        ("yes please", "yes please\r", 130),
        ("yes", "yes\r", 130),
        ("Ctrl-D", "\u{4}", 130),
        ("Ctrl-C", "\u{3}", 130),
        ("arrow up", "\u{1b}[A", 130),
        ("upper case", "APPLY\r", 130),
        ("a space before", " apply\r", 130),
        ("a space behind", "apply \r", 130),
        ("the word and Esc", "apply\u{1b}", 130),
        ("the word and Ctrl-C", "apply\u{3}", 130),
        ("half the word", "appl\r", 130),
        ("noise", &noise, 130),
    ];
    for (what, keys, status) in answers {
        let (sandbox, id) = pending();
        let before = sandbox.tree();
        let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply", &id]) else {
            return;
        };
        terminal.expect(QUESTION).press(keys);
        if what == "noise" {
            terminal.press("\r");
        }
        let (ended, screen) = terminal.end();
        assert_eq!(ended, status, "{what}:\n{screen}");
        assert!(
            screen.contains("nothing") && screen.contains("changed"),
            "{what}:\n{screen}"
        );
        assert_eq!(
            differences(&before, &sandbox.tree()),
            Vec::<String>::new(),
            "{what}"
        );
    }
}

#[test]
fn s5_the_typed_word_applies_what_was_shown() {
    let (sandbox, id) = pending();
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply", &id[..8]]) else {
        return;
    };
    terminal
        .expect("-one")
        .expect("+1")
        .expect(QUESTION)
        .press("apply\r");
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("Receipt l-"), "{screen}");
    let text = fs_err::read_to_string(sandbox.skill_path(NAME).join("SKILL.md")).unwrap();
    assert_eq!(text, marked(NAME, "1\n"));
    sandbox.holds();
}

#[test]
fn what_changed_while_the_question_stood_is_stale() {
    let (sandbox, id) = pending();
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply", &id]) else {
        return;
    };
    terminal.expect(QUESTION);
    let path = sandbox.skill_path(NAME).join("SKILL.md");
    fs_err::write(&path, marked(NAME, "one by hand\n")).unwrap();
    let (status, screen) = {
        terminal.press("apply\r");
        terminal.end()
    };
    assert_eq!(status, 4, "{screen}");
    assert!(screen.contains("STALE_BASE"), "{screen}");
    assert_eq!(
        fs_err::read_to_string(path).unwrap(),
        marked(NAME, "one by hand\n")
    );
}

#[test]
fn a_lock_is_not_held_while_a_person_is_asked() {
    let (sandbox, id) = pending();
    let other = sandbox.propose(&create("other", "x\n"));
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply", &id]) else {
        return;
    };
    terminal.expect(QUESTION);
    sandbox.sl(&["apply", &other, "--lock-timeout", "0"]).ok();
    terminal.press("apply\r");
    assert_eq!(terminal.end().0, 0);
    sandbox.holds();
}

#[test]
fn a_marked_skill_without_a_receipt_is_asked_for_separately() {
    for (keys, status) in [("no\r", 130), ("apply\r", 130), ("mine\r", 0)] {
        let sandbox = Sandbox::new();
        sandbox.skill(NAME, "one\n");
        let id = sandbox.propose(&patch(NAME, "one", "1"));
        let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply", &id]) else {
            return;
        };
        terminal
            .expect("no receipt of lithermes made it")
            .expect("to go on")
            .press(keys);
        if status == 0 {
            terminal.expect(QUESTION).press("apply\r");
        }
        let (ended, screen) = terminal.end();
        assert_eq!(ended, status, "{keys}: {screen}");
    }
}

#[test]
fn g2_ctrl_c_leaves_the_cursor_visible() {
    for args in [
        &["skill-loop", "apply"][..],
        &["skill-loop", "apply", "ID"],
        &["skill-loop", "rollback", "ID"],
    ] {
        let (sandbox, id) = pending();
        let receipt = sandbox.json(&["log", "--kind", "skill.apply"])["entries"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        fs_err::write(sandbox.root().join("unrelated"), "").unwrap();
        let target = if args.contains(&"rollback") {
            &receipt
        } else {
            &id
        };
        let args: Vec<&str> = args
            .iter()
            .map(|word| if *word == "ID" { target } else { *word })
            .collect();
        let before = sandbox.tree();
        let Some(mut terminal) = Terminal::start(&sandbox, &args) else {
            return;
        };
        terminal
            .expect(if args.len() == 2 { MENU } else { QUESTION })
            .press("\u{3}");
        let (status, screen) = terminal.end();
        assert_eq!(status, 130, "{args:?}: {screen}");
        let hidden = screen.rfind("\u{1b}[?25l");
        let shown = screen.rfind("\u{1b}[?25h");
        assert!(hidden.is_none() || shown > hidden, "{args:?}: {screen:?}");
        assert_eq!(
            differences(&before, &sandbox.tree()),
            Vec::<String>::new(),
            "{args:?}"
        );
    }
}

#[test]
fn the_picker_goes_through_what_is_pending() {
    let sandbox = Sandbox::new();
    let documents: Vec<_> = ["a", "b", "c", "d"]
        .iter()
        .map(|name| create(name, "x\n"))
        .collect();
    let ids = sandbox.propose_all(&serde_json::json!(documents));
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
        return;
    };
    // Keys that mean nothing ask again; showing decides nothing.
    terminal
        .expect("[1/4]")
        .expect(MENU)
        .press("\r")
        .press("x")
        .press("s")
        .expect("+x");
    terminal
        .expect(MENU)
        .press("a")
        .expect(QUESTION)
        .press("apply\r")
        .expect("Receipt l-");
    terminal
        .expect("[2/4]")
        .expect(MENU)
        .press("a")
        .expect(QUESTION)
        .press("no\r");
    terminal
        .expect(MENU)
        .press("r")
        .expect("Reason")
        .press("not\u{20}now\r")
        .expect("Rejected");
    terminal.expect("[3/4]").expect(MENU).press("k");
    terminal.expect("[4/4]").expect(MENU).press("q");
    terminal.expect("1 applied, 1 rejected, 2 left as they are.");
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    let mut states: Vec<String> = ids
        .iter()
        .map(|id| sandbox.item(id)["state"].as_str().unwrap().to_owned())
        .collect();
    states.sort();
    assert_eq!(states, ["applied", "pending", "pending", "rejected"]);
    let log = sandbox.json(&["log", "--kind", "skill.reject"]);
    assert_eq!(log["entries"][0]["reason"], "not now");
    sandbox.holds();
}

#[test]
fn no_single_key_of_the_picker_decides() {
    for key in (b' '..=b'~')
        .map(char::from)
        .filter(|key| !"sark".contains(*key))
        .step_by(7)
        .chain(['\u{1b}', '\u{4}', '\r', '\u{7f}', 'A', 'R', 'y', 'd'])
    {
        let (sandbox, _) = pending();
        let before = sandbox.tree();
        let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
            return;
        };
        terminal.expect(MENU).press(&key.to_string());
        if !matches!(key, '\u{1b}' | '\u{4}' | 'q') {
            terminal.press("q");
        }
        let (status, screen) = terminal.end();
        assert_eq!(status, 0, "{key:?}: {screen}");
        assert_eq!(
            differences(&before, &sandbox.tree()),
            Vec::<String>::new(),
            "{key:?}"
        );
    }
}

#[test]
fn decisions_made_in_the_picker_are_kept_when_it_is_interrupted() {
    let sandbox = Sandbox::new();
    sandbox.propose_all(&serde_json::json!([create("a", "x\n"), create("b", "x\n")]));
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
        return;
    };
    terminal
        .expect(MENU)
        .press("a")
        .expect(QUESTION)
        .press("apply\r")
        .expect("[2/2]")
        .expect(MENU)
        .press("\u{3}");
    let (status, screen) = terminal.end();
    assert_eq!(status, 130, "{screen}");
    assert_eq!(sandbox.kinds(), ["skill.approve", "skill.apply"]);
    sandbox.holds();
}

#[test]
fn a_rollback_is_shown_and_wants_its_own_word() {
    for (keys, status) in [("apply\r", 130), ("yes\r", 130), ("rollback\r", 0)] {
        let (sandbox, _) = pending();
        let receipt = sandbox.json(&["log", "--kind", "skill.apply"])["entries"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let before = sandbox.tree();
        let Some(mut terminal) =
            Terminal::start(&sandbox, &["skill-loop", "rollback", &receipt[..9]])
        else {
            return;
        };
        terminal.expect(QUESTION).press(keys);
        let (ended, screen) = terminal.end();
        assert_eq!(ended, status, "{keys}: {screen}");
        let changed = differences(&before, &sandbox.tree());
        assert_eq!(changed.is_empty(), status != 0, "{changed:?}");
    }
}

#[test]
fn half_a_terminal_is_no_terminal() {
    let (sandbox, id) = pending();
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    let before = sandbox.tree();
    for redirect in ["</dev/null", "| cat", "2>/dev/null"] {
        let line = format!(
            "'{}' skill-loop apply {redirect}; echo status $?",
            program.display()
        );
        let line = line.replace("| cat; echo status $?", "| cat");
        let Some(terminal) = Terminal::start_line(&sandbox, &line) else {
            return;
        };
        let (_, screen) = terminal.end();
        let refused = screen.contains("status 2") || screen.contains("error[USAGE]");
        assert!(refused, "{redirect}: {screen}");
    }
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
    assert_eq!(sandbox.item(&id)["state"], "pending");
}

#[test]
fn t6_hostile_text_does_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    let hostile = "x\u{1b}]52;c;ZXZpbA==\u{7}y\u{1b}[2Jz\rover\u{202e}bidi\u{200b}\u{9b}31m";
    let mut document = create(NAME, &format!("{hostile}\n"));
    document["rationale"] = serde_json::json!(hostile);
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
