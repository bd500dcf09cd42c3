//! The walk through `H/skills`, as the host walks it.
//!
//! Promises: bounded in directories, depth and bytes; a circle of links ends; what cannot be read
//! is passed over, as the host does. Real directories are opened without following links; what
//! lies behind a link is read by its path and marked.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use crate::disk::{Dir, Kind};
use crate::error::{Code, Error, Result};
use crate::guard::name::HOST_EXCLUDED;
use crate::hermes::frontmatter::HOST_HEAD_CHARS;

/// Directories directly in a skill that hold its files and no further skills.
const SUPPORT: [&str; 4] = ["references", "templates", "assets", "scripts"];

const MOST_DIRECTORIES: usize = 100_000;
const MOST_ENTRIES: usize = 1_000_000;
const MOST_LEVELS: usize = 40;

/// A character has at most four bytes; a line end of two bytes counts as one character.
pub(super) const HEAD_BYTES: u64 = 4 * HOST_HEAD_CHARS as u64;

/// Something that the walk came upon. Paths are below `H/skills`, with `/` between components.
pub(super) enum Found<'a> {
    /// A directory with a `SKILL.md`; `head` is `None` where that cannot be read as UTF-8.
    Skill {
        path: &'a str,
        dir_name: &'a str,
        head: Option<String>,
        linked: bool,
    },
    /// A Markdown file beside the skills, with its name without `.md`.
    Page { path: &'a str, stem: &'a str },
    /// Anything directly in `H/skills`.
    Top { name: &'a str },
}

/// Which directories are entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those in which the host looks for skills.
    Skills,
    /// The excluded ones too, where a Markdown file can still shadow a skill.
    All,
}

enum Place {
    Real(Dir),
    Linked(PathBuf),
}

struct Item {
    name: String,
    is_dir: bool,
    linked: bool,
}

/// Walks `H/skills`, calling `found` for each thing, in no promised order. Nothing where the
/// directory is missing.
pub(super) fn walk(home: &Dir, reach: Reach, found: &mut dyn FnMut(Found<'_>)) -> Result<()> {
    let Some(stat) = home.stat("skills")? else {
        return Ok(());
    };
    let place = match stat.kind {
        Kind::Dir => home.sub("skills")?.map(Place::Real),
        Kind::Link => Some(Place::Linked(home.path_of("skills"))),
        Kind::File | Kind::Other => None,
    };
    let Some(place) = place else {
        return Ok(());
    };
    let mut walk = Walk {
        reach,
        found,
        above: Vec::new(),
        left: MOST_DIRECTORIES,
    };
    walk.enter(&place, "", true)
}

struct Walk<'a> {
    reach: Reach,
    found: &'a mut dyn FnMut(Found<'_>),
    /// The identities of the directories on the way here.
    above: Vec<(u64, u64)>,
    left: usize,
}

impl Walk<'_> {
    /// `live`: the host looks for skills here.
    fn enter(&mut self, place: &Place, path: &str, live: bool) -> Result<()> {
        let Some(identity) = place.identity() else {
            return Ok(());
        };
        if self.above.len() == MOST_LEVELS || self.above.contains(&identity) {
            return Ok(());
        }
        self.left = self.left.checked_sub(1).ok_or_else(too_many)?;
        self.above.push(identity);
        let done = self.look(place, path, live);
        self.above.pop();
        done
    }

    fn look(&mut self, place: &Place, path: &str, live: bool) -> Result<()> {
        let items = place.items();
        let skill = items
            .iter()
            .find(|item| !item.is_dir && item.name == "SKILL.md");
        if let (Some(file), true) = (skill, live) {
            (self.found)(Found::Skill {
                path,
                dir_name: path.rsplit('/').next().unwrap_or(path),
                head: place.head(file),
                linked: place.is_linked() || file.linked,
            });
        }
        for item in &items {
            self.item(place, path, item, live, skill.is_some())?;
        }
        Ok(())
    }

    fn item(
        &mut self,
        place: &Place,
        path: &str,
        item: &Item,
        live: bool,
        in_skill: bool,
    ) -> Result<()> {
        let name = item.name.as_str();
        let below = if path.is_empty() {
            (self.found)(Found::Top { name });
            name.to_owned()
        } else {
            format!("{path}/{name}")
        };
        if !item.is_dir {
            // The host looks for pages without following links.
            if let (Some(stem), false) = (name.strip_suffix(".md"), place.is_linked())
                && name != "SKILL.md"
            {
                (self.found)(Found::Page { path: &below, stem });
            }
            return Ok(());
        }
        let excluded = HOST_EXCLUDED.contains(&name);
        let support = in_skill && SUPPORT.contains(&name);
        if support || (excluded && self.reach == Reach::Skills) {
            return Ok(());
        }
        match place.below(item) {
            Some(next) => self.enter(&next, &below, live && !excluded),
            None => Ok(()),
        }
    }
}

