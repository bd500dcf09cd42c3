//! A person at a terminal: only the typed word decides, and nothing else does anything.

use std::process::Stdio;

use crate::support::questions::{MENU, NAME, QUESTION, newest_apply, other_answers, pending};
use crate::support::{PATIENCE, Sandbox, Terminal, Way, create, differences, marked, patch};

/// Asks once for each of the answers; none of them changes anything.
fn none_of_these_decides(sandbox: &Sandbox, args: &[&str], question: &str, word: &str) {
    let before = sandbox.tree();
    for (what, keys) in other_answers(word) {
        let Some(mut terminal) = Terminal::start(sandbox, args) else {
            return;
        };
        terminal.expect(question).press(&keys);
        let (status, screen) = terminal.end();
        assert_eq!(status, 130, "{what}:\n{screen}");
        assert!(
            screen.contains("INTERRUPTED") && screen.contains("nothing was changed"),
            "{what}:\n{screen}"
        );
        let changed = differences(&before, &sandbox.tree());
        assert_eq!(changed, Vec::<String>::new(), "{what}");
    }
}

#[test]
fn s5_at_the_prompt_only_the_typed_word_applies() {
    let (sandbox, id) = pending();
    none_of_these_decides(&sandbox, &["skill-loop", "apply", &id], QUESTION, "apply");
}

#[test]
fn s5_at_the_prompt_only_the_typed_word_rolls_back() {
    let (sandbox, _) = pending();
    let receipt = newest_apply(&sandbox);
    none_of_these_decides(
        &sandbox,
        &["skill-loop", "rollback", &receipt],
        QUESTION,
        "rollback",
    );
}

#[test]
fn s5_a_skill_without_a_receipt_is_taken_for_ones_own_by_a_typed_word_only() {
    let sandbox = Sandbox::new();
    sandbox.skill(NAME, "one\n");
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    none_of_these_decides(&sandbox, &["skill-loop", "apply", &id], "to go on", "mine");
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

/// At every question that there is: keys on the way to it, each typed when its text is there.
#[test]
fn g2_ctrl_c_leaves_the_cursor_visible_and_changes_nothing() {
    let (sandbox, id) = pending();
    let receipt = newest_apply(&sandbox);
    sandbox.skill("by-hand", "one\n");
    let unknown = sandbox.propose(&patch("by-hand", "one", "1"));
    let apply = |id| vec!["skill-loop", "apply", id];
    let questions: [(Vec<&str>, Way<'_>, &str); 7] = [
        (apply(&id), &[], QUESTION),
        (apply(&unknown), &[], "to go on"),
        (apply(&unknown), &[("to go on", "mine\r")], QUESTION),
        (vec!["skill-loop", "rollback", &receipt], &[], QUESTION),
        (vec!["skill-loop", "apply"], &[], MENU),
        (vec!["skill-loop", "apply"], &[(MENU, "a")], QUESTION),
        (vec!["skill-loop", "apply"], &[(MENU, "r")], "Reason"),
    ];
    let before = sandbox.tree();
    for (args, way, question) in questions {
        for half in ["", "appl"] {
            let Some(mut terminal) = Terminal::start(&sandbox, &args) else {
                return;
            };
            terminal.go(way);
            let half = if question == MENU { "" } else { half };
            terminal.expect(question).press(half).press("\u{3}");
            let (status, screen) = terminal.end();
            assert_eq!(status, 130, "{args:?} {question}: {screen}");
            let hidden = screen.rfind("\u{1b}[?25l");
            let shown = screen.rfind("\u{1b}[?25h");
            assert!(
                shown.is_some() && shown > hidden,
                "{args:?} {question}: {screen:?}"
            );
            assert!(
                screen.contains("nothing more was changed"),
                "{args:?} {question}: {screen}"
            );
            let changed = differences(&before, &sandbox.tree());
            assert_eq!(changed, Vec::<String>::new(), "{args:?} {question}");
        }
    }
}

/// The modes of the terminal are what they were, however a question ended.
#[test]
fn a_terminal_is_left_as_it_was_found() {
    let (sandbox, id) = pending();
    for (keys, status) in [
        ("\u{3}", 130),
        ("\u{1b}", 130),
        ("no\r", 130),
        ("apply\r", 0),
    ] {
        let apply = Terminal::line(&["skill-loop", "apply", &id]);
        let line =
            format!("echo before $(stty -g); {apply}; echo status $?; echo after $(stty -g)");
        let Some(mut terminal) = Terminal::start_line(&sandbox, &line) else {
            return;
        };
        terminal.expect(QUESTION).press(keys);
        let (_, screen) = terminal.end();
        let said = |word: &str| {
            let lines = screen.lines().map(str::trim_end);
            lines.filter_map(|line| line.strip_prefix(word)).next_back()
        };
        assert!(said("before ").is_some(), "{screen}");
        assert_eq!(said("before "), said("after "), "{keys:?}: {screen}");
        assert_eq!(
            said("status "),
            Some(status.to_string().as_str()),
            "{screen}"
        );
    }
}

#[test]
fn a_question_outlives_a_resize() {
    let (sandbox, id) = pending();
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply", &id]) else {
        return;
    };
    terminal.expect(QUESTION).resize(10, 30).press("app");
    terminal.resize(60, 200).press("ly\r").expect("Receipt l-");
    assert_eq!(terminal.end().0, 0);
    sandbox.holds();
    sandbox.propose_all(&serde_json::json!([create("a", "x\n"), create("b", "x\n")]));
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
        return;
    };
    terminal.expect(MENU).resize(5, 1).press("s").expect("+x");
    terminal
        .expect(MENU)
        .resize(50, 132)
        .press("k")
        .expect("[2/2]");
    terminal.expect(MENU).press("q");
    assert_eq!(terminal.end().0, 0);
}

