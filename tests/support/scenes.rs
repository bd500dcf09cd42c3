//! Every kind of command that writes, prepared up to the moment before it: what the tests of
//! killed processes and of failing disks go through.

use serde_json::{Value, json};

use super::{Sandbox, create, patch};

pub const SKILL: &str = "release-notes";

/// A prepared command.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    pub name: &'static str,
    /// Whether the command changes the skill, so that there are an opening and a closing line.
    pub decides: bool,
    prepare: fn(&Sandbox) -> Call,
}

/// What is run in a prepared sandbox.
#[derive(Debug, Clone)]
pub struct Call {
    pub args: Vec<String>,
    pub stdin: String,
    /// The proposal that it is about.
    pub id: String,
}

impl Scene {
    pub fn prepare(&self, sandbox: &Sandbox) -> Call {
        (self.prepare)(sandbox)
    }
}

pub const SCENES: [Scene; 11] = [
    scene("propose into an empty home", false, propose),
    scene("propose again after a rejection", false, reopen),
    scene("apply a create of three files", true, apply_create),
    scene("apply a patch", true, apply_patch),
    scene("apply several edits", true, apply_edits),
    scene("apply a support file with a pointer", true, apply_support),
    scene("reject", false, reject),
    scene("roll a patch back", true, rollback_patch),
    scene("roll a support file back", true, rollback_support),
    scene("roll a create back", true, rollback_create),
    scene("roll the rollback of a create back", true, rollback_twice),
];

const fn scene(name: &'static str, decides: bool, prepare: fn(&Sandbox) -> Call) -> Scene {
    Scene {
        name,
        decides,
        prepare,
    }
}

fn call(args: &[&str], id: &str) -> Call {
    Call {
        args: args.iter().map(|&word| word.to_owned()).collect(),
        stdin: String::new(),
        id: id.to_owned(),
    }
}

/// A skill of three files, one of them executable, in new folders.
pub fn three_files() -> Value {
    let mut document = create(SKILL, "Body one.\n\nBody two.\n");
    let files = document["create"]["files"].as_array_mut().unwrap();
    files.push(json!({"path": "references/style.md", "content": "Style.\n"}));
    files.push(json!({"path": "scripts/run.sh", "content": "#!/bin/sh\n", "executable": true}));
    document
}

pub fn support_file() -> Value {
    let mut document = patch(SKILL, "x", "y");
    document.as_object_mut().unwrap().remove("patch");
    document["supportFile"] = json!({
        "path": "references/more.md",
        "content": "More.\n",
        "pointer": {"oldString": "Body two.", "newString": "Body two, see references/more.md."},
    });
    document
}

fn edits() -> Value {
    let mut document = patch(SKILL, "x", "y");
    document["patch"] = json!({"file": "SKILL.md", "edits": [
        {"oldString": "Body one.", "newString": "First body."},
        {"oldString": "Body two.", "newString": "Second body."},
    ]});
    document
}

fn two_bodies(sandbox: &Sandbox) {
    sandbox.skill(SKILL, "Body one.\n\nBody two.\n");
}

fn propose(sandbox: &Sandbox) -> Call {
    let document = three_files();
    // Its id is known only to the program: asked in a home of its own.
    let id = Sandbox::new().propose(&document);
    fs_err::remove_dir(sandbox.home().join("skills")).unwrap();
    Call {
        stdin: document.to_string(),
        ..call(&["propose", "-"], &id)
    }
}

fn reopen(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    let document = patch(SKILL, "Body one.", "Body 1.");
    let id = sandbox.propose(&document);
    sandbox.sl(&["reject", &id, "--reason", "not now"]).ok();
    Call {
        stdin: document.to_string(),
        ..call(&["propose", "-"], &id)
    }
}

fn apply(sandbox: &Sandbox, document: &Value) -> Call {
    let id = sandbox.propose(document);
    call(&["apply", &id], &id)
}

fn apply_create(sandbox: &Sandbox) -> Call {
    apply(sandbox, &three_files())
}

fn apply_patch(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    apply(sandbox, &patch(SKILL, "Body one.", "Body 1."))
}

fn apply_edits(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    apply(sandbox, &edits())
}

fn apply_support(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    apply(sandbox, &support_file())
}

fn reject(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    let id = sandbox.propose(&patch(SKILL, "Body one.", "Body 1."));
    call(&["reject", &id, "--reason", "not now"], &id)
}

fn rollback(sandbox: &Sandbox, document: &Value) -> Call {
    let id = sandbox.propose(document);
    let receipt = sandbox.apply(&id);
    call(&["rollback", &receipt], &id)
}

fn rollback_patch(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    rollback(sandbox, &patch(SKILL, "Body one.", "Body 1."))
}

fn rollback_support(sandbox: &Sandbox) -> Call {
    two_bodies(sandbox);
    rollback(sandbox, &support_file())
}

fn rollback_create(sandbox: &Sandbox) -> Call {
    rollback(sandbox, &three_files())
}

fn rollback_twice(sandbox: &Sandbox) -> Call {
    let id = sandbox.propose(&three_files());
    let receipt = sandbox.apply(&id);
    let second = sandbox.rollback(&receipt);
    call(&["rollback", &second], &id)
}
