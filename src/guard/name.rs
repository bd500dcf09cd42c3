//! Names that mean the same thing on every file system (skill-loop.md §3, names and files).
//!
//! Promises: a name is accepted or refused, never rewritten; what two systems could take for one
//! name has one [`fold`]. A refusal quotes no more than one character of the name: it may be a
//! credential that landed in the wrong field.

use unicode_normalization::UnicodeNormalization as _;

use super::text;

/// Why a name is refused: one sentence, lower case, no full stop, saying what is right.
pub type Refusal = String;

/// The file that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// The directories of a skill that hold its other files.
pub const SUPPORT_DIRS: [&str; 4] = ["references", "templates", "scripts", "assets"];

/// Directory names below which the host looks for no skills (hermes-host.md §2).
pub const HOST_EXCLUDED: [&str; 14] = [
    ".git",
    ".github",
    ".hub",
    ".archive",
    ".venv",
    "venv",
    "node_modules",
    "site-packages",
    "__pycache__",
    ".tox",
    ".nox",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
];

/// Names that a rollback takes for the leavings of other programs and removes.
const LEAVINGS: [&str; 2] = ["__pycache__", ".DS_Store"];

/// The host's own limit.
const SKILL_CHARS: usize = 64;

/// What every common file system takes for one component.
const COMPONENT_BYTES: usize = 255;

/// Leaves room for a home in front of it under the shortest limit of a whole path (1,024).
const PATH_BYTES: usize = 512;

/// Checks a skill's name: `^[a-z0-9][a-z0-9._-]*$`, at most 64, no `..`, not ending in `.lock`
/// or `.`, no directory name that the host excludes, not `plan`, no device name.
pub fn check_skill(name: &str) -> Result<(), Refusal> {
    let first = name.chars().next().ok_or("a skill's name is not empty")?;
    if !first.is_ascii_lowercase() && !first.is_ascii_digit() {
        return Err(format!(
            "a skill's name begins with `a` to `z` or a digit, found {}",
            shown(first)
        ));
    }
    if let Some(other) = name.chars().find(|c| !is_skill_char(*c)) {
        return Err(format!(
            "a skill's name has only `a` to `z`, digits, `.`, `_` and `-`, found {}",
            shown(other)
        ));
    }
    // From here on the name is ASCII: a byte is a character.
    if name.len() > SKILL_CHARS {
        return Err(format!(
            "a skill's name has at most {SKILL_CHARS} characters, found {}",
            name.len()
        ));
    }
    if name.contains("..") || name.ends_with('.') {
        return Err("a skill's name has no `..` and does not end in `.`".to_owned());
    }
    if name.ends_with(".lock") {
        return Err("a skill's name does not end in `.lock`: git keeps that for itself".to_owned());
    }
    if HOST_EXCLUDED.contains(&name) {
        return Err("the host finds no skill in a directory of this name".to_owned());
    }
    if name == "plan" {
        return Err("`plan` belongs to the host".to_owned());
    }
    check_device(name)
}

/// Checks a file's path in a skill: `SKILL.md`, or beneath `references/`, `templates/`,
/// `scripts/` or `assets/`; relative, each component portable, nothing that git refuses.
pub fn check_file(path: &str) -> Result<(), Refusal> {
    if path.is_empty() {
        return Err("a file's path is not empty".to_owned());
    }
    if path.len() > PATH_BYTES {
        return Err(format!(
            "a file's path has at most {PATH_BYTES} bytes, found {}",
            path.len()
        ));
    }
    if path.starts_with('/') {
        return Err("a file's path is relative to its skill, found a leading `/`".to_owned());
    }
    path.split('/').try_for_each(check_component)?;
    check_location(path)
}

/// The form under which two names collide on some file system: NFC, then case folding.
///
/// Lower, upper and lower again is what makes `ẞ`, `ß`, `SS` and `ss` one.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfd()
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

fn is_skill_char(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-')
}

/// One component of a path, wherever it stands.
fn check_component(component: &str) -> Result<(), Refusal> {
    if component.is_empty() {
        return Err("a file's path has no empty component (`//` or a trailing `/`)".to_owned());
    }
    if component == "." || component == ".." {
        return Err("a file's path has no component `.` or `..`".to_owned());
    }
    if component.len() > COMPONENT_BYTES {
        return Err(format!(
            "a component of a path has at most {COMPONENT_BYTES} bytes, found {}",
            component.len()
        ));
    }
    if let Some(bad) = component.chars().find(|c| !is_portable(*c)) {
        return Err(format!(
            "a file name has no control or invisible character and none of `< > : \" | ? * \\`, \
             found {}",
            shown(bad)
        ));
    }
    if component.starts_with(' ') || component.ends_with([' ', '.']) {
        return Err("a file name does not begin with a space or end in a space or `.`".to_owned());
    }
    check_device(component)?;
    check_reserved(component)
}

