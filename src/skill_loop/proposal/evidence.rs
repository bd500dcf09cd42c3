//! The shapes of evidence references (skill-loop.md §3).

/// Characters of one reference, a note's text included.
const CHARS: usize = 4000;

const SHAPES: &str = "`session:ID#MESSAGE`, `observation:ID`, `conference:ID#CLAIM` or `note:TEXT`";

/// Whether a reference has one of the four shapes; `Err` says which are right.
pub(super) fn check(reference: &str) -> Result<(), String> {
    let found = reference.chars().count();
    if found > CHARS {
        return Err(format!(
            "expected at most {CHARS} characters, found {found}"
        ));
    }
    let Some((kind, rest)) = reference.split_once(':') else {
        return Err(format!("expected {SHAPES}"));
    };
    let (holds, right) = match kind {
        "session" => (is_pair(rest), "`session:ID#MESSAGE`"),
        "conference" => (is_pair(rest), "`conference:ID#CLAIM`"),
        "observation" => (is_observation(rest), "`observation:o-` and 12 hex digits"),
        "note" => (!rest.trim().is_empty(), "text after `note:`"),
        _ => (false, SHAPES),
    };
    if holds {
        return Ok(());
    }
    Err(format!("expected {right}"))
}

fn is_pair(text: &str) -> bool {
    text.split_once('#')
        .is_some_and(|(id, part)| is_token(id) && is_token(part))
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && c != '#')
}

fn is_observation(text: &str) -> bool {
    text.strip_prefix("o-").is_some_and(|digits| {
        digits.len() == 12
            && digits
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn four_shapes_pass() {
        for reference in [
            "session:20261130_101500_ab12cd#41",
            "session:3f9c0a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b#7",
            "observation:o-3f9c0a1b2c3d",
            "conference:retry-policy#lane-2/C4",
            "note:the user said so: twice",
            "note: ünïcode #1",
        ] {
            assert_eq!(check(reference), Ok(()), "{reference}");
        }
    }

    #[test]
    fn everything_else_is_refused_and_told_what_is_right() {
        let long = format!("note:{}", "é".repeat(3996));
        let cases = [
            ("", "`note:TEXT`"),
            ("session", "`note:TEXT`"),
            ("Session:a#1", "`note:TEXT`"),
            ("url:https://example.org", "`note:TEXT`"),
            ("session:a", "`session:ID#MESSAGE`"),
            ("session:#1", "`session:ID#MESSAGE`"),
            ("session:a#", "`session:ID#MESSAGE`"),
            ("session:a b#1", "`session:ID#MESSAGE`"),
            ("session:a#1#2", "`session:ID#MESSAGE`"),
            ("conference:a", "`conference:ID#CLAIM`"),
            ("observation:3f9c0a1b2c3d", "`observation:o-`"),
            ("observation:o-3F9C0A1B2C3D", "`observation:o-`"),
            ("observation:o-3f9c0a1b2c3", "`observation:o-`"),
            ("note:", "text after `note:`"),
            ("note: \n", "text after `note:`"),
            (&long, "4000 characters, found 4001"),
        ];
        for (reference, right) in cases {
            let fault = check(reference).expect_err(reference);
            assert!(fault.contains(right), "{reference}: {fault}");
        }
    }
}
