//! Bars of several workers at the foot of a terminal, one line each.
//!
//! Promises: drawn on stderr, only where that and stdout are terminals that can move their cursor;
//! elsewhere every call does nothing. Gone when dropped; what is printed meanwhile stands above.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::guard::text;

const LOOK: &str = "{prefix} {bar:20} {pos:>3}/{len}  {wide_msg}";
/// What is done, where it goes on, what is left.
const MARKS: &str = "━╸ ";

/// The bars. See above.
#[derive(Debug)]
pub struct Bars {
    all: MultiProgress,
    by_name: BTreeMap<String, ProgressBar>,
}

impl Bars {
    /// A bar of `length` steps for each name, none where nobody could see them.
    pub fn new(names: impl IntoIterator<Item = String>, length: u64) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let look = ProgressStyle::with_template(LOOK);
        let look = look.map(|look| look.progress_chars(MARKS));
        let mut by_name = BTreeMap::new();
        if let Ok(look) = look
            && can_draw()
        {
            for name in names {
                let bar = all.add(ProgressBar::new(length));
                bar.set_style(look.clone());
                bar.set_prefix(name.clone());
                by_name.insert(name, bar);
            }
        }
        Self { all, by_name }
    }

    /// Whether anything is drawn.
    pub fn are_drawn(&self) -> bool {
        !self.by_name.is_empty()
    }

    /// How far a worker is, and what it does.
    pub fn set(&self, name: &str, done: u64, doing: &str) {
        if let Some(bar) = self.by_name.get(name) {
            bar.set_message(text::line(doing).into_owned());
            bar.set_position(done);
        }
    }

    /// Prints without the bars in the way.
    pub fn above<R>(&self, print: impl FnOnce() -> R) -> R {
        self.all.suspend(print)
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        for bar in self.by_name.values() {
            bar.finish_and_clear();
        }
    }
}

fn can_draw() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    !dumb && io::stdout().is_terminal() && io::stderr().is_terminal()
}
