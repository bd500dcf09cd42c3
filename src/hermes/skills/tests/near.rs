use super::super::{CatalogEntry, similar};

fn entry(name: &str, description: &str) -> CatalogEntry {
    CatalogEntry {
        path: name.to_owned(),
        dir_name: name.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        linked: false,
    }
}

#[test]
fn three_names_for_one_skill_are_found() {
    let text = "Write release notes with breaking changes first";
    let catalogue = [
        entry("release-notes", text),
        entry("changelog-writer", text),
        entry("notes-for-releases", text),
        entry("pdf-forms", "Fill in PDF forms from a table of values"),
        entry("git-bisect", "Find the commit that broke a test"),
    ];
    let found = similar(&catalogue, "ship-announcements", text);
    assert_eq!(
        found,
        ["changelog-writer", "notes-for-releases", "release-notes"]
    );
    // By name alone: order, a plural and one more word do not hide it; the closest comes first.
    let found = similar(
        &catalogue,
        "release-notes-writer",
        "Something else altogether",
    );
    assert_eq!(found, ["notes-for-releases", "release-notes"]);
}

#[test]
fn what_is_not_close_is_not_named() {
    let catalogue = [
        entry(
            "release-notes",
            "Write release notes with breaking changes first",
        ),
        entry("short", "Use this skill"),
        entry("bare", ""),
    ];
    for (name, description) in [
        ("git-bisect", "Find the commit that broke a test"),
        ("x", "Use this skill when it is for that"),
        ("y", ""),
        ("release-notes", "Another text about another thing"),
        ("release-train-planning", "Plan when trains leave"),
    ] {
        assert_eq!(
            similar(&catalogue, name, description),
            Vec::<String>::new(),
            "{name}"
        );
    }
}

#[test]
fn at_most_five_are_named() {
    let catalogue: Vec<_> = (0..20)
        .map(|n| entry(&format!("same-{n:02}"), ""))
        .collect();
    let found = similar(&catalogue, "same", "");
    assert_eq!(
        found,
        ["same-00", "same-01", "same-02", "same-03", "same-04"]
    );
}
