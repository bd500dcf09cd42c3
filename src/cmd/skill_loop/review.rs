//! `skill-loop review`: one packet for a model to read. Writes nothing, calls nobody.

use serde_json::json;

use super::super::invocation::Invocation;
use crate::args::ReviewArgs;
use crate::error::Result;
use crate::skill_loop::packet::gather::{Request, gather};
use crate::skill_loop::packet::{self, Shown};

pub(super) fn run(invocation: &Invocation, args: &ReviewArgs) -> Result<u8> {
    let place = invocation.place()?;
    let max_bytes = args.max_bytes as usize;
    let request = Request {
        session: args.session.clone(),
        skill: args.skill.clone(),
        max_bytes,
        user_homes: invocation.user_homes(),
    };
    let gathered = gather(&place, &request)?;
    super::tell_passed(&invocation.output, gathered.passed);
    for warning in &gathered.warnings {
        invocation.output.warn(warning);
    }
    let packet = packet::compose(&gathered.material, max_bytes)?;
    if packet.messages.shown == 0 && packet.messages.of > 0 {
        let text =
            "no message of the session fits; raise --max-bytes, or name one skill with --skill";
        invocation.output.warn(text);
    }
    invocation.output.text(&packet.text);
    let part = |shown: Shown| json!({"shown": shown.shown, "of": shown.of});
    invocation.output.document(&json!({
        "schema": "lithermes/review/v1",
        "home": place.home_text(),
        "workspace": place.workspace.path.to_string_lossy(),
        "session": gathered.session,
        "skills": gathered.skills,
        "maxBytes": max_bytes,
        "bytes": packet.text.len(),
        "parts": {
            "messages": part(packet.messages),
            "observations": part(packet.observations),
            "catalogue": part(packet.catalogue),
            "sections": part(packet.sections),
            "supportSections": part(packet.support_sections),
        },
        "packet": packet.text,
    }));
    Ok(0)
}
