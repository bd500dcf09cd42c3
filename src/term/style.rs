//! The few styles there are, and text that holds them.
//!
//! Promises: colour never carries meaning alone, so text without its styles says the same; the
//! only escape sequence that passes is one that styles.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use crate::guard;

/// `error`.
pub(super) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// `warning`.
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// `hint`.
pub(super) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// `note`, headings, names.
pub(super) const STRONG: Style = Style::new().bold();
/// Line numbers, marks, what is beside the point.
pub(super) const FAINT: Style = Style::new().dimmed();
/// Lines that come.
pub(super) const ADDED: Style = AnsiColor::Green.on_default();
/// Lines that go.
pub(super) const REMOVED: Style = AnsiColor::Red.on_default();

/// Wraps `text` in a style.
pub(super) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The styling sequence (`ESC [ digits ; … m`) at the beginning of `text`, and what follows it.
pub(super) fn split_style(text: &str) -> Option<(&str, &str)> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    let length = "\u{1b}[".len() + end + 1;
    parameters[end..]
        .starts_with('m')
        .then(|| text.split_at(length))
}

/// `text` with its styles, everything else that moves a terminal made visible: the last line of
/// defence, should a caller have forgotten the first.
pub(super) fn only_styles(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return guard::text::block(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, from) = rest.split_at(at);
        safe.push_str(&guard::text::block(before));
        if let Some((style, after)) = split_style(from) {
            safe.push_str(style);
            rest = after;
        } else {
            let (escape, after) = from.split_at(1);
            safe.push_str(&guard::text::block(escape));
            rest = after;
        }
    }
    safe.push_str(&guard::text::block(rest));
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::{ERROR, only_styles, split_style, styled};

    #[test]
    fn a_style_is_told_from_other_sequences() {
        assert_eq!(split_style("\u{1b}[1;31mx"), Some(("\u{1b}[1;31m", "x")));
        assert_eq!(split_style("\u{1b}[0m"), Some(("\u{1b}[0m", "")));
        for other in [
            "",
            "x",
            "\u{1b}",
            "\u{1b}[",
            "\u{1b}[31",
            "\u{1b}[2J",
            "\u{1b}[3é",
            "\u{1b}]0;m",
        ] {
            assert_eq!(split_style(other), None, "{other:?}");
        }
    }

    #[test]
    fn only_styles_pass() {
        let fine = format!("{}\tok\n", styled(ERROR, "bad"));
        assert_eq!(only_styles(&fine), fine);
        let hostile = "a\u{1b}[2J\u{1b}]52;c;x\u{7}\rb\u{202e}\u{9b}c\u{1b}";
        let safe = only_styles(hostile);
        let raw: Vec<char> = safe.chars().filter(|c| !(' '..='~').contains(c)).collect();
        assert_eq!(raw, [], "{safe}");
        assert!(safe.starts_with('a') && safe.contains("[2J") && safe.contains(r"\u{202e}"));
    }
}
