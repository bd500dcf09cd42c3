use rusqlite::params;
use serde_json::{Value, json};

use super::World;
use crate::error::Code;

impl World {
    fn calls(&self, calls: &[(&str, &str, Value)]) -> i64 {
        let stored: Vec<Value> = calls
            .iter()
            .map(|(id, tool, arguments)| {
                let function = json!({"name": tool, "arguments": arguments.to_string()});
                json!({"id": id, "call_id": id, "type": "function", "function": function})
            })
            .collect();
        let message = self.says("s", "assistant", "");
        let sql = "UPDATE messages SET tool_calls = ?1 WHERE id = ?2";
        let stored = Value::from(stored).to_string();
        self.hermes.execute(sql, params![stored, message]).unwrap();
        message
    }

    fn answers(&self, id: &str, tool: &str, result: &str) -> i64 {
        let message = self.says("s", "tool", result);
        let sql = "UPDATE messages SET tool_call_id = ?1, tool_name = ?2 WHERE id = ?3";
        self.hermes
            .execute(sql, params![id, tool, message])
            .unwrap();
        message
    }

    fn consulted(&self) -> Vec<(String, i64)> {
        let found = self.sessions().consulted("s").unwrap();
        found
            .into_iter()
            .map(|one| (one.skill, one.message))
            .collect()
    }
}

fn name(skill: &str) -> Value {
    json!({ "name": skill })
}

#[test]
fn skills_come_in_order_and_once() {
    let world = World::new();
    world.session("s", "cli", 1.0).session("other", "cli", 2.0);
    assert_eq!(world.consulted(), []);
    let first = world.calls(&[
        ("1", "skill_view", name("b")),
        (
            "2",
            "terminal",
            json!({"command": "skill_view a", "name": "no"}),
        ),
        ("3", "skills_list", json!({"name": "no"})),
    ]);
    let second = world.calls(&[
        ("4", "skill_manage", json!({"action": "patch", "name": "a"})),
        ("5", "skill_view", name("b")),
        ("6", "mcp__tools__skill_view", name("c")),
    ]);
    let expected = [("b", first), ("a", second), ("c", second)];
    assert_eq!(
        world.consulted(),
        expected.map(|(skill, id)| (skill.to_owned(), id))
    );
    assert_eq!(world.sessions().consulted("other").unwrap(), []);
}

#[test]
fn a_refused_call_is_no_consultation_and_the_host_has_the_last_word_on_the_name() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let all = ["typo", "dir/real", "old", "odd", "late"];
    let calls: Vec<_> = all
        .iter()
        .map(|skill| (*skill, "skill_view", name(skill)))
        .collect();
    let message = world.calls(&calls);
    world.answers(
        "typo",
        "skill_view",
        r#"{"success": false, "error": "Skill not found", "name": "x"}"#,
    );
    world.answers(
        "dir/real",
        "skill_view",
        r#"{"success": true, "name": "real"}"#,
    );
    world.answers("old", "skill_view", "[output was cleared]");
    world.answers("odd", "skill_view", r#"{"success": "maybe", "name": 7}"#);
    let expected = ["real", "old", "odd", "late"].map(|skill| (skill.to_owned(), message));
    assert_eq!(world.consulted(), expected);
}

#[test]
fn an_answer_belongs_to_the_newest_open_call_of_its_number() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let first = world.calls(&[("call_1", "skill_view", name("a"))]);
    world.answers("call_1", "skill_view", r#"{"success": true, "name": "a"}"#);
    world.calls(&[("call_1", "skill_view", name("gone"))]);
    world.answers("call_1", "skill_view", r#"{"success": false}"#);
    let third = world.calls(&[("call_1", "skill_view", name("gone"))]);
    world.answers(
        "call_1",
        "skill_view",
        r#"{"success": true, "name": "gone"}"#,
    );
    assert_eq!(
        world.consulted(),
        [("a".to_owned(), first), ("gone".to_owned(), third)]
    );
}

#[test]
fn what_was_compacted_counts_and_what_was_undone_does_not() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let compacted = world.calls(&[("1", "skill_view", name("kept"))]);
    let undone = world.calls(&[("2", "skill_view", name("undone"))]);
    for (id, column) in [
        (compacted, "active = 0, compacted = 1"),
        (undone, "active = 0"),
    ] {
        let sql = format!("UPDATE messages SET {column} WHERE id = ?1");
        world.hermes.execute(&sql, [id]).unwrap();
    }
    assert_eq!(world.consulted(), [("kept".to_owned(), compacted)]);
}

#[test]
fn names_that_are_none_are_passed_over() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let long = "x".repeat(257);
    let bad = [
        name(""),
        name(&long),
        json!({"name": 7}),
        json!({}),
        json!("{"),
        json!([]),
    ];
    for arguments in bad {
        world.calls(&[("1", "skill_view", arguments)]);
        world.answers(
            "1",
            "skill_view",
            &json!({"success": true, "name": long}).to_string(),
        );
    }
    assert_eq!(world.consulted(), []);
}

#[test]
fn without_the_column_of_calls_nothing_is_claimed() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    world
        .hermes
        .execute("ALTER TABLE messages DROP COLUMN tool_calls", [])
        .unwrap();
    let error = world.sessions().consulted("s").unwrap_err();
    assert_eq!(error.code(), Code::SessionsUnreadable);
    assert!(error.message().contains("`messages.tool_calls`"), "{error}");
}

#[test]
fn what_a_person_gave_the_agent_counts() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let note = "[IMPORTANT: The user has invoked the \"third\" skill, indicating …]\n\ntext";
    let third = world.says("s", "user", note);
    let bundle = "[IMPORTANT: The user has invoked the \"/a /b\" stacked skill bundle, loading 2]\n\n\
                  Skills loaded: fourth, fifth\nSkills missing (skipped): gone";
    let bundle = world.says("s", "user", bundle);
    for text in [
        "has invoked the \"no\" skill,",
        "quoted: [IMPORTANT: The user has invoked the \"no\" skill,",
        "[IMPORTANT: something else]",
        "[IMPORTANT: The user has invoked the \"open",
    ] {
        world.says("s", "user", text);
    }
    world.says("s", "assistant", note);
    let expected = [("third", third), ("fourth", bundle), ("fifth", bundle)];
    assert_eq!(
        world.consulted(),
        expected.map(|(skill, id)| (skill.to_owned(), id))
    );
}
