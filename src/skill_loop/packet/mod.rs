//! The review packet: one bounded, scrubbed document for a model to read (skill-loop.md §2). Pure.
//!
//! Promises: never longer than it may be; contract and answer form always whole; nothing that is
//! quoted can leave its quotation; every text is redacted whole before anything cuts it; the same
//! material gives the same bytes.

mod catalogue;
mod clean;
mod excerpt;
mod fence;
pub mod gather;
mod newest;
mod observations;
mod skills;
#[cfg(test)]
mod tests;
mod text;

use self::catalogue::Catalogue;
use self::clean::Cleaner;
use self::excerpt::Excerpt;
use self::fence::Fence;
use self::observations::Observations;
use self::skills::Skills;
use crate::error::{Code, Error, Result};

/// What a reviewer is to do.
pub const CONTRACT: &str = include_str!("../../../templates/review-contract.md");
/// What a reviewer is to answer: the proposal document in words and examples.
pub const ANSWER: &str = include_str!("../../../templates/review-answer.md");

const CLOSING: &str = "
End of the packet. Answer now with one JSON document as described under \"The answer\", or with the
text `Nothing to save.`, and with nothing else.
";

/// What a packet is made of, as it was read: nothing in it is clean yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Material {
    /// The user's home, as it may be spelled in texts.
    pub user_homes: Vec<String>,
    /// The catalogue, in the host's order.
    pub skills: Vec<Listing>,
    /// Skills of the home that are not in it, because only one was asked for.
    pub not_asked: usize,
    /// Files of the eligible skills concerned, the most important first.
    pub files: Vec<SkillFile>,
    /// Files of these skills beyond what is looked at.
    pub unlisted: usize,
    /// Observations, newest first.
    pub observations: Vec<Noted>,
    /// Observations left out because a decided proposal cites them.
    pub decided: usize,
    /// Damaged lines of the observation log.
    pub damaged: usize,
    /// The session that was asked for.
    pub session: Option<Session>,
}

/// A skill of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The name that a proposal would use.
    pub name: String,
    /// What it says of itself.
    pub description: String,
    /// Why it cannot be changed; `None` where it can.
    pub ineligible: Option<String>,
    /// Of its `SKILL.md`.
    pub sha256: Option<String>,
}

/// A file of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillFile {
    /// The skill.
    pub skill: String,
    /// The file's path in the skill.
    pub path: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// Of its bytes, where they were read.
    pub sha256: Option<String>,
    /// What is in it.
    pub body: Body,
    /// The rank of the newest observation that names the skill, where that is the only reason for
    /// it to be here: when the observation is cut, so is the file.
    pub named_by: Option<usize>,
}

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Text.
    Text(String),
    /// No UTF-8.
    NotText,
    /// More than any packet of this size could hold.
    Unread,
}

/// An observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// Its id.
    pub id: String,
    /// When it was made.
    pub at: String,
    /// Which signal it is.
    pub signal: String,
    /// The skill that it names.
    pub skill: Option<String>,
    /// What happened.
    pub observed: String,
    /// What should be changed.
    pub proposal: String,
    /// How often it was recorded; the text is the same each time.
    pub times: usize,
    /// Pending proposals that cite it.
    pub pending: Vec<String>,
}

/// The end of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// How many messages it has, read or not.
    pub messages: usize,
    /// Its last messages, oldest first.
    pub turns: Vec<Turn>,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its number, as evidence cites it.
    pub id: i64,
    /// Who wrote it.
    pub role: String,
    /// The tool whose result it is.
    pub tool: Option<String>,
    /// When.
    pub at: Option<String>,
    /// What it says.
    pub text: String,
    /// Tools that it calls: name and arguments.
    pub calls: Vec<(String, String)>,
}

/// How much of a part is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Shown {
    /// So many are shown.
    pub shown: usize,
    /// So many there are.
    pub of: usize,
}

/// A packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// The document.
    pub text: String,
    /// Skills shown in full.
    pub catalogue: Shown,
    /// Sections of each `SKILL.md`.
    pub sections: Shown,
    /// Sections of the files beside them.
    pub support_sections: Shown,
    /// Observations.
    pub observations: Shown,
    /// Messages of the session.
    pub messages: Shown,
}

/// Composes a packet of at most `max_bytes` bytes. What does not fit is cut in the order of
/// skill-loop.md §2: messages, observations, catalogue, skill text by whole sections; before all of
/// them the files beside a `SKILL.md`, which are an addition to that page. `USAGE` where `max_bytes` is less than contract and answer form need, naming the least size.
pub fn compose(material: &Material, max_bytes: usize) -> Result<Packet> {
    let parts = Parts::of(material);
    let least = parts.least();
    if max_bytes < least {
        let text = format!("`--max-bytes {max_bytes}` is too small for contract and answer form");
        return Err(Error::new(Code::Usage, text)
            .expected(format!("at least {least}"))
            .found(max_bytes.to_string())
            .hint(format!("lithermes skill-loop review --max-bytes {least}")));
    }
    Ok(parts.fit(max_bytes))
}

