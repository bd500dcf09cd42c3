//! The host's curator as it is found on disk (hermes-host.md §3): its state, the records that say
//! which skills it manages, and what it archived.
//!
//! Promises: reads only, and only these files; what cannot be read is named, and nothing is
//! concluded from it. (The host takes a damaged file for an empty one.)

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::frontmatter::{lenient, scalars_at};
use super::skills::{is_true, object, real_head};
use crate::disk::{Dir, Kind};
use crate::error::Result;

/// Archived skills that are looked at.
const MOST_ARCHIVED: usize = 10_000;
/// Bytes of the host's settings.
const MOST_SETTINGS: u64 = 4 << 20;

/// What the host's curator knows and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Curator {
    /// Its state, all zero where it never ran; `None` where it cannot be read.
    pub state: Option<State>,
    /// Whether the settings switch it on; `None` where they cannot be read.
    pub enabled: Option<bool>,
    /// Its records by the skill's name; `None` where they cannot be read.
    pub records: Option<BTreeMap<String, Record>>,
    /// The names of skills in its archive that bear our marker.
    pub archived: Vec<String>,
    /// What could not be read, and why: a sentence each.
    pub doubts: Vec<String>,
}

/// `.curator_state`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// It was told to pause.
    pub paused: bool,
    /// How often it ran.
    pub runs: u64,
    /// When it ran last; its first look at a home sets this too.
    pub last_run_at: Option<Timestamp>,
    /// What it says it did.
    pub last_summary: Option<String>,
    /// Where it wrote its report.
    pub last_report: Option<String>,
}

/// A record of `.usage.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The curator may archive it, and the background review may edit it.
    pub managed: bool,
    /// `active`, `stale` or `archived`.
    pub state: Option<String>,
    /// How often it was used, viewed or patched.
    pub activity: u64,
    /// When that happened last.
    pub last_activity_at: Option<Timestamp>,
}

/// Reads it. `UNSAFE_PATH` where `H/skills` is a link.
pub fn read(home: &Dir) -> Result<Curator> {
    let mut curator = Curator::default();
    curator.enabled = curator.sure("config.yaml", enabled(home));
    let Some(skills) = home.sub("skills")? else {
        curator.state = Some(State::default());
        curator.records = Some(BTreeMap::new());
        return Ok(curator);
    };
    let state = object(&skills, ".curator_state");
    let state = curator.sure("skills/.curator_state", state);
    curator.state = state.map(|state| state.as_ref().map(State::of).unwrap_or_default());
    let records = object(&skills, ".usage.json");
    let records = curator.sure("skills/.usage.json", records);
    curator.records = records
        .map(|records| records.unwrap_or_default())
        .map(records_of);
    let archived = archived(&skills).map_err(|error| format!("cannot be read ({error})"));
    curator.archived = curator
        .sure("skills/.archive", archived)
        .unwrap_or_default();
    Ok(curator)
}

impl Curator {
    fn sure<T>(&mut self, file: &str, read: Result<T, String>) -> Option<T> {
        read.map_err(|why| self.doubts.push(format!("{file} {why}")))
            .ok()
    }
}

/// `curator.enabled` in the host's settings, on where nothing is said.
fn enabled(home: &Dir) -> Result<bool, String> {
    let content = home.read("config.yaml", MOST_SETTINGS);
    let content = content.map_err(|error| format!("cannot be read ({error})"))?;
    let text = content.map(|content| String::from_utf8_lossy(&content.bytes).into_owned());
    let Some(text) = text.filter(|text| text.contains("curator")) else {
        return Ok(true);
    };
    let found = scalars_at(&text, &["curator", "enabled"]);
    let found = found.map_err(|fault| format!("cannot be read (line {})", fault.line))?;
    let off = ["false", "no", "off", "0", "", "null", "~"];
    let said = found.first().map(|value| value.to_ascii_lowercase());
    Ok(!said.is_some_and(|value| off.contains(&value.as_str())))
}

impl State {
    fn of(map: &Map<String, Value>) -> Self {
        Self {
            paused: map.get("paused").is_some_and(is_true),
            runs: map.get("run_count").and_then(Value::as_u64).unwrap_or(0),
            last_run_at: time(map, "last_run_at"),
            last_summary: text(map, "last_run_summary"),
            last_report: text(map, "last_report_path"),
        }
    }
}

fn records_of(map: Map<String, Value>) -> BTreeMap<String, Record> {
    let record = |(name, value): (String, Value)| Some((name, Record::of(value.as_object()?)));
    map.into_iter().filter_map(record).collect()
}

impl Record {
    fn of(map: &Map<String, Value>) -> Self {
        let by_agent = text(map, "created_by").is_some_and(|by| by == "agent");
        let counts = ["use_count", "view_count", "patch_count"];
        let times = ["last_used_at", "last_viewed_at", "last_patched_at"];
        let count = |name: &&str| map.get(*name).and_then(Value::as_u64).unwrap_or(0);
        Self {
            managed: by_agent || map.get("agent_created") == Some(&Value::Bool(true)),
            state: text(map, "state"),
            activity: counts.iter().map(count).fold(0, u64::saturating_add),
            last_activity_at: times.iter().filter_map(|name| time(map, name)).max(),
        }
    }
}