fn is_portable(c: char) -> bool {
    !text::is_hidden(c) && !matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '\\')
}

/// Windows opens a device under these names, whatever their case and extension.
fn check_device(component: &str) -> Result<(), Refusal> {
    let stem = component.split('.').next().unwrap_or(component);
    let stem = stem.trim_end_matches(' ').to_ascii_uppercase();
    let plain = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    let numbered = ["COM", "LPT"].iter().any(|port| {
        let number = stem.strip_prefix(port).unwrap_or_default();
        let mut digits = number.chars();
        // The superscript digits are digits to Windows, too.
        matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
    });
    if plain.contains(&stem.as_str()) || numbered {
        return Err(format!(
            "`{stem}` is a device on Windows, with any extension"
        ));
    }
    Ok(())
}

/// Names that git or lithermes would take for something of its own.
fn check_reserved(component: &str) -> Result<(), Refusal> {
    let folded = fold(component);
    if folded == ".git" || folded == "git~1" {
        return Err("git refuses a file of this name".to_owned());
    }
    if folded.starts_with(".lithermes-") && folded.ends_with(".tmp") {
        return Err("`.lithermes-….tmp` is a file that recovery removes".to_owned());
    }
    if LEAVINGS.iter().any(|name| folded == fold(name)) {
        return Err("`__pycache__` and `.DS_Store` are removed by a rollback".to_owned());
    }
    Ok(())
}

fn check_location(path: &str) -> Result<(), Refusal> {
    let Some((top, _)) = path.split_once('/') else {
        if path == SKILL_FILE {
            return Ok(());
        }
        let spelled = fold(path) == fold(SKILL_FILE);
        let hint = if spelled {
            ", in exactly this case"
        } else {
            ""
        };
        return Err(format!("{}{hint}", expected_location()));
    };
    if SUPPORT_DIRS.contains(&top) {
        return Ok(());
    }
    Err(expected_location())
}

fn expected_location() -> String {
    format!(
        "expected `{SKILL_FILE}` or a file beneath `{}/`",
        SUPPORT_DIRS.join("/`, `")
    )
}

fn shown(c: char) -> String {
    format!("`{}`", text::line(c.encode_utf8(&mut [0; 4])))
}

