//! A process as `/proc` shows it.

use std::io::Read as _;

use super::Process;

/// Enough for the words before the prompt of `hermes -z`, which can be 128 KiB.
const MOST_BYTES: u64 = 16 * 1024;

/// The process `pid`; `None` where it is gone or hidden.
pub(super) fn look(pid: u32) -> Option<Process> {
    let stat = read(&format!("/proc/{pid}/stat"))?;
    let line = read(&format!("/proc/{pid}/cmdline"))?;
    let words = line.split_terminator('\0').map(str::to_owned);
    Some(Process {
        parent: parent_of(&stat)?,
        argv: words.collect(),
    })
}

/// The fourth field. The second is the command in parentheses and may hold any character.
fn parent_of(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn read(path: &str) -> Option<String> {
    let file = fs_err::File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::parent_of;

    #[test]
    fn the_command_may_hold_anything() {
        for (stat, parent) in [
            ("41 (bash) S 7 41 41 0", Some(7)),
            ("41 (a) S 9) (b) R 12 41", Some(12)),
            ("41 (a b ) S 3", Some(3)),
            ("41 (bash) S", None),
            ("41 (bash) S -1", None),
            ("", None),
        ] {
            assert_eq!(parent_of(stat), parent, "{stat}");
        }
    }
}
