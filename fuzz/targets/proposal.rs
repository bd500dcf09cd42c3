//! Any bytes handed to `propose`: a refusal with places inside the document, or drafts that say
//! the same when they are proposed once more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lithermes::skill_loop::proposal::{self, Draft, Import, SCHEMA};

fuzz_target!(|bytes: &[u8]| match proposal::read(bytes) {
    Ok(Import::NothingToSave) => {}
    Ok(Import::Proposals(drafts)) => {
        assert!(!drafts.is_empty());
        for draft in &drafts {
            let again = proposal::read(document(draft).to_string().as_bytes());
            let Ok(Import::Proposals(again)) = again else {
                panic!("what was taken is refused: {again:?}");
            };
            assert_eq!(again[0].change, draft.change);
        }
    }
    Err(error) => {
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
        assert!(!error.faults().is_empty());
        for fault in error.faults() {
            assert!(fault.line as usize <= lines, "{fault:?}");
        }
    }
});

fn document(draft: &Draft) -> serde_json::Value {
    let mut document = serde_json::to_value(&draft.change).unwrap();
    document["schema"] = SCHEMA.into();
    document["skill"] = draft.skill.clone().into();
    document["signal"] = draft.signal.as_str().into();
    document["rationale"] = draft.rationale.clone().into();
    document["evidenceRefs"] = draft.evidence_refs.clone().into();
    document
}
