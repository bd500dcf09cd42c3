//! Completion scripts and the ids that they ask for. The scripts are tried here in bash, and in
//! every shell, through a terminal, by tests/real/shells.py.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{Ran, Sandbox, create, differences, patch};

const NAME: &str = "release-notes";

/// Asks for ids as the script of a shell does: these words behind `--`, the last at the cursor.
#[track_caller]
fn ask(sandbox: &Sandbox, shell: &str, words: &[&str]) -> Ran {
    let before = sandbox.tree();
    let line = [&["completions", shell, "--", "lithermes"], words].concat();
    let ran = sandbox.run(&line);
    assert_eq!(ran.stderr, "", "{words:?}");
    assert_eq!(
        differences(&before, &sandbox.tree()),
        Vec::<String>::new(),
        "{words:?}"
    );
    ran
}

#[track_caller]
fn ids(sandbox: &Sandbox, words: &[&str]) -> Vec<String> {
    let ran = ask(sandbox, "bash", &[&["skill-loop"], words].concat()).ok();
    ran.stdout.lines().map(str::to_owned).collect()
}

/// Pending, applied, rejected, rolled back, in this order, and the two receipts that stand.
fn one_of_each() -> (Sandbox, [String; 4], [String; 2]) {
    let sandbox = Sandbox::new();
    let documents = ["pending", "applied", "rejected", "back"].map(|name| create(name, "x\n"));
    let ids = sandbox.propose_all(&json!(documents));
    let ids: [String; 4] = ids.try_into().unwrap();
    let applied = sandbox.apply(&ids[1]);
    sandbox.sl(&["reject", &ids[2]]).ok();
    let back = sandbox.rollback(&sandbox.apply(&ids[3]));
    (sandbox, ids, [back, applied])
}

#[test]
fn the_ids_are_those_that_fit_the_verb() {
    let (sandbox, all, receipts) = one_of_each();
    let mut sorted = all.to_vec();
    sorted.sort();
    let [pending, applied, ..] = &all;
    assert_eq!(ids(&sandbox, &["show", ""]), sorted);
    assert_eq!(ids(&sandbox, &["apply", ""]), [pending.as_str()]);
    assert_eq!(
        ids(&sandbox, &["reject", "--reason", "x", ""]),
        [pending.as_str()]
    );
    assert_eq!(ids(&sandbox, &["rollback", ""]), receipts);
    // What was typed narrows, what was named is not named again.
    assert_eq!(ids(&sandbox, &["show", &applied[..9]]), [applied.as_str()]);
    assert_eq!(
        ids(&sandbox, &["rollback", &receipts[1][..6]]),
        [receipts[1].as_str()]
    );
    for words in [
        &["apply", pending.as_str(), ""][..],
        &["apply", "x"],
        &["rollback", "p-"],
    ] {
        assert_eq!(ids(&sandbox, words), Vec::<String>::new(), "{words:?}");
    }
    // Every id is one that the verb takes.
    for id in ids(&sandbox, &["apply", ""]) {
        sandbox.sl(&["apply", &id]).ok();
    }
    for id in ids(&sandbox, &["rollback", ""]) {
        sandbox.sl(&["rollback", &id]).ok();
    }
}

#[test]
fn proposals_come_oldest_first_and_receipts_newest_first() {
    let mut sandbox = Sandbox::new();
    let mut made = Vec::new();
    for day in 1..=5 {
        sandbox.set("LITHERMES_TEST_CLOCK", &format!("2026-01-0{day}T00:00:00Z"));
        made.push(sandbox.propose(&create(&format!("skill-{day}"), "x\n")));
    }
    assert_eq!(ids(&sandbox, &["apply", ""]), made);
    let mut receipts: Vec<String> = made.iter().map(|id| sandbox.apply(id)).collect();
    receipts.reverse();
    assert_eq!(ids(&sandbox, &["rollback", ""]), receipts);
}

#[test]
fn where_no_id_belongs_the_script_goes_on_by_itself() {
    let (sandbox, ..) = one_of_each();
    for words in [
        &[""][..],
        &["skill-loop", ""],
        &["skill-loop", "apply", "--"],
        &["skill-loop", "reject", "p-1", "--reason", ""],
        &["skill-loop", "list", ""],
        &["skill-loop", "frobnicate", "--what", ""],
        &[
            "completions",
            "bash",
            "--",
            "lithermes",
            "skill-loop",
            "show",
            "",
        ],
    ] {
        let ran = ask(&sandbox, "fish", words).exits(1);
        assert_eq!(ran.stdout, "", "{words:?}");
    }
}