#[cfg(test)]
mod tests {
    use super::{HOST_EXCLUDED, check_file, check_skill, fold};
    use focaccia::CaseFold;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    #[test]
    fn skills_that_pass() {
        let long = "a".repeat(64);
        for name in [
            "a",
            "release-notes",
            "0x",
            "a.b_c-d",
            "planner",
            "com",
            "com10",
            "console",
            &long,
        ] {
            assert_eq!(check_skill(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn skills_that_are_refused_and_why() {
        let long = "a".repeat(65);
        let cases = [
            ("", "not empty"),
            ("../x", "begins with"),
            ("/abs", "begins with"),
            ("a/../b", "only"),
            (r"a\b", "only"),
            ("a\0b", r"`\u{0}`"),
            ("ckm:brand", "`:`"),
            ("Ünïcode", "`Ü`"),
            ("ünïcode", "`ü`"),
            ("cafe\u{301}", "`\u{301}`"),
            ("Release", "`R`"),
            ("-x", "begins with"),
            (".hidden", "begins with"),
            ("a..b", "`..`"),
            ("a.", "end in `.`"),
            ("a ", "` `"),
            ("a\n", r"`\u{a}`"),
            ("x.lock", "`.lock`"),
            ("plan", "host"),
            ("venv", "host"),
            ("node_modules", "host"),
            ("site-packages", "host"),
            ("con", "`CON` is a device"),
            ("nul.txt", "`NUL` is a device"),
            ("lpt1.log", "`LPT1` is a device"),
            ("com0", "`COM0` is a device"),
            (&long, "at most 64"),
        ];
        for (name, why) in cases {
            let refusal = check_skill(name).expect_err(name);
            assert!(refusal.contains(why), "{name:?}: {refusal}");
        }
    }

    #[test]
    fn no_excluded_directory_is_a_skill() {
        for name in HOST_EXCLUDED {
            assert!(check_skill(name).is_err(), "{name}");
        }
    }

    #[test]
    fn files_that_pass() {
        let component = format!("references/{}", "é".repeat(127));
        for path in [
            "SKILL.md",
            "references/a.md",
            "templates/deep/er/x.txt",
            "scripts/run.sh",
            "assets/.keep",
            "assets/.gitignore",
            "references/Ünïcode 漢字.md",
            "references/console.md",
            "references/git~10",
            "references/com10.log",
            "references/x.lock",
            &component,
        ] {
            assert_eq!(check_file(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn files_that_are_refused_and_why() {
        let component = format!("references/{}", "a".repeat(256));
        let path = format!("references/{}", "a/".repeat(260));
        let cases = [
            ("", "not empty"),
            ("../x", "`..`"),
            ("references/../../x", "`..`"),
            ("references/./b", "`.`"),
            ("references//b", "empty component"),
            ("references/a/", "empty component"),
            ("references/", "empty component"),
            ("/etc/passwd", "relative"),
            ("references", "beneath"),
            ("README.md", "beneath"),
            ("skill.md", "exactly this case"),
            ("References/a.md", "beneath"),
            ("other/a.md", "beneath"),
            ("SKILL.md/x", "beneath"),
            ("aux.md", "`AUX` is a device"),
            ("references/CON", "`CON` is a device"),
            ("references/nul.tar.gz", "`NUL` is a device"),
            ("references/con .txt", "`CON` is a device"),
            ("scripts/com1.log", "`COM1` is a device"),
            ("scripts/LPT²", "is a device"),
            ("scripts/aux/x", "`AUX` is a device"),
            ("references/a.", "end in"),
            ("references/a ", "end in"),
            ("references/ a", "begin with"),
            ("references/a./b", "end in"),
            ("references/a:b", "`:`"),
            (r"references/a\b", r"`\`"),
            ("references/a?", "`?`"),
            ("references/a\0", r"`\u{0}`"),
            ("references/a\nb", r"`\u{a}`"),
            ("references/a\u{202e}b", r"`\u{202e}`"),
            ("references/.g\u{200c}it/x", r"`\u{200c}`"),
            ("references/.git/config", "git refuses"),
            ("references/.GIT", "git refuses"),
            ("references/GIT~1", "git refuses"),
            ("references/.lithermes-0123456789abcdef.tmp", "recovery"),
            ("references/.Lithermes-x.TMP", "recovery"),
            ("scripts/__pycache__/x.pyc", "rollback"),
            ("assets/.DS_Store", "rollback"),
            (&component, "at most 255 bytes"),
            (&path, "at most 512 bytes"),
        ];
        for (path, why) in cases {
            let refusal = check_file(path).expect_err(path);
            assert!(refusal.contains(why), "{path:?}: {refusal}");
        }
    }

    #[test]
    fn names_that_collide_somewhere_fold_to_one() {
        for (left, right) in [
            ("SKILL.md", "skill.md"),
            ("é", "e\u{301}"),
            ("É", "e\u{301}"),
            ("straße", "STRASSE"),
            ("STRAẞE", "strasse"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("ﬁ", "FI"),
            ("K", "k"),
        ] {
            assert_eq!(fold(left), fold(right), "{left} {right}");
        }
        assert_ne!(fold("a"), fold("á"));
    }

    #[test]
    fn what_unicode_folds_to_one_character_does_too() {
        for c in '\0'..='\u{1ffff}' {
            let text = c.to_string();
            for other in [text.to_lowercase(), text.to_uppercase()] {
                if CaseFold::Full.case_eq(&text, &other) {
                    assert_eq!(fold(&text), fold(&other), "{c:?}");
                }
            }
            assert_eq!(fold(&fold(&text)), fold(&text), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn no_name_makes_a_check_panic(name in any::<String>()) {
            drop((check_skill(&name), check_file(&name), fold(&name)));
        }

        #[test]
        fn what_passes_stays_beneath_its_skill(path in "(references|SKILL.md|\\.|\\.\\.|/|a|:| ){1,9}") {
            if check_file(&path).is_ok() {
                let inside = path.split('/').all(|c| !c.is_empty() && c != "." && c != "..");
                prop_assert!(inside);
            }
        }

        #[test]
        fn a_name_that_passes_differs_from_its_fold_by_nothing(name in "[a-z0-9._-]{1,64}") {
            if check_skill(&name).is_ok() {
                prop_assert_eq!(fold(&name), name);
            }
        }
    }
}
