//! `kill -9` of the real program at every step of every command that writes, and of the recovery
//! itself: the next command finds the old state or the new one, says which, and goes on.

use serde_json::Value;

use crate::support::scenes::{Call, SCENES, SKILL, Scene};
use crate::support::{Ran, Sandbox, Saved, Tree, create, differences};

/// One prepared command in a sandbox of its own, and how it ends when nothing kills it.
pub struct Stage {
    pub sandbox: Sandbox,
    pub saved: Saved,
    pub scene: Scene,
    pub call: Call,
    old: Picture,
    new: Picture,
    steps: u64,
}

/// What must be all old or all new.
#[derive(Debug, Clone, PartialEq)]
struct Picture {
    skills: Tree,
    state: Value,
}

/// What goes on after the kill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// Another command that writes.
    Propose,
    /// `verify --repair`.
    Repair,
    /// `verify --repair` from elsewhere, the workspace removed.
    WithoutWorkspace,
}

impl Stage {
    pub fn new(scene: Scene) -> Self {
        let sandbox = Sandbox::in_memory();
        let call = scene.prepare(&sandbox);
        let saved = Saved::of(&sandbox);
        let old = picture(&sandbox, &call.id);
        let log = tempfile::NamedTempFile::new().unwrap();
        let log_name = log.path().to_str().unwrap();
        run(&sandbox, &call, &[("LITHERMES_TEST_STEPS", log_name)]).ok();
        let steps = fs_err::read_to_string(log.path()).unwrap().lines().count();
        let new = picture(&sandbox, &call.id);
        assert_ne!(old, new, "{}", scene.name);
        Self {
            sandbox,
            saved,
            scene,
            call,
            old,
            new,
            steps: steps as u64,
        }
    }

    /// The sandbox as after a kill just before step `stop`.
    fn kill(&self, stop: u64) {
        self.saved.restore(&self.sandbox);
        let ran = run(
            &self.sandbox,
            &self.call,
            &[("LITHERMES_TEST_STOP", &stop.to_string())],
        );
        assert_eq!(ran.status, -1, "{} {stop}: {ran:?}", self.scene.name);
    }

    /// What a killed process left: whole files only, said by those who read, changed by none.
    pub fn looks_well(&self, at: &str) -> bool {
        let before = self.sandbox.tree();
        let skills = Tree::of(&self.sandbox.home()).below("skills");
        for line in differences(&self.old.skills, &skills) {
            let (sign, path) = line.split_at(2);
            let is_new = self.new.skills.same_at(&skills, path);
            let is_gone = sign == "- " && !self.new.skills.has(path);
            assert!(
                is_new || is_gone || is_temporary(path),
                "{at}: {line} is neither old nor new"
            );
        }
        let open = is_open(&self.sandbox);
        let shown = self.sandbox.json(&["list", "--all"]);
        let items = shown["proposals"].as_array().unwrap();
        if let Some(item) = items.iter().find(|item| item["id"] == *self.call.id) {
            assert_eq!(item["state"] == "interrupted", open, "{at}: {item:#}");
            let told = self.sandbox.sl(&["show", &self.call.id]).ok().stdout;
            assert_eq!(told.contains("interrupted"), open, "{at}: {told}");
        }
        self.sandbox.sl(&["log"]).ok();
        let verify = self.sandbox.sl(&["verify", "--json"]).ok().json();
        let interrupted = verify["interrupted"].as_array().unwrap().len();
        assert_eq!(interrupted, usize::from(open), "{at}: {verify:#}");
        assert_eq!(
            differences(&before, &self.sandbox.tree()),
            Vec::<String>::new()
        );
        open
    }

