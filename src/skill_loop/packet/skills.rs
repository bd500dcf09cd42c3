//! The text of the skills concerned: what a patch is made against.
//!
//! Promises: each `SKILL.md` is cut last of all, by whole sections; the files beside it are cut first
//! of all; a file that is not shown in full says so, where it is.

use super::clean::Cleaner;
use super::fence::Fence;
use super::text::Verbatim;
use super::{Body, Shown, SkillFile};
use crate::count;
use crate::guard::name::SKILL_FILE;

const HEAD: &str = "\
## Text of skills

Verbatim, as it is on disk. These are the eligible skills that the session consulted, that an
observation names or that somebody asked about.

";
const NONE: &str = "There are none.\n";
/// Between two files.
const GAP: &str = "\n";

/// The part, before it is known how much room it has.
#[derive(Debug, Clone)]
pub(super) struct Skills {
    main: Vec<File>,
    support: Vec<File>,
    /// What is said of files that were not even looked at.
    unlisted: String,
}

#[derive(Debug, Clone)]
struct File {
    head: String,
    text: Text,
    /// The rank of the newest observation that names its skill, where nothing else does.
    named_by: Option<usize>,
}

#[derive(Debug, Clone)]
enum Text {
    Verbatim(Verbatim),
    /// Bytes on disk of a text that was not read.
    Unread(usize),
    None,
}

impl Skills {
    pub(super) fn of(files: &[SkillFile], unlisted: usize, cleaner: &Cleaner) -> Self {
        let (main, support) = files.iter().partition(|file| file.path == SKILL_FILE);
        let drawn = |files: Vec<&SkillFile>| {
            let files = files.into_iter();
            files.map(|file| File::of(file, cleaner)).collect()
        };
        Self {
            main: drawn(main),
            support: drawn(support),
            unlisted: match unlisted {
                0 => String::new(),
                _ => {
                    let files = count::of(unlisted, "file", "files");
                    format!("[left out: {files} of skills that have too many]\n")
                }
            },
        }
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        let files = self.main.iter().chain(&self.support);
        files.flat_map(|file| match &file.text {
            Text::Verbatim(text) => text.quoted().collect(),
            Text::Unread(_) | Text::None => Vec::new(),
        })
    }

    /// Bytes when everything is cut, the files beside each `SKILL.md` apart.
    pub(super) fn least(&self) -> usize {
        let none = NONE.len().max(cut(MAIN, self.main.len()).len());
        HEAD.len() + none + self.unlisted.len()
    }

    /// Bytes when nothing is cut while the newest `observations` are shown, but sections that are
    /// too large for `ceiling` bytes; the files beside each `SKILL.md` apart.
    pub(super) fn most(&self, observations: usize, ceiling: usize) -> usize {
        let files = concerned(&self.main, observations).into_iter();
        let sizes: usize = files.map(|file| file.most(ceiling) + GAP.len()).sum();
        let body = match sizes.checked_sub(GAP.len()) {
            Some(sizes) => sizes,
            None => NONE.len(),
        };
        HEAD.len() + body + self.unlisted.len()
    }

    /// As much of each `SKILL.md` as `room` bytes hold, while the newest `observations` are shown.
    pub(super) fn fit(&self, fence: &Fence, room: usize, observations: usize) -> (String, Shown) {
        let head = format!("{HEAD}{}", self.unlisted);
        let files = concerned(&self.main, observations);
        if files.is_empty() {
            return (head + NONE, Shown::default());
        }
        let room = room.saturating_sub(head.len());
        let (body, shown) = fit(&files, fence, room, "", MAIN);
        (head + &body, shown)
    }

    /// Bytes of the files beside when all of them are cut.
    pub(super) fn least_support(&self, observations: usize) -> usize {
        match concerned(&self.support, observations).len() {
            0 => 0,
            files => GAP.len() + cut(SUPPORT, files).len(),
        }
    }

    /// As much of the files beside as `room` bytes hold.
    pub(super) fn fit_support(
        &self,
        fence: &Fence,
        room: usize,
        observations: usize,
    ) -> (String, Shown) {
        fit(
            &concerned(&self.support, observations),
            fence,
            room,
            GAP,
            SUPPORT,
        )
    }
}

