use std::process::{Command, Stdio};

use proptest::prelude::*;

use super::lines::{Ends, split};
use super::{Bounds, Counts, Side, counts, draw, unified};

fn side(text: &str) -> Option<Side<'_>> {
    Some(Side {
        bytes: text.as_bytes(),
        mode: 0o100_644,
    })
}

fn plain(before: Option<Side<'_>>, after: Option<Side<'_>>, bounds: Bounds) -> String {
    let drawn = draw("SKILL.md", before, after, bounds);
    anstream::adapter::strip_str(&drawn).to_string()
}

fn drawn(before: &str, after: &str) -> String {
    plain(side(before), side(after), Bounds::default())
}

#[test]
fn a_modification_is_drawn_with_context_and_both_numbers() {
    let before = "1\n2\n3\n4\nold\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\nz\n";
    let after = "1\n2\n3\n4\nnew\nmore\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n";
    assert_eq!(
        drawn(before, after),
        "modify SKILL.md  +2 −2\n 2  2   2\n 3  3   3\n 4  4   4\n 5     -old\n    5  +new\n    6  \
         +more\n 6  7   6\n 7  8   7\n 8  9   8\n┈┈┈┈┈┈┈\n13 14   13\n14 15   14\n15 16   15\n16     \
         -z\n"
    );
    assert_eq!(
        counts(Some(before.as_bytes()), Some(after.as_bytes())),
        Counts {
            added: 2,
            removed: 2
        }
    );
}

#[test]
fn what_happens_is_said_in_words() {
    let first = |before, after| {
        let text = plain(before, after, Bounds::default());
        text.lines().next().unwrap().to_owned()
    };
    let with = |text, mode| {
        Some(Side {
            mode,
            ..side(text).unwrap()
        })
    };
    for (before, after, expected) in [
        (None, side("a\n"), "create SKILL.md  +1 −0  mode 0644"),
        (side("a\nb"), None, "delete SKILL.md  +0 −2"),
        (
            side("a\n"),
            with("a\n", 0o755),
            "mode SKILL.md  mode 0644 → 0755",
        ),
        (
            side("a\n"),
            with("b\n", 0o600),
            "modify SKILL.md  +1 −1  mode 0644 → 0600",
        ),
        (side("a\n"), side("a\n"), "unchanged SKILL.md"),
        (None, None, "absent SKILL.md"),
    ] {
        assert_eq!(first(before, after), expected);
    }
    assert!(plain(None, side(""), Bounds::default()).ends_with("mode 0644\n  empty\n"));
}

#[test]
fn changed_line_endings_are_said_and_drawn() {
    let crlf = "line\r\n".repeat(12);
    let text = drawn(&crlf, &crlf.replace('\r', ""));
    assert!(
        text.contains("\n  only line endings CRLF → LF on 12 lines\n"),
        "{text}"
    );
    assert!(
        text.contains("-line␍␊\n") && text.contains("+line␊\n"),
        "{text}"
    );

    let text = drawn("a\rb\rc\r", "a\nX\nc\n");
    assert!(
        text.contains("\n  line endings CR → LF on 3 lines\n"),
        "{text}"
    );
    assert!(text.contains("-b␍\n") && text.contains("+X␊\n"), "{text}");

    let text = drawn("a\r\nb\r\n", "a\r\nc\r\n");
    assert!(
        !text.contains('␍') && !text.contains("line endings"),
        "{text}"
    );

    let text = plain(None, side("a\r\nb\n"), Bounds::default());
    assert!(
        text.contains("\n  line endings LF on 1 line, CRLF on 1 line\n"),
        "{text}"
    );
}

#[test]
fn the_last_newline_the_mark_and_trailing_space_are_drawn() {
    let text = drawn("a\nb\n", "a\nb");
    assert!(text.contains("\n  newline at the end removed\n"), "{text}");
    assert!(
        text.ends_with("+b\n     \\ no newline at the end\n"),
        "{text}"
    );
    assert!(drawn("a", "a\n").contains("\n  newline at the end added\n"));

    assert!(drawn("a\n", "\u{feff}a\n").contains("\n  byte-order mark added\n"));
    assert!(drawn("\u{feff}a\n", "b\n").contains("\n  byte-order mark removed\n"));

    let text = drawn("keep  \na\n", "keep  \na \t\n");
    assert!(
        text.contains(" keep  \n") && text.contains("+a␠␉\n"),
        "{text}"
    );
}

