//! Whether an agent started this process (skill-loop.md §5): the honest mistake, not malice.
//!
//! Promises: looks at the environment and at the parents, each bounded; what cannot be read counts
//! as no agent.

mod argv;
#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "ps.rs")]
mod process;

/// More parents than any shell has; ends a circle, should a system report one.
const MOST_PARENTS: usize = 64;

/// A process, as far as it matters here.
struct Process {
    parent: u32,
    argv: Vec<String>,
}

/// Variables that an agent's tool call bears, and what each shows. The text does not name the
/// variable: a refusal is no map round the guard.
const SIGNS: [(&str, &str); 2] = [
    ("HERMES_SESSION_ID", "the environment of a Hermes session"),
    ("LITHERMES_CHILD", "the environment of a child of lithermes"),
];

/// What shows that an agent stands behind this process: `HERMES_SESSION_ID` or
/// `LITHERMES_CHILD` in the environment (set and not empty), or a Hermes process among the
/// ancestors. `None` where nothing does. The text says what was found (`a Hermes process among
/// the parents (pid 41)`).
pub fn agent_behind() -> Option<String> {
    by_environment(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        .or_else(|| by_parents(std::os::unix::process::parent_id(), process::look))
}

fn by_environment(is_set: impl Fn(&str) -> bool) -> Option<String> {
    let sign = SIGNS.iter().find(|(name, _)| is_set(name));
    sign.map(|(_, shows)| (*shows).to_owned())
}

fn by_parents(first: u32, look: impl Fn(u32) -> Option<Process>) -> Option<String> {
    let mut pid = first;
    for _ in 0..MOST_PARENTS {
        if pid == 0 {
            return None;
        }
        let process = look(pid)?;
        if argv::is_hermes(&process.argv) {
            return Some(format!("a Hermes process among the parents (pid {pid})"));
        }
        pid = process.parent;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Process, by_environment, by_parents, process};

    fn family(pid: u32) -> Option<Process> {
        let (parent, line) = match pid {
            9 => (8, "-zsh"),
            8 => (7, "bash -c lithermes"),
            7 => (1, "/venv/bin/python /venv/bin/hermes"),
            5 => (1, "tmux"),
            6 => (6, "its own parent"),
            1 => (0, "/sbin/init"),
            _ => return None,
        };
        let argv = line.split(' ').map(str::to_owned).collect();
        Some(Process { parent, argv })
    }

    #[test]
    fn the_nearest_hermes_among_the_parents_is_named() {
        for (first, found) in [
            (9, Some("a Hermes process among the parents (pid 7)")),
            (7, Some("a Hermes process among the parents (pid 7)")),
            (5, None),
            (1, None),
            (0, None),
            (6, None),
            (404, None),
        ] {
            assert_eq!(by_parents(first, family).as_deref(), found, "{first}");
        }
    }

    #[test]
    fn the_environment_is_told_without_the_name_of_the_variable() {
        for (set, found) in [
            (
                "HERMES_SESSION_ID",
                Some("the environment of a Hermes session"),
            ),
            (
                "LITHERMES_CHILD",
                Some("the environment of a child of lithermes"),
            ),
            ("HERMES_HOME", None),
        ] {
            assert_eq!(by_environment(|name| name == set).as_deref(), found);
        }
    }

    #[test]
    fn this_process_is_seen_as_the_system_sees_it() {
        let me = process::look(std::process::id()).unwrap();
        assert_eq!(me.parent, std::os::unix::process::parent_id());
        let first = std::env::args().next().unwrap();
        assert_eq!(me.argv.first(), Some(&first));
    }

    #[test]
    fn no_process_is_none() {
        assert!(process::look(u32::MAX).is_none());
    }
}
