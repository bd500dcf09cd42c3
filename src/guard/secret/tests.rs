use proptest::prelude::*;

use super::samples::{Dice, sample};
use super::*;

/// Values per class; each in four of the frames, in turn.
const VALUES: usize = 1_000;

const FRAMES: [(&str, &str); 12] = [
    ("", ""),
    ("The request failed with ", " and was sent again."),
    ("Before: ", "\n\nAfter.\n"),
    ("(", ")"),
    ("{\"text\": \"", "\", \"n\": 1}"),
    ("{\"text\": \"line\\n", "\\nnext\"}"),
    ("{\"text\": \"{\\\"inner\\\": \\\"", "\\\"}\"}"),
    ("key:\n  - ", "\n  - other\n"),
    ("value: '", "'\n"),
    ("| name | ", " | note |\n|---|---|\n"),
    ("\u{1b}[31m", "\u{1b}[0m"),
    ("größer – ", " – später"),
];

fn frames(round: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    FRAMES
        .into_iter()
        .cycle()
        .skip(round % FRAMES.len())
        .take(4)
}

#[test]
fn every_class_is_found_and_nothing_of_it_is_left() {
    for class in 1..=18 {
        let mut dice = Dice(0x9e37_79b9 + class as u64);
        for round in 0..VALUES {
            let (written, value) = sample(class, &mut dice);
            for (head, tail) in frames(round) {
                let text = [head, &written, tail].concat();
                let safe = redact(&text);
                assert!(safe.contains(MARK), "class {class}, round {round}: {text}");
                // Any eight bytes of the value would be a part of it.
                let width = value.len().min(8);
                for part in value.as_bytes().windows(width) {
                    let part = std::str::from_utf8(part).unwrap();
                    assert!(
                        !safe.contains(part),
                        "class {class}, round {round}: {text}\n{safe}"
                    );
                }
                assert_eq!(redact(&safe), safe, "class {class}: not idempotent: {text}");
            }
        }
    }
}

#[test]
fn every_class_is_refused() {
    for class in 1..=18 {
        let mut dice = Dice(0xdead_beef + class as u64);
        for round in 0..VALUES {
            let (written, value) = sample(class, &mut dice);
            for (head, tail) in frames(round) {
                let text = [head, &written, tail].concat();
                let found = find(&text, Strength::Reject);
                assert!(!found.is_empty(), "class {class}, round {round}: {text}");
                let place = text.find(&value).unwrap();
                assert!(
                    found
                        .iter()
                        .any(|f| f.range.start < place + value.len() && place < f.range.end),
                    "class {class}, round {round}: {text} {found:?}"
                );
            }
        }
    }
}

