//! Names of conferences and of what they send out (conference.md A5).
//!
//! Promises: what is parsed is spelled in exactly one way, and is spelled so again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Hex digits of a conference's id.
const DIGITS: usize = 12;

/// One lane: `A` to `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lane(char);

impl Lane {
    /// The lane with this number, from 0; `None` beyond `Z`.
    pub fn nth(number: usize) -> Option<Self> {
        let number = u8::try_from(number).ok().filter(|number| *number < 26)?;
        Some(Self(char::from(b'A' + number)))
    }

    /// Its number, from 0.
    pub fn number(self) -> usize {
        usize::try_from(u32::from(self.0) - u32::from('A')).unwrap_or(0)
    }
}

impl FromStr for Lane {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(letter @ 'A'..='Z'), None) => Ok(Self(letter)),
            _ => Err(NoId),
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// What a child is asked to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Answers once, so that a paid host is known to answer.
    Probe,
    /// Searches in one lane.
    Researcher,
    /// Compares what the lanes found.
    Poster,
    /// Attacks their claims.
    Reviewer,
    /// Writes down what holds.
    Synthesis,
}

impl Role {
    /// The spelling in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Probe => "probe",
            Self::Researcher => "researcher",
            Self::Poster => "poster",
            Self::Reviewer => "reviewer",
            Self::Synthesis => "synthesis",
        }
    }
}

/// Which task of a conference, whatever conference that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// The round trip before everything else.
    Probe,
    /// A lane's research in a round.
    Research(u32, Lane),
    /// A round's poster.
    Poster(u32),
    /// A round's review.
    Review(u32),
    /// The one synthesis.
    Synthesis,
}

impl Task {
    /// The round, where it belongs to one.
    pub fn round(self) -> Option<u32> {
        match self {
            Self::Research(round, _) | Self::Poster(round) | Self::Review(round) => Some(round),
            Self::Probe | Self::Synthesis => None,
        }
    }

    /// The lane, where it belongs to one.
    pub fn lane(self) -> Option<Lane> {
        match self {
            Self::Research(_, lane) => Some(lane),
            _ => None,
        }
    }

    /// The role that does it.
    pub fn role(self) -> Role {
        match self {
            Self::Probe => Role::Probe,
            Self::Research(..) => Role::Researcher,
            Self::Poster(_) => Role::Poster,
            Self::Review(_) => Role::Reviewer,
            Self::Synthesis => Role::Synthesis,
        }
    }
}

/// A task and which try of it: what follows the conference's id in a dispatch id (`r1.A.1`).
/// Artifacts print this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// What is to be done.
    pub task: Task,
    /// From 1.
    pub attempt: u32,
}

impl fmt::Display for Call {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.task {
            Task::Probe => write!(out, "probe")?,
            Task::Research(round, lane) => write!(out, "r{round}.{lane}")?,
            Task::Poster(round) => write!(out, "r{round}.poster")?,
            Task::Review(round) => write!(out, "r{round}.reviewer")?,
            Task::Synthesis => write!(out, "synthesis")?,
        }
        write!(out, ".{}", self.attempt)
    }
}

impl FromStr for Call {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        parse_call(text).ok_or(NoId)
    }
}

fn parse_call(text: &str) -> Option<Call> {
    let (what, attempt) = text.rsplit_once('.')?;
    let task = match what {
        "probe" => Task::Probe,
        "synthesis" => Task::Synthesis,
        _ => {
            let (round, who) = what.strip_prefix('r')?.split_once('.')?;
            let round = number(round)?;
            match who {
                "poster" => Task::Poster(round),
                "reviewer" => Task::Review(round),
                lane => Task::Research(round, lane.parse().ok()?),
            }
        }
    };
    Some(Call {
        task,
        attempt: number(attempt)?,
    })
}

/// A positive number without sign and without leading zero.
fn number(text: &str) -> Option<u32> {
    let spelled = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| spelled)
}

/// The id of a conference: `c-` and 12 hex digits of its approval digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConferenceId(String);

impl ConferenceId {
    /// The id that an approval digest (64 hex digits) gives.
    pub fn of_approval(digest: &str) -> Self {
        let digits: String = digest.chars().take(DIGITS).collect();
        Self(format!("c-{digits}"))
    }

