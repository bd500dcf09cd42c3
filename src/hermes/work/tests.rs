use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Action, Demand, Granted, Work, active, spelling};
use crate::error::{Code, Result};
use crate::guard::json::{self, Limits};

const ID: &str = "work-0123456789abcdef";
/// Made by Python: `json.dumps(…, sort_keys=True, separators=(",", ":"))`.
const SPELLED: &str = "52697a0ba0f873460855a07ef8d9de0a45491a51c65ed37c835effc4fb7047a2";
const WRITE: &str = "grant-0123456789abcdef";

/// A worktree with one work folder.
struct World {
    _held: TempDir,
    worktree: PathBuf,
}

impl World {
    fn new() -> Self {
        let held = TempDir::new().unwrap();
        let worktree = held.path().canonicalize().unwrap().join("tree");
        fs_err::create_dir_all(worktree.join("conf/deep")).unwrap();
        fs_err::create_dir_all(worktree.join(".git")).unwrap();
        let world = Self {
            _held: held,
            worktree,
        };
        fs_err::create_dir_all(world.folder()).unwrap();
        world
    }

    fn folder(&self) -> PathBuf {
        self.worktree.join(".hermes/lithermes/work").join(ID)
    }

    fn conf(&self) -> PathBuf {
        self.worktree.join("conf")
    }

    fn grant(&self, action: &str, root: &str) -> Value {
        let root = self.worktree.join(root);
        json!({"id": WRITE, "action": action, "root": root, "boundary_id": null, "consumed_at": null})
    }

    fn state(&self) -> Value {
        json!({
            "schema": 3, "work_id": ID, "worktree": self.worktree, "plan": "plans/a.md",
            "objective": "naïve 😀", "revision": 4, "status": "active",
            "authority": [self.grant("write", "conf")],
            "active_session_id": "s1", "activation_consumed": true, "boundary": null,
        })
    }

    fn put(&self, state: &Value, events: &[Value]) {
        let spelled = serde_json::to_string_pretty(state).unwrap();
        fs_err::write(self.folder().join("state.json"), spelled).unwrap();
        let lines = events.iter().map(|event| format!("{event}\n"));
        let ledger: String = lines.collect();
        fs_err::write(self.folder().join("ledger.jsonl"), ledger).unwrap();
    }

    /// State and ledger that bear each other out.
    fn hold(&self, state: &Value) {
        self.put(state, &[first(), event(state)]);
    }

    fn check(&self, revision: u64, action: Action, target: &Path) -> Result<Vec<Granted>> {
        let home = self.worktree.join("home");
        let target = target.to_owned();
        let work = Work::find(&self.conf(), ID)?;
        work.check(revision, &[Demand { action, target }], &home)
    }

    fn write(&self) -> Result<Vec<Granted>> {
        self.check(4, Action::Write, &self.conf())
    }

    /// The code of a check of the changed state.
    fn code(&self, change: impl FnOnce(&mut Value)) -> Option<Code> {
        let mut state = self.state();
        change(&mut state);
        self.hold(&state);
        self.write().err().map(|error| error.code())
    }
}

fn event(state: &Value) -> Value {
    json!({"event": "progress_recorded", "at": "2026-01-01T00:00:00+00:00",
           "revision": state["revision"], "state_after": state})
}

fn first() -> Value {
    json!({"event": "initialized", "at": "2026-01-01T00:00:00+00:00", "revision": 1})
}

const REQUIRED: Option<Code> = Some(Code::BlockedBoundedAuthorityRequired);
const STALE: Option<Code> = Some(Code::BlockedStaleConferenceState);

#[test]
fn what_holds_is_granted_and_nothing_is_made() {
    let world = World::new();
    world.hold(&world.state());
    let granted = world.write().unwrap();
    assert_eq!(granted[0].id, WRITE);
    assert_eq!(granted[0].digest.len(), 64);
    let mut names: Vec<_> = fs_err::read_dir(world.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["ledger.jsonl", "state.json"]);
}