#[test]
fn ordinary_text_is_not_refused() {
    let begin = ["-----BEGIN ", "PRIVATE KEY-----"].concat();
    let texts = [
        // conference.md §8, measured
        "basic hypothesis",
        "basic algorithms",
        "max_tokens: 512",
        "total_tokens=12000",
        "tokens: 512",
        "token_count: 40",
        "per-token: 1.2ms",
        "secret: none",
        "Authorization: root approved the second run",
        "sk-learning-rate",
        "npm_config_registry",
        "Token budget: 200k",
        "sk-learn",
        "password policy: ok",
        // prose
        "## Basic Examples of use",
        "Basic JavaScript and TypeScript",
        "bearer authentication",
        "Bearer tokens expire.",
        "Token: required for uploads",
        "- token: required",
        "password: something that only you know",
        "tokenizer: bert-base-uncased-v2",
        "A task-12345678 and disk-20260102 are no keys",
        "The secret: practice every day",
        "secretary: Ada Lovelace-Byron",
        "mail ada@example.com, see https://a.example/@ada",
        "https://unpkg.example/react@18.2.0/umd",
        "//@ts-ignore",
        "// @param name the name",
        "git clone ssh://git@host.example/a.git",
        "git@host.example:a/b.git",
        "http://localhost:PORT/@vite/client",
        "eyJ... is how a token begins",
        "SG.1 and SG.2",
        "ghp_ is the prefix",
        concat!("use `gh", "p_xxxxxxxxxxxxxxxxxxxx`"),
        concat!("xo", "xb-your-token-here-1"),
        "AKIA is a prefix",
        "hf_hub_download(repo_id)",
        "stop_token: '<|endoftext|>'",
        // code
        "password = os.environ[\"X\"]",
        "token: ${TOKEN}",
        "api_key: <your key>",
        "api_key=api_key",
        "token = response.json()[\"token\"]",
        "token = get_token(client_id)",
        "let token: CancellationToken = parent.child_token();",
        "password: Option<SecretString>,",
        "fn login(token: &AccessToken)",
        "secret = settings.auth.secret_key",
        "TOKEN=$(cat /run/secrets/token)",
        "export API_KEY=\"$OPENAI_API_KEY\"",
        "curl -H \"Authorization: Bearer $TOKEN\" https://a.example",
        "curl -H 'Authorization: Bearer <token>'",
        "headers[\"Authorization\"] = f\"Bearer {key}\"",
        "password_file: /run/secrets/db_password",
        "private_key = ~/.ssh/id_ed25519",
        "secretName: my-tls-cert-2026",
        "token_url: https://login.example/oauth2/token",
        "database_url: sqlite:///var/lib/app1.db",
        "postgres://${USER}:${PASS}@db.example/app",
        concat!("DATABASE_URL=postgres://user:", "pass@db.example:5432/app"),
        concat!(
            "database-url: postgresql://user:",
            "password@db.example:5432/app"
        ),
        "-H 'x-goog-api-key: \\$GEMINI_API_KEY'",
        "https://<user>:<password>@host.example",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "\"token\": \"The access token that the server returned\"",
        "token: YOUR_TOKEN_HERE",
        "password: undefined",
        "api_key: xxxxxxxxxxxxxxxx",
        "password: [REDACTED_SECRET]",
        "tokens_per_second = 123.45",
        "self.token = token",
        "password: str | None = None",
    ];
    for text in texts {
        assert_eq!(find(text, Strength::Reject), [], "{text}");
    }
    for text in [
        &format!("a file that starts with `{begin}` is one"),
        &format!("{begin} is a key"),
    ] {
        assert_eq!(find(text, Strength::Reject), [], "{text}");
    }
}

#[test]
fn metrics_are_not_redacted() {
    for text in [
        "max_tokens: 512",
        "total_tokens=12000",
        "token_count: 40",
        "per-token: 1.2ms",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_private_key_ends_at_its_footer_or_with_the_text() {
    let dashes = "-".repeat(5);
    let body = ["MIIE", "vQIBADANBg", "kqhkiG9w0"].concat();
    let head = format!("{dashes}BEGIN PGP PRIVATE KEY BLOCK{dashes}");
    let foot = format!("{dashes}END PGP PRIVATE KEY BLOCK{dashes}");
    assert_eq!(
        redact(&format!("a\n{head}\n\n{body}\n{foot}\nb")),
        format!("a\n{MARK}\nb")
    );
    assert_eq!(
        redact(&format!("a\n{head}\n{body}\nmore")),
        format!("a\n{MARK}")
    );
}

#[test]
fn the_whole_quotation_is_redacted() {
    for (text, safe) in [
        (
            r#"{"password": "two, words", "n": 1}"#,
            r#"{"password": "[REDACTED_SECRET]", "n": 1}"#,
        ),
        (
            r#""{\"password\": \"two, words\"}""#,
            r#""{\"password\": \"[REDACTED_SECRET]\"}""#,
        ),
        (
            "**Password:** hunter-two",
            "**Password:** [REDACTED_SECRET]",
        ),
        (
            "password = b\"hunter two\"",
            "password = [REDACTED_SECRET]\"",
        ),
        ("//ada:it%3As@host", "//[REDACTED_SECRET]@host"),
        ("https://ada:pa/ss@host", "https://[REDACTED_SECRET]@host"),
        (
            r"https:\/\/ada:pass@host",
            r"https:\/\/[REDACTED_SECRET]@host",
        ),
        (
            "secret = from(\"hunter two\")",
            "secret = [REDACTED_SECRET]\")",
        ),
        // The mark that closes the outer quotation opens none.
        (
            "{\"text\": \"secret := hunter2\", \"n\": 1}",
            "{\"text\": \"secret := [REDACTED_SECRET]\", \"n\": 1}",
        ),
        (
            "secret: token: hunter two",
            "secret: [REDACTED_SECRET] [REDACTED_SECRET] two",
        ),
        (
            "Authorization: Digest a=\"b\", c=\"d\"\nnext",
            "Authorization: [REDACTED_SECRET]\nnext",
        ),
    ] {
        assert_eq!(redact(text), safe, "{text}");
    }
}

#[test]
fn findings_are_named_and_placed() {
    let secret = ["ghp", "_", "0a1b2c3d4e5f"].concat();
    let text = format!("ü {secret}.");
    let found = find(&text, Strength::Reject);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].class, "GitHub token");
    assert_eq!(&text[found[0].range.clone()], secret);
    let pair = format!("token={secret}");
    assert_eq!(find(&pair, Strength::Reject)[0].class, "GitHub token");
}

