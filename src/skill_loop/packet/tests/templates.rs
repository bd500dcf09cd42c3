//! What the texts tell a model is what `propose` takes.

use super::super::super::proposal::{Import, NOTHING_TO_SAVE, Signal, read};
use super::{ANSWER, CONTRACT};

fn examples() -> Vec<&'static str> {
    let blocks = ANSWER.split("```json\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn every_example_is_a_valid_answer() {
    let examples = examples();
    assert_eq!(examples.len(), 3);
    let array = format!("[{}]", examples.join(","));
    for text in examples.iter().copied().chain([array.as_str()]) {
        for text in [text.to_owned(), format!("```json\n{text}\n```")] {
            assert!(
                matches!(read(text.as_bytes()), Ok(Import::Proposals(_))),
                "{text}"
            );
        }
    }
    let kinds = ["\"patch\": {", "\"supportFile\": {", "\"create\": {"];
    for (example, kind) in examples.iter().zip(kinds) {
        assert!(example.contains(kind), "{example}");
    }
}

#[test]
fn the_words_are_those_of_the_program() {
    for signal in Signal::ALL {
        let name = signal.as_str();
        assert!(CONTRACT.contains(&format!("- `{name}`: ")), "{name}");
        assert!(ANSWER.contains(&format!("`\"{name}\"`")), "{name}");
    }
    let quoted = format!("`{NOTHING_TO_SAVE}`");
    assert!(CONTRACT.contains(&quoted) && ANSWER.contains(&quoted));
    assert!(ANSWER.contains(crate::skill_loop::proposal::SCHEMA));
}

/// Contract and answer form are not themselves something that has to be redacted or escaped.
#[test]
fn the_texts_are_clean() {
    for text in [CONTRACT, ANSWER] {
        let cleaner = super::super::clean::Cleaner::new(&["/home/ada".to_owned()]);
        assert_eq!(cleaner.block(text), text);
        assert!(text.ends_with(".\n") && !text.contains("\n\n\n"));
    }
}
