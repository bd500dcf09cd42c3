//! What a model is told: our instructions, then the charter (conference.md A8).
//!
//! Promises: one argument of a command line, which begins with a letter, so that the host takes it
//! for no option, no file and no command; the example in it is of another charter, and refused where
//! a model repeats it.

use serde_json::{Map, Value};

use crate::engine::charter::{self, Charter, Success};
use crate::engine::id::Role;
use crate::engine::packet::{MAX_CLAIMS, MAX_ITERATIONS};

/// Bytes of one argument, the zero at its end left out (Linux: 32 pages).
const ARGUMENT: usize = (128 << 10) - 1;

const INSTRUCTIONS: &str = include_str!("../../../../templates/child.md");

/// The prompt of a charter; `None` where charter or prompt is too large.
pub fn of(charter: &Charter) -> Option<String> {
    let text = charter.bytes();
    if text.len() > charter::MAX_BYTES {
        return None;
    }
    let prompt = instructions(charter).replace("@CHARTER@", String::from_utf8(text).ok()?.trim());
    (prompt.len() <= ARGUMENT).then_some(prompt)
}

/// Whether a message is such a prompt: its first line is ours, and its last is a charter. The host
/// marks the session of a child that has no tools in no other way.
pub fn is_one(text: &str) -> bool {
    let first = INSTRUCTIONS.lines().next().unwrap_or(INSTRUCTIONS);
    let is_charter = |line: &str| {
        let charter = serde_json::from_str::<Charter>(line);
        charter.is_ok_and(|charter| charter.schema == charter::SCHEMA)
    };
    text.starts_with(first) && text.trim_end().lines().next_back().is_some_and(is_charter)
}

/// Everything but the charter, whose place is marked.
fn instructions(charter: &Charter) -> String {
    let claims = MAX_CLAIMS.min(charter.claims_allowed as usize);
    let iterations = MAX_ITERATIONS.min(charter.iteration_allowance as usize);
    INSTRUCTIONS
        .trim_end()
        .replace("@ID@", &charter.dispatch_id.to_string())
        .replace("@ROLE@", charter.role.as_str())
        .replace("@CLAIMS@", &claims.to_string())
        .replace("@ITERATIONS@", &iterations.to_string())
        .replace("@TASK@", &task(charter))
        .replace("@EXAMPLE@", &example(charter))
}

/// What the role adds, a point a line.
fn task(charter: &Charter) -> String {
    let mut points: Vec<&str> = Vec::new();
    let metric = matches!(charter.success, Success::Metric { .. });
    match charter.role {
        Role::Probe => points.push("This only asks whether you answer: send the empty packet."),
        Role::Researcher => {
            points.push(
                "Work towards `objective` within `focus`. Entry i of `hypotheses`, `measurements` \
                 and `candidates` is iteration i + 1. A claim says what you found and what it rests \
                 on; its `rows` are iterations, from 0.",
            );
            points.push(match charter.parameters.is_empty() {
                true => "There are no parameters: send no `candidates`.",
                false => {
                    "A candidate gives names in `parameters` a value within their limits; the root \
                     measures it."
                }
            });
            if metric {
                points.push(
                    "A measurement bears the name of `success.metric`; its value is a number in \
                     quotes.",
                );
            }
        }
        Role::Reviewer => {
            points.push(
                "Give each of `claims` one verdict: validated where its evidence carries it, \
                 challenged where that is too little, overturned where it is wrong, needs_review \
                 where you cannot tell.",
            );
            points.push(match metric {
                true => "Send no `scores`.",
                false => "Score each lane in `claims` from 1 to 10 by `success.criteria`.",
            });
        }
        Role::Poster => points.push("Summarise what each lane claims; choose no winner."),
        Role::Synthesis => points.push(
            "Say what stands. `established` holds ids of claims whose verdict is validated, and no \
             other.",
        ),
    }
    points.iter().map(|point| format!("- {point}\n")).collect()
}

/// A packet of the role, without what this charter has no room for.
fn example(charter: &Charter) -> String {
    let text = match charter.role {
        Role::Probe => include_str!("../../../../templates/child-probe.json"),
        Role::Researcher => include_str!("../../../../templates/child-researcher.json"),
        Role::Poster => include_str!("../../../../templates/child-poster.json"),
        Role::Reviewer => include_str!("../../../../templates/child-reviewer.json"),
        Role::Synthesis => include_str!("../../../../templates/child-synthesis.json"),
    };
    let Ok(mut packet) = serde_json::from_str::<Map<String, Value>>(text) else {
        return text.to_owned();
    };
    let metric = matches!(charter.success, Success::Metric { .. });
    let strange = [
        ("candidates", charter.parameters.is_empty()),
        ("measurements", !metric),
        ("scores", metric),
    ];
    for (key, _) in strange.iter().filter(|(_, is_strange)| *is_strange) {
        packet.remove(*key);
    }
    if !packet.contains_key("candidates") && !packet.contains_key("measurements") {
        for claim in packet
            .get_mut("claims")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            claim.as_object_mut().map(|claim| claim.remove("rows"));
        }
    }
    Value::Object(packet).to_string()
}
