use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{Limits, Node, Place, Reading, Value, pointer, read};
use crate::error::Fault;

const LIMITS: Limits = Limits {
    bytes: 4 << 20,
    depth: 64,
};

fn good(text: &str) -> Reading {
    read(text.as_bytes(), LIMITS).unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
}

fn bad(bytes: impl AsRef<[u8]>) -> Fault {
    read(bytes.as_ref(), LIMITS).expect_err("must be refused")
}

fn place(fault: &Fault) -> (u32, u32) {
    (fault.line, fault.column)
}

/// Our tree as serde_json's; numbers go through their source text.
fn plain(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(text) => serde_json::from_str(text).unwrap(),
        Value::String(text) => text.clone().into(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            let pairs = members.iter().map(|m| (m.key.clone(), plain(&m.node)));
            serde_json::Value::Object(pairs.collect())
        }
    }
}

#[test]
fn values_keep_their_places_in_characters() {
    let reading = good("{\"é\": [1,\n  \"漢\", {\"k\":\tnull}]}");
    let Value::Object(members) = &reading.root.value else {
        panic!("an object");
    };
    let Value::Array(items) = &members[0].node.value else {
        panic!("an array");
    };
    assert_eq!(reading.root.place, Place { line: 1, column: 1 });
    assert_eq!(members[0].place, Place { line: 1, column: 2 });
    assert_eq!(members[0].node.place, Place { line: 1, column: 7 });
    let places: Vec<_> = items
        .iter()
        .map(|n| (n.place.line, n.place.column))
        .collect();
    assert_eq!(places, [(1, 8), (2, 3), (2, 8)]);
    assert_eq!(reading.faults, []);
}

#[test]
fn a_number_is_its_source_text() {
    for text in [
        "0",
        "-0",
        "1e999",
        "1E+2",
        "0.10",
        "-1.5e-3",
        "123456789012345678901234567890",
    ] {
        assert_eq!(good(text).root.value, Value::Number(text.to_owned()));
    }
}

#[test]
fn what_is_no_json_is_refused_at_its_place() {
    let cases = [
        ("", (1, 1), "end of the document"),
        ("  \n", (2, 1), "end of the document"),
        ("NaN", (1, 1), "`NaN`"),
        ("[1, -Infinity]", (1, 6), "a digit"),
        ("{\"a\": Infinity}", (1, 7), "`Infinity`"),
        ("True", (1, 1), "`True`"),
        ("nul", (1, 1), "expected a JSON value, found `n`"),
        ("truely", (1, 1), "expected a JSON value"),
        ("{} {}", (1, 4), "nothing after"),
        ("1 // one", (1, 3), "no comments"),
        ("# one\n1", (1, 1), "no comments"),
        ("{'a': 1}", (1, 2), "double quotes"),
        ("['a']", (1, 2), "double quotes"),
        ("{a: 1}", (1, 2), "a key in double quotes"),
        ("{\"a\" 1}", (1, 6), "`:`"),
        ("{\"a\": 1 \"b\": 2}", (1, 9), "`,` or `}`"),
        ("[1 2]", (1, 4), "`,` or `]`"),
        ("[1,]", (1, 3), "no `,` before `]`"),
        ("{\"a\":1,\n}", (1, 7), "no `,` before `}`"),
        ("[,1]", (1, 2), "a JSON value"),
        ("[1", (1, 3), "end of the document"),
        ("{\"a\":", (1, 6), "end of the document"),
        ("{]", (1, 2), "a key"),
        ("01", (1, 1), "leading zeros"),
        ("-01", (1, 2), "leading zeros"),
        ("+1", (1, 1), "`+`"),
        (".5", (1, 1), "`.`"),
        ("1.", (1, 3), "decimal point"),
        ("1.e5", (1, 3), "decimal point"),
        ("1e", (1, 3), "exponent"),
        ("0x10", (1, 2), "nothing after"),
        ("-", (1, 2), "a digit"),
        ("\"abc", (1, 1), "closing"),
        ("\"a\nb\"", (1, 3), "`\\n`"),
        ("\"a\tb\"", (1, 3), "`\\t`"),
        ("\"a\u{1}b\"", (1, 3), "`\\u0001`"),
        ("\"\\x41\"", (1, 3), "after `\\`"),
        ("\"\\u12g4\"", (1, 6), "four hex digits"),
        ("\"\\ud83d\\u12\"", (1, 12), "four hex digits"),
        ("\u{feff}{}", (1, 1), "byte-order mark"),
        ("[\u{a0}1]", (1, 2), "a JSON value"),
        ("[\u{1b}]", (1, 2), "`\\u{1b}`"),
    ];
    for (text, at, why) in cases {
        let fault = bad(text);
        assert_eq!(place(&fault), at, "{text:?}: {}", fault.message);
        assert!(fault.message.contains(why), "{text:?}: {}", fault.message);
    }
}

