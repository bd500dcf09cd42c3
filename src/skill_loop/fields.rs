//! Typed reading of a JSON tree that notes every fault and goes on.
//!
//! Each reader returns `None` only after it noted why.

use super::credentials::shown;
use crate::guard::json::{Faults, Node, Value, pointer};

/// A value with its pointer.
#[derive(Debug, Clone)]
pub(super) struct Field<'n> {
    node: &'n Node,
    pointer: String,
}

impl<'n> Field<'n> {
    pub(super) fn root(node: &'n Node) -> Self {
        Self {
            node,
            pointer: String::new(),
        }
    }

    pub(super) fn node(&self) -> &'n Node {
        self.node
    }

    pub(super) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The value of `key`, where this is an object that has it; notes nothing.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let Value::Object(members) = &self.node.value else {
            return None;
        };
        let member = members.iter().find(|member| member.key == key)?;
        Some(Self {
            node: &member.node,
            pointer: pointer(&self.pointer, key),
        })
    }

    /// Whether it is `null`.
    pub(super) fn is_null(&self) -> bool {
        self.node.value == Value::Null
    }

    /// The string that this is, where it is one; notes nothing.
    pub(super) fn as_text(&self) -> Option<&'n str> {
        match &self.node.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Notes that this value breaks a rule.
    pub(super) fn fault(&self, faults: &mut Faults, message: impl Into<String>) {
        faults.push(self.node.place, || self.pointer.clone(), message);
    }

    /// A string.
    pub(super) fn text(&self, faults: &mut Faults) -> Option<&'n str> {
        let text = self.as_text();
        if text.is_none() {
            self.mistyped("a string", faults);
        }
        text
    }

    /// `true` or `false`.
    pub(super) fn flag(&self, faults: &mut Faults) -> Option<bool> {
        let Value::Bool(flag) = &self.node.value else {
            self.mistyped("`true` or `false`", faults);
            return None;
        };
        Some(*flag)
    }

    /// The items of an array.
    pub(super) fn items(&self, faults: &mut Faults) -> Option<Vec<Self>> {
        let Value::Array(items) = &self.node.value else {
            self.mistyped("an array", faults);
            return None;
        };
        let items = items.iter().enumerate().map(|(index, node)| Self {
            node,
            pointer: pointer(&self.pointer, &index.to_string()),
        });
        Some(items.collect())
    }

    /// An object; every key that is not `known` is a fault.
    pub(super) fn object(&self, known: &[&str], faults: &mut Faults) -> Option<Form<'n>> {
        let Value::Object(members) = &self.node.value else {
            self.mistyped("an object", faults);
            return None;
        };
        for member in members {
            if !known.contains(&member.key.as_str()) {
                let whole = || pointer(&self.pointer, &member.key);
                faults.push(member.place, whole, unknown_key(&member.key, known));
            }
        }
        Some(Form {
            field: self.clone(),
        })
    }

    fn mistyped(&self, expected: &str, faults: &mut Faults) {
        let found = self.node.value.kind();
        self.fault(faults, format!("expected {expected}, found {found}"));
    }
}

/// An object whose keys are being taken.
#[derive(Debug, Clone)]
pub(super) struct Form<'n> {
    /// The object itself.
    pub(super) field: Field<'n>,
}

impl<'n> Form<'n> {
    /// The value of `key`, where it is there.
    pub(super) fn optional(&self, key: &str) -> Option<Field<'n>> {
        self.field.get(key)
    }

    /// The value of `key`, whose absence is a fault of the object.
    pub(super) fn required(&self, key: &str, faults: &mut Faults) -> Option<Field<'n>> {
        let field = self.optional(key);
        if field.is_none() {
            self.field.fault(faults, format!("`{key}` is missing"));
        }
        field
    }

    /// The flag at `key`: `None` for a fault, `Some(None)` for absence.
    pub(super) fn optional_flag(&self, key: &str, faults: &mut Faults) -> Option<Option<bool>> {
        match self.optional(key) {
            None => Some(None),
            Some(field) => field.flag(faults).map(Some),
        }
    }
}

fn unknown_key(key: &str, known: &[&str]) -> String {
    let found = shown(key);
    match known.iter().find(|name| resembles(key, name)) {
        Some(meant) => format!("unknown key {found}, expected `{meant}`"),
        None => format!("unknown key {found}, expected `{}`", known.join("`, `")),
    }
}

/// The same letters in another style: `old_string`, `OldString`, `old-string`.
fn resembles(key: &str, name: &str) -> bool {
    let letters = key.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    letters
        .map(|c| c.to_ascii_lowercase())
        .eq(name.chars().map(|c| c.to_ascii_lowercase()))
}