#[test]
fn the_line_says_which_home_and_workspace() {
    let (sandbox, [pending, ..], _) = one_of_each();
    let (home, work) = (sandbox.home(), sandbox.work());
    let (home, work) = (home.to_str().unwrap(), work.to_str().unwrap());
    fs_err::os::unix::fs::symlink(work, sandbox.root().join("user/my work")).unwrap();
    let quoted = format!("\"{}/user/my work\"", sandbox.root().display());
    let elsewhere = tempfile::tempdir().unwrap();
    for options in [
        vec!["--workspace", work, "--hermes-home", home],
        vec!["--workspace", "=", work],
        vec!["--workspace", "~/my\\ work"],
        vec!["--workspace", &quoted],
    ] {
        let line = [&["completions", "bash", "--", "lithermes"], &options[..]].concat();
        let line = [&line[..], &["skill-loop", "apply", ""]].concat();
        let mut command = sandbox.command();
        let ran = sandbox
            .ran(command.args(&line).current_dir(elsewhere.path()))
            .ok();
        assert_eq!(ran.stdout, format!("{pending}\n"), "{options:?}");
    }
    // The flags of the call itself count where the line has none.
    let call = [
        "completions",
        "bash",
        "--workspace",
        work,
        "--",
        "lithermes",
    ];
    let call = [&call[..], &["skill-loop", "apply", ""]].concat();
    let mut command = sandbox.command();
    let ran = sandbox
        .ran(command.args(&call).current_dir(elsewhere.path()))
        .ok();
    assert_eq!(ran.stdout, format!("{pending}\n"));
}

#[test]
fn each_shell_gets_its_form_and_json_has_both() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "x\n"));
    let about = "release-notes: The same steps were taken three times.";
    let words = ["skill-loop", "apply", "p-"];
    let forms = [
        ("bash", format!("{id}\n")),
        ("zsh", format!("{id}:{about}\n")),
        ("fish", format!("{id}\t{about}\n")),
        ("elvish", format!("{id}\n")),
    ];
    for (shell, form) in forms {
        assert_eq!(ask(&sandbox, shell, &words).ok().stdout, form, "{shell}");
    }
    let line = ["completions", "zsh", "--json", "--", "lithermes"];
    let answer = sandbox.run(&[&line[..], &words].concat()).ok().json();
    assert_eq!(answer["ids"], json!([{"id": id, "about": about}]));
    assert_eq!(answer["script"], json!(null));
    sandbox.apply(&id);
    let shown = ask(&sandbox, "fish", &["skill-loop", "show", ""])
        .ok()
        .stdout;
    assert_eq!(shown, format!("{id}\tapplied {about}\n"));
    let receipt = ask(&sandbox, "fish", &["skill-loop", "rollback", ""])
        .ok()
        .stdout;
    assert!(
        receipt.ends_with("\tapply release-notes 2026-01-02T03:04:05Z\n"),
        "{receipt}"
    );
}

#[test]
fn t6_nothing_that_a_shell_or_a_terminal_obeys_comes_out() {
    let sandbox = Sandbox::new();
    let hostile = "a$(touch x)`touch x`\u{1b}]52;c;eA==\u{7}\u{202e}\r\n\t*?~!%F{red}\\'\";|&<>:b";
    let mut document = create(NAME, "x\n");
    document["rationale"] = json!(hostile);
    sandbox.propose(&document);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let out = ask(&sandbox, shell, &["skill-loop", "show", ""])
            .ok()
            .stdout;
        let strange =
            |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && !" .,:-_/+@\t\n".contains(c);
        assert!(
            !out.contains(strange) && !out.contains('\u{202e}'),
            "{shell}: {out}"
        );
        assert_eq!(out.lines().count(), 1, "{shell}: {out}");
    }
}

/// What was changed after its import can be shown and rejected, and never applied.
#[test]
fn an_altered_proposal_is_offered_where_it_can_be_decided() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(&create(NAME, "x\n"));
    fs_err::write(sandbox.queue().join(format!("{id}.json")), "$(touch x)").unwrap();
    assert_eq!(ids(&sandbox, &["apply", ""]), Vec::<String>::new());
    assert_eq!(ids(&sandbox, &["reject", ""]), [id.as_str()]);
    assert_eq!(ids(&sandbox, &["show", ""]), [id.as_str()]);
    // A name that is no id is nobody's proposal.
    fs_err::write(sandbox.queue().join("p-$(touch x).json"), "{}").unwrap();
    assert_eq!(ids(&sandbox, &["show", ""]), [id.as_str()]);
}

