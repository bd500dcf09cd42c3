//! A home with a long history whose objects stock git packed.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use lithermes::disk::{Dir, Lock};
use lithermes::ledger::{Draft, Ledger};
use lithermes::skill_loop::receipt::{
    FileChange, FileState, Op, Opening, Settled, State, kind, to_body,
};
use lithermes::store::{FOLDER, ObjectId, Store};

use crate::documents;
use crate::home::Home;

const SKILLS: usize = 1_000;

/// A home with so many applied patches, taken in turn on a thousand skills.
pub(crate) fn home(decisions: usize) -> Home {
    let home = Home::with_skills(0);
    fs_err::create_dir(home.state()).unwrap();
    let commits = import(&home, decisions);
    pack(&home);
    home.fill_ledger(|ledger, lock| {
        for (number, commit) in commits.into_iter().enumerate() {
            record(ledger, lock, number, commit);
        }
    });
    for number in decisions.saturating_sub(SKILLS)..decisions {
        home.write_skill(number % SKILLS, &text(number));
    }
    home
}

/// What decision `number` leaves in its skill.
fn text(number: usize) -> String {
    documents::skill(number % SKILLS) + &format!("Round {}.\n", number / SKILLS)
}

/// Writes the objects of all decisions through `git fast-import`; the commits, in order.
fn import(home: &Home, decisions: usize) -> Vec<ObjectId> {
    let dir = Dir::open_root(&home.state()).unwrap().unwrap();
    let lock = Lock::acquire(&dir, "lock", Duration::ZERO, "bench", &mut |_| {}).unwrap();
    Store::open_or_create(&dir, &lock).unwrap();
    let marks = home.state().join("marks");
    let mut git = git(home);
    git.args(["fast-import", "--quiet"])
        .arg(format!("--export-marks={}", marks.display()));
    let mut child = git.stdin(Stdio::piped()).spawn().unwrap();
    let mut stream = std::io::BufWriter::new(child.stdin.take().unwrap());
    for number in 0..decisions {
        let document = format!("{{\"rationale\":\"Reason {number}.\"}}\n");
        let (blob, paper, commit) = (3 * number + 1, 3 * number + 2, 3 * number + 3);
        for (mark, data) in [(blob, text(number)), (paper, document)] {
            write!(stream, "blob\nmark :{mark}\ndata {}\n{data}\n", data.len()).unwrap();
        }
        let branch = documents::name(number % SKILLS);
        let message = format!("apply {number}");
        write!(
            stream,
            "commit refs/heads/skills/{branch}\nmark :{commit}\n\
             committer lithermes <lithermes@localhost> {number} +0000\ndata {}\n{message}\n\
             M 100644 :{blob} skill/SKILL.md\nM 100644 :{paper} proposal.json\n",
            message.len()
        )
        .unwrap();
    }
    drop(stream);
    assert!(child.wait().unwrap().success());
    let lines = fs_err::read_to_string(&marks).unwrap();
    fs_err::remove_file(&marks).unwrap();
    let mut commits: Vec<(usize, ObjectId)> = lines.lines().filter_map(marked_commit).collect();
    commits.sort_unstable();
    commits.into_iter().map(|(_, id)| id).collect()
}

fn marked_commit(line: &str) -> Option<(usize, ObjectId)> {
    let (mark, id) = line.strip_prefix(':')?.split_once(' ')?;
    let mark: usize = mark.parse().unwrap();
    let id = serde_json::from_value(id.into()).unwrap();
    mark.is_multiple_of(3).then_some((mark, id))
}

/// One pack, as a person would make it: `git repack -a && git prune-packed`.
fn pack(home: &Home) {
    let folder = home.state().join(FOLDER).join("objects/pack");
    let packs = || {
        let entries = fs_err::read_dir(&folder).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let imported = packs();
    for args in [&["repack", "-a", "-q"][..], &["prune-packed", "-q"]] {
        assert!(git(home).args(args).status().unwrap().success());
    }
    if packs().len() > imported.len() {
        for path in imported {
            fs_err::remove_file(path).unwrap();
        }
    }
}

fn git(home: &Home) -> Command {
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(home.state().join(FOLDER));
    git
}

/// The two lines of a decision.
fn record(ledger: &Ledger, lock: &Lock, number: usize, commit: ObjectId) {
    let state = |number: usize| FileState::of(text(number).as_bytes(), 0o644).unwrap();
    let proposal_id = format!("p-{number:032x}");
    let opening = Opening {
        op: Op::Apply,
        proposal_id: proposal_id.clone(),
        skill: documents::name(number % SKILLS),
        plan_digest: format!("{number:064x}"),
        files: vec![FileChange {
            path: "SKILL.md".to_owned(),
            before: number.checked_sub(SKILLS).map(state),
            after: Some(state(number)),
        }],
        directories: Vec::new(),
        rolls_back: None,
        state_before: State::Pending,
        state_after: State::Applied,
        commit: commit.clone(),
        left_out: Vec::new(),
        home: "/home/somebody/.hermes".to_owned(),
    };
    let draft = |kind: &str, body| Draft {
        kind: kind.to_owned(),
        actor: "somebody@somewhere".to_owned(),
        argv: ["lithermes", "skill-loop", "apply", &proposal_id]
            .map(str::to_owned)
            .to_vec(),
        body,
    };
    let opened = ledger
        .append(lock, draft(kind::APPROVE, to_body(&opening)))
        .unwrap();
    let settled = Settled {
        proposal_id: proposal_id.clone(),
        skill: Some(opening.skill),
        state: State::Applied,
        opens: Some(opened.entry.id),
        rolls_back: None,
        commit: Some(commit),
        outcome: None,
        contested: Vec::new(),
        reason: None,
    };
    ledger
        .append(lock, draft(kind::APPLY, to_body(&settled)))
        .unwrap();
}
