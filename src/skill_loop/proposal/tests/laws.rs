use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Value, json};

use super::super::read;
use super::{create, edits, faults, patch, support_file};

/// One way to break a document: where the value goes, where the fault is, what it says.
type Breach = (&'static str, Value, &'static str, &'static str);

/// Breaches that do not touch one another: of each group at most one is made.
fn common() -> Vec<Vec<Breach>> {
    vec![
        vec![
            ("/schema", json!("v2"), "/schema", "expected `lithermes"),
            ("/schema", json!(2), "/schema", "expected a string"),
        ],
        vec![
            ("/skill", json!("Release"), "/skill", "begins with"),
            ("/skill", json!([]), "/skill", "expected a string"),
        ],
        vec![("/signal", json!("hunch"), "/signal", "expected one of")],
        vec![
            ("/rationale", json!(""), "/rationale", "found none"),
            ("/rationale", json!("x".repeat(5000)), "/rationale", "4000"),
        ],
        vec![
            ("/evidenceRefs", json!([]), "/evidenceRefs", "1 to 32"),
            (
                "/evidenceRefs/0",
                json!("x"),
                "/evidenceRefs/0",
                "`note:TEXT`",
            ),
            (
                "/evidenceRefs/1",
                json!(1),
                "/evidenceRefs/1",
                "expected a string",
            ),
        ],
        vec![("/status", json!("applied"), "/status", "`pending`")],
        vec![("/ledgerEntryId", json!("l-1"), "/ledgerEntryId", "decision")],
        vec![("/a~1b", json!(1), "/a~1b", "unknown key `a/b`")],
    ]
}

fn patches() -> Vec<Vec<Breach>> {
    vec![
        vec![("/patch/file", json!("/etc/x"), "/patch/file", "relative")],
        vec![
            ("/patch/oldString", json!(""), "/patch/oldString", "empty"),
            (
                "/patch/newString",
                json!("last"),
                "/patch/newString",
                "the same",
            ),
            (
                "/patch/newString",
                json!(0),
                "/patch/newString",
                "expected a string",
            ),
        ],
        vec![("/patch/baseSha256", json!("x"), "/patch/baseSha256", "64")],
        vec![("/patch/mode", json!(1), "/patch/mode", "unknown key")],
    ]
}

fn several_edits() -> Vec<Vec<Breach>> {
    vec![
        vec![("/patch/file", json!("a:b"), "/patch/file", "`:`")],
        vec![(
            "/patch/edits/0/oldString",
            json!(""),
            "/patch/edits/0/oldString",
            "empty",
        )],
        vec![
            (
                "/patch/edits/1/newString",
                json!("never"),
                "/patch/edits/1/newString",
                "the same",
            ),
            (
                "/patch/edits/1",
                json!([]),
                "/patch/edits/1",
                "expected an object",
            ),
        ],
    ]
}

fn creations() -> Vec<Vec<Breach>> {
    vec![
        vec![
            (
                "/create/files/1/path",
                json!("CON"),
                "/create/files/1/path",
                "device",
            ),
            (
                "/create/files/1/path",
                json!("skill.MD/x"),
                "/create/files/1/path",
                "beneath",
            ),
            (
                "/create/files/2/path",
                json!("references/Order.md"),
                "/create/files/2/path",
                "collides",
            ),
            (
                "/create/files/1",
                json!("x"),
                "/create/files/1",
                "expected an object",
            ),
        ],
        vec![(
            "/create/files/0/content",
            json!(format!("{}{}", super::SKILL_MD, "x".repeat(100_000))),
            "/create/files/0/content",
            "split it",
        )],
        vec![(
            "/create/files/2/executable",
            json!(1),
            "/create/files/2/executable",
            "`true`",
        )],
        vec![(
            "/create/files/2/content",
            json!("x=[REDACTED]"),
            "/create/files/2/content",
            "mark",
        )],
    ]
}

fn support_files() -> Vec<Vec<Breach>> {
    vec![
        vec![(
            "/supportFile/path",
            json!("SKILL.md"),
            "/supportFile/path",
            "`patch`",
        )],
        vec![(
            "/supportFile/content",
            json!({}),
            "/supportFile/content",
            "expected a string",
        )],
        vec![(
            "/supportFile/pointer",
            json!({}),
            "/supportFile/pointer",
            "`oldString`",
        )],
        vec![(
            "/supportFile/executable",
            json!(0),
            "/supportFile/executable",
            "`true`",
        )],
    ]
}

/// A valid document, and breaches of which no two touch.
fn broken() -> impl Strategy<Value = (Value, Vec<Breach>)> {
    let kinds = [
        (patch(), patches()),
        (edits(), several_edits()),
        (create(), creations()),
        (support_file(), support_files()),
    ];
    prop::sample::select(kinds.to_vec()).prop_flat_map(|(document, special)| {
        let mut groups = common();
        groups.extend(special);
        let count = groups.len();
        let chosen = subsequence(groups, 1..=count).prop_flat_map(|groups| {
            groups
                .into_iter()
                .map(prop::sample::select)
                .collect::<Vec<_>>()
        });
        (Just(document), chosen)
    })
}

fn break_it(document: &mut Value, breach: &Breach) {
    let (parent, key) = breach.0.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(items) => items[key.parse::<usize>().unwrap()] = breach.1.clone(),
        parent => parent[key.replace("~1", "/")] = breach.1.clone(),
    }
}

