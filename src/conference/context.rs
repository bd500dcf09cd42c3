//! Files that the root reads for researchers, who have no hands for that (conference.md A2, A8).
//!
//! Promises: only what lies beneath an allowed root and no forbidden one, never through a link, a
//! hidden name, `.git`, or the host's home; bounded; credentials are taken out before anything is
//! cut, and the digest is that of the file as it lies there.

use std::path::{Path, PathBuf};

use super::artifacts::is_artifact;
use super::plan::{FILE, Settings};
use crate::digest;
use crate::disk::{Dir, Kind};
use crate::engine::charter::Read;
use crate::engine::journal::{CANCEL, EVENTS, LOCK, PACKETS};
use crate::error::{Code, Error, Result};
use crate::guard::{secret, text};

/// Files that are quoted at most.
const FILES: usize = 64;
/// Bytes of a file at most.
const FILE_BYTES: u64 = 1 << 20;
/// Bytes of all quoted texts; the rest of a charter is for the task.
const TEXT: usize = 32 << 10;
/// Folders below an allowed root.
const DEPTH: usize = 8;
/// Entries of one folder at most.
const ENTRIES: usize = 4096;
/// What stands where a text was cut.
const CUT: &str = " […]";

/// What is quoted, and what is not.
#[derive(Debug, Default)]
pub struct Quoted {
    /// In the order of their paths.
    pub files: Vec<Read>,
    /// Paths that were left out, each with the reason.
    pub left_out: Vec<String>,
}

/// Reads what the conditions allow. `root` and `home` are real paths. `NOT_FOUND` for an allowed
/// root that is not there, `UNSAFE_PATH` for one in the host's home or in a closed folder.
pub fn read(settings: &Settings, root: &Path, home: &Path) -> Result<Quoted> {
    let forbidden = settings.forbidden_roots.iter();
    let forbidden = forbidden.filter_map(|path| fs_err::canonicalize(root.join(path)).ok());
    let mut walk = Walk {
        root,
        closed: forbidden.chain([home.to_owned()]).collect(),
        quoted: Quoted::default(),
    };
    for allowed in &settings.allowed_read_roots {
        walk.root_of(allowed)?;
    }
    let mut quoted = walk.quoted;
    quoted.files.sort_by(|one, other| one.path.cmp(&other.path));
    quoted.files.dedup_by(|one, other| one.path == other.path);
    share(&mut quoted.files);
    Ok(quoted)
}

struct Walk<'a> {
    root: &'a Path,
    closed: Vec<PathBuf>,
    quoted: Quoted,
}

impl Walk<'_> {
    fn root_of(&mut self, allowed: &str) -> Result<()> {
        let shown = text::line(allowed).into_owned();
        let gone = || {
            let text = format!("the allowed read root `{shown}` is not there");
            Error::new(Code::NotFound, text)
        };
        let real = fs_err::canonicalize(self.root.join(allowed)).map_err(|_| gone())?;
        if self.is_closed(&real) || real.components().any(|part| is_private(part.as_os_str())) {
            let text = format!("the allowed read root `{shown}` lies where nothing is read");
            return Err(Error::new(Code::UnsafePath, text));
        }
        let spelled = allowed.trim_end_matches('/');
        if real.is_dir() {
            let dir = Dir::open_root(&real)?.ok_or_else(gone)?;
            return self.folder(&dir, spelled, 0);
        }
        let (above, name) = (real.parent(), real.file_name());
        let above = above.map_or(Ok(None), Dir::open_root)?.ok_or_else(gone)?;
        let name = name.map(|name| name.to_string_lossy().into_owned());
        self.file(&above, &name.ok_or_else(gone)?, spelled);
        Ok(())
    }

    fn folder(&mut self, dir: &Dir, path: &str, depth: usize) -> Result<()> {
        if depth > DEPTH {
            self.leave(path, "it lies too deep");
            return Ok(());
        }
        for entry in dir.entries(ENTRIES)? {
            let Some(name) = entry.name.to_str() else {
                continue;
            };
            let below = match path {
                "." => name.to_owned(),
                _ => format!("{path}/{name}"),
            };
            let real = dir.path_of(name);
            if name.starts_with('.') || self.is_closed(&real) || self.is_own(&real, name) {
                continue;
            }
            match entry.kind {
                Kind::File => self.file(dir, name, &below),
                Kind::Dir => {
                    if let Some(sub) = dir.sub(name)? {
                        self.folder(&sub, &below, depth + 1)?;
                    }
                }
                Kind::Link | Kind::Other => self.leave(&below, "it is no plain file"),
            }
        }
        Ok(())
    }

    fn file(&mut self, dir: &Dir, name: &str, path: &str) {
        let refused = if self.quoted.files.len() == FILES {
            Some("there are too many")
        } else {
            match dir.read(name, FILE_BYTES) {
                Ok(Some(content)) if content.links == 1 => self.quote(path, content.bytes),
                Ok(Some(_)) => Some("it has a second name"),
                Ok(None) | Err(_) => Some("it cannot be read, or is too large"),
            }
        };
        if let Some(why) = refused {
            self.leave(path, why);
        }
    }

    fn quote(&mut self, path: &str, bytes: Vec<u8>) -> Option<&'static str> {
        let sha256 = digest::sha256_hex(&bytes);
        let text = String::from_utf8(bytes).ok();
        let Some(text) = text.filter(|text| !text.contains('\0')) else {
            return Some("it is no text");
        };
        self.quoted.files.push(Read {
            path: secret::redact(path).into_owned(),
            sha256,
            text: secret::redact(&text).into_owned(),
        });
        None
    }

    fn leave(&mut self, path: &str, why: &str) {
        let path = text::line(path);
        self.quoted.left_out.push(format!("{path}: {why}"));
    }

    fn is_closed(&self, real: &Path) -> bool {
        self.closed.iter().any(|closed| real.starts_with(closed))
    }

    /// What the conference itself reads and writes is told in other ways.
    fn is_own(&self, real: &Path, name: &str) -> bool {
        let own = [FILE, EVENTS, LOCK, CANCEL, PACKETS];
        real.parent() == Some(self.root) && (own.contains(&name) || is_artifact(name))
    }
}

