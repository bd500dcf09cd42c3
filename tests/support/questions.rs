//! Questions that are put to a person, and the answers that decide nothing.

use super::{Sandbox, create, patch};

pub const NAME: &str = "release-notes";
/// In every question for a word.
pub const QUESTION: &str = "anything else changes nothing";
/// The last line of the picker's menu.
pub const MENU: &str = "quit, keeping what was decided";

/// A sandbox with one pending proposal on a skill that a receipt made; its id.
pub fn pending() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.apply(&sandbox.propose(&create(NAME, "one\n")));
    let id = sandbox.propose(&patch(NAME, "one", "1"));
    (sandbox, id)
}

/// The receipt of the last apply.
pub fn newest_apply(sandbox: &Sandbox) -> String {
    let log = sandbox.json(&["log", "--kind", "skill.apply", "--limit", "1"]);
    log["entries"][0]["id"].as_str().unwrap().to_owned()
}

/// Everything that is not the word and Enter, by name.
pub fn other_answers(word: &str) -> Vec<(&'static str, String)> {
    let (half, rest) = word.split_at(3);
    let plain = [
        ("Enter", "\r"),
        ("q", "q\r"),
        ("Esc", "\u{1b}"),
        ("Y", "Y\r"),
        ("y", "y\r"),
        ("yes please", "yes please\r"),
        ("yes", "yes\r"),
        ("Ctrl-D", "\u{4}"),
        ("Ctrl-Z", "\u{1a}"),
        ("Ctrl-S", "\u{13}"),
        ("Ctrl-\\", "\u{1c}"),
        ("NUL", "\0"),
        ("Tab", "\t"),
        ("arrow up", "\u{1b}[A"),
        ("Home", "\u{1b}[H"),
        ("Delete", "\u{1b}[3~"),
        ("F5", "\u{1b}[15~"),
        ("a click", "\u{1b}[M !!"),
    ];
    let of_word = [
        ("upper case", format!("{}\r", word.to_uppercase())),
        ("a space before", format!(" {word}\r")),
        ("a space behind", format!("{word} \r")),
        ("the word and Esc", format!("{word}\u{1b}")),
        ("the word taken back", format!("{word}\u{7f}\r")),
        ("half the word", format!("{half}\r")),
        (
            "a hidden character in it",
            format!("{half}\u{200b}{rest}\r"),
        ),
        (
            "a letter of another script",
            format!("{}\r", word.replace(['a', 'e', 'o'], "\u{430}")),
        ),
        ("a Tab in it", format!("{half}\t{rest}\r")),
        ("a paste", format!("\u{1b}[200~{word}\r\u{1b}[201~")),
        ("4 kB of noise", format!("{}\r", "x".repeat(4096))),
    ];
    let plain = plain.map(|(name, keys)| (name, keys.to_owned()));
    plain.into_iter().chain(of_word).collect()
}
