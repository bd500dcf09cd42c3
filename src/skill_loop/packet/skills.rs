//! The text of the skills concerned: what a patch is made against.
//!
//! Promises: what is cut last; a file that is not shown in full says so, where it is.

use super::clean::Cleaner;
use super::fence::Fence;
use super::text::Verbatim;
use super::{Body, Shown, SkillFile};

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
    files: Vec<File>,
    /// What is said of files that were not even looked at.
    unlisted: String,
}

#[derive(Debug, Clone)]
struct File {
    head: String,
    text: Option<Verbatim>,
    /// Bytes on disk, where there is a text that was not read.
    unread: Option<usize>,
    /// The rank of the newest observation that names its skill, where nothing else does.
    named_by: Option<usize>,
}

impl Skills {
    pub(super) fn of(files: &[SkillFile], unlisted: usize, cleaner: &Cleaner) -> Self {
        Self {
            files: files.iter().map(|file| File::of(file, cleaner)).collect(),
            unlisted: match unlisted {
                0 => String::new(),
                _ => format!("[left out: {unlisted} files of skills that have too many]\n"),
            },
        }
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &str> {
        let texts = self.files.iter().filter_map(|file| file.text.as_ref());
        texts.flat_map(Verbatim::quoted)
    }

    /// Bytes when everything is cut.
    pub(super) fn least(&self) -> usize {
        let none = NONE.len().max(left_out(self.files.len()).len());
        HEAD.len() + none + self.unlisted.len()
    }

    /// Bytes when nothing is cut, while the newest `observations` are shown.
    pub(super) fn most(&self, observations: usize) -> usize {
        let files = self.concerned(observations);
        let sizes: usize = files.map(|file| file.most() + GAP.len()).sum();
        let body = match sizes.checked_sub(GAP.len()) {
            Some(sizes) => sizes,
            None => NONE.len(),
        };
        HEAD.len() + body + self.unlisted.len()
    }

    /// As much as `room` bytes hold, while the newest `observations` are shown.
    pub(super) fn fit(&self, fence: &Fence, room: usize, observations: usize) -> (String, Shown) {
        let files: Vec<&File> = self.concerned(observations).collect();
        let mut out = HEAD.to_owned();
        out.push_str(&self.unlisted);
        let (mut sections, mut fitting) = (0, 0);
        for (at, file) in files.iter().enumerate() {
            let gap = if at == 0 { "" } else { GAP };
            let later = files.get(at + 1..).unwrap_or_default();
            let later_most: usize = later.iter().map(|file| GAP.len() + file.most()).sum();
            // What comes later is cut first, but something has to say that it was.
            let reserved = later_most.min(GAP.len() + left_out(later.len()).len());
            let room = room.saturating_sub(out.len() + gap.len() + reserved);
            let Some((text, shown)) = file.fit(fence, room) else {
                break;
            };
            out.push_str(gap);
            out.push_str(&text);
            sections += shown;
            fitting += 1;
        }
        if fitting < files.len() {
            out.push_str(if fitting == 0 { "" } else { GAP });
            out.push_str(&left_out(files.len() - fitting));
        } else if files.is_empty() {
            out.push_str(NONE);
        }
        let shown = Shown {
            shown: sections,
            of: files.iter().map(|file| file.sections()).sum(),
        };
        (out, shown)
    }

    fn concerned(&self, observations: usize) -> impl Iterator<Item = &File> {
        let shown = move |file: &&File| file.named_by.is_none_or(|rank| rank < observations);
        self.files.iter().filter(shown)
    }
}

impl File {
    fn of(file: &SkillFile, cleaner: &Cleaner) -> Self {
        let (text, unread) = match &file.body {
            Body::Text(raw) => (Some(Verbatim::of(raw, file.path.ends_with(".md"))), None),
            Body::NotText => (None, None),
            Body::Unread => (None, Some(file.bytes)),
        };
        let mut about = vec![format!("{} bytes", file.bytes)];
        about.extend(file.sha256.as_ref().map(|hex| format!("sha256 {hex}")));
        about.extend(
            text.iter()
                .flat_map(|text| text.notes())
                .map(|note| (*note).to_owned()),
        );
        if text.is_none() && unread.is_none() {
            about.push("no text".to_owned());
        }
        Self {
            head: format!(
                "### {}, file {}\n\n{}\n",
                cleaner.line(&file.skill),
                cleaner.line(&file.path),
                about.join("; ")
            ),
            text,
            unread,
            named_by: file.named_by,
        }
    }

    fn sections(&self) -> usize {
        let unread = usize::from(self.unread.is_some());
        self.text.as_ref().map_or(unread, Verbatim::len)
    }

    fn most(&self) -> usize {
        let text = self.text.as_ref().map_or(0, Verbatim::size);
        self.head.len() + text + self.unread.unwrap_or(0)
    }

    fn fit(&self, fence: &Fence, room: usize) -> Option<(String, usize)> {
        let room = room.checked_sub(self.head.len())?;
        let (body, shown) = match (&self.text, self.unread) {
            (Some(text), _) => text.fit(fence, room)?,
            (None, Some(bytes)) => (format!("[cut to fit: all of it, {bytes} bytes]\n"), 0),
            (None, None) => (String::new(), 0),
        };
        (body.len() <= room).then(|| (format!("{}{body}", self.head), shown))
    }
}

fn left_out(files: usize) -> String {
    match files {
        0 => String::new(),
        1 => "[cut to fit: 1 more file]\n".to_owned(),
        _ => format!("[cut to fit: {files} more files]\n"),
    }
}