#[test]
fn new_marks_are_those_that_the_base_does_not_have_as_often() {
    for (base, new, marks) in [
        ("", "a: [REDACTED]", &["[REDACTED]"][..]),
        ("a: [REDACTED]", "b: [REDACTED]", &[]),
        ("a: [REDACTED]", "[REDACTED] [REDACTED]", &["[REDACTED]"]),
        (
            "",
            "[REDACTED_SECRET] [REDACTED_SECRET]",
            &["[REDACTED_SECRET]"],
        ),
        ("«redacted:a»", "«redacted:b»", &["«redacted:b»"]),
        ("", "key=***", &["***"]),
        ("", "key: \"***\",\n", &["***"]),
        ("", "{\\\"key\\\": \\\"***\\\"}", &["***"]),
        ("", "key: ********\n", &["***"]),
        ("", "Note: ***bold*** text", &[]),
        ("", "***\n\na ***b*** c", &[]),
        ("", "f(**kw) and a: ** b", &[]),
        ("x: ***", "", &[]),
    ] {
        assert_eq!(new_marks(base, new), marks, "{base:?} {new:?}");
    }
}

/// Text that is made of what the scanners look for.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "sk-",
            "ghp_",
            "eyJ",
            "SG.",
            "npm_",
            "AKIA",
            "xoxb-",
            "hf_",
            "glpat-",
            "-----BEGIN ",
            "PRIVATE KEY-----",
            "-----END ",
            "Bearer ",
            "basic\n",
            "Authorization: ",
            "\"",
            "\\\"",
            "'",
            "`",
            "password",
            "token",
            "api key",
            ":",
            "=",
            " ",
            "\n",
            "\\n",
            "//",
            "@",
            "/",
            "\\/",
            "https",
            ".",
            "***",
            "[REDACTED_SECRET]",
            "[",
            "]",
            "ä",
            "\u{1b}[1m",
            "$",
            "{",
            "0123456789abcdefABCD",
            "words",
            ",",
            "}",
            "<",
            ">",
            "*",
        ])
        .prop_map(str::to_owned),
        "[a-zA-Z0-9_-]{1,24}",
        any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A key that was folded into one line, quoted as code or as HTML.
#[test]
fn a_private_key_needs_no_line_of_its_own() {
    let kind = concat!("PRIVATE", " KEY-----");
    let body = "7aB3dE5gH7jK9mN1pQ3sT5vX7zA2bC4dE6fG8hJ";
    for fold in [
        " ",
        "\n",
        "\t",
        "\\n",
        "\\\\n",
        "' + '",
        "<br>",
        "\r\n  ",
        "\",\n  \"",
    ] {
        let text =
            format!("before -----BEGIN RSA {kind}{fold}{body}{fold}-----END RSA {kind} after");
        for strength in [Strength::Reject, Strength::Redact] {
            assert_eq!(find(&text, strength).len(), 1, "{fold:?}");
        }
        assert_eq!(redact(&text), format!("before {MARK} after"), "{fold:?}");
    }
    let prose = format!("a -----BEGIN {kind} internationalization line");
    assert_eq!(find(&prose, Strength::Reject), []);
}