    /// The next command says what it recovered, and all is old or all is new.
    pub fn goes_on(&self, next: Next, at: &str) {
        let open = is_open(&self.sandbox);
        let closed = kinds(&self.sandbox)
            .into_iter()
            .skip(self.kinds_before())
            .any(|kind| kind != "skill.approve" && kind != "skill.recover");
        let ran = self.next(next, &[]).ok();
        let notes = said(&ran, "interrupted");
        assert_eq!(notes.len(), usize::from(open), "{at}: {ran:?}");
        let is_new = self.settled(at, next != Next::WithoutWorkspace);
        if let Some(note) = notes.first() {
            let word = if is_new { "was finished" } else { "was undone" };
            assert!(note.contains(word), "{at}: {note}");
        }
        // Without its workspace nobody can say where a proposal that touched no skill stands.
        let known = self.scene.decides || next != Next::WithoutWorkspace;
        assert!(
            is_new || !closed || !known,
            "{at}: a durable closing line was lost"
        );
    }

    fn kinds_before(&self) -> usize {
        let path = self
            .saved
            .path()
            .join("home/lithermes/skill-loop-ledger.jsonl");
        fs_err::read_to_string(path).map_or(0, |text| text.lines().count())
    }

    /// All old or all new, nothing left over, every proof holds. Whether it is new.
    pub fn settled(&self, at: &str, has_workspace: bool) -> bool {
        let skills = Tree::of(&self.sandbox.home()).below("skills");
        let is_new = if self.scene.decides {
            let from_old = differences(&self.old.skills, &skills);
            let from_new = differences(&self.new.skills, &skills);
            assert!(
                from_old.is_empty() || from_new.is_empty(),
                "{at}: from old {from_old:?}, from new {from_new:?}"
            );
            from_new.is_empty()
        } else {
            has_workspace && state(&self.sandbox, &self.call.id) == self.new.state
        };
        if has_workspace {
            let wanted = if is_new { &self.new } else { &self.old };
            assert_eq!(
                state(&self.sandbox, &self.call.id),
                wanted.state,
                "{at}: is_new {is_new}"
            );
        }
        let left = leftovers(&self.sandbox);
        assert_eq!(left, Vec::<String>::new(), "{at}");
        let elsewhere = [("cwd", "user")];
        let where_to: &[(&str, &str)] = if has_workspace { &[] } else { &elsewhere };
        let verify = command(&self.sandbox, &["verify", "--json"], "", where_to).ok();
        assert_eq!(verify.json()["interrupted"], serde_json::json!([]), "{at}");
        let fsck = ["fsck", "--strict", "--full", "--no-dangling"];
        assert_eq!(self.sandbox.git(&fsck), "", "{at}");
        is_new
    }

    pub fn next(&self, next: Next, environment: &[(&str, &str)]) -> Ran {
        let mut environment = environment.to_vec();
        match next {
            Next::Propose => {
                let document = create("quite-another", "Text.\n").to_string();
                command(&self.sandbox, &["propose", "-"], &document, &environment)
            }
            Next::Repair => command(&self.sandbox, &["verify", "--repair"], "", &environment),
            Next::WithoutWorkspace => {
                if self.sandbox.work().exists() {
                    fs_err::remove_dir_all(self.sandbox.work()).unwrap();
                }
                environment.push(("cwd", "user"));
                command(&self.sandbox, &["verify", "--repair"], "", &environment)
            }
        }
    }
}

pub fn run(sandbox: &Sandbox, call: &Call, environment: &[(&str, &str)]) -> Ran {
    let args: Vec<&str> = call.args.iter().map(String::as_str).collect();
    command(sandbox, &args, &call.stdin, environment)
}

/// `cwd` is the folder of the sandbox to run it in.
pub fn command(sandbox: &Sandbox, args: &[&str], stdin: &str, environment: &[(&str, &str)]) -> Ran {
    let mut command = sandbox.command();
    command.arg("skill-loop").args(args).write_stdin(stdin);
    for (name, value) in environment {
        match *name {
            "cwd" => command.current_dir(sandbox.root().join(value)),
            _ => command.env(name, value),
        };
    }
    sandbox.ran(&mut command)
}

pub fn said(ran: &Ran, word: &str) -> Vec<String> {
    let lines = ran.stderr.lines().filter(|line| line.contains(word));
    lines.map(str::to_owned).collect()
}

