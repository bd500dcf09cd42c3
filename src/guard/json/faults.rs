//! A bounded list of faults.
//!
//! A document of a few megabytes can hold a long key above a hundred thousand faults, each of
//! whose pointers would repeat it. So pointers have a budget, and are made only while it lasts.

use super::Place;
use crate::error::Fault;

const MOST: usize = 1000;
const POINTER_BYTES: usize = 1 << 20;

/// Faults found so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    list: Vec<Fault>,
    pointer_bytes: usize,
    cut: bool,
}

impl Faults {
    /// Faults that somebody else found, to go on with.
    pub(crate) fn from_list(list: Vec<Fault>) -> Self {
        let pointer_bytes = list.iter().map(|fault| fault.pointer.len()).sum();
        Self {
            list,
            pointer_bytes,
            cut: false,
        }
    }

    /// Notes a fault; `pointer` is asked only while there is room.
    pub(crate) fn push(
        &mut self,
        place: Place,
        pointer: impl FnOnce() -> String,
        message: impl Into<String>,
    ) {
        if self.cut {
            return;
        }
        self.cut = self.list.len() >= MOST || self.pointer_bytes >= POINTER_BYTES;
        let (pointer, message) = if self.cut {
            let message = "there are more faults; correct these first".to_owned();
            (String::new(), message)
        } else {
            (pointer(), message.into())
        };
        self.pointer_bytes += pointer.len();
        self.list.push(Fault {
            pointer,
            line: place.line,
            column: place.column,
            message,
        });
    }

    /// All of them, in document order.
    pub(crate) fn sorted(mut self) -> Vec<Fault> {
        self.list.sort_by(|a, b| {
            let place = |fault: &Fault| (fault.line, fault.column);
            (place(a), &a.pointer).cmp(&(place(b), &b.pointer))
        });
        self.list
    }
}