/// Whoever copies the text copies the credential too.
#[test]
fn a_hidden_character_hides_no_credential() {
    let values = [
        ["gh", "p_aB3dE5gH7jK9mN1pQ3sT5vX7zA2bC4dE6fG8"].concat(),
        ["AK", "IAQ7RSTUV2WXYZ34AB"].concat(),
        ["gl", "pat-aB3dE5gH7jK9mN1pQ3sT"].concat(),
    ];
    for value in values {
        for hidden in [
            '\u{200b}', '\u{200c}', '\u{3164}', '\u{180e}', '\u{ad}', '\u{feff}', '\u{1}',
        ] {
            for at in [1, 3, value.len() / 2] {
                let mut split = value.clone();
                split.insert(at, hidden);
                let text = format!("it said {split} and went on");
                assert_eq!(find(&text, Strength::Reject).len(), 1, "{text:?}");
                assert_eq!(
                    redact(&text),
                    format!("it said {MARK} and went on"),
                    "{text:?}"
                );
            }
        }
    }
}

/// Texts for which redaction was once not idempotent, or left a part of a value.
#[test]
fn what_a_law_once_found_stays_found() {
    let (key, slack, lab) = (
        concat!("s", "k-"),
        concat!("xo", "xb-"),
        concat!("gl", "pat-"),
    );
    let header = concat!("Author", "ization:");
    for text in [
        format!("0{header} password\"\""),
        format!("{key}{header} {header} a0{lab}"),
        format!("//{slack}aAA0AA0-¡/@"),
        format!("{key}{lab}SG.{lab}"),
        format!("a{header} //,@"),
        format!("-{header} '{key}{header} 'aA0_-aA-"),
        format!("-{header} password\\\"{header} {key}\\\""),
        format!("\\\"{header} password:¡0aaAa\\\""),
        format!("{header} \\\":{header} AAa_APRIVATE KEY-----\""),
        format!("password: \"x {header} abcdefg1\" def"),
        "password: \"token:            \"abcdefg1".to_owned(),
    ] {
        let once = redact(&text).into_owned();
        assert_eq!(redact(&once), once, "{text}");
        assert_eq!(find(&once, Strength::Reject), [], "{text}");
        let redacted = find(&text, Strength::Redact);
        for refused in find(&text, Strength::Reject) {
            assert!(covered(&refused, &redacted), "{text} {refused:?}");
        }
    }
}

fn covered(refused: &Finding, redacted: &[Finding]) -> bool {
    let covers =
        |r: &Finding| r.range.start <= refused.range.start && refused.range.end <= r.range.end;
    redacted.iter().any(covers)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn findings_are_ordered_and_fit_the_text(text in soup()) {
        for strength in [Strength::Reject, Strength::Redact] {
            let mut from = 0;
            for finding in find(&text, strength) {
                prop_assert!(finding.range.start >= from && !finding.range.is_empty());
                prop_assert!(text.get(finding.range.clone()).is_some());
                from = finding.range.end;
            }
        }
    }

    #[test]
    fn what_is_refused_is_redacted(text in soup()) {
        let redacted = find(&text, Strength::Redact);
        for refused in find(&text, Strength::Reject) {
            prop_assert!(covered(&refused, &redacted), "{:?} {:?}", refused, redacted);
        }
    }

    #[test]
    fn what_is_redacted_is_not_refused(text in soup()) {
        prop_assert_eq!(find(&redact(&text), Strength::Reject), []);
    }

    #[test]
    fn redaction_is_idempotent(text in soup()) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str());
    }

    #[test]
    fn a_text_brings_no_new_marks_to_itself(text in soup()) {
        prop_assert!(new_marks(&text, &text).is_empty());
    }
}

#[test]
fn every_pattern_compiles() {
    assert!(token::patterns_compile());
    assert!(pair::patterns_compile());
    assert!(harmless::patterns_compile());
    assert!(marks::patterns_compile());
}