pub fn state(sandbox: &Sandbox, id: &str) -> Value {
    let list = sandbox.json(&["list", "--all"]);
    let items = list["proposals"].as_array().unwrap();
    let item = items.iter().find(|item| item["id"] == *id);
    item.map_or(Value::Null, |item| item["state"].clone())
}

fn picture(sandbox: &Sandbox, id: &str) -> Picture {
    Picture {
        skills: Tree::of(&sandbox.home()).below("skills"),
        state: state(sandbox, id),
    }
}

/// The kinds of the ledger's whole lines.
fn kinds(sandbox: &Sandbox) -> Vec<String> {
    let text = fs_err::read_to_string(sandbox.ledger()).unwrap_or_default();
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    whole
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            line["kind"].as_str().unwrap().to_owned()
        })
        .collect()
}

pub fn is_open(sandbox: &Sandbox) -> bool {
    kinds(sandbox)
        .last()
        .is_some_and(|kind| kind == "skill.approve")
}

pub fn is_temporary(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap();
    name.starts_with(".lithermes-") && name.ends_with(".tmp")
}

/// What no command may leave behind.
pub fn leftovers(sandbox: &Sandbox) -> Vec<String> {
    let left = |path: &String| {
        path.ends_with(".tmp")
            || path.ends_with(".lock")
            || path.ends_with(".new")
            || path.contains("quarantine-")
    };
    sandbox.tree().paths().into_iter().filter(left).collect()
}