type Breakage = (&'static str, fn(&Sandbox));

#[test]
fn g6_what_is_broken_completes_to_nothing() {
    fn replace(path: &Path, text: &str) {
        let old = fs_err::read_to_string(path).unwrap();
        let new = old.replace("tester", text);
        assert_ne!(old, new);
        fs_err::write(path, new).unwrap();
    }
    fn a_file_in_place_of(folder: PathBuf) {
        fs_err::remove_dir_all(&folder).unwrap();
        fs_err::write(folder, "a file\n").unwrap();
    }
    let table: [Breakage; 6] = [
        ("the ledger is none", |sandbox| {
            fs_err::write(sandbox.ledger(), "no ledger\n").unwrap();
        }),
        ("the ledger is another product's", |sandbox| {
            fs_err::write(sandbox.ledger(), "{\"schema\":\"other\"}\n").unwrap();
        }),
        ("a line was changed", |sandbox| {
            replace(&sandbox.ledger(), "forger");
        }),
        ("a line is missing", |sandbox| {
            let text = fs_err::read_to_string(sandbox.ledger()).unwrap();
            let (first, rest) = text.split_once('\n').unwrap();
            let (_, rest) = rest.split_once('\n').unwrap();
            fs_err::write(sandbox.ledger(), format!("{first}\n{rest}")).unwrap();
        }),
        ("the state is a file", |sandbox| {
            a_file_in_place_of(sandbox.home().join("lithermes"));
        }),
        ("the home is a file", |sandbox| {
            a_file_in_place_of(sandbox.home());
        }),
    ];
    for (what, breaks) in table {
        let (sandbox, ..) = one_of_each();
        breaks(&sandbox);
        for verb in ["show", "apply", "reject", "rollback"] {
            assert_eq!(
                ids(&sandbox, &[verb, ""]),
                Vec::<String>::new(),
                "{what}: {verb}"
            );
        }
    }
    let (sandbox, ..) = one_of_each();
    a_file_in_place_of(sandbox.queue());
    for words in [
        &["show", ""][..],
        &["apply", ""],
        &["--hermes-home", "/nonexistent-home", "rollback", ""],
        &["--workspace", "/nonexistent-workspace", "show", ""],
        &["--profile", "nobody", "show", ""],
    ] {
        assert_eq!(ids(&sandbox, words), Vec::<String>::new(), "{words:?}");
    }
}

/// A place that nobody has used yet stays as it is; a lock that somebody holds is not waited for;
/// a torn last line and an interrupted decision are left to a writer.
#[test]
fn g6_asking_makes_nothing_and_waits_for_nobody() {
    let sandbox = Sandbox::new();
    assert_eq!(ids(&sandbox, &["apply", ""]), Vec::<String>::new());
    let id = sandbox.propose(&create(NAME, "one\n"));
    let receipt = sandbox.apply(&id);
    let second = sandbox.propose(&patch(NAME, "one", "1"));
    let lock = fs_err::File::open(sandbox.home().join("lithermes/lock")).unwrap();
    lock.file().lock().unwrap();
    assert_eq!(ids(&sandbox, &["apply", ""]), [second.as_str()]);
    let ledger = fs_err::read_to_string(sandbox.ledger()).unwrap();
    fs_err::write(sandbox.ledger(), format!("{ledger}{{\"torn")).unwrap();
    assert_eq!(ids(&sandbox, &["rollback", ""]), [receipt.as_str()]);
    let (opening, _) = ledger.split_once('\n').unwrap();
    fs_err::write(sandbox.ledger(), format!("{opening}\n")).unwrap();
    assert_eq!(ids(&sandbox, &["apply", ""]), [second.as_str()]);
    assert_eq!(ids(&sandbox, &["rollback", ""]), Vec::<String>::new());
}

/// In bash itself, where it is installed: what the script's function answers.
#[test]
fn bash_completes_ids_with_the_script_loaded() {
    const LINE: &str = r#"
        source "$1" || exit 3
        [[ $(complete -p lithermes) == *' _lithermes_with_ids '* ]] || exit 4
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _lithermes_with_ids lithermes "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" || exit 5
        printf '%s\n' "${COMPREPLY[@]}""#;
    let (sandbox, all, [_, applied]) = one_of_each();
    let script = sandbox.root().join("user/lithermes.bash");
    fs_err::write(&script, sandbox.run(&["completions", "bash"]).ok().stdout).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("lithermes");
    let mut path = vec![program.parent().unwrap().to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let path = std::env::join_paths(path).unwrap();
    let work = sandbox.work();
    let table = [
        (vec!["skill-loop", "apply", ""], all[0].clone()),
        (vec!["skill-loop", "apply", "p-"], all[0].clone()),
        (
            vec![
                "--workspace",
                "=",
                work.to_str().unwrap(),
                "skill-loop",
                "reject",
                "",
            ],
            all[0].clone(),
        ),
        (
            vec!["skill-loop", "rollback", &applied[..5]],
            applied.clone(),
        ),
        (
            vec!["--workspace", "/nowhere", "skill-loop", "show", ""],
            String::new(),
        ),
        (vec!["skill-loop", "ap"], "apply".to_owned()),
        (vec!["skill-loop", "apply", "--dry"], "--dry-run".to_owned()),
        (
            vec!["skill-loop", "log", "--kind", "skill.ap"],
            "skill.approve\nskill.apply".to_owned(),
        ),
        (vec!["completions", "el"], "elvish".to_owned()),
    ];
    for (words, expected) in table {
        let mut bash = sandbox.process("bash");
        bash.args(["--norc", "-c", LINE, "bash"])
            .arg(&script)
            .arg("lithermes");
        bash.args(&words).env("PATH", &path);
        let out = match bash.output() {
            Ok(out) => out,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => panic!("bash: {error}"),
        };
        let (stdout, stderr) = (
            String::from_utf8(out.stdout).unwrap(),
            String::from_utf8(out.stderr).unwrap(),
        );
        assert!(
            out.status.success() && stderr.is_empty(),
            "{words:?}: {} {stderr}",
            out.status
        );
        assert_eq!(stdout.trim_end(), expected, "{words:?}");
    }
}
