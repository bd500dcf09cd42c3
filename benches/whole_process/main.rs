//! Figures of whole processes, side by side with Hermes in one run: `cargo bench`.
//!
//! `LITHERMES_BENCH_HERMES` names the `hermes` to compare with; without it the ratios are left
//! out. Each figure is the median of its runs, with the least and the most.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench prints, and one that cannot go on has failed"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lithermes::disk::{Dir, Lock};
use lithermes::ledger::{Draft, Ledger};
use serde_json::{Value, json};

const RUNS: usize = 21;

fn main() {
    // `cargo test --benches` only wants to know whether this builds.
    if std::env::args().any(|word| word == "--test") {
        return;
    }
    let hermes = Hermes::find();
    machine();
    let line = ["median ms", "least", "most", "of hermes --version"];
    println!(
        "{:<44}{:>10}{:>9}{:>9}{:>22}",
        "", line[0], line[1], line[2], line[3]
    );
    hermes.row("hermes --version", &[], |_| hermes.once());
    let empty = Bench::new(0);
    hermes.row("lithermes --version", &[], |_| empty.time(&["--version"]));
    for skills in [10, 1_000, 10_000] {
        sizes(&hermes, skills);
    }
    missing_anchor(&hermes);
    long_ledger(&hermes);
}

fn sizes(hermes: &Hermes, skills: usize) {
    let bench = Bench::new(skills);
    let ids = bench.propose((0..skills).map(patch).collect());
    let named = |what: &str| format!("{what}, {skills} skills and proposals");
    hermes.row(&named("list"), &[], |_| {
        bench.time(&["skill-loop", "list", "--json"])
    });
    hermes.row(&named("show"), &ids, |id| {
        bench.time(&["skill-loop", "show", id])
    });
    hermes.row(&named("propose"), &[], |run| {
        let mut document = patch(0);
        document["rationale"] = json!(format!("run {run}"));
        fs_err::write(bench.work().join("one.json"), document.to_string()).unwrap();
        bench.time(&["skill-loop", "propose", "one.json"])
    });
    let few = ids[ids.len().saturating_sub(RUNS)..].to_vec();
    hermes.row(&named("apply a patch"), &few, |id| {
        bench.time(&["skill-loop", "apply", id])
    });
    let creates = bench.propose((0..RUNS).map(create).collect());
    hermes.row(&named("apply a create"), &creates, |id| {
        bench.time(&["skill-loop", "apply", id])
    });
}

fn missing_anchor(hermes: &Hermes) {
    let bench = Bench::new(1);
    let body: String = (0..2_500)
        .map(|n| format!("Line {n} says what to do with part {n}.\n"))
        .collect();
    fs_err::write(bench.skill(0), skill(0) + &body[..99_000 - 200]).unwrap();
    let anchor: String = (0..40)
        .map(|n| format!("Line {n} says what to do with piece {n}.\n"))
        .collect();
    let mut document = patch(0);
    document["patch"]["oldString"] = json!(anchor);
    fs_err::write(bench.work().join("miss.json"), document.to_string()).unwrap();
    hermes.row("propose, oldString missing in 100 kB", &[], |_| {
        bench.time_with(&["skill-loop", "propose", "miss.json"], 4)
    });
}

fn long_ledger(hermes: &Hermes) {
    let bench = Bench::new(1);
    let state = bench.home().join("lithermes");
    fs_err::create_dir(&state).unwrap();
    let dir = Dir::open_root(&state).unwrap().unwrap();
    let lock = Lock::acquire(&dir, "lock", Duration::ZERO, "bench", &mut |_| {}).unwrap();
    let ledger = Ledger::new(&dir).unwrap();
    let draft = |number: usize| Draft {
        kind: "conference.round".to_owned(),
        actor: "bench@bench".to_owned(),
        argv: vec!["lithermes".to_owned()],
        body: serde_json::from_value(json!({"round": number, "note": "x".repeat(300)})).unwrap(),
    };
    let mut recent = String::new();
    for lines in [100, 100_000] {
        let have = ledger.last().unwrap().map_or(0, |line| line.entry.seq);
        for number in usize::try_from(have).unwrap()..lines {
            recent = ledger.append(&lock, draft(number)).unwrap().entry.id;
        }
        hermes.row(
            &format!("ledger append, {lines} lines (library)"),
            &[],
            |run| {
                let start = Instant::now();
                ledger
                    .append(&lock, draft(run.parse().unwrap_or(0)))
                    .unwrap();
                start.elapsed()
            },
        );
        hermes.row(
            &format!("lookup of a recent id, {lines} lines (library)"),
            &[],
            |_| {
                let start = Instant::now();
                ledger.find(&recent).unwrap();
                start.elapsed()
            },
        );
        hermes.row(&format!("verify, {lines} lines"), &[], |_| {
            bench.time(&["skill-loop", "verify"])
        });
    }
}

