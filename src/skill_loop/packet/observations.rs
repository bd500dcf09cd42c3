//! What was observed, newest first.

use super::Noted;
use super::clean::Cleaner;
use super::excerpt::word;
use super::fence::{Fence, indented};
use super::newest::Newest;
use crate::count;

const HEAD: &str = "\
## Observations

Newest first. The first line holds id, signal, skill and time.

";

/// The part, before it is known how much room it has.
#[derive(Debug, Clone)]
pub(super) struct Observations {
    items: Newest,
    /// Those that a decided proposal cites.
    decided: usize,
    /// Lines of the log that cannot be read.
    damaged: usize,
}

impl Observations {
    pub(super) fn of(noted: &[Noted], decided: usize, damaged: usize, cleaner: &Cleaner) -> Self {
        Self {
            items: Newest::of(noted.iter().map(|one| drawn(one, cleaner)).collect()),
            decided,
            damaged,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        self.items.quoted()
    }

    /// Bytes with the newest `count` of them.
    pub(super) fn size(&self, count: usize) -> usize {
        self.items.size(count) + self.around(count)
    }

    /// The newest `count` of them.
    pub(super) fn draw(&self, fence: &Fence, count: usize) -> String {
        let quoted = match count {
            0 => String::new(),
            _ => fence.quote(&self.items.first(count).concat()),
        };
        format!("{HEAD}{quoted}{}", self.note(count))
    }

    fn around(&self, count: usize) -> usize {
        HEAD.len() + if count == 0 { 0 } else { Fence::COST } + self.note(count).len()
    }

    fn note(&self, count: usize) -> String {
        let all = self.items.len();
        let mut note = String::new();
        if all == 0 {
            note.push_str("There are none.\n");
        }
        if count < all {
            note.push_str(&format!(
                "[cut to fit: the {} oldest of {all}]\n",
                all - count
            ));
        }
        if self.decided > 0 {
            let decided = self.decided;
            note.push_str(&format!(
                "[left out: {decided} that a decided proposal cites]\n"
            ));
        }
        if self.damaged > 0 {
            let lines = count::of(self.damaged, "damaged line", "damaged lines");
            note.push_str(&format!("[left out: {lines} of the log]\n"));
        }
        note
    }
}

fn drawn(one: &Noted, cleaner: &Cleaner) -> String {
    let words = [&one.id, &one.signal];
    let mut head = words.map(|text| word(text, cleaner)).join(" ");
    let skill = one.skill.as_deref();
    head.push_str(&format!(
        " {} {}",
        skill.map_or_else(|| "(no skill)".to_owned(), |skill| word(skill, cleaner)),
        word(&one.at, cleaner)
    ));
    if one.times > 1 {
        head.push_str(&format!(" recorded {} times", one.times));
    }
    for id in &one.pending {
        head.push_str(&format!(" pending proposal {}", word(id, cleaner)));
    }
    format!(
        "{head}\nobserved\n{}proposed\n{}",
        indented(&cleaner.block(&one.observed)),
        indented(&cleaner.block(&one.proposal)),
    )
}
