//! What a person's own repository says: read, and nothing else.

use std::path::Path;

/// The commit that HEAD names in the repository whose work tree holds `path`; `None` where there
/// is none, where it has no commit yet, and where it cannot be read. Neither the environment nor
/// anybody's configuration is looked at.
pub fn head_around(path: &Path) -> Option<String> {
    let tree = path.ancestors().find(|path| path.join(".git").exists())?;
    let repository = gix::open_opts(tree, gix::open::Options::isolated()).ok()?;
    let head = repository.head_id().ok()?;
    Some(head.to_string())
}