/// The parts of a packet, clean, before it is known how much room each has.
struct Parts {
    fence: Fence,
    catalogue: Catalogue,
    skills: Skills,
    observations: Observations,
    excerpt: Excerpt,
}

impl Parts {
    fn of(material: &Material) -> Self {
        let cleaner = Cleaner::new(&material.user_homes);
        let Material {
            decided, damaged, ..
        } = *material;
        let catalogue = Catalogue::of(&material.skills, material.not_asked, &cleaner);
        let skills = Skills::of(&material.files, material.unlisted, &cleaner);
        let observations = Observations::of(&material.observations, decided, damaged, &cleaner);
        let excerpt = Excerpt::of(material.session.as_ref(), &cleaner);
        let quoted = catalogue.quoted().chain(skills.quoted());
        let quoted = quoted.chain(observations.quoted()).chain(excerpt.quoted());
        Self {
            fence: Fence::around(&quoted.collect::<Vec<_>>()),
            catalogue,
            skills,
            observations,
            excerpt,
        }
    }

    /// What is never cut: everything around the four parts.
    fn around(&self, parts: &[&str; 4]) -> String {
        let tag = self.fence.tag();
        let opening = format!("# Review packet\n\nTAG is {tag} in this packet.\n");
        let parts = parts.join("\n");
        format!("{opening}\n{CONTRACT}\n{ANSWER}\n{parts}{CLOSING}")
    }

    fn fixed(&self) -> usize {
        self.around(&[""; 4]).len()
    }

    /// Bytes when everything is cut that can be.
    fn least(&self) -> usize {
        let all = self.observations.len();
        let lists = self.observations.size(0) + self.excerpt.size(0);
        let skills = self.skills.least() + self.skills.least_support(all);
        self.fixed() + skills + self.catalogue.least() + lists
    }

    /// The most observations beside which nothing but messages has to be cut; `None` where not even
    /// no observation helps. (A skill that only a cut observation names is no longer concerned, and
    /// for a section that fits into no packet of this size nothing else has to go.)
    fn uncut_observations(&self, room: usize, spare: usize) -> Option<usize> {
        let fits = |count: &usize| {
            let lists = self.observations.size(*count) + self.excerpt.size(0);
            // Skills are many sections: they are added up only where the rest fits.
            let room = room.checked_sub(lists + self.catalogue.most());
            room.is_some_and(|room| {
                let support = self.skills.least_support(*count);
                self.skills.most(*count, spare) + support <= room
            })
        };
        (0..=self.observations.len()).rev().find(fits)
    }

    /// A part is cut only where the parts that come before it in the order of the cuts are gone.
    fn fit(&self, max_bytes: usize) -> Packet {
        let fence = &self.fence;
        let (room, spare) = (max_bytes - self.fixed(), max_bytes - self.least());
        let uncut = self.uncut_observations(room, spare);
        let observed = uncut.unwrap_or(0);
        let observations = self.observations.draw(fence, observed);

        let others = self.skills.least_support(observed) + self.excerpt.size(0);
        let left = room - observations.len() - others;
        let wish = left.saturating_sub(self.skills.most(observed, spare));
        let need = left.saturating_sub(self.skills.least());
        let (catalogue, listed) = self.catalogue.fit(fence, wish, need);
        let (skills, sections) = self.skills.fit(fence, left - catalogue.len(), observed);

        let left = left - catalogue.len() - skills.len();
        let messages = match uncut == Some(self.observations.len()) {
            true => self.excerpt.fitting(left + self.excerpt.size(0)),
            false => 0,
        };
        let excerpt = self.excerpt.draw(fence, messages);

        // Of the files beside nothing is shown as long as anything else is cut.
        let whole = messages == self.excerpt.len() && uncut == Some(self.observations.len());
        let left = if whole {
            left + self.excerpt.size(0) - excerpt.len()
        } else {
            0
        };
        let room = left + self.skills.least_support(observed);
        let (support, support_sections) = self.skills.fit_support(fence, room, observed);
        Packet {
            text: self.around(&[&catalogue, &(skills + &support), &observations, &excerpt]),
            catalogue: listed,
            sections,
            support_sections,
            observations: Shown {
                shown: observed,
                of: self.observations.len(),
            },
            messages: Shown {
                shown: messages,
                of: self.excerpt.len(),
            },
        }
    }
}
