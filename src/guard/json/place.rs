//! From byte offsets to lines and columns, in one pass.

use super::Place;

/// A cursor that walks through the document as places are asked for, so that all of them
/// together cost one pass.
#[derive(Debug)]
pub(super) struct Ruler<'a> {
    bytes: &'a [u8],
    offset: usize,
    place: Place,
}

impl<'a> Ruler<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let place = Place { line: 1, column: 1 };
        Self {
            bytes,
            offset: 0,
            place,
        }
    }

    /// The place of the character at `offset`. An offset before the last one asked for costs a
    /// new pass; the reader does that only for the fault that ends it.
    pub(super) fn at(&mut self, offset: usize) -> Place {
        if offset < self.offset {
            *self = Self::new(self.bytes);
        }
        let passed = self.bytes.get(self.offset..offset).unwrap_or_default();
        for byte in passed {
            match byte {
                b'\n' => {
                    self.place.line = self.place.line.saturating_add(1);
                    self.place.column = 1;
                }
                // A continuation byte belongs to the character before it.
                0x80..=0xbf => {}
                _ => self.place.column = self.place.column.saturating_add(1),
            }
        }
        self.offset = offset;
        self.place
    }
}
