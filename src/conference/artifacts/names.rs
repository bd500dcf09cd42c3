//! The names that artifacts have, so that those of another run are known.

/// Names without a number or a letter in them.
const WHOLE: [&str; 3] = ["conference_results.tsv", "synthesis.md", "final_report.md"];

/// Whether a file of this name is one that a conference writes into its root.
pub fn is_artifact(name: &str) -> bool {
    let between = |before: &str, after: &str| name.strip_prefix(before)?.strip_suffix(after);
    let is_round = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_lane = |text: &str| matches!(text.as_bytes(), [b'A'..=b'Z']);
    WHOLE.contains(&name)
        || between("poster_session_round_", ".md").is_some_and(is_round)
        || between("peer_review_round_", ".md").is_some_and(is_round)
        || between("researcher_", "_results.tsv").is_some_and(is_lane)
}

#[cfg(test)]
mod tests {
    use super::is_artifact;

    #[test]
    fn only_what_a_conference_writes() {
        for name in [
            "conference_results.tsv",
            "synthesis.md",
            "final_report.md",
            "researcher_B_results.tsv",
            "poster_session_round_12.md",
            "peer_review_round_1.md",
        ] {
            assert!(is_artifact(name), "{name}");
        }
        for name in [
            "conference.md",
            "notes.md",
            "researcher_B_log.md",
            "researcher_AB_results.tsv",
            "researcher_b_results.tsv",
            "poster_session_round_.md",
            "peer_review_round_one.md",
        ] {
            assert!(!is_artifact(name), "{name}");
        }
    }
}
