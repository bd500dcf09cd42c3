//! Columns for a person, bounded by the terminal's width.
//!
//! Promises: columns align whatever characters and styles are in them; only the last is cut, and
//! a cut shows.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::style::{STRONG, split_style, styled};

/// Between two columns.
const GAP: &str = "  ";

/// Draws rows under headings: the last column is cut to fit `width` columns (`None`: uncut).
/// Cells may hold ANSI styles; foreign text in them must have been made visible. Cells beyond
/// the headings are left out, missing ones are blank; no line ends in a space.
pub fn draw(headings: &[&str], rows: &[Vec<String>], width: Option<usize>) -> String {
    let columns: Vec<usize> = headings
        .iter()
        .enumerate()
        .map(|(column, heading)| widest(column, heading, rows))
        .collect();
    let last_room = width.map(|width| last_room(&columns, width));
    let heading: Vec<String> = headings.iter().map(|text| styled(STRONG, text)).collect();
    let mut drawn = String::new();
    for row in std::iter::once(&heading).chain(rows) {
        draw_row(&mut drawn, row, &columns, last_room);
    }
    drawn
}

/// The terminal's width in columns where stdout is one.
pub fn width() -> Option<usize> {
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(usize::from(columns))
}

fn widest(column: usize, heading: &str, rows: &[Vec<String>]) -> usize {
    let cells = rows.iter().filter_map(|row| row.get(column));
    let widest = cells.map(|cell| visible_width(cell)).max();
    widest.unwrap_or(0).max(visible_width(heading))
}

/// What the other columns leave of `width`; at least one, for the sign that something is cut.
fn last_room(columns: &[usize], width: usize) -> usize {
    let others = columns.len().saturating_sub(1);
    let used: usize = columns
        .iter()
        .take(others)
        .map(|width| width + GAP.len())
        .sum();
    width.saturating_sub(used).max(1)
}

fn draw_row(into: &mut String, row: &[String], columns: &[usize], last_room: Option<usize>) {
    let mut line = String::new();
    // Padding waits for the next cell that is not empty.
    let mut owed = 0;
    for (column, width) in columns.iter().enumerate() {
        let cell = row.get(column).map_or("", String::as_str);
        let is_last = column + 1 == columns.len();
        let cell = match last_room {
            Some(room) if is_last => cut(cell, room),
            _ => cell.to_owned(),
        };
        let taken = visible_width(&cell);
        if taken > 0 {
            line.extend(std::iter::repeat_n(' ', owed));
            line.push_str(&cell);
            owed = 0;
        }
        owed += width.saturating_sub(taken) + GAP.len();
    }
    into.push_str(&line);
    into.push('\n');
}

/// Terminal columns of `text` without its styles.
fn visible_width(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().width()
}

/// `text` cut to `room` columns, the last of which is `…`; styles behind the cut stay, so that
/// what was opened is closed.
fn cut(text: &str, room: usize) -> String {
    if visible_width(text) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    let (mut rest, mut taken, mut is_cut) = (text, 0, false);
    while let Some(character) = rest.chars().next() {
        if let Some((style, after)) = split_style(rest) {
            kept.push_str(style);
            rest = after;
            continue;
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
        taken += upper_width(character);
        if is_cut {
            continue;
        }
        is_cut = taken >= room;
        kept.push(if is_cut { '…' } else { character });
    }
    kept
}

/// Columns that a character adds at most; the emoji selector widens the one before it.
fn upper_width(character: char) -> usize {
    match character {
        '\u{fe0f}' => 1,
        other => other.width().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::{cut, draw, visible_width};
    use proptest::prelude::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn columns_align_whatever_is_in_them() {
        let rows = [
            row(&["\u{1b}[31mred\u{1b}[0m", "日本", "tail"]),
            row(&["e\u{301}", "", "x"]),
            row(&["only"]),
        ];
        assert_eq!(
            plain(&draw(&["ID", "NAME", "WHY"], &rows, None)),
            "ID    NAME  WHY\n\
             red   日本  tail\n\
             e\u{301}           x\n\
             only\n"
        );
    }

    #[test]
    fn only_the_last_column_is_cut_and_the_cut_shows() {
        let rows = [row(&["first", "\u{1b}[1mlong reason\u{1b}[0m"])];
        let drawn = draw(&["ID", "WHY"], &rows, Some(12));
        assert_eq!(plain(&drawn), "ID     WHY\nfirst  long…\n");
        assert!(drawn.ends_with("long…\u{1b}[0m\n"));
        assert_eq!(
            plain(&draw(&["ID", "WHY"], &rows, Some(2))),
            "ID     …\nfirst  …\n"
        );
        assert_eq!(draw(&[], &rows, Some(9)), "\n\n");
    }

    #[test]
    fn a_wide_character_is_not_cut_in_two() {
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("日本語", 6), "日本語");
    }

    proptest! {
        #[test]
        fn a_cut_cell_fits(text in "\\PC{0,30}", room in 1usize..20) {
            prop_assert!(visible_width(&cut(&text, room)) <= room);
        }
    }
}
