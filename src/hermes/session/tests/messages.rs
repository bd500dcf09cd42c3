use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};
use rusqlite::params;

use super::super::{Call, Session};
use super::World;
use crate::error::Code;
use crate::hermes::session::{FILE, named};

#[test]
fn the_latest_session_began_last_has_messages_and_is_no_subagents() {
    let world = World::new();
    assert_eq!(world.sessions().latest(&|_| false).unwrap().0, None);
    for (id, source, at) in [
        ("empty", "cli", 500.0),
        ("child", "subagent", 400.0),
        ("rewound", "cli", 300.0),
        ("wanted", "acp", 200.5),
        ("older", "cli", 100.0),
    ] {
        world.session(id, source, at);
    }
    for id in ["older", "wanted", "wanted", "rewound", "child"] {
        world.says(id, "user", "hello");
    }
    let undo = "UPDATE messages SET active = 0 WHERE session_id = 'rewound'";
    world.hermes.execute(undo, []).unwrap();
    let expected = Session {
        id: "wanted".to_owned(),
        source: "acp".to_owned(),
        started_at: Some("1970-01-01T00:03:20.5Z".parse().unwrap()),
        messages: 2,
    };
    assert_eq!(
        world.sessions().latest(&|_| false).unwrap().0,
        Some(expected)
    );
}

#[test]
fn what_begins_with_refused_words_is_passed_over_and_counted() {
    let world = World::new();
    for (id, source, at) in [
        ("wanted", "cli", 1.0),
        ("child", "cli", 2.0),
        ("subagent", "subagent", 3.0),
        ("other", "tool", 4.0),
        ("undone", "cli", 5.0),
        ("empty", "cli", 6.0),
    ] {
        world.session(id, source, at);
    }
    world.says("wanted", "user", "hello");
    world.says("wanted", "user", "charter");
    for id in ["child", "subagent", "other"] {
        world.says(id, "user", "charter");
        world.says(id, "user", "hello");
    }
    // What a child was told first stays what it was told, also where it was compacted away.
    let first = world.says("undone", "user", "charter");
    world.says("undone", "assistant", "done");
    world
        .hermes
        .execute("UPDATE messages SET active = 0 WHERE id = ?1", [first])
        .unwrap();
    let is_passed = |first: &str| first == "charter";
    let (found, passed) = world.sessions().latest(&is_passed).unwrap();
    assert_eq!((found.unwrap().id.as_str(), passed), ("wanted", 3));
    let found = named(world.home(), "latest", &is_passed).unwrap();
    assert_eq!((found.session.id.as_str(), found.passed), ("wanted", 3));
    // Who names one gets it.
    let found = named(world.home(), "child", &is_passed).unwrap();
    assert_eq!((found.session.id.as_str(), found.passed), ("child", 0));
    let error = named(world.home(), "latest", &|_| true).unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert!(error.to_string().contains("but 4 that"), "{error}");
}

#[test]
fn a_session_is_got_by_its_exact_id() {
    let world = World::new();
    world
        .session("one", "cli", 1.0)
        .session("One'--", "cli", f64::MAX);
    let sessions = world.sessions();
    let got = sessions.get("one").unwrap().unwrap();
    assert_eq!((got.id.as_str(), got.messages), ("one", 0));
    let got = sessions.get("One'--").unwrap().unwrap();
    assert_eq!(got.started_at, None);
    for id in ["ONE", "on", "one ", "", "%", "' OR 1=1 --"] {
        assert_eq!(sessions.get(id).unwrap(), None, "{id}");
    }
}

#[test]
fn the_tail_is_ordered_by_id_and_leaves_out_what_was_undone() {
    let world = World::new();
    world.session("s", "cli", 1.0).session("other", "cli", 2.0);
    let first = world.says("s", "user", "first");
    world.says("other", "user", "elsewhere");
    let undone = world.says("s", "user", "undone");
    let last = world.says("s", "assistant", "last");
    for (id, column, value) in [(first, "timestamp", 9e9), (undone, "active", 0.0)] {
        let sql = format!("UPDATE messages SET {column} = ?1 WHERE id = ?2");
        world.hermes.execute(&sql, params![value, id]).unwrap();
    }
    let tail = world.sessions().tail("s", 1000).unwrap();
    let shown: Vec<_> = tail.iter().map(|m| (m.id, m.text.as_str())).collect();
    assert_eq!(shown, [(first, "first"), (last, "last")]);
    assert_eq!(tail[1].at.unwrap().to_string(), "2026-12-01T03:15:18.5Z");
    assert_eq!(world.sessions().tail("nobody", 1000).unwrap(), []);
}