    /// The id of one call of this conference.
    pub fn dispatch(&self, call: Call) -> DispatchId {
        DispatchId {
            conference: self.clone(),
            call,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("c-")?;
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let fits = digits.len() == DIGITS && digits.bytes().all(is_hex);
        fits.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for ConferenceId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl FromStr for ConferenceId {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        Self::parse(text).ok_or(NoId)
    }
}

/// What one charter is sent out under, and what its packet must bear: `c-3f9c0a1b2c3d.r1.A.1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DispatchId {
    /// Whose.
    pub conference: ConferenceId,
    /// Which.
    pub call: Call,
}

impl fmt::Display for DispatchId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.conference, self.call)
    }
}

impl FromStr for DispatchId {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let (conference, call) = text.split_once('.').ok_or(NoId)?;
        Ok(Self {
            conference: conference.parse()?,
            call: call.parse()?,
        })
    }
}

/// The id of a claim: its call, and its number from 1 (`r1.A.1#2`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimId {
    /// The call whose packet makes it.
    pub call: Call,
    /// Which of its claims.
    pub number: u32,
}

impl fmt::Display for ClaimId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}#{}", self.call, self.number)
    }
}

impl FromStr for ClaimId {
    type Err = NoId;

    fn from_str(text: &str) -> Result<Self, NoId> {
        let (call, claim) = text.split_once('#').ok_or(NoId)?;
        Ok(Self {
            call: call.parse()?,
            number: number(claim).ok_or(NoId)?,
        })
    }
}

/// Text that is no id of the kind that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoId;

impl fmt::Display for NoId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("no id of a conference")
    }
}

impl std::error::Error for NoId {}

/// Serde by `Display` and `FromStr`.
macro_rules! as_text {
    ($($name:ident),*) => {$(
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

as_text!(Call, ClaimId, ConferenceId, DispatchId, Lane);

#[cfg(test)]
mod tests {
    use super::{Call, ClaimId, DispatchId, Lane, Task};

    #[test]
    fn every_id_is_spelled_in_one_way() {
        for text in [
            "r1.A.1",
            "r12.Z.3",
            "r1.poster.1",
            "r2.reviewer.2",
            "synthesis.1",
            "probe.1",
        ] {
            assert_eq!(text.parse::<Call>().unwrap().to_string(), text);
            let full = format!("c-0123456789ab.{text}");
            assert_eq!(full.parse::<DispatchId>().unwrap().to_string(), full);
        }
        let claim = "r1.A.1#16";
        assert_eq!(claim.parse::<ClaimId>().unwrap().to_string(), claim);
    }

    #[test]
    fn anything_else_is_none() {
        for text in [
            "",
            "r1",
            "r1.A",
            "r0.A.1",
            "r01.A.1",
            "r1.a.1",
            "r1.AB.1",
            "r1.A.0",
            "r1.A.+1",
            "r1.A.1 ",
            "r-1.A.1",
            "r1.A.1.1",
            "r99999999999.A.1",
            "synthesis",
            "Synthesis.1",
            "r1.Ä.1",
        ] {
            assert!(text.parse::<Call>().is_err(), "{text}");
            assert!(
                format!("c-0123456789ab.{text}")
                    .parse::<DispatchId>()
                    .is_err(),
                "{text}"
            );
        }
        for text in ["c-0123456789AB.r1.A.1", "c-0123.r1.A.1", "r1.A.1"] {
            assert!(text.parse::<DispatchId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_lane_is_one_letter_wherever_it_is_read() {
        assert_eq!(
            serde_json::from_str::<Lane>("\"C\"").unwrap(),
            Lane::nth(2).unwrap()
        );
        for text in ["\"!\"", "\"a\"", "\"AB\"", "\"\"", "\"Ä\"", "1"] {
            assert!(serde_json::from_str::<Lane>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lanes_count_from_a() {
        assert_eq!(Lane::nth(0).unwrap().to_string(), "A");
        assert_eq!(Lane::nth(25).map(Lane::number), Some(25));
        assert_eq!(Lane::nth(26), None);
        let order = [
            Task::Research(1, Lane::nth(1).unwrap()),
            Task::Poster(1),
            Task::Synthesis,
        ];
        assert!(order.is_sorted());
    }
}