#[test]
fn nothing_in_path_or_text_moves_the_terminal() {
    let hostile = "\u{1b}]52;c;x\u{7}\u{1b}[2J\u{202e}\u{200b}\u{9b}m\u{7f}";
    let before = format!("{hostile}\n{hostile} old\n");
    let after = format!("{hostile}\n{hostile} new\n");
    let text = draw(hostile, side(&before), side(&after), Bounds::default());
    let text = anstream::adapter::strip_str(&text).to_string();
    let raw: Vec<char> = text
        .chars()
        .filter(|c| crate::guard::text::is_hidden(*c))
        .collect();
    assert!(raw.iter().all(|c| *c == '\n'), "{raw:?}");
    assert!(text.contains("52;c;x"), "{text}");
}

#[test]
fn bytes_that_are_no_text_are_measured() {
    let latin = b"caf\xe9\n".as_slice();
    let utf16 = b"\xff\xfea\0".as_slice();
    let with = |bytes| Some(Side { bytes, mode: 0o644 });
    let text = plain(with(latin), with(utf16), Bounds::default());
    assert_eq!(
        text,
        "modify SKILL.md\n  binary (Latin-1? → UTF-16), 5 bytes → 4 bytes, sha256 98b59ab8cfb1 → \
         1fa7fe2aac9c\n"
            .replace("98b59ab8cfb1", &crate::digest::sha256_hex(latin)[..12])
            .replace("1fa7fe2aac9c", &crate::digest::sha256_hex(utf16)[..12])
    );
    let text = plain(None, with(b"a\0b"), Bounds::default());
    assert!(
        text.contains("binary (NUL bytes), 3 bytes, sha256 "),
        "{text}"
    );
    assert_eq!(counts(Some(latin), Some(b"")), Counts::default());
    assert_eq!(
        unified("x", Some(latin), None),
        "Binary files a/x and /dev/null differ\n"
    );
}

#[test]
fn both_sides_of_a_long_change_get_their_share() {
    let before = "old\n".repeat(300);
    let after = "new\n".repeat(300);
    let bounds = Bounds {
        lines: 10,
        columns: 80,
    };
    let text = plain(side(&before), side(&after), bounds);
    assert_eq!(text.matches("-old\n").count(), 5, "{text}");
    assert_eq!(text.matches("+new\n").count(), 5, "{text}");
    assert!(
        text.contains("- … 295 more\n") && text.contains("+ … 295 more\n"),
        "{text}"
    );
    assert!(
        text.ends_with("\nshowing 10 of 600 changed lines\n"),
        "{text}"
    );
    // All of the short side fits beside the long one.
    let text = plain(side("a\n"), side(&after), bounds);
    assert_eq!(
        (text.matches("-a\n").count(), text.matches("+new\n").count()),
        (1, 9)
    );
    let none = plain(
        side("a\n"),
        side("b\n"),
        Bounds {
            lines: 0,
            columns: 0,
        },
    );
    assert!(none.ends_with("showing 0 of 2 changed lines\n"), "{none}");
}

#[test]
fn a_long_line_is_cut_where_it_differs() {
    let long = "é".repeat(1 << 19);
    let text = drawn(&format!("{long}x tail"), &format!("{long}y tail"));
    assert!(text.len() < 4000, "{}", text.len());
    assert!(
        text.contains("éx tail\n") && text.contains("éy tail\n"),
        "{text}"
    );
    let text = drawn("", &long);
    assert!(
        text.contains(&format!("… ({} more characters)\n", (1 << 19) - 500)),
        "{text}"
    );
}

/// Bounded work: these finish in a moment, even unoptimised, or not at all.
#[test]
fn huge_changes_are_drawn_in_bounded_time() {
    let old: String = (0..200_000).map(|n| format!("{n}\n")).collect();
    let new: String = (0..200_000).map(|n| format!("{n}x\n")).collect();
    let text = drawn(&old, &new);
    assert!(text.starts_with("modify SKILL.md  +200000 −200000\n"));
    assert!(text.ends_with("\nshowing 200 of 400000 changed lines\n"));
    // Two symbols in no order: the worst for a search for the shortest way.
    let noise = |seed: u32| {
        let mut state = seed;
        let lines = (0..100_000).map(move |_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 0 { "a\n" } else { "b\n" }
        });
        lines.collect::<String>()
    };
    let (old, new) = (noise(1), noise(2));
    let (old, new) = (format!("first\n{old}last\n"), format!("first\n{new}last\n"));
    assert!(drawn(&old, &new).contains("changed lines\n"));
    assert_eq!(
        git_apply(Some(old.as_bytes()), Some(new.as_bytes())),
        Some(new.into_bytes())
    );
}