/// Whoever holds the other end of the FIFO knows when the program is gone.
#[test]
fn a_window_that_is_closed_ends_the_question() {
    let (sandbox, id) = pending();
    let before = sandbox.tree();
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("alive");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let apply = Terminal::line(&["skill-loop", "apply", &id]);
    let line = format!("exec 9>'{}'; exec {apply}", fifo.display());
    let Some(mut terminal) = Terminal::start_line(&sandbox, &line) else {
        return;
    };
    let (gone, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || gone.send(fs_err::read(fifo).unwrap()));
    terminal.expect(QUESTION).press("appl");
    terminal.hang_up();
    let end = wait.recv_timeout(PATIENCE);
    assert_eq!(end.expect("the program stays"), b"");
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

#[test]
fn a_rollback_is_shown_and_wants_its_own_word() {
    for (keys, status) in [("apply\r", 130), ("yes\r", 130), ("rollback\r", 0)] {
        let (sandbox, _) = pending();
        let receipt = newest_apply(&sandbox);
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

/// A terminal is no proof of a person.
#[test]
fn q5_an_agent_is_asked_nothing() {
    let (mut sandbox, id) = pending();
    let receipt = newest_apply(&sandbox);
    sandbox.set("HERMES_SESSION_ID", "20260101_101500_ab12cd");
    let before = sandbox.tree();
    for args in [
        &["apply"][..],
        &["apply", &id],
        &["reject", &id],
        &["rollback", &receipt],
    ] {
        let Some(terminal) = Terminal::start(&sandbox, &[&["skill-loop"], args].concat()) else {
            return;
        };
        let (status, screen) = terminal.end();
        assert_eq!(status, 3, "{args:?}: {screen}");
        let asked = [QUESTION, MENU].iter().any(|text| screen.contains(text));
        assert!(
            screen.contains("FOREGROUND_REQUIRED") && !asked,
            "{args:?}: {screen}"
        );
    }
    assert_eq!(differences(&before, &sandbox.tree()), Vec::<String>::new());
}

/// Nothing waits for an answer that cannot come: standard input that is closed, empty, or open and
/// silent for ever.
#[test]
fn without_a_terminal_nothing_hangs() {
    let sandbox = Sandbox::new();
    let ids = sandbox.propose_all(&serde_json::json!(
        ["a", "b", "c"].map(|name| create(name, "x\n"))
    ));
    let receipt = sandbox.apply(&ids[0]);
    let table: [(&[&str], i32); 5] = [
        (&["apply"], 2),
        (&["apply", &ids[1]], 0),
        (&["rollback", &receipt], 0),
        (&["reject", &ids[2]], 0),
        (&["verify", "--repair"], 0),
    ];
    for (number, redirect) in ["</dev/null", "<&-", ""].into_iter().enumerate() {
        for (args, status) in table {
            let line = Terminal::line(&[&["skill-loop"], args].concat());
            let mut command = sandbox.process("sh");
            command.args(["-c", &format!("exec {line} {redirect}")]);
            // The write end stays open until the program has ended.
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            let ended = ends(command);
            assert_eq!(ended, status, "{number}: {line} {redirect}");
        }
    }
}

/// The exit status of a command that is not to hang.
#[track_caller]
fn ends(mut command: std::process::Command) -> i32 {
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    let (sender, end) = std::sync::mpsc::channel();
    let process = child.id();
    std::thread::spawn(move || sender.send(child.wait().unwrap().code()));
    let Ok(status) = end.recv_timeout(PATIENCE) else {
        drop(stdin);
        panic!("process {process} does not end");
    };
    status.unwrap()
}

/// A document that never ends is refused at its limit.
#[test]
fn an_endless_document_is_refused() {
    let sandbox = Sandbox::new();
    let propose = Terminal::line(&["skill-loop", "propose", "-"]);
    let mut command = sandbox.process("sh");
    command.args(["-c", &format!("yes | {propose}")]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    assert_eq!(ends(command), 3);
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
