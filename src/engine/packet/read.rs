//! From a child's output to a packet, step by step; the first step that fails refuses it.

use serde_json::Value;

use super::{Flag, Packet, Reason, Refusal, agree, envelope, guard};
use crate::engine::charter::Charter;
use crate::guard::secret;

/// The packet in a child's whole output, checked against the charter that it answers, and what
/// in it is worth a look. Never panics, whatever the bytes.
pub fn read(output: &[u8], charter: &Charter) -> Result<(Packet, Vec<Flag>), Refusal> {
    let tree = envelope::read(output)?;
    identity(&tree, charter)?;
    let flags = guard::strings(&tree)?;
    let packet: Packet = serde_json::from_value(tree).map_err(|error| {
        // The message may quote what it found.
        Refusal::new(
            Reason::WrongShape,
            secret::redact(&error.to_string()).into_owned(),
        )
    })?;
    agree::with(&packet, charter)?;
    Ok((packet, flags))
}

/// Which id a child's whole output answers, whosever it may be.
pub fn addressed(output: &[u8]) -> Result<String, Refusal> {
    let tree = envelope::read(output)?;
    let id = tree.get("dispatch_id").and_then(Value::as_str);
    id.map(str::to_owned).ok_or_else(|| {
        let detail = "`dispatch_id` is missing or no string";
        Refusal::new(Reason::NoIdentity, detail)
    })
}

/// Whose packet it is comes before everything else in it.
fn identity(tree: &Value, charter: &Charter) -> Result<(), Refusal> {
    let expected = [
        ("dispatch_id", charter.dispatch_id.to_string()),
        ("role", charter.role.as_str().to_owned()),
    ];
    for (key, expected) in expected {
        let Some(found) = tree.get(key).and_then(Value::as_str) else {
            return Err(Refusal::new(
                Reason::NoIdentity,
                format!("`{key}` is missing or no string"),
            ));
        };
        if found != expected {
            let detail = format!("`{key}` is not `{expected}`");
            return Err(Refusal::new(Reason::OtherIdentity, detail));
        }
    }
    Ok(())
}