/// Beyond what is searched the common ends are still found, and the diff is still correct.
#[test]
fn a_small_change_in_a_huge_file_is_small() {
    let old: String = (0..200_000).map(|n| format!("{n}\n")).collect();
    let count = |new: &str| counts(Some(old.as_bytes()), Some(new.as_bytes()));
    let (added, removed) = (1, 1);
    assert_eq!(
        count(&old.replace("\n99999\n", "\nx\n")),
        Counts { added, removed }
    );
    assert_eq!(count(&old), Counts::default());
    assert_eq!(count(&format!("{old}end\n")), Counts { added, removed: 0 });
    assert_eq!(
        count(&old.replace("\n7\n", "\n")),
        Counts { added: 0, removed }
    );
    assert_eq!(
        count(""),
        Counts {
            added: 0,
            removed: 200_000
        }
    );
}

#[test]
fn a_unified_diff_marks_what_lacks_a_newline() {
    assert_eq!(
        unified("SKILL.md", Some(b"a\nb"), Some(b"a\nb\nc")),
        "--- a/SKILL.md\n+++ b/SKILL.md\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of \
         file\n+b\n+c\n\\ No newline at end of file\n"
    );
    assert_eq!(
        unified("a b\"\n", None, Some(b"x\n")),
        "--- /dev/null\n+++ \"b/a b\\\"\\012\"\t\n@@ -0,0 +1,1 @@\n+x\n"
    );
    assert_eq!(unified("x", Some(b"a"), Some(b"a")), "");
    assert_eq!(unified("x", None, Some(b"")), "--- /dev/null\n+++ b/x\n");
}

/// What `git apply` makes of the unified diff: the file's bytes, or nothing when it is gone.
fn git_apply(before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my file.md");
    if let Some(bytes) = before {
        fs_err::write(&file, bytes).unwrap();
    }
    let patch = folder.path().join("patch");
    fs_err::write(&patch, unified("my file.md", before, after)).unwrap();
    let status = Command::new("git")
        .args(["apply", "--unsafe-paths", "--whitespace=nowarn", "patch"])
        .current_dir(folder.path())
        .env("GIT_CEILING_DIRECTORIES", folder.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stderr(Stdio::inherit())
        .status()
        .unwrap();
    assert!(status.success());
    fs_err::read(&file).ok()
}

#[test]
fn git_applies_creations_and_deletions() {
    assert_eq!(git_apply(None, Some(b"a\r\nb")), Some(b"a\r\nb".to_vec()));
    assert_eq!(git_apply(Some(b"a\rb\n\n"), None), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn git_applies_every_modification(
        before in "([abc]{0,2}(\n|\r\n|\r)){0,12}[ab]{0,2}",
        after in "([abc]{0,2}(\n|\r\n|\r)){0,12}[ab]{0,2}",
    ) {
        prop_assume!(before != after && !before.is_empty() && !after.is_empty());
        let made = git_apply(Some(before.as_bytes()), Some(after.as_bytes()));
        prop_assert_eq!(made, Some(after.into_bytes()));
    }
}

proptest! {
    #[test]
    fn lines_are_the_text_again(text in "[a\r\né]{0,30}") {
        for ends in [Ends::Any, Ends::Lf] {
            let lines = split(&text, ends);
            prop_assert!(lines.iter().all(|line| !line.0.is_empty()));
            prop_assert_eq!(lines.iter().map(|line| line.0).collect::<String>(), text.clone());
        }
    }

    /// Every drawn line is the line of that number on its side, and no change is missing.
    #[test]
    fn what_is_drawn_is_what_is_written(
        before in "([abc]{0,2}\n){0,9}",
        after in "([abc]{0,2}\n){0,9}",
    ) {
        let text = drawn(&before, &after);
        let is_line = |line: &&str| !line.starts_with('┈');
        let mut seen = Counts::default();
        for line in text.lines().skip(1).filter(is_line) {
            let (old, new, sign, content) = (&line[..1], &line[2..3], &line[5..6], &line[6..]);
            let of = |text: &str, number: &str| {
                text.lines().nth(number.parse::<usize>().unwrap() - 1).unwrap().to_owned()
            };
            if sign != "+" {
                prop_assert_eq!(of(&before, old), content);
                seen.removed += usize::from(sign == "-");
            }
            if sign != "-" {
                prop_assert_eq!(of(&after, new), content);
                seen.added += usize::from(sign == "+");
            }
        }
        prop_assert_eq!(seen, counts(Some(before.as_bytes()), Some(after.as_bytes())));
    }
}
