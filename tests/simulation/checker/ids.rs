//! Names and times, read once more by other code.

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Task {
    Probe,
    Lane(u64, char),
    Poster(u64),
    Review(u64),
    Synthesis,
}

/// A call: a task and which try of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    pub(super) task: Task,
    pub(super) attempt: u64,
}

/// A claim: its call and its number.
pub(super) type ClaimId = (Id, u64);

impl Task {
    pub(super) fn role(self) -> &'static str {
        match self {
            Self::Probe => "probe",
            Self::Lane(..) => "researcher",
            Self::Poster(_) => "poster",
            Self::Review(_) => "reviewer",
            Self::Synthesis => "synthesis",
        }
    }

    pub(super) fn round(self) -> Option<u64> {
        match self {
            Self::Lane(round, _) | Self::Poster(round) | Self::Review(round) => Some(round),
            Self::Probe | Self::Synthesis => None,
        }
    }
}

/// `c-….r1.A.1`, or without the conference.
pub(super) fn id(text: &str) -> Option<Id> {
    let mut parts: Vec<&str> = text.split('.').collect();
    if parts.first()?.starts_with("c-") {
        parts.remove(0);
    }
    let attempt = parts.pop()?.parse().ok()?;
    let task = match parts.as_slice() {
        ["probe"] => Task::Probe,
        ["synthesis"] => Task::Synthesis,
        [round, who] => {
            let round = round.strip_prefix('r')?.parse().ok()?;
            match *who {
                "poster" => Task::Poster(round),
                "reviewer" => Task::Review(round),
                lane => Task::Lane(round, lane.chars().next()?),
            }
        }
        _ => return None,
    };
    Some(Id { task, attempt })
}

/// `r1.A.1#2`.
pub(super) fn claim(text: &str) -> Option<ClaimId> {
    let (call, number) = text.split_once('#')?;
    Some((id(call)?, number.parse().ok()?))
}

/// How a claim is printed.
pub(super) fn printed((id, number): ClaimId) -> String {
    match id.task {
        Task::Lane(round, lane) => format!("r{round}.{lane}.{}#{number}", id.attempt),
        other => format!("{}#{number}", other.role()),
    }
}

/// Seconds of `2026-01-02T03:04:05Z` since the beginning of 2026 (whole years count 365 days).
pub(super) fn seconds(text: &str) -> Option<i64> {
    let text = text.strip_suffix('Z')?;
    let (date, time) = text.split_once('T')?;
    let date: Vec<i64> = date
        .split('-')
        .filter_map(|part| part.parse().ok())
        .collect();
    let time: Vec<i64> = time
        .split(':')
        .filter_map(|part| part.parse().ok())
        .collect();
    let ([year, month, day], [hour, minute, second]) = (date.as_slice(), time.as_slice()) else {
        return None;
    };
    let months = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let before = months.get(usize::try_from(month - 1).ok()?)?;
    let days = (year - 2026) * 365 + before + day - 1;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}
