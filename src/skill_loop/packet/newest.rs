//! A list of which the newest items stay: observations, and the messages of a session.
//!
//! Promises: the items that stay are the newest, without a gap; what any number of them takes is
//! known beforehand.

/// Items that are ready to be shown, newest first, and what all of them take.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Newest {
    items: Vec<String>,
    /// Bytes of the first 0, 1, 2 … of them.
    sizes: Vec<usize>,
}

impl Newest {
    pub(super) fn of(items: Vec<String>) -> Self {
        Self {
            sizes: running(items.iter().map(String::as_str)),
            items,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(String::as_str)
    }

    /// The first `count` of them.
    pub(super) fn first(&self, count: usize) -> &[String] {
        self.items.get(..count).unwrap_or(&self.items)
    }

    /// Bytes of the first `count` of them.
    pub(super) fn size(&self, count: usize) -> usize {
        self.sizes.get(count).copied().unwrap_or(0)
    }
}

/// Bytes of the first 0, 1, 2 … texts.
pub(super) fn running<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut sum = 0;
    let sums = texts.map(|text| {
        sum += text.len();
        sum
    });
    [0].into_iter().chain(sums).collect()
}
