//! Exact search that counts overlaps in linear time.

use memchr::memmem::Finder;

/// Places remembered for a message.
const SHOWN: usize = 5;

/// How often a needle occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Occurrences {
    /// Nowhere.
    None,
    /// Once, at this byte.
    One(usize),
    /// More than once.
    Many {
        /// How often, overlaps counted.
        count: usize,
        /// Where the first few begin.
        first: Vec<usize>,
    },
}

/// Counts `needle` in `haystack`. Two fast searches settle the usual cases; only a refusal pays
/// for counting.
pub(super) fn occurrences(haystack: &[u8], needle: &[u8]) -> Occurrences {
    let finder = Finder::new(needle);
    let Some(first) = finder.find(haystack) else {
        return Occurrences::None;
    };
    let rest = haystack.get(first + 1..);
    match rest.and_then(|rest| finder.find(rest)) {
        None => Occurrences::One(first),
        Some(_) => count_all(haystack, needle),
    }
}

/// Whether `needle` occurs exactly once, overlaps counted.
pub(super) fn is_unique(haystack: &[u8], needle: &[u8]) -> bool {
    matches!(occurrences(haystack, needle), Occurrences::One(_))
}

/// Knuth, Morris and Pratt: restarting a search behind each match would take quadratic time on
/// `aaaa…`, and skipping whole matches would count `aa` in `aaa` once.
fn count_all(haystack: &[u8], needle: &[u8]) -> Occurrences {
    if needle.is_empty() {
        return Occurrences::Many {
            count: haystack.len() + 1,
            first: (0..=haystack.len()).take(SHOWN).collect(),
        };
    }
    let borders = borders(needle);
    let (mut count, mut first, mut matched) = (0, Vec::new(), 0);
    for (index, byte) in haystack.iter().enumerate() {
        matched = extend(needle, &borders, matched, *byte);
        if matched == needle.len() {
            count += 1;
            if first.len() < SHOWN {
                first.push(index + 1 - matched);
            }
        }
    }
    Occurrences::Many { count, first }
}

/// For each prefix of `needle` the length of its longest proper border.
fn borders(needle: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(needle.len());
    borders.push(0);
    let mut matched = 0;
    for byte in needle.iter().skip(1) {
        matched = extend(needle, &borders, matched, *byte);
        borders.push(matched);
    }
    borders
}

/// The longest prefix of `needle` that ends with `byte`, after one of length `matched`.
fn extend(needle: &[u8], borders: &[usize], mut matched: usize, byte: u8) -> usize {
    loop {
        if needle.get(matched) == Some(&byte) {
            return matched + 1;
        }
        if matched == 0 {
            return 0;
        }
        matched = borders.get(matched - 1).copied().unwrap_or(0);
    }
}

/// The line (from 1; LF, CRLF and CR end one) on which each of the ascending places lies.
pub(super) fn line_numbers(text: &[u8], places: &[usize]) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(places.len());
    let (mut line, mut counted) = (1, 0);
    for place in places {
        line += (counted..*place).filter(|at| ends_line(text, *at)).count();
        counted = *place;
        numbers.push(line);
    }
    numbers
}

/// Whether a line ends with the byte at `at`; of CRLF that is the LF.
fn ends_line(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

/// The lines of `text` without their endings.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr::memchr2(b'\n', b'\r', text) else {
            rest = None;
            return Some(text);
        };
        let ending = if text[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = Some(&text[end + ending..]);
        Some(&text[..end])
    })
}
