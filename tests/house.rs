//! The plan of the house (`src/lib.rs`): dependencies point down, and each craft has one room.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use regex::Regex;

const FLOORS: [(&str, u8); 16] = [
    ("cmd", 6),
    ("conference", 5),
    ("skill_loop", 5),
    ("engine", 4),
    ("hermes", 3),
    ("ledger", 3),
    ("store", 3),
    ("term", 3),
    ("guard", 2),
    ("disk", 2),
    ("process", 2),
    ("error", 1),
    ("args", 1),
    ("digest", 1),
    ("clock", 1),
    ("count", 1),
];

fn floor(room: &str) -> u8 {
    FLOORS
        .iter()
        .find(|(name, _)| *name == room)
        .unwrap_or_else(|| panic!("no room {room}"))
        .1
}

fn is_test(path: &Path) -> bool {
    path.ends_with("tests.rs") || path.iter().any(|part| part == "tests")
}

/// Every source file but the roof, with its room and its text without tests.
fn sources() -> Vec<(PathBuf, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut waiting = vec![root.clone()];
    while let Some(folder) = waiting.pop() {
        for entry in fs_err::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let relative = path.strip_prefix(&root).unwrap().to_owned();
            let first = relative
                .components()
                .next()
                .unwrap()
                .as_os_str()
                .to_string_lossy();
            let room = first.trim_end_matches(".rs").to_owned();
            if room == "lib" || room == "main" || is_test(&relative) {
                continue;
            }
            let text = fs_err::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
            files.push((relative, room, code));
        }
    }
    assert!(files.len() > 50, "the sources were not found");
    files
}

#[test]
fn a_room_knows_only_rooms_below_and_there_are_no_circles() {
    let edge = Regex::new(r"\bcrate::([a-z_]+)").unwrap();
    let mut edges: BTreeSet<(String, String)> = BTreeSet::new();
    for (path, room, code) in sources() {
        for found in edge.captures_iter(&code) {
            let other = found[1].to_owned();
            if other == room {
                continue;
            }
            assert!(
                floor(&other) <= floor(&room),
                "{} looks up to {other}",
                path.display()
            );
            edges.insert((room.clone(), other));
        }
    }
    let mut left: BTreeSet<String> = FLOORS.iter().map(|(name, _)| (*name).to_owned()).collect();
    while !left.is_empty() {
        let knows = |room: &String| {
            edges
                .iter()
                .any(|(from, to)| from == room && left.contains(to))
        };
        let ground: Vec<String> = left.iter().filter(|room| !knows(room)).cloned().collect();
        assert!(!ground.is_empty(), "a circle among {left:?}");
        left.retain(|room| !ground.contains(room));
    }
}

fn without_comments(code: &str) -> String {
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect()
}

#[test]
fn each_craft_has_one_room() {
    let crafts = [
        (r"\bgix::", vec!["store"]),
        (r"\brusqlite::", vec!["hermes"]),
        (
            r"(?:print|eprint)(?:ln)?!|io::std(?:out|err)\(\)\.(?:lock|write)",
            vec!["cmd", "term"],
        ),
        (r"Timestamp::now|SystemTime::now", vec!["clock"]),
        (
            r"\brustix::fs::(?:renameat|unlinkat|linkat|mkdirat|fsync)",
            vec!["disk"],
        ),
        (r"\bconsole::|\bdialoguer::", vec!["term"]),
        (r"process::exit|\bunsafe\s*(?:\{|fn|impl)", vec![]),
    ];
    for (pattern, rooms) in crafts {
        let pattern = Regex::new(pattern).unwrap();
        for (path, room, code) in sources() {
            let code = without_comments(&code);
            let allowed = rooms.contains(&room.as_str());
            assert!(
                allowed || !pattern.is_match(&code),
                "{} does {pattern}",
                path.display()
            );
        }
    }
}

/// What can be one thing is told by `count`, which has both forms. Above a constant, or behind `every`
/// where 1 was told before, nothing is.
#[test]
fn no_message_tells_one_of_a_thing_as_several() {
    let plural = Regex::new(
        r"\{[a-z_.()]*\} (?:artifacts|bytes|calls|claims|edits|entries|evaluations|events|faults|files|findings|iterations|lanes|lines|messages|objects|packets|proposals|rounds|rows|sections|skills)\b",
    );
    let plural = plural.unwrap();
    let above = Regex::new(r"^, (?:at most|more than) \{[A-Z_]+\}").unwrap();
    for (path, _, code) in sources() {
        let code = without_comments(&code);
        for found in plural.find_iter(&code) {
            let before = &code[..found.start()];
            let several = ["every ", "than ", " to "]
                .iter()
                .any(|word| before.ends_with(word));
            assert!(
                several || above.is_match(&code[found.end()..]),
                "{}: {}",
                path.display(),
                found.as_str()
            );
        }
    }
}
