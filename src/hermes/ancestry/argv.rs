//! What the command line of a Hermes process looks like.
//!
//! Promises: a path or an argument that merely holds the word is no Hermes process.

/// The programs that the host installs.
const PROGRAMS: [&str; 3] = ["hermes", "hermes-agent", "hermes-acp"];

/// The packages that the host starts by module name, or by a file in them.
const PACKAGES: [&str; 4] = ["hermes_cli", "hermes_agent", "tui_gateway", "acp_adapter"];

/// Whether a process with these arguments is Hermes: one of its programs, an interpreter that
/// runs one of them, or Python with one of its packages (`-m hermes_cli.main`).
pub(super) fn is_hermes(argv: &[String]) -> bool {
    let Some((first, rest)) = argv.split_first() else {
        return false;
    };
    let program = base(first);
    if PROGRAMS.contains(&program) {
        return true;
    }
    if is_python(program) {
        return runs_python(rest);
    }
    is_shell(program) && script(rest).is_some_and(|path| PROGRAMS.contains(&base(path)))
}

/// The last component; the dash of a login shell does not count.
fn base(word: &str) -> &str {
    let last = word.rsplit('/').next().unwrap_or(word);
    last.strip_prefix('-').unwrap_or(last)
}

/// `python`, `python3`, `python3.11`, `Python` (macOS), `pypy3`.
fn is_python(program: &str) -> bool {
    let lower = program.to_ascii_lowercase();
    ["python", "pypy"].iter().any(|stem| {
        let version = lower.strip_prefix(stem);
        version.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    })
}

fn is_shell(program: &str) -> bool {
    ["sh", "bash", "dash", "zsh", "ksh"].contains(&program)
}

/// The script of a shell: its first word, where that is no option.
fn script(rest: &[String]) -> Option<&str> {
    let first = rest.first()?;
    (!first.starts_with('-')).then_some(first)
}

/// What Python runs: a module after `-m`, or the first word that is no option.
fn runs_python(rest: &[String]) -> bool {
    let mut words = rest.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let Some(flags) = word.strip_prefix('-') else {
            return is_hermes_file(word);
        };
        if let Some(long) = flags.strip_prefix('-') {
            if long == "check-hash-based-pycs" {
                words.next();
            }
            continue;
        }
        match last_flag(flags) {
            Some(('c', _)) => return false,
            Some(('m', "")) => return words.next().is_some_and(is_hermes_module),
            Some(('m', module)) => return is_hermes_module(module),
            Some((_, "")) => {
                words.next();
            }
            _ => {}
        }
    }
    false
}

/// The first of a cluster of short flags that takes a value, and the value that is joined to it.
fn last_flag(flags: &str) -> Option<(char, &str)> {
    let (at, flag) = flags
        .char_indices()
        .find(|(_, flag)| matches!(flag, 'c' | 'm' | 'X' | 'W'))?;
    Some((flag, flags.get(at + flag.len_utf8()..).unwrap_or("")))
}

fn is_hermes_module(module: &str) -> bool {
    let package = module.split('.').next().unwrap_or(module);
    PACKAGES.contains(&package)
}

/// One of the programs, or a file directly in one of the packages.
fn is_hermes_file(path: &str) -> bool {
    let folder = path.rsplit('/').nth(1).unwrap_or("");
    let in_package = PACKAGES.contains(&folder) && path.ends_with(".py");
    in_package || PROGRAMS.contains(&base(path))
}

#[cfg(test)]
mod tests {
    use super::is_hermes;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn hermes_is_recognised() {
        for line in [
            "hermes",
            "/venv/bin/hermes",
            "hermes -z hello",
            "hermes-agent --save_trajectories",
            "/usr/local/bin/hermes-acp",
            "/venv/bin/python3 /venv/bin/hermes -z hello",
            "/venv/bin/python3.11 /venv/bin/hermes-acp",
            "python /venv/bin/hermes-agent",
            "Python /venv/bin/hermes",
            "pypy3 /venv/bin/hermes",
            "python -m hermes_cli.main chat",
            "python -m hermes_cli",
            "python -mhermes_cli.main",
            "python -I -u -m hermes_cli.main",
            "python -Im hermes_cli.main",
            "python -X dev -W ignore -m tui_gateway.entry",
            "python -Xdev -Wignore -m tui_gateway.slash_worker",
            "python --check-hash-based-pycs always /venv/bin/hermes",
            "python -m acp_adapter.entry",
            "python -m hermes_agent",
            "python /lib/site-packages/hermes_cli/main.py",
            "bash /usr/local/bin/hermes -z hello",
            "/bin/sh /home/u/.local/bin/hermes",
        ] {
            assert!(is_hermes(&argv(line)), "{line}");
        }
    }

    #[test]
    fn the_word_alone_is_not_enough() {
        for line in [
            "",
            "vim /x/hermes/notes.md",
            "vim hermes",
            "vim /x/hermes",
            "cargo test hermes",
            "git clone hermes",
            "man hermes",
            "tail -f /home/u/.hermes/logs/agent.log",
            "/opt/hermes/bin/tool",
            "/home/hermes/bin/bash",
            "lithermes skill-loop apply",
            "/x/hermes/target/debug/lithermes",
            "hermes-desktop-helper",
            "hermesd",
            "bash",
            "-bash",
            "-zsh",
            "bash -c hermes",
            "bash -lc hermes",
            "python",
            "python3 script.py hermes",
            "python /x/hermes/script.py",
            "python -c print() hermes",
            "python -cprint() /venv/bin/hermes",
            "python -m pytest tests/hermes",
            "python -m hermes_client.main",
            "python -m",
            "python -X",
            "python -m pip install hermes-agent",
            "python -W hermes x.py",
            "python /x/hermes_cli/notes/a.py",
            "python-argcomplete hermes",
            "node /x/hermes",
            "uv run hermes",
            "ssh host hermes",
            "tmux new -s hermes",
        ] {
            assert!(!is_hermes(&argv(line)), "{line}");
        }
        assert!(!is_hermes(&[]));
    }
}
