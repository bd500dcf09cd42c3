//! What a child prints, in bounded memory.

use std::collections::VecDeque;
use std::fmt;

use crate::count;

/// Standard output: whole, or known to be too large.
#[derive(Debug)]
pub(super) struct Whole {
    bytes: Vec<u8>,
    limit: usize,
}

impl Whole {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            bytes: Vec::new(),
            limit,
        }
    }

    /// Takes what fits, and one byte more.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = (self.limit + 1).saturating_sub(self.bytes.len());
        self.bytes
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    pub(super) fn is_too_large(&self) -> bool {
        self.bytes.len() > self.limit
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Standard error: its beginning, which says what was done, and its end, which says why it failed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Log {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    limit: usize,
    left_out: u64,
}

impl Log {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = (self.limit / 2).saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(self.limit - self.limit / 2);
        self.tail.drain(..excess);
        self.left_out += excess as u64;
    }

    /// Bytes between beginning and end that were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The first half of the limit, and whether there was more.
    pub fn beginning(&self) -> (&[u8], bool) {
        (&self.head, !self.tail.is_empty() || self.left_out > 0)
    }

    /// What was kept, with a line where something is missing. Text from outside: show it with
    /// [`crate::guard::text`].
    pub fn text(&self) -> String {
        let (one, two) = self.tail.as_slices();
        let tail = [one, two].concat();
        let mark = match self.left_out {
            0 => String::new(),
            left_out => format!("\n[{} left out]\n", count::of(left_out, "byte", "bytes")),
        };
        let bytes = [self.head.as_slice(), mark.as_bytes(), &tail].concat();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.head.len() + self.tail.len();
        write!(out, "Log(bytes: {kept} kept, {} left out)", self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Log, Whole};

    #[test]
    fn output_at_the_limit_is_whole_and_one_byte_more_is_too_large() {
        for (pieces, kept, too_large) in [
            (vec!["abcd"], "abcd", false),
            (vec!["abcd", "e"], "abcde", true),
            (vec!["ab", "cdefgh", "i"], "abcde", true),
            (vec![], "", false),
        ] {
            let mut whole = Whole::new(4);
            for piece in &pieces {
                whole.push(piece.as_bytes());
            }
            assert_eq!(whole.is_too_large(), too_large, "{pieces:?}");
            assert_eq!(whole.into_bytes(), kept.as_bytes(), "{pieces:?}");
        }
    }

    #[test]
    fn a_log_keeps_its_beginning_and_its_end() {
        for (pieces, text) in [
            (vec!["abcdef"], "abcdef"),
            (vec!["a", "bcdefgh"], "abcdefgh"),
            (vec!["abcdefghi"], "abcd\n[1 byte left out]\nfghi"),
            (
                vec!["ab", "cde", "fghijkl", "m"],
                "abcd\n[5 bytes left out]\njklm",
            ),
        ] {
            let mut log = Log::new(8);
            for piece in &pieces {
                log.push(piece.as_bytes());
            }
            assert_eq!(log.text(), text, "{pieces:?}");
        }
    }

    #[test]
    fn the_beginning_says_whether_it_is_all() {
        let mut log = Log::new(8);
        log.push(b"abcd");
        assert_eq!(log.beginning(), (&b"abcd"[..], false));
        log.push(b"e");
        assert_eq!(log.beginning(), (&b"abcd"[..], true));
    }

    #[test]
    fn a_log_of_odd_or_no_size_is_no_trouble() {
        for (limit, text) in [
            (0, "\n[3 bytes left out]\n"),
            (1, "\n[2 bytes left out]\nc"),
        ] {
            let mut log = Log::new(limit);
            log.push(b"abc");
            assert_eq!(log.text(), text);
        }
    }
}
