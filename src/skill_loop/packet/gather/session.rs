//! The end of a session, and the skills that it consulted.

use crate::engine::host::hermes::prompt;
use crate::error::Result;
use crate::hermes::session::{self, Message, Named, Sessions};
use crate::skill_loop::packet::{Session, Turn, excerpt};
use crate::skill_loop::workplace::Workplace;

/// Bytes of a session that are read at most, however long its messages are.
const MOST_BYTES: usize = 16 << 20;

/// A session of the host's.
pub(super) struct Found {
    pub(super) session: Session,
    /// The names of the skills that it consulted.
    pub(super) consulted: Vec<String>,
    /// Newer ones, of children of conferences.
    pub(super) passed: usize,
}

/// The session with this id, or the latest that no child of a conference had.
pub(super) fn read(place: &Workplace, wanted: &str, max_bytes: usize) -> Result<Found> {
    let Named {
        sessions,
        session,
        passed,
    } = session::named(&place.home.path, wanted, &prompt::is_one)?;
    let messages = usize::try_from(session.messages).unwrap_or(usize::MAX);
    let turns = tail(&sessions, &session.id, messages, max_bytes)?;
    let consulted = sessions.consulted(&session.id)?.into_iter();
    Ok(Found {
        consulted: consulted.map(|one| one.skill).collect(),
        session: Session {
            id: session.id,
            messages,
            turns: turns.into_iter().map(turn).collect(),
        },
        passed,
    })
}

/// Enough of the end to fill a packet, in which long messages lose their middle.
fn tail(sessions: &Sessions, id: &str, all: usize, max_bytes: usize) -> Result<Vec<Message>> {
    let mut bytes = max_bytes;
    loop {
        let tail = sessions.tail(id, bytes)?;
        let shown: usize = tail.iter().map(shown_bytes).sum();
        if tail.len() >= all || shown >= max_bytes || bytes >= MOST_BYTES {
            return Ok(tail);
        }
        bytes = bytes.saturating_mul(4).min(MOST_BYTES);
    }
}

/// What is at least shown of a message where there is room.
fn shown_bytes(message: &Message) -> usize {
    let calls = message.calls.iter().map(|call| call.arguments.len());
    let calls: usize = calls.map(|bytes| bytes.min(excerpt::OF_CALL)).sum();
    calls + message.text.len().min(excerpt::most(&message.role))
}

fn turn(message: Message) -> Turn {
    let calls = message.calls.into_iter();
    Turn {
        id: message.id,
        role: message.role,
        tool: message.tool_name,
        at: message.at.map(|at| at.to_string()),
        text: message.text,
        calls: calls.map(|call| (call.name, call.arguments)).collect(),
    }
}
