//! Content ids: SHA-256 of bytes, canonical JSON (skill-loop.md §10) and the short ids made of both.

use std::io::{self, Read};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The SHA-256 of `bytes`.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// 64 lower-case hex digits of the SHA-256 of `bytes`.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&sha256(bytes))
}

/// As [`sha256_hex`], of everything that a reader gives, without holding it in memory.
pub fn sha256_hex_of(mut reader: impl Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut chunk = [0; 16 << 10];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => return Ok(hex(&hasher.finalize())),
            Ok(read) => hasher.update(chunk.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 of bytes that come piece by piece, and of what came so far.
#[derive(Debug, Clone, Default)]
pub struct Running(Sha256);

impl Running {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// 64 lower-case hex digits of everything so far.
    pub fn hex(&self) -> String {
        hex(&self.0.clone().finalize())
    }
}

/// Canonical JSON: UTF-8, keys sorted by bytes, no spaces, integers as such.
///
/// `serde_json`'s map is a `BTreeMap`, whose string order is byte order; a test pins that.
pub fn canonical(value: &impl Serialize) -> Vec<u8> {
    let tree = serde_json::to_value(value).unwrap_or_default();
    // What is a tree of values already always has a text.
    serde_json::to_vec(&tree).unwrap_or_default()
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
    use super::{canonical, id, sha256_hex, sha256_hex_of};
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
        let long = vec![7; 40_000];
        assert_eq!(sha256_hex_of(&long[..]).unwrap(), sha256_hex(&long));
        assert_eq!(
            id("x-", &json!({}), 12),
            format!("x-{}", &sha256_hex(b"{}")[..12])
        );
    }
}
