//! What a change makes of a skill's files, with every rule that needs the files themselves
//! (skill-loop.md §3): run at import and again at apply.
//!
//! Promises: what is shown is what is written; all faults at once; reads follow no link.

use std::collections::BTreeMap;

use super::change::{self, Edit, Misfit};
use super::decision::PlannedFile;
use super::proposal::Change;
use super::receipt::{FileChange, FileState};
use super::slot::{self, MAX_FILE};
use crate::disk::{Content, Dir, MOST_ENTRIES};
use crate::error::{Code, Error, Result};
use crate::guard::name::{SKILL_FILE, fold};
use crate::guard::{secret, text};
use crate::hermes::frontmatter;
use crate::hermes::skills::{FILE_BYTES, SKILL_CHARS};

/// Mode of a new file.
const PLAIN: u32 = 0o644;
/// Mode of a new file that may be executed.
const EXECUTABLE: u32 = 0o755;

/// A rule that the change breaks.
#[derive(Debug, Clone)]
pub struct Trouble {
    /// The field at fault, a pointer in the normalised proposal.
    pub field: String,
    /// `INVALID_PROPOSAL`, `PATCH_NO_MATCH` or `PATCH_NOT_UNIQUE`.
    pub code: Code,
    /// What is wrong and what is right.
    pub message: String,
}

/// The files that a change touches, as they are now.
pub type Current = BTreeMap<String, Option<Content>>;

/// One file as a change makes it.
#[derive(Debug)]
pub struct Made<'a> {
    /// Path below the skill's directory.
    pub path: String,
    /// What is there.
    pub before: Option<&'a Content>,
    /// The bytes that will be there.
    pub bytes: Vec<u8>,
    /// Their permission bits.
    pub mode: u32,
}

impl Made<'_> {
    /// The same with both digests, as a plan needs it.
    pub fn planned(self) -> Result<PlannedFile> {
        let state = |file: &Content| FileState::of(&file.bytes, file.mode);
        let change = FileChange {
            path: self.path,
            before: self.before.map(state).transpose()?,
            after: Some(FileState::of(&self.bytes, self.mode)?),
        };
        Ok(PlannedFile {
            change,
            before: self.before.map(|file| file.bytes.clone()),
            after: Some(self.bytes),
        })
    }
}

/// Reads the files that a change touches in the skill's directory. `UNSAFE_PATH` for a link on
/// the way or a file with two names.
pub fn read(dir: Option<&Dir>, change: &Change) -> Result<Current> {
    let mut current = Current::new();
    for path in change.paths() {
        let content = match dir {
            Some(dir) => read_one(dir, path)?,
            None => None,
        };
        current.insert(path.to_owned(), content);
    }
    Ok(current)
}

fn read_one(dir: &Dir, path: &str) -> Result<Option<Content>> {
    let Some((folder, name)) = path.rsplit_once('/') else {
        return read_in(dir, path);
    };
    match dir.descend(folder)? {
        Some(folder) => read_in(&folder, name),
        None => Ok(None),
    }
}

fn read_in(folder: &Dir, name: &str) -> Result<Option<Content>> {
    let content = folder.read(name, MAX_FILE)?;
    if let Some(content) = &content {
        slot::refuse_shared(folder, name, content.links)?;
    }
    Ok(content)
}

/// New files whose name differs from an existing one only in case or normalisation. (A twin that
/// stands beside an existing file already is not the change's doing.)
pub fn near_names(dir: Option<&Dir>, current: &Current) -> Result<Vec<Trouble>> {
    let Some(dir) = dir else {
        return Ok(Vec::new());
    };
    let mut troubles = Vec::new();
    for (path, _) in current.iter().filter(|(_, file)| file.is_none()) {
        let Some(twin) = twin(dir, path)? else {
            continue;
        };
        let twin = text::line(&twin);
        let message =
            format!("`{path}` and the existing `{twin}` are one name on some file systems");
        troubles.push(Trouble {
            field: String::new(),
            code: Code::InvalidProposal,
            message,
        });
    }
    Ok(troubles)
}