/// A home and a workspace.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new(skills: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Self { folder };
        for name in ["work", "home/skills"] {
            fs_err::create_dir_all(bench.folder.path().join(name)).unwrap();
        }
        for number in 0..skills {
            fs_err::create_dir(bench.skill(number).parent().unwrap()).unwrap();
            fs_err::write(bench.skill(number), skill(number)).unwrap();
        }
        bench
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn skill(&self, number: usize) -> PathBuf {
        self.home()
            .join(format!("skills/skill-{number:05}/SKILL.md"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lithermes"));
        command
            .args(args)
            .current_dir(self.work())
            .env("HERMES_HOME", self.home());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn time(&self, args: &[&str]) -> Duration {
        self.time_with(args, 0)
    }

    fn time_with(&self, args: &[&str], expected: i32) -> Duration {
        let mut command = self.command(args);
        let start = Instant::now();
        let status = command.status().unwrap();
        let took = start.elapsed();
        assert_eq!(status.code(), Some(expected), "{args:?}");
        took
    }

    /// Imports documents in arrays and gives the ids, in their order.
    fn propose(&self, documents: Vec<Value>) -> Vec<String> {
        let mut ids = Vec::new();
        for part in documents.chunks(1_000) {
            fs_err::write(self.work().join("many.json"), json!(part).to_string()).unwrap();
            let mut command = self.command(&["skill-loop", "propose", "many.json", "--json"]);
            let out = command.stdout(Stdio::piped()).output().unwrap();
            let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
            let proposals = answer["proposals"].as_array().unwrap();
            ids.extend(
                proposals
                    .iter()
                    .map(|one| one["id"].as_str().unwrap().to_owned()),
            );
        }
        ids
    }
}

fn skill(number: usize) -> String {
    let body = "A line of a skill that says what to do next.\n".repeat(40);
    format!(
        "---\nname: skill-{number:05}\ndescription: Skill number {number}.\nmetadata:\n  lithermesAgentGenerated: \"true\"\n---\n\n# First\n\n{body}"
    )
}

fn proposal(skill: &str) -> Value {
    json!({
        "schema": "lithermes/proposal/v1",
        "skill": skill,
        "signal": "correction",
        "rationale": "The user corrected this.",
        "evidenceRefs": ["note:bench"],
    })
}

fn patch(number: usize) -> Value {
    let mut document = proposal(&format!("skill-{number:05}"));
    document["patch"] =
        json!({"file": "SKILL.md", "oldString": "# First", "newString": "# Second"});
    document
}

fn create(number: usize) -> Value {
    let name = format!("new-{number:02}");
    let content = format!("---\nname: {name}\ndescription: New {number}.\n---\n\nText.\n");
    let mut document = proposal(&name);
    document["create"] = json!({"files": [{"path": "SKILL.md", "content": content}]});
    document
}

/// The peer: every row runs it in turn with what is measured.
struct Hermes {
    program: Option<PathBuf>,
    home: tempfile::TempDir,
}

impl Hermes {
    fn find() -> Self {
        let program = std::env::var_os("LITHERMES_BENCH_HERMES").map(PathBuf::from);
        Self {
            program,
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn once(&self) -> Duration {
        let Some(program) = &self.program else {
            return Duration::ZERO;
        };
        let mut command = Command::new(program);
        command
            .arg("--version")
            .env("HOME", self.home.path())
            .env("HERMES_HOME", self.home.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        assert!(command.status().unwrap().success());
        start.elapsed()
    }

    /// Measures `run` (given each of `inputs`, or the number of the run), interleaved with the peer.
    fn row(&self, name: &str, inputs: &[String], mut run: impl FnMut(&str) -> Duration) {
        let numbers: Vec<String> = (0..RUNS).map(|number| number.to_string()).collect();
        let inputs = if inputs.is_empty() { &numbers } else { inputs };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for input in inputs.iter().take(RUNS) {
            ours.push(run(input));
            theirs.push(self.once());
        }
        let (low, middle, high) = spread(&mut ours);
        let (_, peer, _) = spread(&mut theirs);
        let ratio = match self.program {
            Some(_) => format!("1 / {:.1}", peer / middle),
            None => "no hermes".to_owned(),
        };
        println!("{name:<44}{middle:>10.2}{low:>9.2}{high:>9.2}{ratio:>22}");
    }
}

/// Least, median and most, in milliseconds.
fn spread(times: &mut [Duration]) -> (f64, f64, f64) {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    (
        ms(times[0]),
        ms(times[times.len() / 2]),
        ms(times[times.len() - 1]),
    )
}

fn machine() {
    let read = |path: &str| fs_err::read_to_string(Path::new(path)).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let kernel = read("/proc/sys/kernel/osrelease");
    let temporary = std::env::temp_dir();
    println!(
        "{cores} cores, kernel {}, {}",
        kernel.trim(),
        temporary.display()
    );
}
