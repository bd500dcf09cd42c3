//! Whose a skill is (skill-loop.md §4).
//!
//! Promises: fails closed. Where one of the host's own files cannot be read, nothing that exists
//! is agent-owned, and the reason names the file. (The host takes a damaged file for an empty
//! one, and so forgets pins and origins.)

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::CatalogEntry;
use super::external::external;
use super::walk::{decoded, real_head};
use crate::disk::Dir;
use crate::error::{Error, Result};
use crate::hermes::frontmatter::{Listed, lenient};

/// Skill ids that lithermes itself ships (compiled in, tested against `templates/`).
pub const SHIPPED: [&str; 0] = [];

/// What the host never lets be changed.
const PROTECTED: &str = "plan";

const EXTERNAL: &str = "in one of the host's skills.external_dirs (config.yaml)";

/// The host's own files grow by some hundred bytes a skill.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Whose a skill is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Nothing is there: whoever creates it owns it.
    Absent,
    /// Agent-owned: marked, and nobody else's.
    Agent,
    /// Read-only for lithermes, with the reason (one sentence part: `pinned in .usage.json`).
    Other(String),
}

/// What the host's files say about owners, read once for any number of skills.
#[derive(Debug, Default)]
pub struct Owners {
    bundled: HashSet<String>,
    hub: HashSet<String>,
    pinned: HashSet<String>,
    external: Vec<PathBuf>,
    doubt: Option<String>,
    /// `H/skills`, held open.
    skills: Option<Dir>,
}

impl Owners {
    /// Reads `.bundled_manifest`, `.hub/lock.json` and `.usage.json` below `H/skills`, the name of
    /// each skill that the hub installed, and `skills.external_dirs` in `config.yaml`. `UNSAFE_PATH` where `H/skills` is a link.
    pub fn load(home: &Dir) -> Result<Self> {
        let mut owners = Self::default();
        let Some(skills) = home.sub("skills")? else {
            return Ok(owners);
        };
        let bundled = bundled(&skills);
        let hub = hub(&skills);
        let pinned = pinned(&skills);
        owners.bundled = owners.or_doubt("skills/.bundled_manifest", bundled);
        owners.hub = owners.or_doubt("skills/.hub/lock.json", hub);
        owners.pinned = owners.or_doubt("skills/.usage.json", pinned);
        owners.external = owners.or_doubt("config.yaml", external(home));
        owners.skills = Some(skills);
        Ok(owners)
    }

    /// Which of the host's files could not be read, and why; then no skill is known to be ours.
    pub fn doubt(&self) -> Option<&str> {
        self.doubt.as_deref()
    }

    /// The directory of the skill `name`, directly under `H/skills/`; `None` where there is none.
    /// `UNSAFE_PATH` for a link or a thing that is no directory on the way.
    pub fn skill_dir(&self, name: &str) -> Result<Option<Dir>> {
        match &self.skills {
            Some(skills) => skills.sub(name),
            None => Ok(None),
        }
    }

    /// Whose the skill `name` is: by its directory's name and by the name in its frontmatter.
    /// Reads one file. `UNSAFE_PATH` as for [`Owners::skill_dir`], and where `SKILL.md` is no
    /// plain file.
    pub fn owner(&self, name: &str) -> Result<Owner> {
        match self.skill_dir(name)? {
            Some(skill) => self.owner_of(name, &skill),
            None => Ok(Owner::Absent),
        }
    }

    /// As [`Owners::owner`], of a directory that is open.
    pub fn owner_of(&self, name: &str, skill: &Dir) -> Result<Owner> {
        let head = real_head(skill)?;
        if head.is_none() && skill.stat("SKILL.md")?.is_none() {
            return Ok(self.or_external(skill, Some("its directory has no SKILL.md".to_owned())));
        }
        Ok(self.judge(name, skill, head.as_deref()))
    }

    /// As [`Owners::owner_of`], where the bytes of its `SKILL.md` are known.
    pub fn owner_of_text(&self, name: &str, skill: &Dir, bytes: &[u8]) -> Owner {
        self.judge(name, skill, decoded(bytes).as_deref())
    }

    fn judge(&self, name: &str, skill: &Dir, head: Option<&str>) -> Owner {
        let reason = match head.map(lenient) {
            Some(listed) => self.reason(name, &listed),
            None => Some("its SKILL.md is no UTF-8".to_owned()),
        };
        self.or_external(skill, reason)
    }

    /// A directory that the host mounts for somebody else is theirs, whatever its files say.
    fn or_external(&self, skill: &Dir, reason: Option<String>) -> Owner {
        if self.is_external(skill.path()) {
            return Owner::Other(EXTERNAL.to_owned());
        }
        reason.map_or(Owner::Agent, Owner::Other)
    }

    /// Whose a skill of the catalogue is, wherever it lies, from a head that was read already.
    pub(super) fn of_entry(&self, home: &Dir, entry: &CatalogEntry, listed: &Listed) -> Owner {
        let other = |reason: &str| Owner::Other(reason.to_owned());
        if entry.linked {
            return other("a link stands on the way to it");
        }
        if entry.path != entry.dir_name || entry.path.is_empty() {
            return other("not directly under skills/");
        }
        if self.is_external(&home.path_of("skills").join(&entry.path)) {
            return other(EXTERNAL);
        }
        let reason = self.reason(&entry.dir_name, listed);
        reason.map_or(Owner::Agent, Owner::Other)
    }

