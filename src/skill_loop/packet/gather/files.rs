//! The files of a skill that a proposal could name.

use crate::digest;
use crate::disk::beneath::Stat;
use crate::disk::{Dir, Kind};
use crate::error::Result;
use crate::guard::name::{self, SKILL_FILE, SUPPORT_DIRS};
use crate::skill_loop::packet::{Body, SkillFile};
use crate::skill_loop::workplace::Workplace;

/// Files of one skill that are looked at: what the store keeps of one.
const MOST_FILES: usize = 512;

/// Files of skills, read as long as a packet could hold them.
pub(super) struct Files {
    pub(super) found: Vec<SkillFile>,
    pub(super) unlisted: usize,
    /// Bytes that are still worth reading. Redaction makes texts shorter, so more than the packet
    /// has are read.
    left: u64,
}

impl Files {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            found: Vec::new(),
            unlisted: 0,
            left: 4 * max_bytes as u64,
        }
    }

    /// Reads the files of a skill; see [`SkillFile::named_by`].
    pub(super) fn read(
        &mut self,
        place: &Workplace,
        skill: &str,
        named_by: Option<usize>,
    ) -> Result<()> {
        let Some(dir) = place.skill_dir(skill)? else {
            return Ok(());
        };
        let mut package = Package {
            files: self,
            skill,
            named_by,
            looked_at: 0,
        };
        package.file(&dir, SKILL_FILE, SKILL_FILE.to_owned())?;
        for folder in SUPPORT_DIRS {
            let is_dir = |stat: Stat| stat.kind == Kind::Dir;
            if dir.stat(folder)?.is_some_and(is_dir)
                && let Some(below) = dir.sub(folder)?
            {
                package.folder(&below, folder)?;
            }
        }
        Ok(())
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
    /// Files in a folder and below it that a proposal could name. A link is not followed.
    fn folder(&mut self, dir: &Dir, path: &str) -> Result<()> {
        for entry in dir.entries(100_000)? {
            let Some(name) = entry.name.to_str() else {
                continue;
            };
            let path = format!("{path}/{name}");
            match entry.kind {
                _ if name::check_file(&path).is_err() => {}
                Kind::Dir => {
                    if let Some(below) = dir.sub(name)? {
                        self.folder(&below, &path)?;
                    }
                }
                Kind::File if self.looked_at == MOST_FILES => self.files.unlisted += 1,
                Kind::File => self.file(dir, name, path)?,
                Kind::Link | Kind::Other => {}
            }
        }
        Ok(())
    }

    fn file(&mut self, dir: &Dir, name: &str, path: String) -> Result<()> {
        let Some(stat) = dir.stat(name)? else {
            return Ok(());
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
        if stat.size <= *left
            && let Some(content) = dir.read(name, *left)?
        {
            *left -= content.bytes.len() as u64;
            file.bytes = content.bytes.len();
            file.sha256 = Some(digest::sha256_hex(&content.bytes));
            file.body = String::from_utf8(content.bytes).map_or(Body::NotText, Body::Text);
        }
        self.files.found.push(file);
        Ok(())
    }
}