/// The existing name that some file system takes for a component of `path`.
fn twin(dir: &Dir, path: &str) -> Result<Option<String>> {
    let mut here = dir.again()?;
    for name in path.split('/') {
        for entry in here.entries(MOST_ENTRIES)? {
            let other = entry.name.to_string_lossy();
            if other != name && fold(&other) == fold(name) {
                return Ok(Some(other.into_owned()));
            }
        }
        match here.sub(name) {
            Ok(Some(next)) => here = next,
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// What the change makes of the files, or every rule that it breaks. `listed` demands a
/// `SKILL.md` that the host lists; a target that is somebody else's is not held to it, because
/// it is never written.
pub fn of<'a>(
    skill: &str,
    change: &Change,
    current: &'a Current,
    listed: bool,
) -> std::result::Result<Vec<Made<'a>>, Vec<Trouble>> {
    let mut work = Work {
        skill,
        current,
        listed,
        files: Vec::new(),
        troubles: Vec::new(),
    };
    match change {
        Change::Patch { file, edits } => work.edit(file, edits, "/patch/edits"),
        Change::Create { files } => {
            for (index, file) in files.iter().enumerate() {
                let field = format!("/create/files/{index}/content");
                work.write(&file.path, &file.content, file.executable, &field);
            }
        }
        Change::SupportFile {
            path,
            content,
            executable,
            pointer,
        } => {
            work.write(path, content, *executable, "/supportFile/content");
            if let Some(edit) = pointer {
                let edits = std::slice::from_ref(edit);
                work.edit(SKILL_FILE, edits, "/supportFile/pointer");
            }
            if work.current_of(SKILL_FILE).is_none() && pointer.is_some() {
                work.trouble("/skill", format!("skill `{skill}` has no SKILL.md"));
            }
        }
    }
    if !work.troubles.is_empty() {
        return Err(work.troubles);
    }
    work.files
        .sort_by_cached_key(|file| (file.path == SKILL_FILE, file.path.clone()));
    Ok(work.files)
}

struct Work<'a, 'of> {
    skill: &'of str,
    current: &'a Current,
    listed: bool,
    files: Vec<Made<'a>>,
    troubles: Vec<Trouble>,
}

impl<'a> Work<'a, '_> {
    fn current_of(&self, path: &str) -> Option<&'a Content> {
        self.current.get(path).and_then(Option::as_ref)
    }

    fn trouble(&mut self, field: &str, message: String) {
        let trouble = Trouble {
            field: field.to_owned(),
            code: Code::InvalidProposal,
            message,
        };
        self.troubles.push(trouble);
    }

    fn edit(&mut self, path: &str, edits: &[Edit], field: &str) {
        let Some(base) = self.current_of(path) else {
            let message = format!("there is no `{path}` in skill `{}` to change", self.skill);
            return self.trouble("/skill", message);
        };
        match change::apply(&base.bytes, edits) {
            Ok(bytes) => self.take(path, bytes, base.mode, field),
            Err(misfits) => {
                let single = field == "/supportFile/pointer";
                self.troubles.extend(
                    misfits
                        .iter()
                        .map(|misfit| tell(misfit, path, field, single)),
                );
            }
        }
    }

    fn write(&mut self, path: &str, content: &str, executable: Option<bool>, field: &str) {
        let mode = match (self.current_of(path), executable) {
            (Some(base), None) => base.mode,
            (Some(base), Some(true)) => base.mode | ((base.mode & 0o444) >> 2),
            (Some(base), Some(false)) => base.mode & !0o111,
            (None, Some(true)) => EXECUTABLE,
            (None, _) => PLAIN,
        };
        let same = self
            .current_of(path)
            .is_some_and(|base| base.bytes == content.as_bytes() && base.mode == mode);
        if same {
            return self.trouble(field, format!("`{path}` is exactly that already"));
        }
        self.take(path, content.as_bytes().to_vec(), mode, field);
    }

    fn take(&mut self, path: &str, bytes: Vec<u8>, mode: u32, field: &str) {
        self.check(path, &bytes, field);
        self.files.push(Made {
            path: path.to_owned(),
            before: self.current_of(path),
            bytes,
            mode,
        });
    }

    fn check(&mut self, path: &str, bytes: &[u8], field: &str) {
        let base = self.current_of(path);
        let base = base.map_or(&b""[..], |base| base.bytes.as_slice());
        let was_text = std::str::from_utf8(base).is_ok();
        let Ok(new) = std::str::from_utf8(bytes) else {
            // A patch keeps the encoding of a support file that is no UTF-8; the host reads a
            // SKILL.md as UTF-8 only.
            if path == SKILL_FILE || was_text {
                self.trouble(field, format!("`{path}` would be no UTF-8 text"));
            }
            return;
        };
        for mark in secret::new_marks(&String::from_utf8_lossy(base), new) {
            let mark = text::line(&mark).into_owned();
            let message =
                format!("`{mark}` marks something that was left out; `{path}` does not have it");
            self.trouble(field, message);
        }
        if path != SKILL_FILE {
            if bytes.len() > FILE_BYTES {
                let size = bytes.len();
                self.trouble(
                    field,
                    format!("`{path}` would have {size} bytes, at most {FILE_BYTES}"),
                );
            }
            return;
        }
        self.check_skill(new, base, field);
    }

    fn check_skill(&mut self, new: &str, base: &[u8], field: &str) {
        if !self.listed {
            return;
        }
        let characters = new.chars().count();
        if characters > SKILL_CHARS {
            let message = format!(
                "SKILL.md would have {characters} characters, at most {SKILL_CHARS}; \
                 move parts into files beneath references/"
            );
            self.trouble(field, message);
        }
        for fault in frontmatter::check(new, self.skill) {
            let message = format!("SKILL.md line {}: {}", fault.line, fault.message);
            self.trouble(field, message);
        }
        let was_marked = frontmatter::is_marked(&String::from_utf8_lossy(base));
        if was_marked && !frontmatter::is_marked(new) {
            let message = "metadata.lithermesAgentGenerated may not be removed or changed";
            self.trouble(field, message.to_owned());
        }
    }
}

