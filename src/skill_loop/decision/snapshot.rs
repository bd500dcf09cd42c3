//! What a decision keeps in the store: the package as it will be, the proposal, and first, as a
//! commit of its own, whatever somebody edited since the last decision (skill-loop.md §8).

use super::{Plan, PlannedFile};
use crate::clock;
use crate::disk::{Dir, Kind};
use crate::error::Result;
use crate::guard::text;
use crate::skill_loop::receipt::{FileState, Op, Settled};
use crate::skill_loop::workplace::{Locked, Workplace};
use crate::store::{Batch, File, Files, Message, ObjectId};

/// A package with more files is kept without the rest.
const MAX_FILES: usize = 512;
/// Bytes of a package that are kept at most.
const MAX_BYTES: u64 = 16 << 20;
/// Where a decision without a trusted skill goes: the rejection of an altered queue file.
pub const ALTERED: &str = "altered";

/// What was put into the store for a decision.
#[derive(Debug)]
pub struct Kept {
    /// The decision's commit.
    pub commit: ObjectId,
    /// Where the branch stood before.
    pub tip: Option<ObjectId>,
    /// Files of the package that are not in the commit.
    pub left_out: Vec<String>,
}

/// The branch of a skill.
pub fn branch(skill: &str) -> String {
    format!("skills/{skill}")
}

/// The branch that a settling line's commit is on.
pub fn branch_of(settled: &Settled) -> String {
    settled
        .skill
        .as_deref()
        .map_or_else(|| ALTERED.to_owned(), branch)
}

/// Writes, flushed: bytes before and after, edits found, and the commit of a plan.
pub fn keep(locked: &Locked<'_>, plan: &Plan) -> Result<Kept> {
    let mut batch = locked.store.batch();
    let package = Package::read(locked.place, &plan.skill, &mut batch)?;
    let tip = locked.store.tip(&branch(&plan.skill))?;
    for file in &plan.files {
        for bytes in [&file.before, &file.after].into_iter().flatten() {
            batch.blob(bytes)?;
        }
    }
    let mut parent = tip.clone();
    if found_edits(locked, tip.as_ref(), &plan.files)? {
        parent = Some(commit_found(
            &mut batch,
            locked,
            &package,
            plan,
            tip.as_ref(),
        )?);
    }
    let mut files = package.files.clone();
    for file in &plan.files {
        let path = format!("skill/{}", file.change.path);
        match &file.change.after {
            Some(state) => drop(files.insert(path, stored(state))),
            None => drop(files.remove(&path)),
        }
    }
    let subject = match plan.op {
        Op::Apply => "apply",
        Op::Rollback => "rollback",
    };
    let document = Document {
        bytes: &plan.document,
        id: &plan.proposal_id,
    };
    let commit = commit(
        &mut batch,
        locked,
        files,
        document,
        subject,
        &plan.reason,
        parent,
    )?;
    batch.write(&locked.lock)?;
    Ok(Kept {
        commit,
        tip,
        left_out: package.left_out,
    })
}

/// Writes, flushed, the commit of a decision that changes no skill. Without a skill (an altered
/// queue file) it goes to a branch of its own.
pub fn keep_decision(
    locked: &Locked<'_>,
    skill: Option<&str>,
    document: Document<'_>,
    subject: &str,
    reason: &str,
) -> Result<Kept> {
    let mut batch = locked.store.batch();
    let package = match skill {
        Some(skill) => Package::read(locked.place, skill, &mut batch)?,
        None => Package::default(),
    };
    let branch = skill.map_or_else(|| ALTERED.to_owned(), branch);
    let tip = locked.store.tip(&branch)?;
    let parent = tip.clone();
    let commit = commit(
        &mut batch,
        locked,
        package.files,
        document,
        subject,
        reason,
        parent,
    )?;
    batch.write(&locked.lock)?;
    Ok(Kept {
        commit,
        tip,
        left_out: package.left_out,
    })
}

/// `proposal.json` of a commit.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The proposal's id.
    pub id: &'a str,
}

fn commit(
    batch: &mut Batch<'_>,
    locked: &Locked<'_>,
    mut files: Files,
    document: Document<'_>,
    subject: &str,
    reason: &str,
    parent: Option<ObjectId>,
) -> Result<ObjectId> {
    let blob = batch.blob(document.bytes)?;
    files.insert(
        "proposal.json".to_owned(),
        File {
            blob,
            executable: false,
        },
    );
    let short: String = document.id.chars().take(14).collect();
    let first: String = text::line(reason.lines().next().unwrap_or(""))
        .chars()
        .take(72)
        .collect();
    let subject = format!("{subject} {short}: {first}");
    let text = message(
        locked,
        subject.trim_end_matches([':', ' ']),
        reason,
        document.id,
    )?;
    batch.commit(&files, parent.as_ref(), &text)
}

fn message(locked: &Locked<'_>, subject: &str, reason: &str, id: &str) -> Result<Message> {
    let last = locked
        .ledger
        .last()?
        .map_or_else(|| "none".to_owned(), |line| line.digest);
    let reason = text::block(reason);
    let text = format!("{subject}\n\n{reason}\n\nProposal: {id}\nLedger-Line-Before: {last}\n");
    Ok(Message {
        text,
        seconds: clock::now().as_second(),
    })
}

