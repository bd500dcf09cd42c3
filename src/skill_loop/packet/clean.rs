//! Text of others, made fit for a packet: credentials out, home paths short, all of it visible.
//!
//! Promises: a text is cleaned whole, before anything cuts it, so no half of a credential is left
//! at a border.

use crate::guard::{secret, text};

/// Cleans texts; knows which paths are the user's.
#[derive(Debug, Clone, Default)]
pub(super) struct Cleaner {
    /// The user's home as it may be spelled, longest first.
    homes: Vec<String>,
}

impl Cleaner {
    /// `homes` are absolute paths; `/` and what is empty is nobody's home.
    pub(super) fn new(homes: &[String]) -> Self {
        let trimmed = homes.iter().map(|home| home.trim_end_matches('/'));
        let mut homes: Vec<String> = trimmed
            .filter(|home| home.len() > 1 && home.starts_with('/'))
            .map(str::to_owned)
            .collect();
        homes.sort_by_key(|home| std::cmp::Reverse(home.len()));
        homes.dedup();
        Self { homes }
    }

    /// One line: line feeds and tabs become escapes too.
    pub(super) fn line(&self, raw: &str) -> String {
        text::line(&self.shortened(&secret::redact(raw))).into_owned()
    }

    /// Several lines.
    pub(super) fn block(&self, raw: &str) -> String {
        // A line end of two bytes is one line end, and no reason for an escape.
        let shown = self.shortened(&secret::redact(raw)).replace("\r\n", "\n");
        text::block(&shown).into_owned()
    }

    fn shortened(&self, text: &str) -> String {
        let short = |text: String, home: &String| tilde(&text, home);
        self.homes.iter().fold(text.to_owned(), short)
    }
}

/// `text` with `~` for each path that is `home` or below it.
fn tilde(text: &str, home: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let (before, from) = rest.split_at(at);
        let after = from.get(home.len()..).unwrap_or_default();
        out.push_str(before);
        let begins = begins_path(&out);
        // A full stop may end the sentence.
        let ends = !after.trim_start_matches('.').starts_with(is_name);
        out.push_str(if begins && ends { "~" } else { home });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether a path can begin behind this text: behind no name, but for a flag (`-I/home/…`).
fn begins_path(text: &str) -> bool {
    let name = text.len() - text.trim_end_matches(is_name).len();
    let name = text.get(text.len() - name..).unwrap_or_default();
    name.is_empty() || name.starts_with('-')
}

/// Whether a character goes on with the name of a file.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~')
}

/// The beginning of a cleaned text, at most `most` characters, with `…` where it was longer.
pub(super) fn beginning(clean: &str, most: usize) -> String {
    match clean.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", clean.get(..end).unwrap_or_default().trim_end()),
        None => clean.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cleaner, beginning};

    #[test]
    fn only_the_users_home_is_shortened_and_only_where_it_is_one() {
        let homes = ["/home/ada/", "/mnt/real/ada", "/", ""].map(str::to_owned);
        let cleaner = Cleaner::new(&homes);
        for (raw, clean) in [
            ("/home/ada", "~"),
            ("see /home/ada/a.md, /home/ada.", "see ~/a.md, ~."),
            ("(/home/ada)", "(~)"),
            ("file:///home/ada/x", "file://~/x"),
            ("\"/home/ada/x\":1", "\"~/x\":1"),
            ("/home/adam /home/ada-b/", "/home/adam /home/ada-b/"),
            ("/home/ada.old/x", "/home/ada.old/x"),
            ("/srv/home/ada/x", "/srv/home/ada/x"),
            ("/mnt/real/ada/x:/home/ada/y", "~/x:~/y"),
            ("/home/ada/home/ada", "~/home/ada"),
            ("a/home/ada/home/ada", "a/home/ada/home/ada"),
            (
                "cc -I/home/ada/x -L/srv/home/ada",
                "cc -I~/x -L/srv/home/ada",
            ),
        ] {
            assert_eq!(cleaner.line(raw), clean, "{raw}");
        }
    }

    #[test]
    fn a_line_end_of_two_bytes_is_one() {
        let cleaner = Cleaner::default();
        assert_eq!(cleaner.block("a\r\nb\rc"), "a\nb\\u{d}c");
        assert_eq!(cleaner.line("a\r\nb"), r"a\u{d}\u{a}b");
    }

    #[test]
    fn a_beginning_counts_characters() {
        assert_eq!(beginning("äöü", 3), "äöü");
        assert_eq!(beginning("ä öü", 2), "ä…");
    }
}
