//! `apply` without an id: the picker, through a terminal.

use crate::support::questions::{MENU, NAME, QUESTION, other_answers, pending};
use crate::support::{Sandbox, Terminal, create, differences, patch};

#[test]
fn s5_in_the_picker_only_the_typed_word_applies() {
    let (sandbox, id) = pending();
    let before = sandbox.tree();
    for (what, keys) in other_answers("apply") {
        let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
            return;
        };
        terminal
            .expect(MENU)
            .press("a")
            .expect(QUESTION)
            .press(&keys);
        // Back at the menu, whose every key is harmless: what was typed too much is none of them.
        terminal
            .expect(MENU)
            .press("q")
            .expect("0 applied, 0 rejected");
        let (status, screen) = terminal.end();
        assert_eq!(status, 0, "{what}:\n{screen}");
        assert!(!screen.contains("error["), "{what}:\n{screen}");
        assert_eq!(
            differences(&before, &sandbox.tree()),
            Vec::<String>::new(),
            "{what}"
        );
    }
    assert_eq!(sandbox.item(&id)["state"], "pending");
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

/// A refusal is shown and the same proposal asked about again; what a decision changed about the
/// others is seen when their turn comes.
#[test]
fn the_picker_goes_on_after_a_refusal_and_looks_again() {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create(NAME, "one\ntwo\n")));
    let documents = [
        patch(NAME, "one", "1"),
        patch(NAME, "two", "2"),
        create("third", "x\n"),
    ];
    let ids = sandbox.propose_all(&serde_json::json!(documents));
    let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
        return;
    };
    terminal.expect("[1/3]").expect(MENU).press("r");
    let secret = crate::support::secret();
    terminal.expect("Reason").press(&format!("{secret}\r"));
    terminal
        .expect("error[INVALID_PROPOSAL]")
        .expect(MENU)
        .press("r");
    terminal.expect("Reason").press("\u{1b}").expect(MENU);
    // Somebody else decides the last one meanwhile.
    let lines = sandbox.json(&["list"]);
    let order: Vec<&str> = lines["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    sandbox.sl(&["reject", order[2]]).ok();
    terminal
        .press("a")
        .expect(QUESTION)
        .press("apply\r")
        .expect("Receipt l-");
    let second = terminal.expect("[2/3]");
    let same_file =
        ids[..2].contains(&order[0].to_owned()) && ids[..2].contains(&order[1].to_owned());
    if same_file {
        second
            .expect("stale")
            .expect(MENU)
            .press("a")
            .expect("error[STALE_BASE]");
    }
    terminal.expect(MENU).press("k");
    terminal.expect("[3/3]").expect("rejected meanwhile");
    terminal.expect("1 applied, 0 rejected, 2 left as they are.");
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    // Typed once, and not said again.
    assert_eq!(screen.matches(&secret).count(), 1, "{screen}");
    sandbox.holds();
}

#[test]
fn no_single_key_of_the_picker_decides() {
    let (sandbox, _) = pending();
    let before = sandbox.tree();
    // Those that mean nothing, all in one go and then a key that does.
    let nothing: String = (b' '..=b'~')
        .map(char::from)
        .filter(|key| !"sarkq".contains(*key))
        .collect();
    let nothing = format!("{nothing}\r\u{7f}\t\u{1a}\u{13}\u{1c}é");
    let ends = [
        "q",
        "k",
        "\u{1b}",
        "\u{4}",
        "\u{1b}[Aq",
        "\u{1b}OPq",
        "\u{1b}[15~k",
    ];
    for keys in ends
        .map(str::to_owned)
        .into_iter()
        .chain([format!("{nothing}q"), format!("{nothing}k")])
    {
        let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
            return;
        };
        terminal
            .expect(MENU)
            .press(&keys)
            .expect("0 applied, 0 rejected, 1 left");
        let (status, screen) = terminal.end();
        assert_eq!(status, 0, "{keys:?}: {screen}");
        let changed = differences(&before, &sandbox.tree());
        assert_eq!(changed, Vec::<String>::new(), "{keys:?}");
    }
    // Those that lead on to another question, and back from it.
    for (key, question) in [("a", QUESTION), ("r", "Reason")] {
        let Some(mut terminal) = Terminal::start(&sandbox, &["skill-loop", "apply"]) else {
            return;
        };
        terminal
            .expect(MENU)
            .press(key)
            .expect(question)
            .press("\u{1b}");
        terminal.expect(MENU).press("q");
        assert_eq!(terminal.end().0, 0, "{key}");
        assert_eq!(
            differences(&before, &sandbox.tree()),
            Vec::<String>::new(),
            "{key}"
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