fn text(map: &Map<String, Value>, key: &str) -> Option<String> {
    map.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The host writes RFC 3339 with an offset.
fn time(map: &Map<String, Value>, key: &str) -> Option<Timestamp> {
    map.get(key)?.as_str()?.parse().ok()
}

fn archived(skills: &Dir) -> Result<Vec<String>> {
    let Some(archive) = skills.sub(".archive")? else {
        return Ok(Vec::new());
    };
    let mut names = Vec::new();
    for entry in archive.entries(MOST_ARCHIVED)? {
        if entry.kind == Kind::Dir
            && let Some(name) = entry.name.to_str()
            && let Some(skill) = archive.sub(name)?
            && real_head(&skill)?.is_some_and(|head| lenient(&head).marked)
        {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::{Curator, Record, State, read};
    use crate::disk::Dir;
    use crate::error::Code;
    use tempfile::TempDir;

    struct World(TempDir);

    impl World {
        fn new() -> Self {
            let held = TempDir::new().unwrap();
            fs_err::create_dir(held.path().join("skills")).unwrap();
            Self(held)
        }

        fn file(&self, path: &str, text: &str) -> &Self {
            let path = self.0.path().join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
            self
        }

        fn read(&self) -> Curator {
            read(&Dir::open_root(self.0.path()).unwrap().unwrap()).unwrap()
        }
    }

    #[test]
    fn a_home_that_it_never_saw_says_so() {
        let curator = World::new().read();
        let expected = Curator {
            state: Some(State::default()),
            enabled: Some(true),
            records: Some(std::collections::BTreeMap::new()),
            ..Curator::default()
        };
        assert_eq!(curator, expected);
    }

    #[test]
    fn state_and_records_are_read_as_the_host_reads_them() {
        let world = World::new();
        world.file(
            "skills/.curator_state",
            r#"{"paused": 1, "run_count": 3, "last_run_at": "2026-11-01T10:00:00.5+00:00",
                "last_run_summary": "archived 2", "last_report_path": "/x", "more": []}"#,
        );
        world.file(
            "skills/.usage.json",
            r#"{"a": {"created_by": "agent", "state": "stale", "use_count": 2, "view_count": 3,
                     "last_used_at": "2026-11-01T10:00:00+00:00", "last_viewed_at": "soon",
                     "last_patched_at": "2026-11-02T10:00:00+00:00"},
                "b": {"agent_created": true, "use_count": -1},
                "c": {"created_by": "user", "agent_created": 1},
                "d": "no record"}"#,
        );
        let curator = world.read();
        let state = State {
            paused: true,
            runs: 3,
            last_run_at: Some("2026-11-01T10:00:00.5Z".parse().unwrap()),
            last_summary: Some("archived 2".to_owned()),
            last_report: Some("/x".to_owned()),
        };
        assert_eq!(curator.state, Some(state));
        let records = curator.records.unwrap();
        let a = Record {
            managed: true,
            state: Some("stale".to_owned()),
            activity: 5,
            last_activity_at: Some("2026-11-02T10:00:00Z".parse().unwrap()),
        };
        assert_eq!(records["a"], a);
        assert!(records["b"].managed);
        assert!(!records["c"].managed);
        assert_eq!(records.len(), 3);
        assert_eq!(curator.doubts, Vec::<String>::new());
    }

    #[test]
    fn what_is_damaged_is_named_and_nothing_is_concluded_from_it() {
        let world = World::new();
        world
            .file("skills/.curator_state", "{")
            .file("skills/.usage.json", "[]");
        world.file("config.yaml", "curator: [\n");
        let curator = world.read();
        assert_eq!(
            (curator.state, curator.enabled, curator.records),
            (None, None, None)
        );
        let files = ["config.yaml", "skills/.curator_state", "skills/.usage.json"];
        assert_eq!(curator.doubts.len(), files.len(), "{:?}", curator.doubts);
        for (doubt, file) in curator.doubts.iter().zip(files) {
            assert!(doubt.starts_with(file), "{doubt}");
        }
    }

    #[test]
    fn settings_switch_it_off() {
        for (settings, enabled) in [
            ("model: x\n", true),
            ("curator:\n  enabled: true\n", true),
            ("curator:\n  enabled: false\n", false),
            ("curator:\n  enabled: no\n", false),
            ("curator:\n  interval_hours: 1\n", true),
            ("curator: 7\n", true),
        ] {
            let world = World::new();
            world.file("config.yaml", settings);
            assert_eq!(world.read().enabled, Some(enabled), "{settings}");
        }
    }

    #[test]
    fn only_what_bears_our_marker_is_told_of_the_archive() {
        let world = World::new();
        let marked = "---\nname: x\ndescription: d\nmetadata:\n  lithermesAgentGenerated: \"true\"\n---\nb\n";
        world.file("skills/.archive/ours/SKILL.md", marked);
        world.file("skills/.archive/ours-20261101100000/SKILL.md", marked);
        world.file("skills/.archive/theirs/SKILL.md", "---\nname: x\n---\nb\n");
        world
            .file("skills/.archive/empty/notes.md", "x")
            .file("skills/.archive/file", "x");
        assert_eq!(world.read().archived, ["ours", "ours-20261101100000"]);
    }

    #[test]
    fn a_linked_folder_of_skills_is_refused() {
        let held = TempDir::new().unwrap();
        std::os::unix::fs::symlink("/tmp", held.path().join("skills")).unwrap();
        let home = Dir::open_root(held.path()).unwrap().unwrap();
        assert_eq!(read(&home).unwrap_err().code(), Code::UnsafePath);
    }
}
