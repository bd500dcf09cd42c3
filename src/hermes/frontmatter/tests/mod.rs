mod laws;
mod listing;
mod marker;
mod rules;
mod scalars;

/// A skill `x` whose frontmatter has these lines after its name.
fn with(lines: &str) -> String {
    format!("---\nname: x\n{lines}---\n\nBody text.\n")
}

fn described(value: &str) -> String {
    with(&format!("description: {value}\n"))
}

/// A frontmatter of `length` characters, line feed of the closing line included.
fn sized(length: usize, ending: &str) -> String {
    let rest = "---\nname: x\ndescription: d\n#\n---\n".len();
    let comment = "p".repeat(length - rest);
    let text = format!("---\nname: x\ndescription: d\n#{comment}\n---\nbody\n");
    text.replace('\n', ending)
}