fn too_many() -> Error {
    let text = format!("more than {MOST_DIRECTORIES} directories below the skills of this home");
    Error::new(Code::Io, text)
}

impl Place {
    fn is_linked(&self) -> bool {
        matches!(self, Self::Linked(_))
    }

    fn identity(&self) -> Option<(u64, u64)> {
        match self {
            Self::Real(dir) => dir.identity().ok(),
            Self::Linked(path) => {
                let found = fs_err::metadata(path).ok()?;
                Some((found.dev(), found.ino()))
            }
        }
    }

    /// What is in it; names that are no UTF-8 are passed over.
    fn items(&self) -> Vec<Item> {
        match self {
            Self::Real(dir) => {
                let entries = dir.entries(MOST_ENTRIES).unwrap_or_default();
                let named = entries.into_iter().filter_map(|entry| {
                    let name = entry.name.into_string().ok()?;
                    let linked = entry.kind == Kind::Link;
                    let is_dir = match linked {
                        true => dir.path_of(&name).is_dir(),
                        false => entry.kind == Kind::Dir,
                    };
                    Some(Item {
                        name,
                        is_dir,
                        linked,
                    })
                });
                named.collect()
            }
            Self::Linked(path) => {
                let entries = fs_err::read_dir(path).into_iter().flatten().flatten();
                let named = entries.take(MOST_ENTRIES).filter_map(|entry| {
                    Some(Item {
                        is_dir: entry.path().is_dir(),
                        name: entry.file_name().into_string().ok()?,
                        linked: true,
                    })
                });
                named.collect()
            }
        }
    }

    fn below(&self, item: &Item) -> Option<Self> {
        match self {
            Self::Real(dir) if item.linked => Some(Self::Linked(dir.path_of(&item.name))),
            Self::Real(dir) => dir.sub(&item.name).ok().flatten().map(Self::Real),
            Self::Linked(path) => Some(Self::Linked(path.join(&item.name))),
        }
    }

    fn head(&self, file: &Item) -> Option<String> {
        let opened = match self {
            Self::Real(dir) if !file.linked => return real_head(dir).ok().flatten(),
            Self::Real(dir) => dir.path_of(&file.name),
            Self::Linked(path) => path.join(&file.name),
        };
        // Opening a pipe would wait for a writer.
        if !fs_err::metadata(&opened).ok()?.is_file() {
            return None;
        }
        let file = fs_err::File::open(&opened).ok()?;
        decoded(file)
    }
}

/// The head of the `SKILL.md` in a directory, without following a link. `None` where it is no
/// UTF-8 or missing.
pub(in crate::hermes) fn real_head(dir: &Dir) -> Result<Option<String>> {
    let Some(file) = dir.open_file("SKILL.md")? else {
        return Ok(None);
    };
    if !file.metadata()?.is_file() {
        let text = format!("not a regular file: {}", dir.path_of("SKILL.md").display());
        return Err(Error::new(Code::UnsafePath, text));
    }
    Ok(decoded(file))
}

/// The beginning of a file, where it is UTF-8; the cut may fall into a character.
pub(super) fn decoded(file: impl std::io::Read) -> Option<String> {
    let mut bytes = Vec::with_capacity(4096);
    file.take(HEAD_BYTES).read_to_end(&mut bytes).ok()?;
    let was_cut = bytes.len() as u64 == HEAD_BYTES;
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let fault = error.utf8_error();
            if !was_cut || fault.error_len().is_some() {
                return None;
            }
            let mut bytes = error.into_bytes();
            bytes.truncate(fault.valid_up_to());
            String::from_utf8(bytes).ok()
        }
    }
}
