//! Skills and proposals that the rows are about.

use serde_json::{Value, json};

/// A marked skill of two kilobytes.
pub(crate) fn skill(number: usize) -> String {
    let body = "A line of a skill that says what to do next.\n".repeat(40);
    let marker = "metadata:\n  lithermesAgentGenerated: \"true\"\n";
    format!(
        "---\nname: {}\ndescription: Skill number {number}.\n{marker}---\n\n# First\n\n{body}",
        name(number)
    )
}

pub(crate) fn name(number: usize) -> String {
    format!("skill-{number:05}")
}

pub(crate) fn patch(number: usize) -> Value {
    let mut document = proposal(&name(number));
    document["patch"] =
        json!({"file": "SKILL.md", "oldString": "# First", "newString": "# Second"});
    document
}

pub(crate) fn create() -> Value {
    let content = "---\nname: new\ndescription: Something new.\n---\n\nText.\n";
    let mut document = proposal("new");
    document["create"] = json!({"files": [{"path": "SKILL.md", "content": content}]});
    document
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