    /// Why it is not agent-owned.
    fn reason(&self, name: &str, listed: &Listed) -> Option<String> {
        let names = [Some(name), listed.name.as_deref()];
        let holds = |set: &HashSet<String>| names.iter().flatten().any(|name| set.contains(*name));
        let is = |known: &str| names.iter().flatten().any(|name| *name == known);
        let reason = if SHIPPED.iter().any(|id| is(id)) {
            "shipped with lithermes"
        } else if is(PROTECTED) {
            "protected by the host"
        } else if holds(&self.bundled) {
            "bundled with the host (.bundled_manifest)"
        } else if holds(&self.hub) {
            "installed by the host's hub (.hub/lock.json)"
        } else if holds(&self.pinned) {
            "pinned in .usage.json"
        } else if let Some(doubt) = self.doubt() {
            return Some(format!("its owner cannot be told: {doubt}"));
        } else if listed.marked {
            return None;
        } else {
            "no ownership marker (metadata.lithermesAgentGenerated: \"true\")"
        };
        Some(reason.to_owned())
    }

    /// What was read; where it could not be, the first reason is kept.
    fn or_doubt<T: Default>(&mut self, file: &str, read: Result<T, String>) -> T {
        read.unwrap_or_else(|why| {
            self.doubt.get_or_insert(format!("{file} {why}"));
            T::default()
        })
    }

    /// Whether the skill lies in a directory that the host mounts for somebody else.
    fn is_external(&self, skill: &Path) -> bool {
        if self.external.is_empty() {
            return false;
        }
        let path = fs_err::canonicalize(skill);
        path.is_ok_and(|path| self.external.iter().any(|root| path.starts_with(root)))
    }
}

/// The text of one of the host's files; empty where it is missing.
fn text(dir: &Dir, name: &str) -> Result<Option<String>, String> {
    let unreadable = |error: Error| format!("cannot be read ({error})");
    let Some(content) = dir.read(name, MOST_BYTES).map_err(unreadable)? else {
        return Ok(None);
    };
    let text = String::from_utf8(content.bytes).map_err(|_| "is no UTF-8".to_owned())?;
    Ok(Some(text))
}

/// A JSON object in one of the host's files; `Err` says why it cannot be read.
pub(in crate::hermes) fn object(
    dir: &Dir,
    name: &str,
) -> Result<Option<serde_json::Map<String, Value>>, String> {
    let Some(text) = text(dir, name)? else {
        return Ok(None);
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(map)) => Ok(Some(map)),
        Ok(_) => Err("is no JSON object".to_owned()),
        Err(error) => Err(format!("is no JSON (line {})", error.line())),
    }
}

/// The names in `name:hash` lines.
fn bundled(skills: &Dir) -> Result<HashSet<String>, String> {
    let text = text(skills, ".bundled_manifest")?.unwrap_or_default();
    let names = text
        .lines()
        .map(|line| line.split(':').next().unwrap_or(""));
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

/// The names whose record is pinned.
fn pinned(skills: &Dir) -> Result<HashSet<String>, String> {
    let records = object(skills, ".usage.json")?.unwrap_or_default();
    let pinned = records.into_iter().filter(|(_, record)| {
        let pin = record.as_object().and_then(|record| record.get("pinned"));
        pin.is_some_and(is_true)
    });
    Ok(pinned.map(|(name, _)| name).collect())
}

/// What Python takes for true.
pub(in crate::hermes) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// Keys of `installed`, and directory and frontmatter name of what lies at each `install_path`.
fn hub(skills: &Dir) -> Result<HashSet<String>, String> {
    let folder = skills
        .sub(".hub")
        .map_err(|error| format!("cannot be read ({error})"))?;
    let Some(folder) = folder else {
        return Ok(HashSet::new());
    };
    let lock = object(&folder, "lock.json")?.unwrap_or_default();
    let installed: HashMap<String, Value> = match lock.get("installed") {
        None => HashMap::new(),
        Some(value) if !is_true(value) => HashMap::new(),
        Some(Value::Object(map)) => map.clone().into_iter().collect(),
        Some(_) => return Err("has no object `installed`".to_owned()),
    };
    let mut names = HashSet::new();
    for (key, entry) in installed {
        if let Some(Value::String(path)) = entry.get("install_path") {
            names.extend(installed_at(skills, path));
        }
        names.insert(key);
    }
    Ok(names)
}

/// The names of the skill at an install path; none where the path leads nowhere below.
fn installed_at(skills: &Dir, path: &str) -> Vec<String> {
    let path = Path::new(path.trim());
    let below = match path.strip_prefix(skills.path()) {
        Ok(below) => below,
        Err(_) if path.is_absolute() => return Vec::new(),
        Err(_) => path,
    };
    let Some(below) = below.to_str().filter(|below| !below.is_empty()) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    // Directly in `H/skills` the directory's name is the skill's.
    let plain = below.trim_start_matches("./").trim_end_matches('/');
    if !plain.contains('/') {
        names.push(plain.to_owned());
    }
    if let Ok(Some(dir)) = skills.descend(plain)
        && let Ok(Some(head)) = real_head(&dir)
    {
        names.extend(lenient(&head).name);
    }
    names
}