#[test]
fn the_spelling_is_the_hosts() {
    let text = r#"{"b":[1,-2,null,true,false],"a":"é😀\u007f\n\t\"\\/\b\f\u0001","ab":{},"Z":[]}"#;
    let limits = Limits {
        bytes: 999,
        depth: 9,
    };
    let read = |text: &str| json::read(text.as_bytes(), limits).unwrap().root;
    let found = spelling::digest(&read(text));
    assert_eq!(found.as_deref(), Some(SPELLED));
    for fraction in ["1.0", "1e2", "-0"] {
        assert_eq!(spelling::digest(&read(fraction)), None, "{fraction}");
    }
}

#[test]
fn no_work_grants_nothing() {
    let world = World::new();
    assert_eq!(world.write().unwrap_err().code(), REQUIRED.unwrap());
    assert_eq!(active(&world.conf()), None);
    for id in ["../up", "", "-x", "work-ffffffffffffffff"] {
        let code = Work::find(&world.conf(), id).unwrap_err().code();
        assert_eq!(Some(code), REQUIRED, "{id}");
    }
}

#[test]
fn each_field_of_identity_and_standing_counts() {
    let world = World::new();
    assert_eq!(world.code(|_| ()), None);
    let cases: [(&str, Value); 14] = [
        ("schema", json!(2)),
        ("schema", json!("3")),
        ("work_id", json!("work-ffffffffffffffff")),
        ("worktree", json!("/somewhere")),
        ("revision", json!(0)),
        ("revision", json!("4")),
        ("status", json!("paused")),
        ("status", json!("cancelled")),
        ("status", json!("completed")),
        ("activation_consumed", json!(false)),
        ("active_session_id", json!("")),
        ("active_session_id", Value::Null),
        ("authority", json!([])),
        (
            "authority",
            json!([{"id": "/", "action": "write", "root": "/"}]),
        ),
    ];
    for (key, value) in cases {
        let code = world.code(|state| state[key] = value.clone());
        assert_eq!(code, REQUIRED, "{key} {value}");
    }
    assert_eq!(world.code(|state| state["revision"] = json!(5)), STALE);
    assert_eq!(world.code(|state| state["progress"] = json!(0.5)), REQUIRED);
}

#[test]
fn a_paused_work_is_missing_authority_before_it_is_stale() {
    let world = World::new();
    let code = world.code(|state| {
        state["revision"] = json!(5);
        state["status"] = json!("paused");
    });
    assert_eq!(code, REQUIRED);
}

#[test]
fn a_ledger_ahead_is_believed_and_one_behind_refused() {
    let world = World::new();
    let (before, mut after) = (world.state(), world.state());
    after["revision"] = json!(5);
    after["authority"] = json!([]);
    world.put(&before, &[event(&before), event(&after)]);
    let work = Work::find(&world.conf(), ID).unwrap();
    assert!(work.is_recovered());
    assert_eq!(work.revision(), 5);
    let code = |found: Result<Vec<Granted>>| found.err().map(|error| error.code());
    assert_eq!(code(world.write()), STALE);
    assert_eq!(code(world.check(5, Action::Write, &world.conf())), REQUIRED);
    world.put(&after, &[event(&before)]);
    assert_eq!(code(world.write()), REQUIRED);
    let mut other = before.clone();
    other["objective"] = json!("another");
    world.put(&other, &[event(&before)]);
    assert_eq!(code(world.write()), REQUIRED);
    let mut torn = event(&after);
    torn["revision"] = json!(6);
    world.put(&before, &[event(&before), torn]);
    assert_eq!(code(world.write()), REQUIRED);
}

#[test]
fn a_ledger_that_goes_back_is_refused_and_revisions_begin_at_one() {
    let world = World::new();
    let (before, mut after) = (world.state(), world.state());
    after["revision"] = json!(5);
    world.put(&before, &[event(&after), event(&before)]);
    assert_eq!(Some(world.write().unwrap_err().code()), REQUIRED);
    let mut zeroth = world.state();
    zeroth["revision"] = json!(0);
    world.put(&zeroth, &[event(&zeroth)]);
    let found = world.check(0, Action::Write, &world.conf());
    assert_eq!(Some(found.unwrap_err().code()), REQUIRED);
}

