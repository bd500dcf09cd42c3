//! What only looks like a secret: words, numbers, references, code. Asked at strength *reject*,
//! where a wrong answer costs a person a good proposal.

use std::sync::LazyLock;

use regex::Regex;

/// Words that stand where a value will stand once.
const WORDS: [&str; 24] = [
    "changeme",
    "configured",
    "disabled",
    "elsewhere",
    "encrypted",
    "environment",
    "explicit",
    "forbidden",
    "generated",
    "mandatory",
    "necessary",
    "optional",
    "placeholder",
    "provided",
    "redacted",
    "rejected",
    "required",
    "something",
    "supported",
    "undefined",
    "unavailable",
    "unchanged",
    "unlimited",
    "whatever",
];

/// Parts of a key that make the value a description: `token_type`, `secretName`, `key-file`.
const DESCRIBING: [&str; 32] = [
    "age",
    "budget",
    "class",
    "count",
    "endpoint",
    "env",
    "expires",
    "field",
    "file",
    "format",
    "generator",
    "header",
    "kind",
    "length",
    "limit",
    "manager",
    "method",
    "name",
    "path",
    "pattern",
    "policy",
    "prefix",
    "provider",
    "ref",
    "scope",
    "scopes",
    "size",
    "store",
    "ttl",
    "type",
    "uri",
    "var",
];

/// A digit, or upper and lower case in a way that words do not have them.
pub(super) fn is_random(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
        || value
            .split(|c: char| !c.is_ascii_alphabetic())
            .any(has_odd_case)
}

/// `dXNlcjpw` and `ABcdEf`; not `Concepts`, `README`, `JavaScript`, `camelCase`.
fn has_odd_case(word: &str) -> bool {
    let upper = word.bytes().filter(u8::is_ascii_uppercase).count();
    if upper == 0 || upper == word.len() {
        return false;
    }
    let mut humps = word.split(|c: char| c.is_ascii_uppercase());
    let first = humps.next().unwrap_or_default();
    first.len() == 1 || humps.any(|hump| hump.len() < 2)
}

/// `xxxxxxxx`, `********`, `your-token-here`.
pub(super) fn is_placeholder(value: &str) -> bool {
    value
        .get(..4)
        .is_some_and(|head| head.eq_ignore_ascii_case("your"))
        || value
            .bytes()
            .all(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_'))
}

/// `512`, `1.2ms`, `12,000`, `200k`, `-1e9`, `85%`.
pub(super) fn is_number(value: &str) -> bool {
    let value = value.strip_prefix(['-', '+', '~']).unwrap_or(value);
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    value.len() - digits.len() <= 3
        && digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'_' | b'e' | b'-'))
}

/// `$X`, `${X}`, `\$X`, `<your key>`, `%X%`, `{{ x }}`.
pub(super) fn is_reference(value: &str) -> bool {
    let value = value.trim_start_matches('\\');
    value.starts_with(['$', '<', '{', '[', '('])
        || value.len() > 2 && value.starts_with('%') && value.ends_with('%')
}

static CODE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // A call, an index, a type with parameters · a path of names · a type of two words or more.
    Regex::new(concat!(
        r"(?-u)^(?:[&*!@]?[A-Za-z_][A-Za-z_0-9]*(?:(?:\.|::|->)[A-Za-z_][A-Za-z_0-9]*)*[(\[<{]",
        r"|[&*!@]?[A-Za-z_]+(?:(?:\.|::|->)[A-Za-z_]+)+\)*$",
        r"|&?(?:[A-Z][a-z]+){2,}\)*$)"
    ))
    .ok()
});

static LOCATION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // A URL, whose user-info another class judges · a path from a root that has a name.
    Regex::new(concat!(
        r"^(?:[a-z][a-z0-9+.-]*://",
        r"|(?:~|\.{1,2})/|/[a-z0-9._-]+(?:/[A-Za-z0-9._-]+)+$)"
    ))
    .ok()
});

/// Whether the value of a key, as it stands in a document, is no secret. `more` is what follows
/// it on its line, `quoted` whether it stands in quotation marks.
pub(super) fn is_plain_value(value: &str, more: &str, quoted: bool) -> bool {
    value.len() < 8
        || is_number(value)
        || is_reference(value)
        || is_placeholder(value)
        || is_word(value)
        || is_sentence(value, more)
        || names_a_secret(value)
        || LOCATION
            .as_ref()
            .is_some_and(|location| location.is_match(value))
        || !quoted && CODE.as_ref().is_some_and(|code| code.is_match(value))
}

fn is_word(value: &str) -> bool {
    let word = value.trim_end_matches(['.', ')', ':', '!', '?', '*', '|']);
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// A word that is followed by another one.
fn is_sentence(value: &str, more: &str) -> bool {
    let word = value.trim_end_matches(['.', ':', ')']);
    word.bytes()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'/'))
        && more
            .trim_start_matches([',', ';', ')', '.'])
            .starts_with(' ')
        && more
            .trim_start_matches([' ', ',', ';', '(', '.', ')'])
            .starts_with(|c: char| c.is_alphanumeric())
}

/// Names of secrets are no secrets: `api_key=api_key`, `token: SecretString`, `MY_TOKEN`.
fn names_a_secret(value: &str) -> bool {
    value
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b')'))
        && super::pair::names_a_secret(value)
}

/// Whether a key says something about a secret instead of holding it: `token_type`, `tokenizer`.
pub(super) fn is_describing(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    if lower.contains("tokeniz") || lower.contains("tokenis") || lower.contains("secretar") {
        return true;
    }
    let last = key.rsplit(['_', '-', '.', ' ']).next().unwrap_or_default();
    let hump = last
        .rfind(|c: char| c.is_ascii_uppercase())
        .and_then(|at| last.get(at..));
    [Some(last), hump].into_iter().flatten().any(|part| {
        DESCRIBING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(part))
    })
}

/// Whether a key counts tokens: `max_tokens`, `token_count`, `per-token`.
pub(super) fn is_metric(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower.contains("tokens")
        || ["count", "limit", "budget", "usage", "length"]
            .iter()
            .any(|what| lower.ends_with(what))
        || lower.contains("per-token")
        || lower.contains("per_token")
}

#[cfg(test)]
pub(super) fn patterns_compile() -> bool {
    [&CODE, &LOCATION]
        .into_iter()
        .all(|pattern| pattern.is_some())
}