#[test]
fn a_fault_points_to_the_value_that_it_broke() {
    assert_eq!(bad("{\"a\": [0, {\"b/c\": nope}]}").pointer, "/a/1/b~1c");
    assert_eq!(bad("[1, 2,, 3]").pointer, "/2");
    assert_eq!(bad("[[1]").pointer, "");
}

#[test]
fn bytes_that_are_no_utf8_are_named() {
    let fault = bad(b"[\"\xc3\xa9\x9d\"]");
    assert_eq!(
        (place(&fault), fault.message.contains("0x9d")),
        ((1, 4), true)
    );
    assert!(bad(b"\xff\xfe{\0}\0").message.contains("0xff"));
    assert!(bad(b"\"\xed\xa0\xbd\"").message.contains("0xed"));
}

#[test]
fn what_parses_but_is_dubious_is_reported_all_at_once() {
    let text =
        "{\"a\": 1,\n \"b\": {\"c~\": \"\\ud83d\", \"c~\": 2},\n \"a\": \"x\\udc00\\udc00\"}";
    let reading = good(text);
    let found: Vec<_> = reading
        .faults
        .iter()
        .map(|f| (f.pointer.as_str(), place(f)))
        .collect();
    let expected = [
        ("/b/c~0", (2, 15)),
        ("/b/c~0", (2, 24)),
        ("/a", (3, 2)),
        ("/a", (3, 9)),
        ("/a", (3, 15)),
    ];
    assert_eq!(found, expected);
    assert!(reading.faults[2].message.contains("line 1, column 2"));
    let Value::Object(members) = &reading.root.value else {
        panic!("an object");
    };
    assert_eq!(members.len(), 3);
    assert_eq!(
        members[2].node.value,
        Value::String("x\u{fffd}\u{fffd}".to_owned())
    );
}

