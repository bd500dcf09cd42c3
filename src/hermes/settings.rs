//! What the host's settings say of its model, and of children at a time (`H/config.yaml`).
//!
//! Promises: reads one file, bounded; names alone, never an address or a key; what cannot be read
//! counts as not said.

use super::frontmatter::scalars_at;
use crate::disk::Dir;

/// Bytes of the host's settings.
const MOST_BYTES: u64 = 4 << 20;
/// What the host delegates to at a time, where its settings say nothing.
const CHILDREN: usize = 3;
/// More than that no machine was asked for.
const MOST_CHILDREN: usize = 64;

/// What they say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The model that turns use unless somebody says another.
    pub model: Option<String>,
    /// Who serves it.
    pub provider: Option<String>,
    /// Children at a time (`delegation.max_concurrent_children`).
    pub children: usize,
}

impl Settings {
    /// Reads them.
    pub fn of(home: &Dir) -> Self {
        let content = home.read("config.yaml", MOST_BYTES).ok().flatten();
        let bytes = content.map(|content| content.bytes).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let said = |keys: &[&str]| {
            let found = scalars_at(&text, keys).unwrap_or_default();
            found.into_iter().find(|value| !value.is_empty())
        };
        let children = said(&["delegation", "max_concurrent_children"]);
        let children = children.and_then(|number| number.parse().ok());
        Self {
            model: said(&["model", "default"])
                .or_else(|| said(&["model", "model"]))
                .or_else(|| said(&["model"])),
            provider: said(&["model", "provider"]),
            children: children.unwrap_or(CHILDREN).clamp(1, MOST_CHILDREN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use crate::disk::Dir;

    fn read(text: &str) -> (Option<String>, Option<String>, usize) {
        let home = tempfile::tempdir().unwrap();
        fs_err::write(home.path().join("config.yaml"), text).unwrap();
        let home = fs_err::canonicalize(home.path()).unwrap();
        let settings = Settings::of(&Dir::open_root(&home).unwrap().unwrap());
        (settings.model, settings.provider, settings.children)
    }

    #[test]
    fn both_spellings_of_a_model_are_read() {
        let some = |text: &str| Some(text.to_owned());
        let long = "model:\n  default: small\n  provider: custom\n  api_key: x\n";
        assert_eq!(read(long), (some("small"), some("custom"), 3));
        assert_eq!(read("model:\n  model: m\n"), (some("m"), None, 3));
        assert_eq!(read("model: large\n"), (some("large"), None, 3));
    }

    #[test]
    fn children_at_a_time_are_the_host_s_and_bounded() {
        let said =
            |text: &str| read(&format!("delegation:\n  max_concurrent_children: {text}\n")).2;
        for (text, children) in [("8", 8), ("0", 1), ("9999", 64), ("many", 3), ("-1", 3)] {
            assert_eq!(said(text), children, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for text in ["", "model: [\n", "model: ''\n", "\u{0}", "- a\n"] {
            assert_eq!(read(text), (None, None, 3), "{text:?}");
        }
    }
}
