//! Headings and labels that mean the focus of a lane and are not read as one: whoever wrote them
//! believes that a lane has it.
//!
//! Promises: pure; a letter too many, too few, wrong or swapped hides nothing; prose about
//! researchers that names none is left alone.

/// Words that a focus begins with.
const OWNERS: [&str; 2] = ["researcher", "lane"];
/// What it is.
const FOCUS: &str = "focus";
/// Letters of an id at most, as people give them: `A`, `AA`, `10`.
const ID: usize = 2;

/// A heading that means one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missed {
    /// From 1.
    pub(super) line: u32,
    /// 1 to 6.
    pub(super) level: usize,
    /// As it stands there.
    pub(super) heading: String,
    /// How sure that is.
    pub(super) meant: Meant,
}

/// How sure it is that somebody meant a focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// It says so.
    Surely,
    /// It names a researcher, and nothing else is written of one in `conference.md`.
    Perhaps,
}

/// Whether a name, as headings are compared, means a focus.
pub(super) fn meant(name: &str) -> Option<Meant> {
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let owner = |word: &&str| OWNERS.iter().any(|owner| is_near(word, owner));
    let names_one = words.iter().any(owner);
    if names_one && words.iter().any(|word| is_near(word, FOCUS)) {
        return Some(Meant::Surely);
    }
    match words.as_slice() {
        [first, id, ..] if owner(first) && id.chars().count() <= ID && !is_small_word(id) => {
            Some(Meant::Perhaps)
        }
        _ => None,
    }
}

/// `Researcher of the year` names nobody.
fn is_small_word(word: &str) -> bool {
    matches!(
        word,
        "as" | "at" | "by" | "in" | "is" | "of" | "on" | "or" | "to"
    )
}

/// The same but for one letter: added, left out, another, or swapped with its neighbour.
fn is_near(word: &str, wanted: &str) -> bool {
    let (word, wanted): (Vec<char>, Vec<char>) = (word.chars().collect(), wanted.chars().collect());
    let same = |pair: &(&char, &char)| pair.0 == pair.1;
    let head = word.iter().zip(&wanted).take_while(same).count();
    let (word, wanted) = (&word[head..], &wanted[head..]);
    let ends = word.iter().rev().zip(wanted.iter().rev());
    let tail = ends.take_while(same).count();
    let (word, wanted) = (&word[..word.len() - tail], &wanted[..wanted.len() - tail]);
    match (word, wanted) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Meant, meant};
    use crate::conference::plan::document::folded;

    #[test]
    fn what_says_focus_means_one_and_what_names_a_researcher_may() {
        for (heading, expected) in [
            ("Researcher Ä Focus", Some(Meant::Surely)),
            ("Researcher AA Focus", Some(Meant::Surely)),
            ("Researcher A Fokus", Some(Meant::Surely)),
            ("Researcher A Fcous", Some(Meant::Surely)),
            ("Reseacher A Focus", Some(Meant::Surely)),
            ("Reserachers A Focus", None),
            ("Researchers A Focus", Some(Meant::Surely)),
            ("Researcher A's Focus", Some(Meant::Surely)),
            ("Researcher A: focus on levels", Some(Meant::Surely)),
            ("Focus of Researcher A", Some(Meant::Surely)),
            ("Focus (lane B)", Some(Meant::Surely)),
            ("**Researcher-1_Focus**", Some(Meant::Surely)),
            ("Researcher A", Some(Meant::Perhaps)),
            ("Researcher 10 — levels", Some(Meant::Perhaps)),
            ("Researcher of the year", None),
            ("Researchers", None),
            ("Researcher notes", None),
            ("Focus", None),
            ("Planet A focus", None),
            ("Search Space", None),
            ("", None),
        ] {
            assert_eq!(meant(&folded(heading)), expected, "{heading}");
        }
    }
}