fn is_private(part: &std::ffi::OsStr) -> bool {
    part == ".git" || part == ".hermes"
}

/// Cuts the texts until they fit: small ones stay whole, and the others get equal parts.
fn share(files: &mut [Read]) {
    let mut by_size: Vec<&mut Read> = files.iter_mut().collect();
    by_size.sort_by_key(|read| read.text.len());
    let (mut left, mut rest) = (TEXT, by_size.len());
    for read in by_size {
        let room = left / rest.max(1);
        if read.text.len() > room {
            let most = room.saturating_sub(CUT.len());
            let whole = |at: &usize| read.text.is_char_boundary(*at);
            let at = (0..=most).rev().find(whole).unwrap_or(0);
            read.text.truncate(at);
            read.text.push_str(CUT);
        }
        left = left.saturating_sub(read.text.len());
        rest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn quoted(allowed: &[&str], forbidden: &[&str], root: &Path) -> Result<Quoted> {
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let settings = Settings {
            allowed_read_roots: owned(allowed),
            forbidden_roots: owned(forbidden),
            ..Settings::default()
        };
        read(&settings, root, &root.join("home"))
    }

    fn world(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
        let held = TempDir::new().unwrap();
        let root = held.path().canonicalize().unwrap();
        for (path, text) in files {
            let path = root.join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        (held, root)
    }

    fn paths(quoted: &Quoted) -> Vec<&str> {
        quoted.files.iter().map(|read| read.path.as_str()).collect()
    }

    #[test]
    fn files_beneath_allowed_roots_are_quoted_with_their_digest() {
        let (_held, root) = world(&[("src/b/x.txt", "x"), ("src/a.txt", "a"), ("other.txt", "o")]);
        let found = quoted(&["src/", "other.txt"], &[], &root).unwrap();
        assert_eq!(paths(&found), ["other.txt", "src/a.txt", "src/b/x.txt"]);
        assert_eq!(found.files[1].sha256, digest::sha256_hex(b"a"));
        assert_eq!(found.files[1].text, "a");
        assert_eq!(found.left_out, [""; 0]);
    }

    #[test]
    fn what_is_forbidden_hidden_or_the_conferences_own_is_not() {
        let (_held, root) = world(&[
            ("keep.txt", "k"),
            (".env", "e"),
            (".git/config", "c"),
            ("private/p.txt", "p"),
            ("home/auth.json", "h"),
            (FILE, "f"),
            (EVENTS, "e"),
            ("synthesis.md", "s"),
            ("packets/a.json", "p"),
        ]);
        let found = quoted(&["."], &["private"], &root).unwrap();
        assert_eq!(paths(&found), ["keep.txt"]);
    }

    #[test]
    fn links_second_names_and_other_bytes_are_left_out_and_told() {
        let (_held, root) = world(&[("in/a.txt", "a"), ("out.txt", "out"), ("in/nul", "a\0b")]);
        fs_err::os::unix::fs::symlink(root.join("out.txt"), root.join("in/link")).unwrap();
        fs_err::hard_link(root.join("out.txt"), root.join("in/second")).unwrap();
        fs_err::write(root.join("in/bytes"), [0xff, 0xfe]).unwrap();
        let large = vec![b'a'; FILE_BYTES as usize + 1];
        fs_err::write(root.join("in/large"), large).unwrap();
        let found = quoted(&["in"], &[], &root).unwrap();
        assert_eq!(paths(&found), ["in/a.txt"]);
        assert_eq!(found.left_out.len(), 5, "{:?}", found.left_out);
    }

    #[test]
    fn roots_that_are_not_there_or_closed_are_refused() {
        let (_held, root) = world(&[("home/a", "a"), (".hermes/b", "b")]);
        let code = |allowed| quoted(&[allowed], &[], &root).unwrap_err().code();
        assert_eq!(code("nothing"), Code::NotFound);
        assert_eq!(code("home"), Code::UnsafePath);
        assert_eq!(code(".hermes"), Code::UnsafePath);
        fs_err::create_dir_all(root.join(".git/hooks")).unwrap();
        assert_eq!(code(".git"), Code::UnsafePath);
        assert_eq!(code(".git/hooks"), Code::UnsafePath);
        fs_err::os::unix::fs::symlink("home", root.join("alias")).unwrap();
        assert_eq!(code("alias"), Code::UnsafePath);
    }

    #[test]
    fn credentials_are_out_before_a_text_is_cut() {
        let key = format!("sk-{}", "a1B2".repeat(12));
        let before = "é".repeat(TEXT / 2 - 20);
        let text = format!("{before}{key} {}", "z".repeat(TEXT));
        let (_held, root) = world(&[("in/long.txt", &text), ("in/short.txt", &key)]);
        let found = quoted(&["in"], &[], &root).unwrap();
        let [long, short] = &found.files[..] else {
            panic!("{:?}", paths(&found));
        };
        assert!(long.text.ends_with(CUT));
        assert!(!long.text.contains("sk-a"), "half a key");
        assert!(!short.text.contains("a1B2"), "{}", short.text);
        assert!(long.text.len() + short.text.len() <= TEXT);
        assert_eq!(short.sha256, digest::sha256_hex(key.as_bytes()));
    }

    #[test]
    fn no_more_files_and_no_deeper_folders_than_there_is_room_for() {
        let many: Vec<String> = (0..=FILES).map(|n| format!("in/{n:03}.txt")).collect();
        let many: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "a")).collect();
        let (_held, root) = world(&many);
        let found = quoted(&["in"], &[], &root).unwrap();
        assert_eq!(found.files.len(), FILES);
        assert_eq!(found.left_out, ["in/064.txt: there are too many"]);
        let deep = format!("in/{}", "d/".repeat(DEPTH));
        let (_held, root) = world(&[(&format!("{deep}a"), "a"), (&format!("{deep}d/b"), "b")]);
        let found = quoted(&["in"], &[], &root).unwrap();
        assert_eq!(paths(&found), [format!("{deep}a")]);
        assert_eq!(found.left_out, [format!("{deep}d: it lies too deep")]);
    }

    #[test]
    fn a_file_is_quoted_once_and_its_name_bears_no_credential_either() {
        let key = format!("sk-{}", "a1B2".repeat(12));
        let (_held, root) = world(&[("in/a.txt", "a"), (&format!("in/{key}"), "b")]);
        let found = quoted(&["in/a.txt", "in", "in/"], &[], &root).unwrap();
        assert_eq!(found.files.len(), 2, "{:?}", paths(&found));
        let is_told = paths(&found).iter().any(|path| path.contains("a1B2"));
        assert!(!is_told, "{:?}", paths(&found));
    }

    #[test]
    fn small_files_stay_whole_and_large_ones_share_the_rest() {
        let large = "l".repeat(TEXT);
        let (_held, root) = world(&[("in/a", &large), ("in/b", &large), ("in/c", "small")]);
        let found = quoted(&["in"], &[], &root).unwrap();
        let sizes: Vec<usize> = found.files.iter().map(|read| read.text.len()).collect();
        assert_eq!(sizes[2], 5);
        assert!(sizes[0].abs_diff(sizes[1]) <= 8, "{sizes:?}");
        assert!(
            (TEXT - 32..=TEXT).contains(&sizes.iter().sum()),
            "{sizes:?}"
        );
    }
}