fn tell(misfit: &Misfit, path: &str, field: &str, single: bool) -> Trouble {
    let at = |index: &usize, what: &str| match single {
        true => format!("{field}/{what}"),
        false => format!("{field}/{index}/{what}"),
    };
    match misfit {
        Misfit::NoMatch {
            index,
            nearest,
            only,
        } => {
            let mut message = format!("`oldString` does not occur in `{path}`");
            if let Some(only) = only {
                message.push_str(&format!("; {only}"));
            }
            if let Some((line, near)) = nearest {
                message.push_str(&format!("; nearest is line {line}: `{near}`"));
            }
            Trouble {
                field: at(index, "oldString"),
                code: Code::PatchNoMatch,
                message,
            }
        }
        Misfit::NotUnique {
            index,
            count,
            lines,
        } => {
            let shown: Vec<String> = lines.iter().map(ToString::to_string).collect();
            let more = if *count > lines.len() { ", …" } else { "" };
            let message = format!(
                "`oldString` occurs {count} times in `{path}` (lines {}{more}); add text around it",
                shown.join(", ")
            );
            Trouble {
                field: at(index, "oldString"),
                code: Code::PatchNotUnique,
                message,
            }
        }
        Misfit::Overlap { first, second } => {
            let message = format!("edits {first} and {second} touch the same bytes of `{path}`");
            Trouble {
                field: at(second, "oldString"),
                code: Code::InvalidProposal,
                message,
            }
        }
    }
}

/// One error for several troubles: the misfits' own code where they are all that is wrong.
pub fn refusal(troubles: &[Trouble], places: impl Fn(&Trouble) -> crate::error::Fault) -> Error {
    let codes: Vec<Code> = troubles.iter().map(|trouble| trouble.code).collect();
    let code = match codes.first() {
        Some(first) if codes.iter().all(|code| code == first) => *first,
        _ => Code::InvalidProposal,
    };
    let message = match troubles {
        [one] => one.message.clone(),
        many => format!("the change breaks {} rules", many.len()),
    };
    Error::new(code, message).with_faults(troubles.iter().map(places).collect())
}
