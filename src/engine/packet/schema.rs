//! What a packet may look like, for a child: JSON Schema, one a role.
//!
//! Promises: whatever the schema allows the reader's shape allows too (a test generates both ways).

use serde_json::{Value, json};

use super::{MAX_CLAIMS, MAX_ITERATIONS, MAX_STRING};
use crate::engine::id::Role;

/// The schema of a role's packet.
pub fn of(role: Role) -> Value {
    let mut properties = json!({
        "dispatch_id": text(),
        "role": {"const": role.as_str()},
        "status": {"enum": ["completed", "blocked", "failed"]},
        "claims": list(claim(), MAX_CLAIMS),
        "uncertainties": list(text(), MAX_CLAIMS),
        "recommended_root_actions": list(text(), MAX_CLAIMS),
    });
    let own = match role {
        Role::Probe => json!({}),
        Role::Researcher => researcher(),
        Role::Poster => json!({
            "summaries": list(object(json!({"dispatch_id": text(), "summary": text()})), MAX_CLAIMS),
            "agreements": list(text(), MAX_CLAIMS),
            "conflicts": list(text(), MAX_CLAIMS),
            "missing_evidence": list(text(), MAX_CLAIMS),
            "open_questions": list(text(), MAX_CLAIMS),
        }),
        Role::Reviewer => json!({
            "verdicts": list(verdict(), MAX_CLAIMS * 26),
            "scores": list(object(json!({
                "lane": {"type": "string", "pattern": "^[A-Z]$"},
                "score": {"type": "integer", "minimum": 1, "maximum": 10},
                "notes": text(),
            })), 26),
        }),
        Role::Synthesis => json!({
            "established": list(text(), MAX_CLAIMS),
            "promising": list(text(), MAX_CLAIMS),
            "contradictions": list(text(), MAX_CLAIMS),
            "negative_results": list(text(), MAX_CLAIMS),
            "next_decisions": list(text(), MAX_CLAIMS),
        }),
    };
    if let (Some(all), Value::Object(own)) = (properties.as_object_mut(), own) {
        all.extend(own);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": ["dispatch_id", "role", "status", "claims", "uncertainties", "recommended_root_actions"],
        "additionalProperties": false,
    })
}

fn researcher() -> Value {
    json!({
        "hypotheses": list(object(json!({
            "statement": text(),
            "verdict": {"enum": ["supported", "falsified", "unresolved"]},
            "evidence": text(),
        })), MAX_ITERATIONS),
        "measurements": list(object(json!({
            "name": text(),
            "value": {"type": "string", "description": "a finite decimal number"},
            "provenance": text(),
        })), MAX_ITERATIONS),
        "candidates": list(object(json!({"values": {"type": "object"}})), MAX_ITERATIONS),
        "self_score": {"type": "integer", "minimum": 1, "maximum": 10},
        "stuck_level": {"type": "integer", "minimum": 0, "maximum": 3},
        "delegation_allowed": {"const": false},
    })
}

fn claim() -> Value {
    json!({
        "type": "object",
        "properties": {
            "claim": text(),
            "evidence": text(),
            "confidence": confidence(),
            "rows": list(json!({"type": "integer", "minimum": 0}), MAX_ITERATIONS),
        },
        "required": ["claim", "evidence", "confidence"],
        "additionalProperties": false,
    })
}

fn verdict() -> Value {
    object(json!({
        "claim": text(),
        "verdict": {"enum": ["validated", "challenged", "overturned", "needs_review"]},
        "reason": text(),
        "evidence": text(),
        "confidence": confidence(),
    }))
}

fn confidence() -> Value {
    json!({"enum": ["low", "medium", "high"]})
}

fn text() -> Value {
    json!({"type": "string", "maxLength": MAX_STRING})
}

fn list(item: Value, most: usize) -> Value {
    json!({"type": "array", "items": item, "maxItems": most})
}

/// An object that has all of these.
fn object(properties: Value) -> Value {
    let keys: Vec<&String> = properties
        .as_object()
        .into_iter()
        .flat_map(|all| all.keys())
        .collect();
    json!({"required": keys, "type": "object", "properties": properties, "additionalProperties": false})
}