#[test]
fn parts_are_joined_and_what_cannot_be_read_stays_as_it_is() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let picture = format!(
        "\0json:[{{\"type\": \"text\", \"text\": \"look\"}}, \
         {{\"type\": \"image_url\", \"image_url\": {{\"url\": \"data:{}\"}}}}, \"here\", 7]",
        "A".repeat(200_000)
    );
    let cases = [
        (picture.as_str(), "look\nhere"),
        ("\0json:[]", ""),
        ("\0json:{\"text\": \"x\"}", "{\"text\": \"x\"}"),
        ("\0json:[1", "[1"),
        ("json:[1]", "json:[1]"),
        ("a\0b", "a\0b"),
        ("", ""),
    ];
    for (stored, _) in cases {
        world.says("s", "user", stored);
    }
    // A picture is no text: it does not count.
    let expected: Vec<&str> = cases.iter().map(|(_, text)| *text).collect();
    assert_eq!(world.texts("s", 100), expected);
}

#[test]
fn values_of_any_type_are_read() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    let insert =
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'u', ?1, ?2)";
    world
        .hermes
        .execute(insert, params![b"\xffx".to_vec(), "soon"])
        .unwrap();
    world.hermes.execute(insert, params![7, i64::MAX]).unwrap();
    world
        .hermes
        .execute(insert, params![None::<String>, f64::INFINITY])
        .unwrap();
    let tail = world.sessions().tail("s", 1000).unwrap();
    let shown: Vec<_> = tail.iter().map(|m| (m.text.as_str(), m.at)).collect();
    assert_eq!(shown, [("\u{fffd}x", None), ("7", None), ("", None)]);
}

#[test]
fn calls_are_read_whatever_form_their_arguments_have() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    world.says("s", "assistant", "");
    let calls = r#"[{"id": "1", "function": {"name": "terminal", "arguments": "{\"a\": 1}"}},
        {"function": {"name": "read", "arguments": {"b": 2}}},
        {"function": {"name": "none"}}, {"function": {}}, 7, null]"#;
    let sql = "UPDATE messages SET tool_calls = ?1";
    world.hermes.execute(sql, [calls]).unwrap();
    let call = |name: &str, arguments: &str| Call {
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let tail = world.sessions().tail("s", 1000).unwrap();
    let expected = [
        call("terminal", "{\"a\": 1}"),
        call("read", "{\"b\":2}"),
        call("none", ""),
    ];
    assert_eq!(tail[0].calls, expected);
    // Arguments count like text.
    assert_eq!(world.sessions().tail("s", 31).unwrap().len(), 1);
    assert_eq!(world.sessions().tail("s", 30).unwrap().len(), 0);
    for broken in ["", "{}", "[", "\u{0}"] {
        world.hermes.execute(sql, [broken]).unwrap();
        assert_eq!(world.sessions().tail("s", 1000).unwrap()[0].calls, []);
    }
}

#[test]
fn a_short_tail_does_not_load_the_rest() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    world.says("s", "user", &"x".repeat(100_000));
    world.says("s", "user", &"y".repeat(100));
    world.says("s", "user", "short");
    // Break the chain of pages that holds the long text: whoever loads it is told.
    let path = world.home().join(FILE);
    let mut bytes = fs_err::read(&path).unwrap();
    for page in bytes.chunks_mut(4096) {
        if page.iter().skip(4).all(|byte| *byte == b'x') {
            page[..4].copy_from_slice(&[0xff; 4]);
        }
    }
    fs_err::write(&path, bytes).unwrap();
    assert_eq!(world.texts("s", 100), ["short"]);
    let error = world.sessions().tail("s", 1_000_000).unwrap_err();
    assert_eq!(error.code(), Code::SessionsUnreadable);
    assert!(error.message().contains("is damaged"), "{error}");
}

#[test]
fn what_is_too_large_to_load_is_named_in_its_place() {
    let world = World::new();
    world.session("s", "cli", 1.0);
    world.says("s", "user", "before");
    for column in ["content", "tool_calls"] {
        let id = world.says("s", "tool", "");
        let sql = format!("UPDATE messages SET {column} = zeroblob(?1) WHERE id = ?2");
        world.hermes.execute(&sql, params![17 << 20, id]).unwrap();
    }
    world.says("s", "user", "after");
    let expected = [
        "before",
        "[text of 17825792 bytes: too large to be read]",
        "[tool calls of 17825792 bytes: too large to be read]",
        "after",
    ];
    assert_eq!(world.texts("s", 1000), expected);
}

proptest! {
    #[test]
    fn the_tail_is_the_longest_one_that_fits(
        texts in proptest::collection::vec(any::<String>().prop_filter("a list", |t| !t.starts_with('\0')), 0..12),
        max_bytes in 0usize..300,
    ) {
        let world = World::new();
        world.session("s", "cli", 1.0);
        for text in &texts {
            world.says("s", "user", text);
        }
        let tail = world.texts("s", max_bytes);
        let size = |part: &[String]| part.iter().map(String::len).sum::<usize>();
        prop_assert!(texts.ends_with(&tail));
        prop_assert!(size(&tail) <= max_bytes);
        if tail.len() < texts.len() && size(&tail) < max_bytes {
            prop_assert!(size(&texts[texts.len() - tail.len() - 1..]) > max_bytes);
        }
        prop_assert_eq!(world.sessions().get("s").unwrap().unwrap().messages, texts.len() as u64);
    }
}