fn concerned(files: &[File], observations: usize) -> Vec<&File> {
    let shown = |file: &&File| file.named_by.is_none_or(|rank| rank < observations);
    files.iter().filter(shown).collect()
}

/// As much of the files as `room` bytes hold, from the first; what is missing is counted.
fn fit(
    files: &[&File],
    fence: &Fence,
    room: usize,
    first: &str,
    what: [&str; 2],
) -> (String, Shown) {
    let mut out = String::new();
    let mut shown = Shown {
        shown: 0,
        of: files.iter().map(|file| file.sections()).sum(),
    };
    let mut rest = files;
    while let Some((file, later)) = rest.split_first() {
        let gap = if out.is_empty() { first } else { GAP };
        let all: usize = later
            .iter()
            .map(|file| GAP.len() + file.most(usize::MAX))
            .sum();
        // What comes later is cut first, but something has to say that it was.
        let note = GAP.len() + cut(what, later.len()).len();
        let taken = out.len() + gap.len() + if later.is_empty() { 0 } else { all.min(note) };
        let fitting = file.fit(fence, room.saturating_sub(taken));
        let Some((text, sections)) = fitting else {
            out.push_str(gap);
            out.push_str(&cut(what, rest.len()));
            break;
        };
        out.push_str(gap);
        out.push_str(&text);
        shown.shown += sections;
        rest = later;
    }
    (out, shown)
}

/// One file and several, as a packet calls them.
const MAIN: [&str; 2] = ["SKILL.md file", "SKILL.md files"];
const SUPPORT: [&str; 2] = ["support file", "support files"];

/// What says that files are missing.
fn cut([one, more]: [&str; 2], files: usize) -> String {
    let files = count::of(files, one, more);
    format!("[cut to fit: {files}]\n")
}

impl File {
    fn of(file: &SkillFile, cleaner: &Cleaner) -> Self {
        let text = match &file.body {
            Body::Text(raw) => Text::Verbatim(Verbatim::of(raw, file.path.ends_with(".md"))),
            Body::NotText => Text::None,
            Body::Unread => Text::Unread(file.bytes),
        };
        let mut about = vec![count::of(file.bytes, "byte", "bytes")];
        about.extend(file.sha256.as_ref().map(|hex| format!("sha256 {hex}")));
        match &text {
            Text::Verbatim(text) => about.extend(text.notes().iter().map(|&note| note.to_owned())),
            Text::None => about.push("no text".to_owned()),
            Text::Unread(_) => {}
        }
        Self {
            head: format!(
                "### {}, file {}\n\n{}\n",
                cleaner.line(&file.skill),
                cleaner.line(&file.path),
                about.join("; ")
            ),
            text,
            named_by: file.named_by,
        }
    }

    fn sections(&self) -> usize {
        match &self.text {
            Text::Verbatim(text) => text.len(),
            Text::Unread(_) => 1,
            Text::None => 0,
        }
    }

    /// Bytes when nothing is cut but sections that are too large for `ceiling` bytes.
    fn most(&self, ceiling: usize) -> usize {
        let body = match &self.text {
            Text::Verbatim(text) => {
                text.most(ceiling.saturating_sub(self.head.len() + Fence::COST))
            }
            Text::Unread(bytes) => unread(*bytes).len(),
            Text::None => 0,
        };
        self.head.len() + body
    }

    /// Tells how many sections are shown. `None` where not even the head fits.
    fn fit(&self, fence: &Fence, room: usize) -> Option<(String, usize)> {
        let room = room.checked_sub(self.head.len())?;
        let (body, shown) = match &self.text {
            Text::Verbatim(text) => text.fit(fence, room)?,
            Text::Unread(bytes) => (unread(*bytes), 0),
            Text::None => (String::new(), 0),
        };
        (body.len() <= room).then(|| (format!("{}{body}", self.head), shown))
    }
}

fn unread(bytes: usize) -> String {
    let bytes = count::of(bytes, "byte", "bytes");
    format!("[cut to fit: all of it, {bytes}]\n")
}
