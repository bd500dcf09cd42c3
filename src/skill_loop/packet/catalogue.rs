//! The skills of the home, one line each: what exists, and what may be changed.
//!
//! Promises: cut in the order of skill-loop.md §2, skills that are not eligible first, then
//! eligible ones down to their names; what is missing is counted. Names go last of all, when no
//! skill text is left that could go instead.

use super::clean::{Cleaner, beginning};
use super::fence::Fence;
use super::newest::running;
use super::{Listing, Shown};
use crate::count;

/// Characters of a description.
const DESCRIPTION: usize = 80;
/// Characters of a name: what the host takes.
const NAME: usize = 64;
/// Hex digits of a digest.
const DIGEST: usize = 12;

const HEAD: &str = "\
## Catalogue

One line a skill: whether you may change it, its name, the digest of its SKILL.md, what it says of
itself. A line with a name alone is an eligible skill.

";

/// The part, before it is known how much room it has.
#[derive(Debug, Clone, Default)]
pub(super) struct Catalogue {
    /// Eligible skills: whole lines.
    full: Vec<String>,
    /// The same skills: lines with the name alone.
    names: Vec<String>,
    others: Vec<String>,
    /// Skills that nobody asked for.
    not_asked: usize,
    /// Bytes of the first 0, 1, 2 … lines of each.
    sums: [Vec<usize>; 3],
}

/// How much of it is shown: eligible skills in full, then by name, then the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    full: usize,
    named: usize,
    others: usize,
}

impl Cut {
    const ALL: Self = Self {
        full: 0,
        named: 0,
        others: 0,
    };
}

impl Catalogue {
    pub(super) fn of(skills: &[Listing], not_asked: usize, cleaner: &Cleaner) -> Self {
        let mut catalogue = Self {
            not_asked,
            ..Self::default()
        };
        for skill in skills {
            let name = beginning(&cleaner.line(&skill.name), NAME);
            let rest = format!(
                "{name} | {} | {}\n",
                skill
                    .sha256
                    .as_deref()
                    .and_then(|hex| hex.get(..DIGEST))
                    .unwrap_or("-"),
                beginning(&cleaner.line(&skill.description), DESCRIPTION),
            );
            if let Some(why) = &skill.ineligible {
                // What follows in brackets names a file or a field: nothing for a reviewer.
                let why = cleaner.line(why);
                let why = why.split(" (").next().unwrap_or_default();
                let line = format!("not eligible ({why}) | {rest}");
                catalogue.others.push(line);
            } else {
                catalogue.full.push(format!("eligible | {rest}"));
                catalogue.names.push(format!("{name}\n"));
            }
        }
        let lists = [&catalogue.full, &catalogue.names, &catalogue.others];
        catalogue.sums = lists.map(|lines| running(lines.iter().map(String::as_str)));
        catalogue
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        let lines = self.full.iter().chain(&self.names).chain(&self.others);
        lines.map(String::as_str)
    }

    /// Bytes when everything is cut.
    pub(super) fn least(&self) -> usize {
        self.size(Cut::ALL)
    }

    /// Bytes when nothing is cut.
    pub(super) fn most(&self) -> usize {
        self.size(self.whole())
    }

    /// As much as `wish` bytes hold; where that is less than all names, as many names as `need`
    /// bytes hold.
    pub(super) fn fit(&self, fence: &Fence, wish: usize, need: usize) -> (String, Shown) {
        let wished = self.cuts().find(|cut| self.size(*cut) <= wish);
        let needed = || self.names_only().find(|cut| self.size(*cut) <= need);
        let cut = wished.or_else(needed).unwrap_or(Cut::ALL);
        let full = self.full.iter().take(cut.full);
        let names = self.names.iter().skip(cut.full).take(cut.named);
        let others = self.others.iter().take(cut.others);
        let body: String = full
            .chain(names)
            .chain(others)
            .map(String::as_str)
            .collect();
        let quoted = match body.is_empty() {
            true => String::new(),
            false => fence.quote(&body),
        };
        let shown = Shown {
            shown: cut.full + cut.others,
            of: self.full.len() + self.others.len(),
        };
        (format!("{HEAD}{quoted}{}", self.note(cut)), shown)
    }

    fn whole(&self) -> Cut {
        Cut {
            full: self.full.len(),
            named: 0,
            others: self.others.len(),
        }
    }

    /// Every cut down to all names, the smallest first.
    fn cuts(&self) -> impl Iterator<Item = Cut> {
        let all = self.full.len();
        let cut = move |full, others| Cut {
            full,
            named: all - full,
            others,
        };
        let others = (0..=self.others.len()).rev().map(move |n| cut(all, n));
        others.chain((0..all).rev().map(move |n| cut(n, 0)))
    }

    /// The cuts that leave nothing but names, the smallest first.
    fn names_only(&self) -> impl Iterator<Item = Cut> {
        let names = (0..=self.full.len()).rev();
        names.map(|named| Cut { named, ..Cut::ALL })
    }

    fn size(&self, cut: Cut) -> usize {
        let [full, names, others] = &self.sums;
        let first = |sums: &[usize], count: usize| sums.get(count).copied().unwrap_or(0);
        let names = first(names, cut.full + cut.named) - first(names, cut.full);
        let body = first(full, cut.full) + names + first(others, cut.others);
        let fence = if body == 0 { 0 } else { Fence::COST };
        HEAD.len() + fence + body + self.note(cut).len()
    }

    fn note(&self, cut: Cut) -> String {
        let mut note = self.cut_note(cut);
        if self.full.is_empty() && self.others.is_empty() {
            note.push_str("There are no skills.\n");
        }
        if self.not_asked > 0 {
            let skills = count::of(self.not_asked, "skill", "skills");
            note.push_str(&format!("[left out: {skills} that nobody asked about]\n"));
        }
        note
    }

    fn cut_note(&self, cut: Cut) -> String {
        let (eligible, others) = (self.full.len(), self.others.len());
        let mut missing = Vec::new();
        let mut say = |cut: usize, what: String| {
            if cut > 0 {
                missing.push(what);
            }
        };
        let cut_others = others - cut.others;
        let of = count::of(others, "that is not eligible", "that are not eligible");
        say(cut_others, format!("{cut_others} of {of}"));
        let one = "eligible one but for its name";
        let more = "eligible ones but for their names";
        say(cut.named, count::of(cut.named, one, more));
        let whole = eligible - cut.full - cut.named;
        let of = count::of(eligible, "eligible one", "eligible ones");
        say(whole, format!("{whole} of {of}"));
        match missing.is_empty() {
            true => String::new(),
            false => format!("[cut to fit: {}]\n", missing.join(", ")),
        }
    }
}
