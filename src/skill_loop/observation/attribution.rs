//! Whether the skill that an observation is about was active at all: a complaint about a skill
//! that was never loaded is about whatever should have loaded it.

use serde::Serialize;

use crate::hermes::session::Consultation;
use crate::hermes::skills::is_same;

/// What is known of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attribution {
    /// The session consulted it.
    Consulted,
    /// The session consulted no skill of that name.
    NotConsulted,
    /// There is a session, but the observation names no skill.
    NoSkill,
    /// No session was asked.
    Unverified,
}

impl Attribution {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Consulted => "consulted",
            Self::NotConsulted => "not-consulted",
            Self::NoSkill => "no-skill",
            Self::Unverified => "unverified",
        }
    }
}

/// Compares a skill with what a session consulted (`None`: no session was asked), and gives the
/// message that shows it.
pub fn attribute(
    skill: Option<&str>,
    consulted: Option<&[Consultation]>,
) -> (Attribution, Option<i64>) {
    let Some(consulted) = consulted else {
        return (Attribution::Unverified, None);
    };
    let Some(skill) = skill else {
        return (Attribution::NoSkill, None);
    };
    let first = consulted.iter().find(|one| is_same(&one.skill, skill));
    match first {
        Some(one) => (Attribution::Consulted, Some(one.message)),
        None => (Attribution::NotConsulted, None),
    }
}
