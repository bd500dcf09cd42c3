//! What a proposal changes: a patch, a new skill or a support file.

mod collision;

use std::collections::BTreeMap;

use super::content;
use super::{Change, Edit, NewFile};
use crate::guard::json::Faults;
use crate::guard::name::{self, SKILL_FILE, SUPPORT_DIRS};
use crate::skill_loop::fields::{Field, Form};

const KINDS: [&str; 3] = ["patch", "create", "supportFile"];

/// Each edit is looked for in the whole file.
const EDITS: usize = 256;

/// What the store keeps of one skill (skill-loop.md §8).
const FILES: usize = 512;

/// A change, and what it says about the files that it is for.
pub(super) struct Body {
    pub(super) change: Change,
    pub(super) base_sha256: BTreeMap<String, String>,
}

/// The one change of a proposal. Where there are several, each is checked all the same.
pub(super) fn read(form: &Form<'_>, skill: Option<&str>, faults: &mut Faults) -> Option<Body> {
    let given: Vec<&str> = KINDS
        .into_iter()
        .filter(|kind| form.optional(kind).is_some())
        .collect();
    if given.len() != 1 {
        let found = match given.len() {
            0 => "none".to_owned(),
            _ => format!("`{}`", given.join("`, `")),
        };
        let right = KINDS.join("`, `");
        form.field.fault(
            faults,
            format!("expected exactly one of `{right}`, found {found}"),
        );
    }
    let mut base = BTreeMap::new();
    let mut change = None;
    for kind in given {
        let field = form.optional(kind)?;
        change = match kind {
            "patch" => patch(&field, &mut base, faults),
            "create" => create(&field, skill, faults),
            _ => support_file(&field, &mut base, faults),
        };
    }
    Some(Body {
        change: change?,
        base_sha256: base,
    })
}

fn patch(
    field: &Field<'_>,
    base: &mut BTreeMap<String, String>,
    faults: &mut Faults,
) -> Option<Change> {
    let known = ["file", "oldString", "newString", "edits", "baseSha256"];
    let form = field.object(&known, faults)?;
    let file = path(&form, "file", faults);
    note_base(&form, file, base, faults);
    let edits = edits(&form, faults);
    Some(Change::Patch {
        file: file?.to_owned(),
        edits: edits?,
    })
}

/// Both ways to write edits, as one.
fn edits(form: &Form<'_>, faults: &mut Faults) -> Option<Vec<Edit>> {
    let alone = ["oldString", "newString"]
        .iter()
        .any(|key| form.optional(key).is_some());
    let Some(list) = form.optional("edits") else {
        if !alone {
            let message = "expected `oldString` and `newString`, or `edits`, found neither";
            form.field.fault(faults, message);
            return None;
        }
        return edit(form, faults).map(|edit| vec![edit]);
    };
    if alone {
        let message = "expected `oldString` and `newString`, or `edits`, found both";
        form.field.fault(faults, message);
    }
    let items = list.items(faults)?;
    if items.is_empty() || items.len() > EDITS {
        let found = items.len();
        list.fault(
            faults,
            format!("expected 1 to {EDITS} edits, found {found}"),
        );
    }
    let edits = items.iter().filter_map(|item| edit_object(item, faults));
    Some(edits.collect())
}

fn edit_object(field: &Field<'_>, faults: &mut Faults) -> Option<Edit> {
    let form = field.object(&["oldString", "newString"], faults)?;
    edit(&form, faults)
}

fn edit(form: &Form<'_>, faults: &mut Faults) -> Option<Edit> {
    let old = form.required("oldString", faults);
    let old_string = old.as_ref().and_then(|field| field.text(faults));
    let new = form.required("newString", faults);
    let new_string = new.as_ref().and_then(|field| field.text(faults));
    if let (Some(field), Some("")) = (&old, old_string) {
        field.fault(
            faults,
            "expected text that is in the file, found an empty string",
        );
    } else if let Some(field) = new.filter(|_| old_string.is_some() && old_string == new_string) {
        field.fault(
            faults,
            "expected another text than `oldString`, found the same",
        );
    }
    Some(Edit {
        old_string: old_string?.to_owned(),
        new_string: new_string?.to_owned(),
    })
}

