//! A Markdown document, block by block.
//!
//! Promises: a blank line between blocks and one line feed at the end. Text of others must have
//! been made inert before it comes here.

/// A document that is being written.
pub(super) struct Page(String);

impl Page {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self(String::new())
    }

    /// A document with its title.
    pub(super) fn titled(title: &str) -> Self {
        let mut page = Self::new();
        page.block(&format!("# {title}"));
        page
    }

    /// A section.
    pub(super) fn section(&mut self, heading: &str) {
        self.block(&format!("## {heading}"));
    }

    /// A section of a section.
    pub(super) fn part(&mut self, heading: &str) {
        self.block(&format!("### {heading}"));
    }

    /// A paragraph.
    pub(super) fn paragraph(&mut self, text: &str) {
        self.block(text);
    }

    /// Labels with their values.
    pub(super) fn facts(&mut self, facts: &[(&str, String)]) {
        let lines = facts
            .iter()
            .map(|(label, value)| format!("- **{label}:** {value}"));
        self.block(&lines.collect::<Vec<_>>().join("\n"));
    }

    /// Points; `none` where there are none.
    pub(super) fn list(&mut self, points: &[String], none: &str) {
        let lines = points.iter().map(|point| format!("- {point}"));
        self.either(lines.collect(), none);
    }

    /// Points with numbers; `none` where there are none.
    pub(super) fn numbered(&mut self, first: usize, points: &[String], none: &str) {
        let lines = (first..)
            .zip(points)
            .map(|(number, point)| format!("{number}. {point}"));
        self.either(lines.collect(), none);
    }

    /// A table; `none` where it has no rows.
    pub(super) fn table<const N: usize>(
        &mut self,
        headings: [&str; N],
        rows: &[[String; N]],
        none: &str,
    ) {
        if rows.is_empty() {
            return self.block(none);
        }
        let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let head = headings.map(str::to_owned);
        let rule = format!("|{}", " --- |".repeat(N));
        let lines = [row(&head), rule].into_iter();
        let lines = lines.chain(rows.iter().map(|cells| row(cells)));
        self.block(&lines.collect::<Vec<_>>().join("\n"));
    }

    /// The text so far.
    pub(super) fn into_text(self) -> String {
        self.0
    }

    fn either(&mut self, lines: Vec<String>, none: &str) {
        match lines.is_empty() {
            true => self.block(none),
            false => self.block(&lines.join("\n")),
        }
    }

    fn block(&mut self, text: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(text);
        self.0.push('\n');
    }
}
