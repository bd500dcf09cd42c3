//! The direct children of this process, as `/proc` shows them; nobody where there is none.

use rustix::process::{Pid, getpid};

/// The kernel keeps a list for each thread; one that keeps none still names the parent of each.
pub(super) fn of_this_process() -> Vec<Pid> {
    listed().unwrap_or_else(searched)
}

fn listed() -> Option<Vec<Pid>> {
    let mut pids = Vec::new();
    for thread in fs_err::read_dir("/proc/self/task").ok()? {
        let path = thread.ok()?.path().join("children");
        let text = fs_err::read_to_string(path).ok()?;
        pids.extend(text.split_ascii_whitespace().filter_map(pid));
    }
    Some(pids)
}

fn searched() -> Vec<Pid> {
    let Ok(entries) = fs_err::read_dir("/proc") else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ours = u32::try_from(getpid().as_raw_pid()).ok();
    let is_ours = |name: &String| {
        let stat = fs_err::read(format!("/proc/{name}/stat")).unwrap_or_default();
        ours.is_some() && parent_in(&String::from_utf8_lossy(&stat)) == ours
    };
    names
        .filter(is_ours)
        .filter_map(|name| pid(&name))
        .collect()
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// The parent that a `/proc/<pid>/stat` names: the fourth field. The second is the command in
/// parentheses and may hold any character.
pub(crate) fn parent_in(stat: &str) -> Option<u32> {
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parent_in;

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
            assert_eq!(parent_in(stat), parent, "{stat}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn both_ways_to_list_children_find_a_child() {
        use std::process::{Command, Stdio};

        let mut child = Command::new("/bin/cat")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = rustix::process::Pid::from_child(&child);
        assert!(super::listed().unwrap().contains(&pid));
        assert!(super::searched().contains(&pid));
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(!super::listed().unwrap().contains(&pid));
        assert!(!super::searched().contains(&pid));
    }
}