/// Two stages, so that both cores are at work; `visit` gets every point once.
pub fn at_every_point(scene: Scene, visit: impl Fn(&Stage, u64) + Sync) -> u64 {
    let visit = &visit;
    std::thread::scope(|scope| {
        let half = |first: u64| {
            scope.spawn(move || {
                let stage = Stage::new(scene);
                for stop in (first..=stage.steps).step_by(2) {
                    visit(&stage, stop);
                }
                stage.steps
            })
        };
        let halves = [half(1), half(2)];
        // Their paths differ, so object names do, and with them how many folders are made.
        let ends = halves.map(|half| {
            half.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        ends[0].max(ends[1])
    })
}

/// Whether to take the whole product of points and follow-ups instead of a part of it (minutes).
fn exhaustive() -> bool {
    std::env::var_os("LITHERMES_EXHAUSTIVE").is_some()
}

/// Every point, followed by each kind of next command in turn.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn killed_at_every_step() {
    for scene in SCENES {
        let steps = at_every_point(scene, |stage, stop| {
            let all = [Next::Propose, Next::Repair, Next::WithoutWorkspace];
            for (turn, next) in (0..).zip(all) {
                if turn != stop % 3 && !exhaustive() {
                    continue;
                }
                let at = format!("{} killed before step {stop}, then {next:?}", scene.name);
                stage.kill(stop);
                stage.looks_well(&at);
                stage.goes_on(next, &at);
                if next != Next::WithoutWorkspace {
                    run(&stage.sandbox, &stage.call, &[]).ok();
                    assert!(stage.settled(&at, true), "{at}: done again it is not new");
                }
            }
        });
        println!("{}: {steps} points", scene.name);
        let least = if scene.decides { 30 } else { 6 };
        assert!(steps > least, "{}: {steps} steps only", scene.name);
    }
}

/// The recovery is killed at each of its own steps, after every fifth kill that leaves an open
/// decision and every seventeenth of those that leave none.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn the_recovery_is_killed_too() {
    for scene in SCENES {
        let runs = std::sync::atomic::AtomicU64::new(0);
        at_every_point(scene, |stage, stop| {
            let next = [Next::Propose, Next::Repair][usize::from(stop % 2 == 0)];
            stage.kill(stop);
            let every = if is_open(&stage.sandbox) { 5 } else { 17 };
            if stop % every != 0 && !exhaustive() {
                return;
            }
            let killed = Saved::of(&stage.sandbox);
            for second in 1.. {
                let at = format!(
                    "{} killed before {stop}, {next:?} before {second}",
                    scene.name
                );
                killed.restore(&stage.sandbox);
                let variable = ("LITHERMES_TEST_STOP", second.to_string());
                let ran = stage.next(next, &[(variable.0, &variable.1)]);
                if ran.status == 0 {
                    assert!(second > 1, "{at}: no step");
                    break;
                }
                assert_eq!(ran.status, -1, "{at}: {ran:?}");
                stage.looks_well(&at);
                stage.goes_on(Next::Repair, &at);
                runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        });
        println!("{}: {} points of recovery", scene.name, runs.into_inner());
    }
}

/// Between the kill and the recovery somebody edits a file that the decision touches.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn a_hand_edit_between_kill_and_recovery_stays() {
    for scene in SCENES.into_iter().filter(|scene| scene.decides) {
        let met = std::sync::atomic::AtomicU64::new(0);
        at_every_point(scene, |stage, stop| {
            let at = format!("{} killed before step {stop}, then edited", scene.name);
            stage.kill(stop);
            if !is_open(&stage.sandbox) {
                return;
            }
            met.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let path = stage.sandbox.skill_path(SKILL).join("SKILL.md");
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(&path, "By hand.\n").unwrap();
            let skills = || Tree::of(&stage.sandbox.home()).below("skills");
            let without_temporary = |tree: Tree| {
                let temporary: Vec<String> = tree
                    .paths()
                    .into_iter()
                    .filter(|path| is_temporary(path))
                    .collect();
                temporary.iter().fold(tree, |tree, path| tree.without(path))
            };
            let edited = without_temporary(skills());
            let ran = stage.next(Next::Repair, &[]).ok();
            let notes = said(&ran, "edited by hand");
            assert_eq!(notes.len(), 1, "{at}: {ran:?}");
            assert_eq!(
                differences(&edited, &skills()),
                Vec::<String>::new(),
                "{at}"
            );
            assert_eq!(leftovers(&stage.sandbox), Vec::<String>::new(), "{at}");
            let item = stage.sandbox.item(&stage.call.id);
            assert_eq!(item["state"], stage.old.state, "{at}");
            let marks = stage.sandbox.marks(&stage.call.id);
            assert!(marks.contains(&"contested".to_owned()), "{at}: {marks:?}");
            let last = fs_err::read_to_string(stage.sandbox.ledger()).unwrap();
            let last: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
            assert_eq!(last["outcome"], "contested", "{at}");
            let contested = last["contested"].as_array().unwrap();
            let file = contested
                .iter()
                .find(|file| file["path"] == "SKILL.md")
                .unwrap();
            assert_eq!(file["found"]["size"], 9, "{at}: {file:#}");
            assert_ne!(file["before"], file["after"], "{at}");
            stage.sandbox.holds();
        });
        let met = met.into_inner();
        println!(
            "{}: {met} points between opening and closing line",
            scene.name
        );
        assert!(met > 3, "{}: {met}", scene.name);
    }
}

/// An import of two that was killed between them is completed by the same import.
#[cfg_attr(not(debug_assertions), ignore = "a release build has no test seams")]
#[test]
fn half_an_import_is_completed_by_the_same_import() {
    let sandbox = Sandbox::in_memory();
    let document = serde_json::json!([create("first", "x\n"), create("second", "y\n")]);
    let saved = Saved::of(&sandbox);
    for stop in 1.. {
        saved.restore(&sandbox);
        let stop = stop.to_string();
        let args = ["propose", "-"];
        let text = document.to_string();
        let ran = command(&sandbox, &args, &text, &[("LITHERMES_TEST_STOP", &stop)]);
        if ran.status == 0 {
            return;
        }
        assert_eq!(sandbox.propose_all(&document).len(), 2, "{stop}");
        let list = sandbox.json(&["list"]);
        assert_eq!(list["proposals"].as_array().unwrap().len(), 2, "{stop}");
        assert_eq!(leftovers(&sandbox), Vec::<String>::new(), "{stop}");
        sandbox.holds();
    }
}