#[test]
fn keys_that_stand_twice_grant_nothing_though_both_files_agree() {
    let world = World::new();
    let state = world.state();
    let twice = |text: String| text.replacen(r#""revision":4"#, r#""revision":4,"revision":4"#, 1);
    let spelled = twice(state.to_string());
    let event = event(&state).to_string();
    let event = event.replace(&state.to_string(), &spelled);
    fs_err::write(world.folder().join("state.json"), &spelled).unwrap();
    fs_err::write(world.folder().join("ledger.jsonl"), event).unwrap();
    assert_eq!(Some(world.write().unwrap_err().code()), REQUIRED);
}

#[test]
fn the_nearest_worktree_is_meant_and_those_around_it_count_too() {
    let world = World::new();
    world.hold(&world.state());
    let inner = world.conf().join(".hermes/lithermes/work");
    fs_err::create_dir_all(&inner).unwrap();
    assert_eq!(active(&world.conf()).as_deref(), Some(ID), "of the outer");
    let found = Work::find(&world.conf(), ID).unwrap();
    assert_eq!(found.revision(), 4, "the inner one has none of this id");
    let mut nearer = world.state();
    nearer["revision"] = json!(7);
    nearer["worktree"] = json!(world.conf());
    fs_err::create_dir_all(inner.join(ID)).unwrap();
    fs_err::write(inner.join(ID).join("state.json"), nearer.to_string()).unwrap();
    let ledger = event(&nearer).to_string();
    fs_err::write(inner.join(ID).join("ledger.jsonl"), ledger).unwrap();
    assert_eq!(Work::find(&world.conf(), ID).unwrap().revision(), 7);
}

#[test]
fn a_place_for_work_that_cannot_be_looked_into_counts_as_active() {
    let world = World::new();
    let place = world.worktree.join(".hermes/lithermes/work");
    let moved = world.worktree.join("moved");
    fs_err::rename(&place, &moved).unwrap();
    fs_err::os::unix::fs::symlink(&moved, &place).unwrap();
    assert_eq!(active(&world.conf()).as_deref(), Some("unreadable"));
}

#[test]
fn what_cannot_be_read_grants_nothing_and_counts_as_active() {
    let world = World::new();
    let state = world.state();
    world.hold(&state);
    let ledger = fs_err::read_to_string(world.folder().join("ledger.jsonl")).unwrap();
    let twice = serde_json::to_string(&state)
        .unwrap()
        .replacen('{', r#"{"schema":3,"#, 1);
    let large = format!("{}{}", " ".repeat(512_000), state);
    let damages: [(&str, Option<&str>); 7] = [
        ("state.json", None),
        ("ledger.jsonl", None),
        ("state.json", Some("[]")),
        ("state.json", Some(&twice)),
        ("state.json", Some(&large)),
        ("ledger.jsonl", Some(&format!("{{\n{ledger}"))),
        ("ledger.jsonl", Some("")),
    ];
    for (name, text) in damages {
        world.hold(&state);
        assert!(world.write().is_ok());
        let path = world.folder().join(name);
        match text {
            Some(text) => fs_err::write(path, text).unwrap(),
            None => fs_err::remove_file(path).unwrap(),
        }
        let found = world.write().unwrap_err();
        assert_eq!(Some(found.code()), REQUIRED, "{name}: {found}");
        assert_eq!(active(&world.conf()).as_deref(), Some(ID), "{name}");
    }
}

#[test]
fn a_link_on_the_way_is_refused() {
    let world = World::new();
    world.hold(&world.state());
    let moved = world.worktree.join("moved");
    fs_err::rename(world.folder(), &moved).unwrap();
    fs_err::os::unix::fs::symlink(&moved, world.folder()).unwrap();
    assert_eq!(Some(world.write().unwrap_err().code()), REQUIRED);
    assert_eq!(active(&world.conf()).as_deref(), Some(ID));
}

#[test]
fn a_grant_covers_what_lies_below_its_root_and_nothing_else() {
    let world = World::new();
    let outside = world.worktree.parent().unwrap().join("outside");
    fs_err::create_dir_all(&outside).unwrap();
    fs_err::create_dir_all(world.worktree.join("conference")).unwrap();
    fs_err::os::unix::fs::symlink(&outside, world.conf().join("out")).unwrap();
    fs_err::os::unix::fs::symlink("nowhere", world.conf().join("dangling")).unwrap();
    let mut state = world.state();
    state["authority"] = json!([world.grant("write", ""), world.grant("write", "conf")]);
    let cases = [
        ("conf", true, true),
        ("conf/deep/new/file", true, true),
        ("conference", false, true),
        ("", false, true),
        ("conf/out/file", false, false),
        ("conf/dangling", false, false),
        ("conf/../conf/a", false, false),
        ("conf/.git/config", false, false),
        (".hermes/lithermes", false, false),
        ("home/skills", false, false),
        ("../outside", false, false),
    ];
    for (target, narrow, wide) in cases {
        let target = world.worktree.join(target);
        world.hold(&world.state());
        let found = world.check(4, Action::Write, &target);
        assert_eq!(found.is_ok(), narrow, "narrow {}", target.display());
        world.hold(&state);
        let found = world.check(4, Action::Write, &target);
        assert_eq!(found.is_ok(), wide, "wide {}", target.display());
    }
}

#[test]
fn the_root_of_a_grant_is_a_real_path_in_the_worktree() {
    let world = World::new();
    fs_err::os::unix::fs::symlink("conf", world.worktree.join("alias")).unwrap();
    for root in ["alias", "../tree", "/", "conf/../conf"] {
        let grant = world.grant("write", root);
        let code = world.code(|state| state["authority"] = json!([grant]));
        assert_eq!(code, REQUIRED, "{root}");
    }
}

#[test]
fn one_action_does_not_give_another() {
    let world = World::new();
    let measured = |action: &str| {
        let mut state = world.state();
        state["authority"] = json!([world.grant(action, "conf")]);
        world.hold(&state);
        let is = |action| world.check(4, action, &world.conf()).is_ok();
        (is(Action::Write), is(Action::Measure))
    };
    assert_eq!(measured("write"), (true, false));
    assert_eq!(measured("execute-check"), (false, true));
    assert_eq!(measured("execute-test"), (false, true));
    for other in ["execute-build", "continue-session", "edit", "Write"] {
        assert_eq!(measured(other), (false, false), "{other}");
    }
}

#[test]
fn a_grant_of_a_pause_counts_once_it_is_taken_up() {
    let world = World::new();
    let of = |boundary: Value, consumed: Value| {
        let mut grant = world.grant("write", "conf");
        grant["boundary_id"] = boundary;
        grant["consumed_at"] = consumed;
        world.code(|state| state["authority"] = json!([grant]))
    };
    let at = json!("2026-01-01T00:00:00+00:00");
    assert_eq!(of(json!("boundary-1"), Value::Null), REQUIRED);
    assert_eq!(of(json!("boundary-1"), json!("")), REQUIRED);
    assert_eq!(of(json!("boundary-1"), at.clone()), None);
    assert_eq!(of(Value::Null, at), None);
}

#[test]
fn only_active_work_demands_a_grant() {
    let world = World::new();
    for (status, is_active) in [
        ("active", true),
        ("paused", false),
        ("cancelled", false),
        ("completed", false),
    ] {
        let mut state = world.state();
        state["status"] = json!(status);
        world.hold(&state);
        assert_eq!(active(&world.conf()).is_some(), is_active, "{status}");
    }
}

#[test]
fn looking_again_sees_what_changed() {
    let world = World::new();
    let mut state = world.state();
    world.hold(&state);
    let work = Work::find(&world.conf(), ID).unwrap();
    assert_eq!(work.again().unwrap(), work);
    state["revision"] = json!(5);
    world.hold(&state);
    let now = work.again().unwrap();
    assert_eq!((now.revision(), now.authority()), (5, work.authority()));
    state["authority"] = json!([world.grant("write", "conf/deep")]);
    world.hold(&state);
    assert_ne!(work.again().unwrap().authority(), work.authority());
    fs_err::remove_dir_all(world.folder()).unwrap();
    assert_eq!(Some(work.again().unwrap_err().code()), REQUIRED);
}
