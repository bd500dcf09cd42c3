//! Random sequences against a small reference model: disk, states and ledger are compared after
//! each step. `PROPTEST_CASES` raises the number of sequences.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Sandbox, marked, patch};

const SKILL: &str = "release-notes";
const WORKSPACES: [&str; 2] = ["work", "second"];

/// What somebody does. Numbers choose among what is there, modulo.
#[derive(Debug, Clone)]
enum Act {
    /// Proposes to put a word after the first line, in one of two workspaces.
    Propose {
        workspace: usize,
        word: u8,
    },
    Apply {
        which: usize,
    },
    Reject {
        which: usize,
    },
    /// Imports a known proposal's document again.
    Again {
        which: usize,
    },
    Rollback {
        which: usize,
    },
    /// An editor's save; every word is a whole content.
    Edit {
        word: u8,
    },
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => (0..2usize, 0..3u8).prop_map(|(workspace, word)| Act::Propose { workspace, word }),
        4 => (0..8usize).prop_map(|which| Act::Apply { which }),
        1 => (0..8usize).prop_map(|which| Act::Reject { which }),
        2 => (0..8usize).prop_map(|which| Act::Again { which }),
        4 => (0..8usize).prop_map(|which| Act::Rollback { which }),
        1 => (0..3u8).prop_map(|word| Act::Edit { word }),
    ];
    prop::collection::vec(act, 4..14)
}

/// The reference: what the file is, where each proposal stands, and what each receipt did.
#[derive(Debug)]
struct Model {
    text: String,
    proposals: Vec<Known>,
    receipts: Vec<Receipt>,
    kinds: Vec<&'static str>,
}

#[derive(Debug, Clone)]
struct Known {
    id: String,
    document: Value,
    base: String,
    after: String,
    state: &'static str,
    workspaces: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Receipt {
    id: String,
    proposal: usize,
    before: String,
    after: String,
    /// The state that the proposal has through it.
    gives: &'static str,
    is_taken_back: bool,
}

struct World {
    sandbox: Sandbox,
    model: Model,
}

impl World {
    fn new() -> Self {
        let sandbox = Sandbox::in_memory();
        fs_err::create_dir(sandbox.root().join(WORKSPACES[1])).unwrap();
        let text = marked(SKILL, "Start.\nEnd.\n");
        sandbox.skill(SKILL, "Start.\nEnd.\n");
        let model = Model {
            text,
            proposals: Vec::new(),
            receipts: Vec::new(),
            kinds: Vec::new(),
        };
        Self { sandbox, model }
    }

    /// Status and document of a command in a workspace.
    fn run(&self, workspace: usize, args: &[&str], stdin: &str) -> (i32, Value) {
        let mut command = self.sandbox.command();
        command.current_dir(self.sandbox.root().join(WORKSPACES[workspace]));
        command.arg("skill-loop").args(args).arg("--json");
        let ran = self.sandbox.ran(command.write_stdin(stdin));
        (ran.status, ran.json())
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Propose { workspace, word } => {
                let document = patch(SKILL, "End.", &format!("Word {word}.\nEnd."));
                self.import(*workspace, &document);
            }
            Act::Again { which } => {
                if let Some(known) = self.proposal(*which) {
                    let known = self.model.proposals[known].clone();
                    self.import(known.workspaces[0], &known.document);
                }
            }
            Act::Edit { word } => {
                self.model.text = marked(SKILL, &format!("Edit {word}.\nEnd.\n"));
                let path = self.sandbox.skill_path(SKILL).join("SKILL.md");
                fs_err::write(path, &self.model.text).unwrap();
            }
            Act::Apply { which } => {
                if let Some(index) = self.proposal(*which) {
                    self.apply(index);
                }
            }
            Act::Reject { which } => {
                if let Some(index) = self.proposal(*which) {
                    self.reject(index);
                }
            }
            Act::Rollback { which } => {
                if !self.model.receipts.is_empty() {
                    self.rollback(which % self.model.receipts.len());
                }
            }
        }
    }

    fn proposal(&self, which: usize) -> Option<usize> {
        which.checked_rem(self.model.proposals.len())
    }

    /// The same document on the same bytes is the same proposal, in whichever workspace.
    fn import(&mut self, workspace: usize, document: &Value) {
        let (status, answer) = self.run(workspace, &["propose", "-"], &document.to_string());
        let old = document["patch"]["oldString"].as_str().unwrap();
        let new = document["patch"]["newString"].as_str().unwrap();
        if self.model.text.matches(old).count() != 1 {
            assert_eq!(status, 4, "{answer:#}");
            return;
        }
        assert_eq!(status, 0, "{answer:#}");
        let id = answer["proposals"][0]["id"].as_str().unwrap().to_owned();
        let outcome = answer["proposals"][0]["outcome"]
            .as_str()
            .unwrap()
            .to_owned();
        let text = &self.model.text;
        let found = self
            .model
            .proposals
            .iter_mut()
            .find(|known| known.document == *document && known.base == *text);
        let Some(known) = found else {
            assert_eq!(outcome, "imported");
            assert!(self.model.proposals.iter().all(|known| known.id != id));
            self.model.proposals.push(Known {
                id,
                document: document.clone(),
                base: text.clone(),
                after: text.replace(old, new),
                state: "pending",
                workspaces: vec![workspace],
            });
            return;
        };
        assert_eq!(known.id, id);
        let is_new_here = !known.workspaces.contains(&workspace);
        let expected = match known.state {
            "pending" if is_new_here => "imported",
            "pending" => "already-pending",
            "applied" => "already-applied",
            _ => {
                known.state = "pending";
                self.model.kinds.push("skill.reopen");
                "reopened"
            }
        };
        if is_new_here {
            known.workspaces.push(workspace);
        }
        assert_eq!(outcome, expected);
    }

