//! Where the fields of a proposal stand in its document.

use std::collections::BTreeMap;

use crate::error::Fault;
use crate::guard::json::{Node, Place, Value, pointer};
use crate::skill_loop::fields::Field;

/// Where the fields of one proposal stand, kept for checks that come later.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Pointer of the proposal in its document.
    root: String,
    /// Place of every value, by pointer in the proposal.
    known: BTreeMap<String, Place>,
}

impl Places {
    /// The places of all values of a proposal.
    pub(super) fn of(proposal: &Field<'_>) -> Self {
        let mut known = BTreeMap::new();
        collect(proposal.node(), String::new(), &mut known);
        Self {
            root: proposal.pointer().to_owned(),
            known,
        }
    }

    /// A fault of the field `field`, a pointer in the normalised proposal such as `/skill`,
    /// `/patch/edits/0/oldString` or `/create/files/1/content`. A patch that was written without
    /// `edits` is understood. Where the field is not in the document, its nearest parent is.
    pub fn fault(&self, field: &str, message: impl Into<String>) -> Fault {
        let (field, place) = self.nearest(self.as_written(field));
        Fault {
            pointer: format!("{}{field}", self.root),
            line: place.line,
            column: place.column,
            message: message.into(),
        }
    }

    /// The pointer under which the document itself has the field.
    fn as_written(&self, field: &str) -> String {
        match field.strip_prefix("/patch/edits/0") {
            Some(rest) if !self.known.contains_key("/patch/edits") => format!("/patch{rest}"),
            _ => field.to_owned(),
        }
    }

    fn nearest(&self, mut field: String) -> (String, Place) {
        loop {
            if let Some(place) = self.known.get(&field) {
                return (field, *place);
            }
            let Some(slash) = field.rfind('/') else {
                return (String::new(), Place { line: 1, column: 1 });
            };
            field.truncate(slash);
        }
    }
}

fn collect(node: &Node, at: String, known: &mut BTreeMap<String, Place>) {
    match &node.value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, pointer(&at, &index.to_string()), known);
            }
        }
        Value::Object(members) => {
            for member in members {
                collect(&member.node, pointer(&at, &member.key), known);
            }
        }
        _ => {}
    }
    known.insert(at, node.place);
}
