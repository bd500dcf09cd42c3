//! What a person sees of a conference that is being held: a bar for each lane on a terminal, and
//! one line for each event where nobody watches.

use crate::support::{Ran, Sandbox, Terminal};

const CONFERENCE: &str = include_str!("../templates/tour-conference.md");
const COST: &str = include_str!("../templates/tour-cost.sh");

/// A conference of two lanes, and the digest that a person would approve.
fn prepared() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    fs_err::write(sandbox.work().join("conference.md"), CONFERENCE).unwrap();
    fs_err::write(sandbox.work().join("cost.sh"), COST).unwrap();
    let check = sandbox.run(&["conference", "check", "--json"]).ok().json();
    let digest = check["approval_digest"].as_str().unwrap().to_owned();
    (sandbox, digest)
}

fn on_a_terminal(columns: usize, environment: &str) -> Option<String> {
    let (sandbox, digest) = prepared();
    let line = Terminal::line(&["conference", "run", "--approve", &digest]);
    let terminal = Terminal::start_wide(&sandbox, columns, &format!("{environment} {line}"))?;
    let (status, screen) = terminal.end();
    assert_eq!(status, 0, "{screen}");
    Some(screen)
}

#[test]
fn a_terminal_shows_a_bar_for_each_lane() {
    for columns in [80, 200] {
        let Some(screen) = on_a_terminal(columns, "TERM=xterm") else {
            return;
        };
        for part in [
            "A ━",
            "B ━",
            "/48  round 1: ",
            "round 2: measured ",
            ", best 12",
        ] {
            assert!(screen.contains(part), "{part}:\n{screen}");
        }
        assert!(!screen.contains(".A.1 #1 measured"), "{screen}");
        assert!(
            screen.contains("baseline measured 266\r\n") && screen.contains("round 1\r\n"),
            "{screen}"
        );
        // After the last bar was taken away nothing but the answer stands there.
        let (_, answer) = screen.rsplit_once("CONFERENCE").unwrap();
        assert!(!answer.contains('━'), "{answer}");
        assert!(!screen.contains("\u{1b}[?25l"), "a cursor was hidden");
    }
}

#[test]
fn a_terminal_that_cannot_move_its_cursor_shows_lines() {
    let Some(screen) = on_a_terminal(80, "TERM=dumb") else {
        return;
    };
    assert!(!screen.contains('━'), "{screen}");
    assert!(screen.contains("  r1.A.1 #1 measured "), "{screen}");
}

#[test]
fn a_pipe_gets_a_line_for_each_event() {
    let (sandbox, digest) = prepared();
    let Ran { stdout, stderr, .. } = sandbox
        .run(&["conference", "run", "--approve", &digest])
        .ok();
    assert_eq!(stderr, "");
    assert!(!stdout.contains(['━', '\u{1b}', '\r']), "{stdout}");
    for part in [
        "  r1.A.1 out, 60 s\n",
        "  r1.A.1 #1 measured ",
        "\nround 2 ended, best validated 12\n",
    ] {
        assert!(stdout.contains(part), "{part}:\n{stdout}");
    }
}
