//! Which skills a session consulted: the calls of the host's skill tools with their results, and
//! what a person gave the agent.

use std::collections::HashSet;

use rusqlite::Rows;
use serde::Deserialize;

use super::Consultation;
use super::given::{self, NOTE};
use super::message::{self, MOST_BYTES, StoredCall, within};
use super::schema::Schema;

/// The tools that take one skill. A client of the host's tools over MCP puts a prefix that ends in
/// `__` before them.
const TOOLS: [&str; 2] = ["skill_view", "skill_manage"];
/// Different skills of one session, at most.
const MOST_SKILLS: usize = 10_000;
/// No skill has a longer name, qualified by plugin or category.
const LONGEST_NAME: usize = 256;

/// A skill that was asked for or given.
struct Asked {
    id: Option<String>,
    skill: String,
    message: i64,
    answered: bool,
    refused: bool,
}

/// The rows that tell of it, in order: calls, results, and what a person gave.
pub(super) fn select(schema: &Schema) -> String {
    let (calls, tool) = (
        schema.message("m", "tool_calls"),
        schema.message("m", "tool_name"),
    );
    let content = within("m.content", MOST_BYTES);
    let result = TOOLS
        .map(|name| format!("{tool} LIKE '%{name}'"))
        .join(" OR ");
    let given = format!("m.role = 'user' AND {content} LIKE '{NOTE}%'");
    format!(
        "SELECT m.id, {}, {}, CASE WHEN {result} THEN {content} END, \
         CASE WHEN {given} THEN {content} END FROM messages AS m \
         WHERE m.session_id = ?1 AND {} \
         AND (instr({calls}, 'skill_') > 0 OR {result} OR {given}) ORDER BY +m.id",
        within(&calls, MOST_BYTES),
        schema.message("m", "tool_call_id"),
        schema.happened("m"),
    )
}

/// The consultations that these rows tell of.
pub(super) fn collect(mut rows: Rows<'_>) -> rusqlite::Result<Vec<Consultation>> {
    let mut asked: Vec<Asked> = Vec::new();
    while let Some(row) = rows.next()? {
        let id = row.get(0)?;
        if let Some(json) = message::text(row, 1)? {
            let calls = message::calls(&json);
            asked.extend(calls.into_iter().filter_map(|call| ask(call, id)));
        }
        if let (Some(call), Some(result)) = (message::text(row, 2)?, message::text(row, 3)?) {
            answer(&mut asked, &call, &result);
        }
        let note = message::text(row, 4)?.unwrap_or_default();
        let named = given::in_message(&note).into_iter();
        asked.extend(named.filter_map(|name| Asked::given(name, id)));
    }
    let mut seen = HashSet::new();
    let kept = asked.into_iter().filter(|one| !one.refused);
    let kept = kept.filter(|one| seen.insert(one.skill.clone()));
    let consultation = |one: Asked| Consultation {
        skill: one.skill,
        message: one.message,
    };
    Ok(kept.map(consultation).take(MOST_SKILLS).collect())
}

impl Asked {
    fn given(skill: &str, message: i64) -> Option<Self> {
        is_name(skill).then(|| Self {
            id: None,
            skill: skill.to_owned(),
            message,
            answered: true,
            refused: false,
        })
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST_NAME
}

fn ask(call: StoredCall, message: i64) -> Option<Asked> {
    #[derive(Deserialize)]
    struct Arguments {
        name: String,
    }
    let tool = call.function.name.rsplit("__").next()?;
    if !TOOLS.contains(&tool) {
        return None;
    }
    let arguments: Arguments = serde_json::from_str(&call.arguments()).ok()?;
    let skill = arguments.name;
    is_name(&skill).then_some(Asked {
        id: call.id,
        skill,
        message,
        answered: false,
        refused: false,
    })
}

/// Notes a result. What is no JSON (cut, cleared or masked by the host) says nothing against it.
fn answer(asked: &mut [Asked], call: &str, result: &str) {
    #[derive(Deserialize)]
    struct Answer {
        success: Option<bool>,
        name: Option<String>,
    }
    // Some models count their calls from one in every turn: the last one is meant.
    let matches = |one: &&mut Asked| !one.answered && one.id.as_deref() == Some(call);
    let Some(one) = asked.iter_mut().rev().find(matches) else {
        return;
    };
    one.answered = true;
    let Ok(answer) = serde_json::from_str::<Answer>(result) else {
        return;
    };
    one.refused = answer.success == Some(false);
    if let Some(name) = answer.name
        && is_name(&name)
    {
        one.skill = name;
    }
}