fn commit_found(
    batch: &mut Batch<'_>,
    locked: &Locked<'_>,
    package: &Package,
    plan: &Plan,
    tip: Option<&ObjectId>,
) -> Result<ObjectId> {
    let subject = match tip {
        Some(_) => "found: edits made since the last decision",
        None => "found: the skill before its first decision",
    };
    let reason = "These bytes were in the skill when the next decision was taken.";
    let text = message(locked, subject, reason, &plan.proposal_id)?;
    batch.commit(&package.files, tip, &text)
}

/// Whether a file that the plan touches is something else than the branch knows.
fn found_edits(locked: &Locked<'_>, tip: Option<&ObjectId>, files: &[PlannedFile]) -> Result<bool> {
    for file in files {
        let path = format!("skill/{}", file.change.path);
        let known = match tip {
            Some(tip) => locked.store.file_in(tip, &path)?,
            None => None,
        };
        if known != file.change.before.as_ref().map(stored) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn stored(state: &FileState) -> File {
    File {
        blob: state.blob.clone(),
        executable: state.is_executable(),
    }
}

/// A skill's files as they are.
#[derive(Debug, Default)]
struct Package {
    files: Files,
    left_out: Vec<String>,
    bytes: u64,
}

impl Package {
    fn read(place: &Workplace, skill: &str, batch: &mut Batch<'_>) -> Result<Self> {
        let mut package = Self::default();
        let mut waiting: Vec<(String, Dir)> = Vec::new();
        waiting.extend(place.skill_dir(skill)?.map(|dir| (String::new(), dir)));
        while let Some((prefix, dir)) = waiting.pop() {
            for entry in dir.entries(100_000)? {
                let Some(name) = entry.name.to_str() else {
                    package
                        .left_out
                        .push(format!("{prefix}{}", entry.name.to_string_lossy()));
                    continue;
                };
                let path = format!("{prefix}{name}");
                match entry.kind {
                    _ if is_litter(name) || is_temporary(name) => {}
                    Kind::Dir if keepable(name) => {
                        waiting.extend(dir.sub(name)?.map(|sub| (format!("{path}/"), sub)));
                    }
                    Kind::File if keepable(name) => package.take(&dir, name, path, batch)?,
                    _ => package.left_out.push(path),
                }
            }
        }
        package.left_out.sort_unstable();
        Ok(package)
    }

    fn take(&mut self, dir: &Dir, name: &str, path: String, batch: &mut Batch<'_>) -> Result<()> {
        let room = MAX_BYTES - self.bytes;
        let size = dir.stat(name)?.map_or(0, |stat| stat.size);
        if self.files.len() >= MAX_FILES || size > room {
            self.left_out.push(path);
            return Ok(());
        }
        let Some(content) = dir.read(name, room)? else {
            return Ok(());
        };
        self.bytes += content.bytes.len() as u64;
        let blob = batch.blob(&content.bytes)?;
        let executable = content.mode & 0o100 != 0;
        self.files
            .insert(format!("skill/{path}"), File { blob, executable });
        Ok(())
    }
}

/// Names that `git fsck --strict` refuses in a tree.
fn keepable(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    !lower.starts_with(".git") && !lower.starts_with("git~")
}

/// What other programs strew about and nobody misses.
fn is_litter(name: &str) -> bool {
    name == "__pycache__" || name == ".DS_Store"
}

fn is_temporary(name: &str) -> bool {
    name.starts_with(".lithermes-") && name.ends_with(".tmp")
}

/// Removes other programs' litter from a directory that is about to go.
pub fn remove_litter(dir: &Dir) -> Result<()> {
    let entries = dir.entries(100_000)?;
    if !entries
        .iter()
        .all(|entry| entry.name.to_str().is_some_and(is_litter))
    {
        return Ok(());
    }
    for entry in entries {
        let name = entry.name.to_string_lossy();
        match entry.kind {
            Kind::Dir => remove_tree(dir, &name, 0)?,
            _ => drop(crate::disk::durable::remove(dir, &name)?),
        }
    }
    Ok(())
}

fn remove_tree(parent: &Dir, name: &str, depth: usize) -> Result<()> {
    if let Some(dir) = parent.sub(name)?
        && depth < 16
    {
        for entry in dir.entries(100_000)? {
            let inner = entry.name.to_string_lossy();
            match entry.kind {
                Kind::Dir => remove_tree(&dir, &inner, depth + 1)?,
                _ => drop(crate::disk::durable::remove(&dir, &inner)?),
            }
        }
    }
    crate::disk::durable::remove_empty_dir(parent, name)?;
    Ok(())
}

/// Files in a skill's directory that `ours` does not name and that are no litter.
pub fn others_files(place: &Workplace, skill: &str, ours: &[&str]) -> Result<Vec<String>> {
    let mut others = Vec::new();
    let mut waiting: Vec<(String, Dir)> = Vec::new();
    waiting.extend(place.skill_dir(skill)?.map(|dir| (String::new(), dir)));
    while let Some((prefix, dir)) = waiting.pop() {
        for entry in dir.entries(100_000)? {
            let name = entry.name.to_string_lossy();
            let path = format!("{prefix}{name}");
            if is_litter(&name) || is_temporary(&name) || ours.contains(&path.as_str()) {
                continue;
            }
            match (entry.kind, dir.sub(&name)) {
                (Kind::Dir, Ok(Some(sub))) => waiting.push((format!("{path}/"), sub)),
                _ => others.push(path),
            }
        }
    }
    others.sort_unstable();
    Ok(others)
}
