//! Any text redacted: nothing that is found is left, and a second pass changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lithermes::guard::secret::{Strength, find, redact};

fuzz_target!(|text: &str| {
    let certain = find(text, Strength::Reject);
    let all = find(text, Strength::Redact);
    for finding in &certain {
        let value = &finding.range;
        let covered = all
            .iter()
            .any(|other| other.range.start < value.end && value.start < other.range.end);
        assert!(covered, "refused but not redacted: {finding:?}");
    }
    for pair in all.windows(2) {
        assert!(pair[0].range.end <= pair[1].range.start);
    }
    let safe = redact(text);
    assert_eq!(redact(&safe), safe);
});