fn create(field: &Field<'_>, skill: Option<&str>, faults: &mut Faults) -> Option<Change> {
    let form = field.object(&["files"], faults)?;
    let list = form.required("files", faults)?;
    let items = list.items(faults)?;
    if items.len() > FILES {
        let found = items.len();
        list.fault(
            faults,
            format!("expected at most {FILES} files, found {found}"),
        );
    }
    let files = items
        .iter()
        .filter_map(|item| new_file(item, skill, faults))
        .collect();
    collision::check(&items, &list, faults);
    Some(Change::Create { files })
}

fn new_file(field: &Field<'_>, skill: Option<&str>, faults: &mut Faults) -> Option<NewFile> {
    let form = field.object(&["path", "content", "executable", "baseSha256"], faults)?;
    let path = path(&form, "path", faults);
    let content = new_content(&form, path, skill, faults);
    let executable = form.optional_flag("executable", faults);
    if let Some(field) = form.optional("baseSha256") {
        field.fault(faults, "expected no `baseSha256`: a new file has no base");
    }
    Some(NewFile {
        path: path?.to_owned(),
        content: content?.to_owned(),
        executable: executable?,
    })
}

/// The text of a new file, which no earlier text excuses.
fn new_content<'n>(
    form: &Form<'n>,
    path: Option<&str>,
    skill: Option<&str>,
    faults: &mut Faults,
) -> Option<&'n str> {
    let field = form.required("content", faults)?;
    let text = field.text(faults)?;
    content::refuse_marks(&field, text, faults);
    match path {
        Some(SKILL_FILE) => content::check_skill_file(&field, text, skill, faults),
        _ => content::check_support_file(&field, text, faults),
    }
    Some(text)
}

fn support_file(
    field: &Field<'_>,
    base: &mut BTreeMap<String, String>,
    faults: &mut Faults,
) -> Option<Change> {
    let known = ["path", "content", "executable", "pointer", "baseSha256"];
    let form = field.object(&known, faults)?;
    let path = path(&form, "path", faults);
    if let Some(field) = form.optional("path").filter(|_| path == Some(SKILL_FILE)) {
        let right = SUPPORT_DIRS.join("/`, `");
        let message = format!("expected a file beneath `{right}/`: `{SKILL_FILE}` takes a `patch`");
        field.fault(faults, message);
    }
    note_base(&form, path, base, faults);
    let field = form.required("content", faults);
    let content = field.as_ref().and_then(|field| field.text(faults));
    if let (Some(field), Some(text)) = (&field, content) {
        content::check_support_file(field, text, faults);
    }
    let executable = form.optional_flag("executable", faults);
    let pointer = form
        .optional("pointer")
        .map(|field| edit_object(&field, faults));
    Some(Change::SupportFile {
        path: path?.to_owned(),
        content: content?.to_owned(),
        executable: executable?,
        pointer: pointer.flatten(),
    })
}

fn path<'n>(form: &Form<'n>, key: &str, faults: &mut Faults) -> Option<&'n str> {
    let field = form.required(key, faults)?;
    let text = field.text(faults)?;
    if let Err(refusal) = name::check_file(text) {
        field.fault(faults, refusal);
        return None;
    }
    Some(text)
}

fn note_base(
    form: &Form<'_>,
    path: Option<&str>,
    base: &mut BTreeMap<String, String>,
    faults: &mut Faults,
) {
    let Some(field) = form.optional("baseSha256") else {
        return;
    };
    let Some(text) = field.text(faults) else {
        return;
    };
    if text.len() != 64 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
        field.fault(faults, "expected 64 lower-case hex digits");
    } else if let Some(path) = path {
        base.insert(path.to_owned(), text.to_owned());
    }
}