    fn apply(&mut self, index: usize) {
        let known = self.model.proposals[index].clone();
        let (status, answer) = self.run(known.workspaces[0], &["apply", &known.id], "");
        let outcome = &answer["results"][0]["outcome"];
        match known.state {
            "applied" => assert_eq!((status, outcome), (0, &json!("already")), "{answer:#}"),
            "pending" if self.model.text == known.base => {
                assert_eq!((status, outcome), (0, &json!("done")), "{answer:#}");
                let (before, after) = (known.base, known.after);
                self.decided(&answer, index, before, after, "applied", "skill.apply");
            }
            "pending" => {
                assert_eq!(
                    (status, &answer["code"]),
                    (4, &json!("STALE_BASE")),
                    "{answer:#}"
                );
            }
            _ => assert_eq!(
                (status, &answer["code"]),
                (4, &json!("NOT_PENDING")),
                "{answer:#}"
            ),
        }
    }

    fn reject(&mut self, index: usize) {
        let known = self.model.proposals[index].clone();
        let (status, answer) = self.run(known.workspaces[0], &["reject", &known.id], "");
        match known.state {
            "pending" => {
                assert_eq!(status, 0, "{answer:#}");
                self.model.proposals[index].state = "rejected";
                self.model.kinds.push("skill.reject");
            }
            "rejected" => {
                assert_eq!(
                    (status, &answer["results"][0]["outcome"]),
                    (0, &json!("already"))
                );
            }
            _ => assert_eq!(
                (status, &answer["code"]),
                (4, &json!("NOT_PENDING")),
                "{answer:#}"
            ),
        }
    }

    fn rollback(&mut self, index: usize) {
        let receipt = self.model.receipts[index].clone();
        let (status, answer) = self.run(0, &["rollback", &receipt.id], "");
        if receipt.is_taken_back {
            assert_eq!(
                (status, &answer["results"][0]["outcome"]),
                (0, &json!("already"))
            );
        } else if self.model.text == receipt.after {
            assert_eq!(status, 0, "{answer:#}");
            self.model.receipts[index].is_taken_back = true;
            let gives = match receipt.gives {
                "applied" => "rolled-back",
                _ => "applied",
            };
            let (before, after) = (receipt.after, receipt.before);
            self.decided(
                &answer,
                receipt.proposal,
                before,
                after,
                gives,
                "skill.rollback",
            );
        } else {
            assert_eq!(
                (status, &answer["code"]),
                (4, &json!("ROLLBACK_CAS_MISMATCH")),
                "{answer:#}"
            );
        }
    }

    fn decided(
        &mut self,
        answer: &Value,
        proposal: usize,
        before: String,
        after: String,
        gives: &'static str,
        kind: &'static str,
    ) {
        self.model.text.clone_from(&after);
        self.model.proposals[proposal].state = gives;
        self.model.kinds.extend(["skill.approve", kind]);
        self.model.receipts.push(Receipt {
            id: answer["results"][0]["receipt"].as_str().unwrap().to_owned(),
            proposal,
            before,
            after,
            gives,
            is_taken_back: false,
        });
    }

    /// Disk, states in both workspaces, and ledger are what the model says.
    fn compare(&self) {
        let path = self.sandbox.skill_path(SKILL).join("SKILL.md");
        assert_eq!(fs_err::read_to_string(path).unwrap(), self.model.text);
        for workspace in 0..WORKSPACES.len() {
            let (_, list) = self.run(workspace, &["list", "--all"], "");
            let items = list["proposals"].as_array().unwrap();
            let found: BTreeMap<&str, &str> = items
                .iter()
                .map(|item| {
                    (
                        item["id"].as_str().unwrap(),
                        item["state"].as_str().unwrap(),
                    )
                })
                .collect();
            let known = self.model.proposals.iter();
            let expected: BTreeMap<&str, &str> = known
                .filter(|known| known.workspaces.contains(&workspace))
                .map(|known| (known.id.as_str(), known.state))
                .collect();
            assert_eq!(found, expected);
            for item in items.iter().filter(|item| item["state"] == "pending") {
                let known = self
                    .model
                    .proposals
                    .iter()
                    .find(|known| item["id"] == *known.id);
                let applies = known.unwrap().base == self.model.text;
                assert_eq!(item["verdict"]["applies"], applies, "{item:#}");
            }
        }
        assert_eq!(self.sandbox.kinds(), self.model.kinds);
        let verify = self.sandbox.sl(&["verify", "--json"]).ok().json();
        assert_eq!(verify["ok"], true, "{verify:#}");
        let drifts = verify["drift"].as_array().unwrap().len();
        let last = self.model.receipts.last();
        let edited = last.is_some_and(|receipt| receipt.after != self.model.text);
        assert_eq!(drifts, usize::from(edited), "{verify:#}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").map_or(12, |text| text.parse().unwrap()),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_sequence_is_what_the_model_says(acts in acts()) {
        let mut world = World::new();
        for act in &acts {
            world.act(act);
            world.compare();
        }
        world.sandbox.holds();
    }
}
