//! The ids that can stand in a place of the command line, each with a few words about it.
//!
//! Promises: reads only; an id is hex digits, and the words hold nothing that a shell expands or
//! a terminal obeys.

use std::collections::{BTreeSet, HashSet};

use super::super::invocation::Invocation;
use super::cursor::{Cursor, Wanted};
use crate::error::{Code, Error, Result};
use crate::guard::text;
use crate::ledger::Entry;
use crate::skill_loop::receipt::{State, kind};
use crate::skill_loop::standing::Standings;
use crate::skill_loop::workplace::Workplace;

/// Of more than these nobody reads what each is about: they come without, and so in time.
const READABLE: usize = 2_000;
/// Characters about one id.
const ABOUT: usize = 72;

/// One id that fits.
#[derive(Debug)]
pub(super) struct Candidate {
    /// All of it.
    pub(super) id: String,
    /// What it is, in a few words; may be empty.
    pub(super) about: String,
}

/// What fits, in the order in which a person would want it: proposals oldest first, receipts
/// newest first.
pub(super) fn of(invocation: &Invocation, cursor: &Cursor) -> Result<Vec<Candidate>> {
    let place = invocation.place_on(|name| cursor.option(name))?;
    match cursor.wanted {
        Wanted::Rollback => receipts(&place, cursor),
        _ => proposals(&place, cursor),
    }
}

fn fits(cursor: &Cursor, id: &str) -> bool {
    id.starts_with(&cursor.typed) && !cursor.given.iter().any(|given| given == id)
}

fn proposals(place: &Workplace, cursor: &Cursor) -> Result<Vec<Candidate>> {
    let standings = Standings::load(place.ledger()?.as_ref())?;
    let any_state = cursor.wanted == Wanted::Show;
    let fits =
        |id: &String| fits(cursor, id) && (any_state || standings.of(id).state == State::Pending);
    let ids: BTreeSet<String> = place.queue().ids()?.into_iter().filter(fits).collect();
    let ids: Vec<String> = ids.into_iter().collect();
    if ids.len() > READABLE {
        return Ok(ids.into_iter().map(bare).collect());
    }
    let mut found = Vec::with_capacity(ids.len());
    for (id, proposal) in place.queue().load_these(&ids)? {
        let (time, about) = match &proposal {
            Ok(proposal) => {
                let about = format!("{}: {}", proposal.skill, proposal.rationale);
                (Some(proposal.imported_at), about)
            }
            Err(_) if cursor.wanted == Wanted::Apply => continue,
            Err(_) => (None, "altered after import".to_owned()),
        };
        let about = match any_state {
            true => format!("{} {about}", standings.of(&id).state.as_str()),
            false => about,
        };
        found.push((time, id, about));
    }
    found.sort();
    let candidate = |(_, id, about): (_, String, String)| Candidate {
        about: plain(&about),
        id,
    };
    Ok(found.into_iter().map(candidate).collect())
}

/// Receipts of an apply or a rollback that nobody has taken back yet.
fn receipts(place: &Workplace, cursor: &Cursor) -> Result<Vec<Candidate>> {
    let Some(ledger) = place.ledger()? else {
        return Ok(Vec::new());
    };
    let mut found: Vec<Candidate> = Vec::new();
    let mut taken_back: HashSet<String> = HashSet::new();
    let checked = ledger.check(&mut |line| {
        let entry = &line.entry;
        if ![kind::APPLY, kind::ROLLBACK].contains(&entry.kind.as_str()) {
            return;
        }
        taken_back.extend(entry.text("rollsBack").map(str::to_owned));
        if fits(cursor, &entry.id) {
            found.push(receipt(entry));
        }
    })?;
    if checked.damage.is_some() {
        return Err(Error::new(Code::LedgerDamaged, "the ledger does not hold"));
    }
    found.retain(|one| !taken_back.contains(&one.id));
    found.reverse();
    Ok(found)
}

fn receipt(entry: &Entry) -> Candidate {
    let kind = entry.kind.trim_start_matches("skill.");
    let skill = entry.text("skill").unwrap_or_default();
    Candidate {
        id: entry.id.clone(),
        about: plain(&format!("{kind} {skill} {}", entry.at)),
    }
}

fn bare(id: String) -> Candidate {
    Candidate {
        id,
        about: String::new(),
    }
}

/// One short line of plain words: letters, digits and the signs that mean nothing to any shell.
/// A quotation mark becomes a typographic one, anything else a space.
fn plain(foreign: &str) -> String {
    let mut words = String::new();
    let mut length = 0;
    for c in foreign.chars() {
        let c = match c {
            '\'' | '"' | '`' => '’',
            '.' | ',' | ':' | '-' | '_' | '/' | '+' | '@' => c,
            _ if c.is_ascii() && !c.is_ascii_alphanumeric() => ' ',
            _ if text::is_hidden(c) || c.is_whitespace() => ' ',
            _ => c,
        };
        if c == ' ' && (words.is_empty() || words.ends_with(' ')) {
            continue;
        }
        if length == ABOUT {
            words.push('…');
            break;
        }
        words.push(c);
        length += 1;
    }
    words.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{ABOUT, plain};

    #[test]
    fn what_a_shell_or_a_terminal_would_obey_becomes_a_space() {
        let table = [
            (
                "release-notes: user moved them",
                "release-notes: user moved them",
            ),
            ("a $(rm -rf ~) `b` $HOME", "a rm -rf ’b’ HOME"),
            ("x\u{1b}]52;c;aGk=\u{7}y\u{1b}[2Jz", "x 52 c aGk y 2Jz"),
            (
                "don't; \"do\" | & < > ( ) { } [ ] * ? ! # % ^ = \\",
                "don’t ’do’",
            ),
            (
                "one\ttwo\r\nthree\u{202e}four\u{200b}five\u{a0}six",
                "one two three four five six",
            ),
            ("Ünïcode, 漢字", "Ünïcode, 漢字"),
            ("\n\n", ""),
        ];
        for (foreign, words) in table {
            assert_eq!(plain(foreign), words, "{foreign:?}");
        }
        assert_eq!(plain(&"é".repeat(100)).chars().count(), ABOUT + 1);
    }

    proptest! {
        #[test]
        fn nothing_but_plain_words_comes_out(foreign in any::<String>()) {
            let words = plain(&foreign);
            let is_plain = |c: char| c.is_ascii_alphanumeric() || " .,:-_/+@".contains(c) || !c.is_ascii();
            prop_assert!(words.chars().all(|c| is_plain(c) && !crate::guard::text::is_hidden(c)));
        }
    }
}
