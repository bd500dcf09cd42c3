//! Columns for a person, bounded by the terminal's width.

/// Draws rows under headings: the last column is cut to fit `width` columns (`None`: uncut).
/// Cells may hold ANSI styles; foreign text in them must have been made visible.
pub fn draw(headings: &[&str], rows: &[Vec<String>], width: Option<usize>) -> String {
    let _ = (headings, rows, width);
    todo!()
}

/// The terminal's width where stdout is one.
pub fn width() -> Option<usize> {
    todo!()
}
