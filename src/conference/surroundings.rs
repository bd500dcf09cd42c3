//! What stands around a conference and has to stay as it is: the commit of the repository that its
//! root lies in, and the files that its commands name (conference.md A1, B 5.3).
//!
//! Promises: only looks; what was not recorded is not compared.

use std::path::Path;

use super::authority::Authority;
use super::gate::{Approval, file_digest};
use crate::engine::event::{Standing, Surroundings};
use crate::error::Result;
use crate::store;

/// What stands there now, for the gate.
pub fn of(approval: &Approval, authority: Option<&Authority>) -> Surroundings {
    let programs = [
        ("evaluator", &approval.evaluator),
        ("guard", &approval.guard),
        ("command", &approval.host.program),
    ];
    let programs = programs.into_iter();
    let programs = programs.filter_map(|(of, program)| Some((of, program.as_ref()?)));
    let files = programs.flat_map(|(of, program)| {
        program.named_files().map(move |(path, sha256)| Standing {
            of: of.to_owned(),
            path: path.to_owned(),
            sha256: sha256.to_owned(),
        })
    });
    Surroundings {
        repository: store::head_around(Path::new(&approval.root)),
        files: files.collect(),
        authority: authority.map(Authority::digest),
    }
}

/// The same things as they are now.
pub fn again(then: &Surroundings, root: &Path) -> Result<Surroundings> {
    let mut now = then.clone();
    if then.repository.is_some() {
        now.repository = store::head_around(root);
    }
    for file in &mut now.files {
        let found = file_digest(root, &file.path)?;
        file.sha256 = found.unwrap_or_else(|| "nothing".to_owned());
    }
    Ok(now)
}
