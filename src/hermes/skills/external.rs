//! Directories that the host mounts as skills of somebody else (`skills.external_dirs`).
//!
//! Promises: only their places are told; nothing in them is read.

use std::path::{Path, PathBuf};

use crate::disk::Dir;
use crate::hermes::frontmatter::scalars_at;

const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// The real paths of the external directories that exist, without `H/skills` itself. `Err` says
/// why the settings cannot be read; a damaged file that does not speak of them is no error.
pub(super) fn external(home: &Dir) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error| format!("cannot be read ({error})");
    let Some(content) = home.read("config.yaml", MOST_BYTES).map_err(unreadable)? else {
        return Ok(Vec::new());
    };
    let text = String::from_utf8_lossy(&content.bytes);
    if !text.contains("external_dirs") {
        return Ok(Vec::new());
    }
    let listed = scalars_at(&text, &["skills", "external_dirs"])
        .map_err(|fault| format!("cannot be read (line {}: {})", fault.line, fault.message))?;
    let own = fs_err::canonicalize(home.path_of("skills")).ok();
    let real = listed.iter().filter_map(|entry| {
        let path = home.path().join(expanded(entry.trim())?);
        fs_err::canonicalize(path).ok()
    });
    Ok(real.filter(|path| Some(path) != own.as_ref()).collect())
}

/// The path with `~`, `$NAME` and `${NAME}` replaced; what is not set stays.
fn expanded(entry: &str) -> Option<PathBuf> {
    if entry.is_empty() {
        return None;
    }
    let entry = variables(entry, |name| std::env::var(name).ok());
    match entry.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Some(std::env::home_dir()?.join(rest.trim_start_matches('/')))
        }
        _ => Some(Path::new(&entry).to_owned()),
    }
}

fn variables(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let (name, length) = variable(after);
        match value(name).filter(|_| !name.is_empty()) {
            Some(value) => out.push_str(&value),
            None => {
                out.push('$');
                out.push_str(after.get(..length).unwrap_or(""));
            }
        }
        rest = after.get(length..).unwrap_or("");
    }
    out + rest
}

/// The name that follows a `$`, and how many bytes it takes.
fn variable(after: &str) -> (&str, usize) {
    if let Some((name, _)) = after
        .strip_prefix('{')
        .and_then(|rest| rest.split_once('}'))
    {
        return (name, name.len() + 2);
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let length = after.find(|c| !is_name(c)).unwrap_or(after.len());
    (after.get(..length).unwrap_or(""), length)
}

#[cfg(test)]
mod tests {
    use super::variables;

    #[test]
    fn variables_are_replaced_where_they_are_set() {
        let value = |name: &str| (name == "A_1").then(|| "/x".to_owned());
        for (text, expected) in [
            ("$A_1/y", "/x/y"),
            ("${A_1}y", "/xy"),
            ("$A_1y", "$A_1y"),
            ("a$A_1$A_1", "a/x/x"),
            ("$B/${B}/$", "$B/${B}/$"),
            ("${A_1", "${A_1"),
            ("$$A_1", "$/x"),
            ("$é", "$é"),
            ("plain", "plain"),
        ] {
            assert_eq!(variables(text, value), expected, "{text}");
        }
    }
}
