//! What an `oldString` that occurs nowhere may have meant: the line that resembles it, and
//! whether only line endings, normalisation or white space differ. Words for a refusal; nothing
//! here ever decides where an edit goes.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use super::search;
use crate::guard;

/// Bytes of a line that are compared.
const COMPARED: usize = 400;
/// Characters of the nearest line that are shown.
const SHOWN: usize = 120;
/// Slots for trigrams; a collision makes two lines a little more alike, no more.
const SLOTS: usize = 1 << 14;

/// The line of `base` that shares most trigrams with the first line of `old` that is not blank,
/// the earliest among equals; nothing when none shares a third.
pub(super) fn nearest_line(base: &[u8], old: &str) -> Option<(usize, String)> {
    let wanted = search::lines(old.as_bytes())
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty())?;
    let mut profile = Profile::new(wanted);
    let mut best: Option<(usize, &[u8], Score)> = None;
    for (index, line) in search::lines(base).enumerate() {
        let line = line.trim_ascii();
        let score = profile.score(line);
        let beaten = best.as_ref().is_some_and(|(.., best)| !score.beats(best));
        if score.is_similar() && !beaten {
            best = Some((index + 1, line, score));
        }
    }
    best.map(|(number, line, _)| (number, shown(line)))
}

/// The line, decoded, made visible and cut.
fn shown(line: &[u8]) -> String {
    // A character takes at most four bytes, so this much is enough to cut from.
    let start = line.get(..4 * (SHOWN + 1)).unwrap_or(line);
    let text = String::from_utf8_lossy(start);
    let mut cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    guard::text::line(&cut).into_owned()
}

/// The distinct trigrams of one text, to score others against in time linear in the others.
struct Profile {
    slots: Vec<Slot>,
    distinct: usize,
    line: u32,
}

/// A trigram, or a few that collide.
#[derive(Clone, Default)]
struct Slot {
    /// Whether the text has it.
    wanted: bool,
    /// The last line that was seen to have it.
    seen: u32,
}

impl Profile {
    fn new(text: &[u8]) -> Self {
        let mut profile = Self {
            slots: vec![Slot::default(); SLOTS],
            distinct: 0,
            line: 0,
        };
        for index in trigrams(text) {
            if let Some(slot) = profile.slots.get_mut(index) {
                profile.distinct += usize::from(!slot.wanted);
                slot.wanted = true;
            }
        }
        profile
    }

    fn score(&mut self, line: &[u8]) -> Score {
        self.line = self.line.saturating_add(1);
        let (mut shared, mut all) = (0, self.distinct);
        for index in trigrams(line) {
            let Some(slot) = self.slots.get_mut(index) else {
                continue;
            };
            if slot.seen != self.line {
                slot.seen = self.line;
                all += 1;
                shared += usize::from(slot.wanted);
            }
        }
        Score { shared, all }
    }
}

/// Dice's coefficient as a fraction: trigrams shared, of those of both.
struct Score {
    shared: usize,
    all: usize,
}

impl Score {
    fn beats(&self, other: &Self) -> bool {
        self.shared * other.all > other.shared * self.all
    }

    fn is_similar(&self) -> bool {
        self.shared * 6 >= self.all.max(1)
    }
}

/// Slots of the trigrams of a line, case ignored; both ends count as a character, so that a line
/// of one character has a trigram too.
fn trigrams(line: &[u8]) -> impl Iterator<Item = usize> {
    let inner = line.iter().take(COMPARED).map(u8::to_ascii_lowercase);
    let ends = (!line.is_empty()).then_some(0);
    let mut last = [0u8; 2];
    let mut bytes = ends.into_iter().chain(inner).chain(ends).skip(1);
    if let Some(first) = bytes.next() {
        last = [0, first];
    }
    bytes.map(move |byte| {
        let trigram = u32::from_le_bytes([last[0], last[1], byte, 0]);
        last = [last[1], byte];
        (trigram.wrapping_mul(0x9E37_79B1) >> 18) as usize
    })
}

/// What alone keeps `old` from matching exactly once, tried from the most likely on.
pub(super) fn only_difference(base: &[u8], old: &str) -> Option<&'static str> {
    let old = old.as_bytes();
    let endings = || search::is_unique(&unix_endings(base), &unix_endings(old));
    let normal = || search::is_unique(&composed(base), &composed(old));
    let spaces = || {
        let wanted = single_spaces(old);
        let wanted = wanted.trim_ascii();
        !wanted.is_empty() && search::is_unique(&single_spaces(base), wanted)
    };
    if endings() {
        Some("only the line endings differ")
    } else if normal() {
        Some("only the Unicode normalisation differs")
    } else if spaces() {
        Some("only white space differs")
    } else {
        None
    }
}

/// CRLF and CR as LF.
fn unix_endings(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\r', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut lines = search::lines(text);
    let mut result = lines.next().unwrap_or_default().to_vec();
    for line in lines {
        result.push(b'\n');
        result.extend_from_slice(line);
    }
    Cow::Owned(result)
}

/// NFC of what is UTF-8; other bytes stay.
fn composed(text: &[u8]) -> Vec<u8> {
    mapped(text, |valid, result| {
        if is_nfc_quick(valid.chars()) == IsNormalized::Yes {
            result.push_str(valid);
        } else {
            result.extend(valid.nfc());
        }
    })
}

/// Each run of white space (Unicode's, so a no-break space too) as one space.
fn single_spaces(text: &[u8]) -> Vec<u8> {
    let mut in_run = false;
    mapped(text, move |valid, result| {
        for character in valid.chars() {
            let space = character.is_whitespace();
            if !space {
                result.push(character);
            } else if !in_run {
                result.push(' ');
            }
            in_run = space;
        }
    })
}

/// Maps what is UTF-8 and copies the bytes that are not.
fn mapped(text: &[u8], mut map: impl FnMut(&str, &mut String)) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut part = String::new();
    for chunk in text.utf8_chunks() {
        part.clear();
        map(chunk.valid(), &mut part);
        result.extend_from_slice(part.as_bytes());
        result.extend_from_slice(chunk.invalid());
    }
    result
}
