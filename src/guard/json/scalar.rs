//! Strings, numbers and the three words.

use super::Value;
use super::reader::Reader;
use crate::error::Fault;

/// What other notations call a value, so that a message may quote it.
const FOREIGN: [&str; 7] = [
    "NaN",
    "Infinity",
    "undefined",
    "None",
    "True",
    "False",
    "NULL",
];

/// What stands in the tree for half of a surrogate pair.
const REPLACEMENT: char = '\u{fffd}';

impl Reader<'_> {
    /// `true`, `false`, `null`; or the fault that no value stands here.
    pub(super) fn word(&mut self) -> Result<Value, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ if FOREIGN.contains(&word) => {
                let message = format!("expected a JSON value, found `{word}`");
                return Err(self.fail(self.at, message));
            }
            _ => return Err(self.unexpected("a JSON value")),
        };
        self.at += word.len();
        Ok(value)
    }

    /// A number, as it is written.
    pub(super) fn number(&mut self) -> Result<String, Fault> {
        let start = self.at;
        self.eat(b'-');
        let zero = self.peek() == Some(b'0');
        let first = self.at;
        self.digits("a digit")?;
        if zero && self.at > first + 1 {
            return Err(self.fail(first, "expected a number without leading zeros"));
        }
        if self.eat(b'.') {
            self.digits("a digit after the decimal point")?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits("a digit in the exponent")?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default().to_owned())
    }

    fn digits(&mut self, expected: &str) -> Result<(), Fault> {
        let first = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == first {
            return Err(self.unexpected(expected));
        }
        Ok(())
    }

    /// A string at its opening quote.
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        let open = self.at;
        self.at += 1;
        let mut string = String::new();
        loop {
            string.push_str(self.plain());
            match self.peek() {
                None => return Err(self.fail(open, "expected a closing `\"` for this string")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(control) => return Err(self.fail(self.at, unescaped(control))),
            }
        }
    }

    /// Passes what stands for itself.
    fn plain(&mut self) -> &str {
        let start = self.at;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
        self.at += rest.iter().position(special).unwrap_or(rest.len());
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// An escape at its backslash.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 1;
        let plain = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode(start);
            }
            _ => return Err(self.unexpected("one of `\" \\ / b f n r t u` after `\\`")),
        };
        self.at += 1;
        Ok(plain)
    }

    /// The digits of `\u`, and the second half of a pair where there is one.
    fn unicode(&mut self, start: usize) -> Result<char, Fault> {
        let unit = self.hex4()?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        if let Some(c) = self.low_half(unit)? {
            return Ok(c);
        }
        self.note(
            start,
            "expected a whole surrogate pair, found one half of it",
        );
        Ok(REPLACEMENT)
    }

    /// What `high` and the escape that follows make together; nothing is passed where they
    /// make no character.
    fn low_half(&mut self, high: u32) -> Result<Option<char>, Fault> {
        let follows = self
            .text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with("\\u"));
        if !(0xd800..0xdc00).contains(&high) || !follows {
            return Ok(None);
        }
        let before = self.at;
        self.at += 2;
        let low = self.hex4()?;
        if !(0xdc00..0xe000).contains(&low) {
            self.at = before;
            return Ok(None);
        }
        Ok(char::from_u32(
            0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00),
        ))
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("four hex digits after `\\u`"));
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }
}

fn unescaped(control: u8) -> String {
    let escape = match control {
        b'\n' => "\\n".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\t' => "\\t".to_owned(),
        _ => format!("\\u{control:04x}"),
    };
    format!("expected `{escape}`: a string has no unescaped control character")
}
