//! The files of a skill that a proposal could name.
//!
//! Promises: what cannot be read is told as unread and keeps no packet from being made.

use crate::digest;
use crate::disk::{Dir, Kind, MOST_ENTRIES};
use crate::guard::name::{self, SKILL_FILE, SUPPORT_DIRS};
use crate::skill_loop::packet::{Body, SkillFile};
use crate::skill_loop::workplace::Workplace;

/// Files of one skill that are looked at: what the store keeps of one.
const MOST_FILES: usize = 512;
/// Bytes of a `SKILL.md`: more than the host takes.
const MOST_BYTES: u64 = 1 << 20;

/// Skills by their directories, each with the rank of the observation that is the only reason.
pub(super) type Concerned = Vec<(String, Option<usize>)>;

/// Files of skills, read as long as a packet could hold them.
pub(super) struct Files {
    pub(super) found: Vec<SkillFile>,
    pub(super) unlisted: usize,
    /// Bytes that are still worth reading. Redaction makes texts shorter, so more than the packet
    /// has are read.
    left: u64,
}

impl Files {
    /// Reads each `SKILL.md`, and then the files beside them; see [`SkillFile::named_by`].
    pub(super) fn read(place: &Workplace, concerned: &Concerned, max_bytes: usize) -> Self {
        let mut files = Self {
            found: Vec::new(),
            unlisted: 0,
            left: 4 * max_bytes as u64,
        };
        for (skill, named_by) in concerned {
            if let Ok(Some(dir)) = place.skill_dir(skill) {
                let mut package = files.package(skill, *named_by);
                package.file(&dir, SKILL_FILE, SKILL_FILE.to_owned());
            }
        }
        for (skill, named_by) in concerned {
            if let Ok(Some(dir)) = place.skill_dir(skill) {
                files.package(skill, *named_by).support(&dir);
            }
        }
        files
    }

    fn package<'a>(&'a mut self, skill: &'a str, named_by: Option<usize>) -> Package<'a> {
        Package {
            files: self,
            skill,
            named_by,
            looked_at: 0,
        }
    }
}

/// One skill while it is read.
struct Package<'a> {
    files: &'a mut Files,
    skill: &'a str,
    named_by: Option<usize>,
    looked_at: usize,
}

impl Package<'_> {
    fn support(&mut self, dir: &Dir) {
        for folder in SUPPORT_DIRS {
            if let Ok(Some(below)) = dir.sub(folder) {
                self.folder(&below, folder);
            }
        }
    }

    /// Files in a folder and below it that a proposal could name. A link is not followed.
    fn folder(&mut self, dir: &Dir, path: &str) {
        let Ok(entries) = dir.entries(MOST_ENTRIES) else {
            self.files.unlisted += 1;
            return;
        };
        for entry in entries {
            let Some(name) = entry.name.to_str() else {
                continue;
            };
            let path = format!("{path}/{name}");
            match entry.kind {
                _ if name::check_file(&path).is_err() => {}
                Kind::Dir => {
                    if let Ok(Some(below)) = dir.sub(name) {
                        self.folder(&below, &path);
                    }
                }
                Kind::File if self.looked_at == MOST_FILES => self.files.unlisted += 1,
                Kind::File => self.file(dir, name, path),
                Kind::Link | Kind::Other => {}
            }
        }
    }

    fn file(&mut self, dir: &Dir, name: &str, path: String) {
        let Ok(Some(stat)) = dir.stat(name) else {
            return;
        };
        self.looked_at += 1;
        let mut file = SkillFile {
            skill: self.skill.to_owned(),
            path,
            bytes: usize::try_from(stat.size).unwrap_or(usize::MAX),
            sha256: None,
            body: Body::Unread,
            named_by: self.named_by,
        };
        let left = &mut self.files.left;
        // A SKILL.md that is larger than the packet still has sections that fit.
        let most = match name {
            SKILL_FILE if *left > 0 => MOST_BYTES,
            _ => *left,
        };
        if stat.size <= most
            && let Ok(Some(content)) = dir.read(name, most)
        {
            *left = left.saturating_sub(content.bytes.len() as u64);
            file.bytes = content.bytes.len();
            file.sha256 = Some(digest::sha256_hex(&content.bytes));
            file.body = String::from_utf8(content.bytes).map_or(Body::NotText, Body::Text);
        }
        self.files.found.push(file);
    }
}