/// One of the forms that a document may have, and the pointer of the proposal in it.
fn wrap(document: &Value, form: usize) -> (String, &'static str) {
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    match form {
        0 => (document.to_string(), ""),
        1 => (pretty(&json!([patch(), document])), "/1"),
        2 => (
            pretty(&json!({"proposals": [document, create()]})),
            "/proposals/0",
        ),
        _ => (format!("\u{feff}```json\n{}\n```\n", pretty(document)), ""),
    }
}

proptest! {
    #[test]
    fn k_independent_faults_are_reported_as_exactly_those_k(
        (mut document, breaches) in broken(),
        form in 0..4usize,
    ) {
        for breach in &breaches {
            break_it(&mut document, breach);
        }
        let (text, root) = wrap(&document, form);
        let found = faults(&text);
        // A pointer without its two strings is two missing fields of one object.
        let pairs = breaches.iter().filter(|breach| breach.0 == "/supportFile/pointer").count();
        prop_assert_eq!(found.len(), breaches.len() + pairs, "{:#?}", found);
        for (_, _, pointer, why) in &breaches {
            let pointer = format!("{root}{pointer}");
            let hit = found.iter().any(|f| f.pointer == pointer && f.message.contains(why));
            prop_assert!(hit, "{} {}: {:#?}", pointer, why, found);
        }
        // Every place is that of something, in the file as it is.
        let lines: Vec<Vec<char>> =
            text.trim_start_matches('\u{feff}').lines().map(|line| line.chars().collect()).collect();
        for fault in &found {
            let at = lines[fault.line as usize - 1][fault.column as usize - 1];
            prop_assert!(!at.is_whitespace(), "{:?}", fault);
        }
        let in_order = found.windows(2).all(|two| {
            (two[0].line, two[0].column) <= (two[1].line, two[1].column)
        });
        prop_assert!(in_order);
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        drop(read(&bytes));
    }

    #[test]
    fn no_value_in_any_field_makes_it_panic(
        field in prop::sample::select(vec![
            "/skill", "/signal", "/rationale", "/evidenceRefs", "/evidenceRefs/0", "/create",
            "/create/files", "/create/files/0", "/create/files/0/path", "/create/files/1/path",
            "/create/files/1/content",
        ]),
        text: String,
        kind in 0..5usize,
    ) {
        let values = [json!(text), json!([text]), json!({text: 1}), json!(null), json!(1.5)];
        let mut document = create();
        *document.pointer_mut(field).unwrap() = values[kind].clone();
        drop(read(document.to_string().as_bytes()));
    }
}
