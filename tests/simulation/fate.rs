//! What becomes of a child, and of a packet that comes once more.

use lithermes::engine::charter::Charter;
use lithermes::engine::id::Role;
use serde_json::{Value, json};

use super::children::{self, POISON};
use super::dice::Dice;
use super::schedule::Schedule;

/// What becomes of a child.
pub enum Fate {
    /// It says this; whether that is a packet that must be taken.
    Says { bytes: Vec<u8>, sound: bool },
    /// It is out when its time is up.
    TooSlow,
    /// It ends with this reason.
    Fails(&'static str),
    /// It is gone.
    Lost,
}

/// What comes under an id that has its packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// The same, perhaps with other white space.
    Same,
    /// Another sound packet.
    Other,
    /// No packet at all.
    Broken,
}

/// The fate of the child of a charter, and whether it uses up its time.
pub fn of(schedule: &Schedule, charter: &Charter) -> (Fate, bool) {
    let temper = &schedule.temper;
    let mut dice = Dice::apart(schedule.seed, &format!("fate {}", charter.dispatch_id));
    if dice.percent(temper.slow) {
        return (Fate::TooSlow, true);
    }
    let fate = if dice.percent(temper.lost) {
        Fate::Lost
    } else if dice.percent(temper.failing) {
        Fate::Fails(dice.pick(&["exit", "no_output", "malformed"]))
    } else if dice.percent(temper.bad) {
        let bytes = children::bad(schedule, charter, &mut dice);
        Fate::Says {
            bytes,
            sound: false,
        }
    } else {
        says(schedule, charter, &mut dice)
    };
    (fate, false)
}

/// What a session hands in after a refusal.
pub fn second(schedule: &Schedule, charter: &Charter) -> Fate {
    let mut dice = Dice::apart(schedule.seed, &format!("second {}", charter.dispatch_id));
    says(schedule, charter, &mut dice)
}

fn says(schedule: &Schedule, charter: &Charter, dice: &mut Dice) -> Fate {
    let packet = match dice.percent(schedule.temper.unwilling) {
        true => children::unwilling(charter, dice.pick(&["blocked", "failed"])),
        false => children::packet(schedule, charter, dice),
    };
    let bytes = spelled(&packet, dice).into_bytes();
    Fate::Says { bytes, sound: true }
}

/// The notations that a packet may have.
fn spelled(packet: &Value, dice: &mut Dice) -> String {
    let pretty = serde_json::to_string_pretty(packet).unwrap_or_default();
    match dice.below(8) {
        0 => pretty,
        1 => format!("```json\n{pretty}\n```"),
        2 => format!("\n  ```\n{packet}\n```\n"),
        _ => packet.to_string(),
    }
}

/// What comes under the id of a packet that was taken.
pub fn echo(schedule: &Schedule, charter: &Charter, bytes: &[u8]) -> (Echo, Vec<u8>) {
    let mut dice = Dice::apart(schedule.seed, &format!("echo {}", charter.dispatch_id));
    match dice.below(4) {
        0 => (Echo::Same, bytes.to_vec()),
        1 => (
            Echo::Same,
            format!("\n{}\n", String::from_utf8_lossy(bytes)).into_bytes(),
        ),
        2 => (Echo::Other, another(charter).to_string().into_bytes()),
        _ => (Echo::Broken, format!("{POISON} {{").into_bytes()),
    }
}

/// A sound packet that nobody else would send.
fn another(charter: &Charter) -> Value {
    let mut packet = children::unwilling(charter, "completed");
    packet["uncertainties"] = json!([POISON]);
    if charter.role == Role::Researcher {
        packet["claims"] = json!([{"claim": POISON, "evidence": POISON, "confidence": "low"}]);
    }
    packet
}
