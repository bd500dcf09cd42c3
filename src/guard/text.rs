//! Text of others, made visible: nothing in it moves the cursor, colours, hides or reorders.
//!
//! Promises: what a person reads is all that is there. Only the emoji presentation selector
//! right behind a pictograph stays, since ordinary text has it there and it hides nothing.

use std::borrow::Cow;

/// The selector that gives a pictograph its coloured form.
const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// One line of foreign text: every control, bidirectional, zero-width and tag character (line
/// feed and tab too) becomes a visible escape such as `\u{1b}`.
pub fn line(text: &str) -> Cow<'_, str> {
    visible(text, |_| false)
}

/// Several lines of foreign text: as [`line()`], but line feeds and tabs stay. A carriage return
/// does not: it would let the end of a line overwrite its beginning.
pub fn block(text: &str) -> Cow<'_, str> {
    visible(text, |character| matches!(character, '\n' | '\t'))
}

/// Whether the character must be made visible: controls, what Unicode lets a terminal ignore
/// (zero-width characters, bidirectional controls, tags, fillers, variation selectors), line and
/// paragraph separators, annotation marks and noncharacters.
///
/// Variation selectors count because 256 of them can carry any hidden message byte by byte.
pub fn is_hidden(character: char) -> bool {
    character.is_control() || is_ignorable(character) || is_noncharacter(character)
}

fn visible(text: &str, stays: fn(char) -> bool) -> Cow<'_, str> {
    let shows = |c: char| !is_hidden(c) || stays(c);
    let Some(first) = text.find(|c| !shows(c)) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    let mut before = clean.chars().next_back();
    for c in rest.chars() {
        if shows(c) || (c == EMOJI_PRESENTATION && before.is_some_and(is_pictograph)) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
        before = Some(c);
    }
    Cow::Owned(out)
}

/// `Default_Ignorable_Code_Point` of Unicode, and the separators and annotation marks that
/// terminals treat alike.
fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn is_noncharacter(character: char) -> bool {
    let code = u32::from(character);
    code & 0xfffe == 0xfffe || (0xfdd0..=0xfdef).contains(&code)
}

/// The blocks in which Unicode keeps characters with an emoji form, and no letters.
fn is_pictograph(character: char) -> bool {
    matches!(character,
        '\u{a9}' | '\u{ae}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2194}'..='\u{21aa}' | '\u{2300}'..='\u{23ff}' | '\u{24c2}'
        | '\u{25a0}'..='\u{27bf}' | '\u{2934}'..='\u{2935}' | '\u{2b00}'..='\u{2bff}'
        | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::{block, is_hidden, line};
    use proptest::prelude::{any, proptest};
    use std::borrow::Cow;

    #[test]
    fn what_attacks_a_terminal_becomes_text() {
        let cases = [
            ("\u{1b}]52;c;aGk=\u{7}", r"\u{1b}]52;c;aGk=\u{7}"),
            ("\u{1b}[2J", r"\u{1b}[2J"),
            ("safe\rrm -rf", r"safe\u{d}rm -rf"),
            ("a\u{202e}b", r"a\u{202e}b"),
            ("a\u{2066}b\u{2069}", r"a\u{2066}b\u{2069}"),
            ("a\u{200b}b", r"a\u{200b}b"),
            ("\u{feff}a", r"\u{feff}a"),
            ("\u{e0041}", r"\u{e0041}"),
            ("a\u{e0100}", r"a\u{e0100}"),
            ("\u{2028}\u{2029}", r"\u{2028}\u{2029}"),
            ("\u{9b}31m\u{7f}", r"\u{9b}31m\u{7f}"),
            ("\u{1b}]8;;http://x\u{1b}\\y", r"\u{1b}]8;;http://x\u{1b}\y"),
            ("\0", r"\u{0}"),
        ];
        for (raw, shown) in cases {
            assert_eq!(line(raw), shown);
            assert_eq!(block(raw), shown);
        }
    }

    #[test]
    fn a_block_keeps_line_feeds_and_tabs_and_a_line_does_not() {
        assert_eq!(block("a\n\tb\r\n"), "a\n\tb\\u{d}\n");
        assert_eq!(line("a\n\tb"), r"a\u{a}\u{9}b");
    }

    #[test]
    fn ordinary_text_is_not_copied() {
        for text in [
            "",
            "plain",
            "Ünïcode, 漢字, עברית, e\u{301}, a\u{a0}b",
            "✅ done 🦀",
        ] {
            assert!(matches!(line(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn only_a_pictograph_keeps_its_presentation_selector() {
        assert_eq!(line("\u{26a0}\u{fe0f} stop"), "\u{26a0}\u{fe0f} stop");
        assert_eq!(line("a\u{fe0f}"), r"a\u{fe0f}");
        assert_eq!(
            line("\u{26a0}\u{fe0f}\u{fe0f}"),
            "\u{26a0}\u{fe0f}\\u{fe0f}"
        );
        assert_eq!(line("\u{26a0}\u{fe0e}"), "\u{26a0}\\u{fe0e}");
        assert_eq!(line("\u{fe0f}"), r"\u{fe0f}");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in any::<String>()) {
            let hidden = |shown: &str| shown.chars().any(|c| is_hidden(c) && c != '\u{fe0f}');
            assert!(!hidden(&line(&text)));
            assert!(!hidden(&block(&text).replace(['\n', '\t'], "")));
        }

        #[test]
        fn made_visible_once_is_made_visible_for_good(text in "[\\x00-\\x7f\u{202a}-\u{202e}✅\u{fe0f}]{0,40}") {
            assert_eq!(line(&line(&text)), line(&text));
        }
    }
}
