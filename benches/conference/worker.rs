//! The bench as a child of its own conference: a lane that finds a little more each round, and a
//! reviewer that believes it.

use std::io::Read as _;

use serde_json::{Value, json};

/// What the program is called with to be one.
pub(crate) const WORD: &str = "worker";

/// Reads a charter and prints the packet that answers it.
pub(crate) fn work() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let charter: Value = serde_json::from_str(&text).unwrap();
    let mut packet = json!({
        "dispatch_id": charter["dispatch_id"], "role": charter["role"], "status": "completed",
        "claims": [], "uncertainties": [], "recommended_root_actions": [],
    });
    match charter["role"].as_str() {
        Some("researcher") => {
            let claim = "It is less.";
            packet["claims"] = json!([{
                "claim": claim, "evidence": "Measured once.", "confidence": "high", "rows": [0],
            }]);
            let value = format!("-{}", charter["round"]);
            packet["measurements"] = json!([{
                "name": "cost", "value": value, "provenance": "script:worker",
            }]);
        }
        Some("reviewer") => {
            let claims = charter["claims"].as_array().unwrap().iter();
            let verdicts = claims.map(|claim| {
                json!({
                    "claim": claim["id"], "verdict": "validated", "reason": "It holds.",
                    "evidence": "Read.", "confidence": "high",
                })
            });
            packet["verdicts"] = verdicts.collect();
        }
        _ => {}
    }
    println!("{packet}");
}