#[test]
fn escapes_are_read() {
    let text = r#""\"\\\/\b\f\n\r\t\u00e9\ud83e\udd80\u0000""#;
    let expected = "\"\\/\u{8}\u{c}\n\r\té🦀\0";
    assert_eq!(good(text).root.value, Value::String(expected.to_owned()));
    assert_eq!(good(text).faults, []);
    let half = good(r#""\ud83d\n\ud83d\ud83e\udd80""#);
    assert_eq!(
        half.root.value,
        Value::String("\u{fffd}\n\u{fffd}🦀".to_owned())
    );
    assert_eq!(half.faults.len(), 2);
}

#[test]
fn the_limits_hold_exactly() {
    let nest = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    good(&nest(64));
    let fault = bad(nest(65));
    assert_eq!(
        (place(&fault), fault.message),
        ((1, 65), "nested deeper than 64 levels".to_owned())
    );
    let limits = Limits { bytes: 4, depth: 1 };
    assert!(read(b"[12]", limits).is_ok());
    let fault = read(b"[123]", limits).unwrap_err();
    assert_eq!(
        fault.message,
        "the document has 5 bytes, expected at most 4"
    );
}

#[test]
fn no_depth_overflows_the_stack_whatever_the_caller_allows() {
    let limits = Limits {
        bytes: usize::MAX,
        depth: usize::MAX,
    };
    for opening in ["[", "{\"a\":", "[{\"k\":["] {
        let fault = read(opening.repeat(10_000).as_bytes(), limits).unwrap_err();
        assert_eq!(fault.message, "nested deeper than 128 levels");
    }
    let deepest = "[".repeat(128) + &"]".repeat(128);
    assert!(read(deepest.as_bytes(), limits).is_ok());
}

#[test]
fn big_documents_are_read_or_refused_in_linear_time() {
    let within = |bytes: usize| Limits { bytes, depth: 64 };
    let begin = Instant::now();
    assert!(read(&vec![b'['; 10 << 20], within(4 << 20)).is_err());
    let commas = format!("[0{}]", ",0".repeat(1 << 20));
    assert!(
        read(commas.as_bytes(), LIMITS)
            .unwrap_err()
            .message
            .contains("262144 values")
    );
    let long = format!("\"{}", "é".repeat(2 << 20));
    assert!(
        read(long.as_bytes(), within(8 << 20))
            .unwrap_err()
            .message
            .contains("closing")
    );
    // A long key over many faults: each pointer would repeat the key.
    let halves = vec!["\"\\ud800\""; 100_000].join(",");
    let shadow = format!("{{\"{}\":[{halves}]}}", "k".repeat(900_000));
    let faults = read(shadow.as_bytes(), LIMITS).unwrap().faults;
    assert!(faults.len() < 10, "{}", faults.len());
    assert!(faults.last().unwrap().message.contains("more faults"));
    // Generous: a quadratic reader would need minutes.
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn pointers_are_escaped() {
    assert_eq!(pointer("", "a"), "/a");
    assert_eq!(pointer("/a", "b/c~d"), "/a/b~1c~0d");
    assert_eq!(pointer("/a", ""), "/a/");
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<u64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_serde_json_writes_is_read_to_the_same_value(value in any_json(), pretty: bool) {
        let text = if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            value.to_string()
        };
        let reading = read(text.as_bytes(), LIMITS).unwrap();
        prop_assert_eq!(&reading.faults, &[]);
        // Through text on both sides: a float has one shortest form.
        prop_assert_eq!(plain(&reading.root), serde_json::from_str::<serde_json::Value>(&text).unwrap());
    }

    #[test]
    fn both_readers_agree_on_what_is_json(text in r#"([\[\]{},:" \n]|[-+.eE0-9]|true|false|null|\\[nu"\\]|\\u[dD][89aC][0-9a-f]{2}|"a"|"b"){0,14}"#) {
        let theirs = serde_json::from_str::<serde_json::Value>(&text);
        let ours = read(text.as_bytes(), LIMITS);
        match (&theirs, &ours) {
            (Ok(value), Ok(reading)) if reading.faults.is_empty() => {
                prop_assert_eq!(value, &plain(&reading.root));
            }
            (Ok(_), Err(fault)) => prop_assert!(false, "{:?}: {:?}", text, fault),
            // Beyond theirs we take only numbers that no f64 holds and halves of pairs.
            (Err(error), Ok(reading)) => prop_assert!(
                !reading.faults.is_empty() || error.to_string().contains("out of range"),
                "{:?}: {}", text, error
            ),
            _ => {}
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        drop(read(&bytes, LIMITS));
    }

    #[test]
    fn a_document_cut_anywhere_is_one_fault_inside_it(value in any_json(), cut in 0.0..1.0f64) {
        let text = serde_json::json!([value]).to_string();
        let end = (text.len() as f64 * cut) as usize;
        let fault = read(&text.as_bytes()[..end], LIMITS).unwrap_err();
        prop_assert!(fault.line == 1 && fault.column as usize <= end + 1, "{:?}", fault);
    }
}
