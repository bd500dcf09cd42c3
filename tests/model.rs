//! Random sequences of decisions against a small reference model: disk, states and ledger are
//! compared after each step.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::support::{Sandbox, marked, patch};

#[derive(Debug, Clone)]
enum Step {
    Propose { workspace: usize, value: u8 },
    Apply { proposal: usize },
    Edit { value: u8 },
    Reject { proposal: usize },
    Rollback { receipt: usize },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..2_usize, 0..4_u8).prop_map(|(workspace, value)| Step::Propose { workspace, value }),
        4 => (0..8_usize).prop_map(|proposal| Step::Apply { proposal }),
        1 => (0..4_u8).prop_map(|value| Step::Edit { value }),
        2 => (0..8_usize).prop_map(|proposal| Step::Reject { proposal }),
        4 => (0..8_usize).prop_map(|receipt| Step::Rollback { receipt }),
    ]
}

/// What should be true. A skill's file is one value.
struct Model {
    disk: u8,
    states: BTreeMap<String, &'static str>,
    /// Id, workspace, value before, value after.
    proposals: Vec<(String, usize, u8, u8)>,
    /// Id, proposal, value before, value after, state that it left, taken back.
    receipts: Vec<(String, String, u8, u8, &'static str, bool)>,
    lines: usize,
}

struct World {
    sandbox: Sandbox,
    workspaces: [String; 2],
    model: Model,
}

impl World {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.skill("demo", "value 0\n");
        let workspaces = ["one", "two"].map(|name| {
            let path = sandbox.root().join(name);
            fs_err::create_dir(&path).unwrap();
            path.to_str().unwrap().to_owned()
        });
        let model = Model {
            disk: 0,
            states: BTreeMap::new(),
            proposals: vec![],
            receipts: vec![],
            lines: 0,
        };
        Self {
            sandbox,
            workspaces,
            model,
        }
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Propose { workspace, value } => self.propose(workspace, value),
            Step::Apply { proposal } => self.apply(proposal),
            Step::Edit { value } => {
                let path = self.sandbox.skill_path("demo").join("SKILL.md");
                fs_err::write(path, marked("demo", &format!("value {value}\n"))).unwrap();
                self.model.disk = value;
            }
            Step::Reject { proposal } => self.reject(proposal),
            Step::Rollback { receipt } => self.rollback(receipt),
        }
        self.compare();
    }

    fn propose(&mut self, workspace: usize, value: u8) {
        let model = &mut self.model;
        if value == model.disk {
            return;
        }
        let document = patch(
            "demo",
            &format!("value {}", model.disk),
            &format!("value {value}"),
        );
        let args = [
            "skill-loop",
            "propose",
            "-",
            "--json",
            "--workspace",
            &self.workspaces[workspace],
        ];
        let answer = self
            .sandbox
            .run_with(&args, document.to_string())
            .ok()
            .json();
        let id = answer["proposals"][0]["id"].as_str().unwrap().to_owned();
        let outcome = answer["proposals"][0]["outcome"].as_str().unwrap();
        let known = model.states.get(&id).copied();
        let here = model
            .proposals
            .iter()
            .any(|(other, at, ..)| *other == id && *at == workspace);
        let expected = match known {
            Some("applied") => "already-applied",
            Some("rejected" | "rolled-back") => "reopened",
            Some(_) if here => "already-pending",
            _ => "imported",
        };
        assert_eq!(outcome, expected, "{answer:#}");
        if expected == "reopened" {
            model.lines += 1;
        }
        if expected != "already-applied" {
            model.states.insert(id.clone(), "pending");
        }
        if !here {
            model.proposals.push((id, workspace, model.disk, value));
        }
    }

    fn apply(&mut self, number: usize) {
        let model = &mut self.model;
        let Some((id, workspace, before, after)) = model.proposals.get(number).cloned() else {
            return;
        };
        let ran = self.sandbox.sl(&[
            "apply",
            &id,
            "--json",
            "--workspace",
            &self.workspaces[workspace],
        ]);
        match model.states[&id] {
            "applied" => assert_eq!(ran.ok().json()["results"][0]["outcome"], "already"),
            "pending" if model.disk == before => {
                let receipt = ran.ok().json()["results"][0]["receipt"]
                    .as_str()
                    .unwrap()
                    .to_owned();
                model.disk = after;
                model.lines += 2;
                model.states.insert(id.clone(), "applied");
                model
                    .receipts
                    .push((receipt, id, before, after, "applied", false));
            }
            "pending" => drop(ran.exits(4).fails("STALE_BASE")),
            _ => drop(ran.exits(4).fails("NOT_PENDING")),
        }
    }

    fn reject(&mut self, number: usize) {
        let model = &mut self.model;
        let Some((id, workspace, ..)) = model.proposals.get(number).cloned() else {
            return;
        };
        let ran = self.sandbox.sl(&[
            "reject",
            &id,
            "--json",
            "--workspace",
            &self.workspaces[workspace],
        ]);
        match model.states[&id] {
            "pending" => {
                assert_eq!(ran.ok().json()["results"][0]["outcome"], "done");
                model.lines += 1;
                model.states.insert(id, "rejected");
            }
            "rejected" => assert_eq!(ran.ok().json()["results"][0]["outcome"], "already"),
            _ => drop(ran.exits(4).fails("NOT_PENDING")),
        }
    }

    fn rollback(&mut self, number: usize) {
        let model = &mut self.model;
        let Some((receipt, id, before, after, left, taken)) = model.receipts.get(number).cloned()
        else {
            return;
        };
        let ran = self.sandbox.sl(&["rollback", &receipt, "--json"]);
        if taken {
            assert_eq!(ran.ok().json()["results"][0]["outcome"], "already");
        } else if model.disk == after {
            let new = ran.ok().json()["results"][0]["receipt"]
                .as_str()
                .unwrap()
                .to_owned();
            let state = if left == "applied" {
                "rolled-back"
            } else {
                "applied"
            };
            model.disk = before;
            model.lines += 2;
            model.states.insert(id.clone(), state);
            model.receipts[number].5 = true;
            model.receipts.push((new, id, after, before, state, false));
        } else {
            ran.exits(4).fails("ROLLBACK_CAS_MISMATCH");
        }
    }

    fn compare(&self) {
        let model = &self.model;
        let text =
            fs_err::read_to_string(self.sandbox.skill_path("demo").join("SKILL.md")).unwrap();
        assert_eq!(text, marked("demo", &format!("value {}\n", model.disk)));
        for (number, workspace) in self.workspaces.iter().enumerate() {
            let list = self
                .sandbox
                .json(&["list", "--all", "--workspace", workspace]);
            let listed: BTreeMap<&str, &str> = list["proposals"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| (one["id"].as_str().unwrap(), one["state"].as_str().unwrap()))
                .collect();
            let expected: BTreeMap<&str, &str> = model
                .proposals
                .iter()
                .filter(|(_, at, ..)| *at == number)
                .map(|(id, ..)| (id.as_str(), model.states[id]))
                .collect();
            assert_eq!(listed, expected);
        }
        let ledger = fs_err::read_to_string(self.sandbox.ledger()).unwrap_or_default();
        assert_eq!(ledger.lines().count(), model.lines);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn decisions_do_what_the_model_says(steps in proptest::collection::vec(step(), 4..24)) {
        let mut world = World::new();
        for step in &steps {
            world.take(step);
        }
        world.sandbox.holds();
    }
}
