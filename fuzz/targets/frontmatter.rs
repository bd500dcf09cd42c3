//! Any text as a `SKILL.md`: read as the host reads it, checked, and marked without another byte
//! being touched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lithermes::hermes::frontmatter::{check, insert_marker, is_marked, lenient};

fuzz_target!(|text: &str| {
    let listed = lenient(text);
    assert!(
        listed
            .name
            .as_ref()
            .is_none_or(|name| name.chars().count() <= 64)
    );
    let faults = check(text, listed.name.as_deref().unwrap_or("demo"));
    let lines = text.split(['\n', '\r']).count();
    for fault in &faults {
        assert!(fault.line as usize <= lines + 1, "{fault:?}");
    }
    let Ok(marked) = insert_marker(text) else {
        return;
    };
    assert!(is_marked(&marked));
    assert_eq!(insert_marker(&marked).as_deref(), Ok(marked.as_str()));
    assert!(is_text_with_one_run_more(text, &marked));
    let after = lenient(&marked);
    // A block scalar that ended the frontmatter ends with a line feed now: the host shows it alike.
    let shown = |text: Option<String>| text.map(|text| text.trim_end().to_owned());
    assert_eq!(
        (after.name, shown(after.description)),
        (listed.name, shown(listed.description))
    );
});

/// Whether `long` is `short` with one run of bytes put in somewhere.
fn is_text_with_one_run_more(short: &str, long: &str) -> bool {
    let same = |(a, b): &(u8, u8)| a == b;
    let head = short.bytes().zip(long.bytes()).take_while(same).count();
    let tail = short
        .bytes()
        .rev()
        .zip(long.bytes().rev())
        .take_while(same)
        .count();
    head + tail >= short.len()
}
