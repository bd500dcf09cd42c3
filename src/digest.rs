//! Content ids: SHA-256 of bytes, canonical JSON (skill-loop.md §10) and the short ids made of both.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// 64 lower-case hex digits of the SHA-256 of `bytes`.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// As [`sha256_hex`], of all that a source gives, which is not kept.
pub fn sha256_hex_of(mut source: impl std::io::Read) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut piece = [0; 8192];
    loop {
        match source.read(&mut piece)? {
            0 => return Ok(hex(&hasher.finalize())),
            count => hasher.update(piece.get(..count).unwrap_or_default()),
        }
    }
}

/// Canonical JSON: UTF-8, keys sorted by bytes, no spaces, integers as such.
///
/// `serde_json`'s map is a `BTreeMap`, whose string order is byte order; a test pins that.
pub fn canonical(value: &impl Serialize) -> Vec<u8> {
    let tree = serde_json::to_value(value).unwrap_or(serde_json::Value::Null);
    tree.to_string().into_bytes()
}

/// `prefix` and the first `digits` hex digits of the SHA-256 of the canonical form of `value`.
pub fn id(prefix: &str, value: &impl Serialize, digits: usize) -> String {
    let digest = sha256_hex(&canonical(value));
    format!("{prefix}{}", &digest[..digits.min(digest.len())])
}

/// Lower-case hex of any bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{canonical, id, sha256_hex};
    use serde_json::json;

    #[test]
    fn canonical_sorts_keys_by_bytes_whatever_features_dependencies_switch_on() {
        let value = json!({"b": 1, "a": {"é": 2, "Z": [1, "\u{7f}\n"]}, "aa": null});
        let expected = "{\"a\":{\"Z\":[1,\"\u{7f}\\n\"],\"é\":2},\"aa\":null,\"b\":1}";
        assert_eq!(String::from_utf8(canonical(&value)).unwrap(), expected);
    }

    #[test]
    fn digests_are_the_published_ones() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256_hex(b""), empty);
        let long = vec![7; 100_000];
        assert_eq!(super::sha256_hex_of(&long[..]).unwrap(), sha256_hex(&long));
        assert_eq!(
            id("x-", &json!({}), 12),
            format!("x-{}", &sha256_hex(b"{}")[..12])
        );
    }
}
