//! The subset of YAML that a packet may be written in: block or flow collections, scalars, one
//! document. No anchor, no tag, no merge, no duplicate key.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use super::{MAX_LEVELS, Reason, Refusal, node};

/// A collection that is being read.
enum Open {
    Sequence(Vec<Value>),
    Mapping(Map<String, Value>, Option<String>),
}

struct Builder {
    open: Vec<Open>,
    root: Option<Value>,
}

pub(super) fn read(text: &str) -> Result<Value, Refusal> {
    let mut builder = Builder {
        open: Vec::new(),
        root: None,
    };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let detail = format!("line {}: {}", error.marker().line(), error.info());
            Refusal::new(Reason::Malformed, detail)
        })?;
        let line = span.start.line();
        match event {
            Event::DocumentStart(_) => documents += 1,
            event => builder.take(event, line)?,
        }
        if documents > 1 {
            return Err(Refusal::new(
                Reason::SeveralDocuments,
                format!("line {line}: a second document"),
            ));
        }
    }
    match builder.root {
        Some(root @ Value::Object(_)) => Ok(root),
        Some(_) => Err(Refusal::new(
            Reason::Malformed,
            "the document is no mapping",
        )),
        None => Err(Refusal::new(Reason::Malformed, "the document is empty")),
    }
}

impl Builder {
    fn take(&mut self, event: Event<'_>, line: usize) -> Result<(), Refusal> {
        let refuse = |what: &str| {
            Refusal::new(
                Reason::Malformed,
                format!("line {line}: {what} may not stand in a packet"),
            )
        };
        match event {
            Event::Alias(_) => Err(refuse("an alias")),
            Event::Scalar(_, _, anchor, _)
            | Event::SequenceStart(anchor, _)
            | Event::MappingStart(anchor, _)
                if anchor != 0 =>
            {
                Err(refuse("an anchor"))
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => Err(refuse("a tag")),
            Event::Scalar(text, style, ..) => self.scalar(&text, style == ScalarStyle::Plain, line),
            Event::SequenceStart(..) => self.push(Open::Sequence(Vec::new()), line),
            Event::MappingStart(..) => self.push(Open::Mapping(Map::new(), None), line),
            Event::SequenceEnd | Event::MappingEnd => self.close(line),
            _ => Ok(()),
        }
    }

    fn push(&mut self, open: Open, line: usize) -> Result<(), Refusal> {
        if let Some(Open::Mapping(_, None)) = self.open.last() {
            let detail = format!("line {line}: a key must be one word");
            return Err(Refusal::new(Reason::Malformed, detail));
        }
        if self.open.len() == MAX_LEVELS {
            return Err(Refusal::new(
                Reason::TooDeep,
                format!("line {line}: more than {MAX_LEVELS} levels"),
            ));
        }
        self.open.push(open);
        Ok(())
    }

    fn scalar(&mut self, text: &str, plain: bool, line: usize) -> Result<(), Refusal> {
        match self.open.last_mut() {
            Some(Open::Mapping(members, key @ None)) => {
                if members.contains_key(text) {
                    let detail = format!("line {line}: a key stands twice");
                    return Err(Refusal::new(Reason::DuplicateKey, detail));
                }
                if plain && text == "<<" {
                    let detail = format!("line {line}: a merge may not stand in a packet");
                    return Err(Refusal::new(Reason::Malformed, detail));
                }
                *key = Some(text.to_owned());
                Ok(())
            }
            _ => {
                let value = if plain {
                    resolved(text)?
                } else {
                    Value::String(text.to_owned())
                };
                self.add(value, line)
            }
        }
    }

    fn close(&mut self, line: usize) -> Result<(), Refusal> {
        let value = match self.open.pop() {
            Some(Open::Sequence(items)) => Value::Array(items),
            Some(Open::Mapping(members, _)) => Value::Object(members),
            None => {
                return Err(Refusal::new(
                    Reason::Malformed,
                    format!("line {line}: an end without a beginning"),
                ));
            }
        };
        self.add(value, line)
    }

    fn add(&mut self, value: Value, line: usize) -> Result<(), Refusal> {
        match self.open.last_mut() {
            Some(Open::Sequence(items)) => items.push(value),
            Some(Open::Mapping(members, key)) => {
                let Some(key) = key.take() else {
                    return Err(Refusal::new(
                        Reason::Malformed,
                        format!("line {line}: a value without a key"),
                    ));
                };
                members.insert(key, value);
            }
            None => self.root = Some(value),
        }
        Ok(())
    }
}

/// What an unquoted word is. Only what JSON has besides strings is anything else than a string,
/// so that `yes`, `1_000` and `12:30` are what they look like.
fn resolved(text: &str) -> Result<Value, Refusal> {
    Ok(match text {
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        ".nan" | ".inf" | "-.inf" | "NaN" | "Infinity" | "-Infinity" => {
            return Err(Refusal::new(
                Reason::NotFinite,
                format!("`{text}` is no finite number"),
            ));
        }
        _ if is_number(text) => node::number(text)?,
        _ => Value::String(text.to_owned()),
    })
}

/// JSON's grammar of numbers.
fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.trim_start_matches(['+', '-']))),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let no_zero_before = whole == "0" || !whole.starts_with('0');
    digits(whole) && no_zero_before && fraction.is_none_or(digits) && exponent.is_none_or(digits)
}
