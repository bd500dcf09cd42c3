use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tempfile::TempDir;

use super::{Home, HomeRequest, profile, resolve, workspace};
use crate::error::Code;

/// A user's home `u` and a place `opt` for homes elsewhere; `$` in a path is its real root.
struct World {
    _held: TempDir,
    top: PathBuf,
}

impl World {
    fn new(dirs: &[&str], files: &[(&str, &[u8])]) -> Self {
        let held = TempDir::new().unwrap();
        let top = held.path().canonicalize().unwrap();
        for dir in ["u", "opt"].iter().chain(dirs) {
            fs_err::create_dir_all(top.join(dir)).unwrap();
        }
        for (path, bytes) in files {
            fs_err::write(top.join(path), bytes).unwrap();
        }
        Self { _held: held, top }
    }

    fn request(&self, env: Option<&str>, profile: Option<&str>) -> HomeRequest {
        HomeRequest {
            hermes_home: None,
            profile: profile.map(str::to_owned),
            env_hermes_home: env.map(|path| match path.strip_prefix('$') {
                Some(rest) => PathBuf::from(format!("{}{rest}", self.top.display())),
                None => PathBuf::from(path),
            }),
            user_home: Some(self.top.join("u")),
            supervised: false,
        }
    }

    fn resolve(&self, env: Option<&str>, profile: Option<&str>) -> (String, Option<String>) {
        let home = resolve(&self.request(env, profile)).unwrap();
        (self.relative(&home.path), home.profile)
    }

    fn relative(&self, path: &Path) -> String {
        path.strip_prefix(&self.top).unwrap().display().to_string()
    }
}

/// Both layouts, each with two profiles; neither is switched.
const BOTH: [&str; 7] = [
    "u/.hermes/profiles/coder",
    "u/.hermes/profiles/writer",
    "u/.hermes/nested",
    "opt/data/profiles/coder",
    "opt/data/profiles/writer",
    "opt/data/profiles/coder/profiles/deep",
    "opt/other",
];

#[test]
fn without_a_switch_the_environment_decides() {
    let world = World::new(&BOTH, &[]);
    for (env, flag, path, profile) in [
        (None, None, "u/.hermes", None),
        (Some(""), None, "u/.hermes", None),
        (Some(" \t"), None, "u/.hermes", None),
        (Some("$/opt/data"), None, "opt/data", None),
        (Some("$/opt/data/"), None, "opt/data", None),
        (Some("$/u/.hermes/nested"), None, "u/.hermes/nested", None),
        (
            Some("$/opt/data/profiles/coder"),
            None,
            "opt/data/profiles/coder",
            Some("coder"),
        ),
        (
            Some("$/opt/data/profiles/coder/"),
            None,
            "opt/data/profiles/coder",
            Some("coder"),
        ),
        (
            Some("$/u/.hermes/profiles/coder"),
            None,
            "u/.hermes/profiles/coder",
            Some("coder"),
        ),
        (
            None,
            Some("coder"),
            "u/.hermes/profiles/coder",
            Some("coder"),
        ),
        (
            None,
            Some(" Coder "),
            "u/.hermes/profiles/coder",
            Some("coder"),
        ),
        (None, Some("default"), "u/.hermes", None),
        (None, Some("DEFAULT"), "u/.hermes", None),
        (
            Some("$/opt/data"),
            Some("writer"),
            "opt/data/profiles/writer",
            Some("writer"),
        ),
        (
            Some("$/opt/data/profiles/coder"),
            Some("writer"),
            "opt/data/profiles/writer",
            Some("writer"),
        ),
        (
            Some("$/opt/data/profiles/coder"),
            Some("default"),
            "opt/data",
            None,
        ),
        (
            Some("$/u/.hermes/nested"),
            Some("coder"),
            "u/.hermes/profiles/coder",
            Some("coder"),
        ),
        (
            Some("$/u/.hermes/nested"),
            Some("default"),
            "u/.hermes",
            None,
        ),
    ] {
        let found = world.resolve(env, flag);
        assert_eq!(
            found,
            (path.to_owned(), profile.map(str::to_owned)),
            "{env:?} {flag:?}"
        );
    }
}

#[test]
fn active_profile_moves_a_root_and_nothing_else() {
    for (text, profile) in [
        (&b"writer\n"[..], Some("writer")),
        (b"  Writer \r\n", Some("writer")),
        (b"default\n", None),
        (b"DEFAULT", None),
        (b"\n \n", None),
        (b"", None),
        (b"\xff\xfe", None),
    ] {
        let files = [
            ("u/.hermes/active_profile", text),
            ("opt/data/active_profile", text),
        ];
        let world = World::new(&BOTH, &files);
        for (env, root) in [
            (None, "u/.hermes"),
            (Some("$/u/.hermes"), "u/.hermes"),
            (Some("$/opt/data"), "opt/data"),
        ] {
            let path = profile.map_or(root.to_owned(), |name| format!("{root}/profiles/{name}"));
            let found = world.resolve(env, None);
            assert_eq!(
                found,
                (path, profile.map(str::to_owned)),
                "{env:?} {text:?}"
            );
        }
        // A profile that is already chosen, by the variable or by the flag, stays.
        let pinned = world.resolve(Some("$/opt/data/profiles/coder"), None);
        assert_eq!(pinned.0, "opt/data/profiles/coder");
        assert_eq!(world.resolve(None, Some("default")).0, "u/.hermes");
        assert_eq!(
            world.resolve(None, Some("coder")).0,
            "u/.hermes/profiles/coder"
        );
        // A home elsewhere has its own switch.
        assert_eq!(world.resolve(Some("$/opt/other"), None).0, "opt/other");
    }
}

#[test]
fn a_home_beneath_the_native_one_follows_the_native_switch() {
    let world = World::new(&BOTH, &[("u/.hermes/active_profile", b"writer")]);
    let found = world.resolve(Some("$/u/.hermes/nested"), None);
    assert_eq!(found.0, "u/.hermes/profiles/writer");
    // Not even the nested home has to exist for that.
    let found = world.resolve(Some("$/u/.hermes/no/such"), None);
    assert_eq!(found.0, "u/.hermes/profiles/writer");
}

#[test]
fn a_link_into_the_native_home_counts_as_beneath_it() {
    let world = World::new(&BOTH, &[("u/.hermes/active_profile", b"writer")]);
    std::os::unix::fs::symlink(world.top.join("u/.hermes"), world.top.join("opt/link")).unwrap();
    let found = world.resolve(Some("$/opt/link"), None);
    assert_eq!(found.0, "u/.hermes/profiles/writer");
}

#[test]
fn a_supervised_child_does_not_follow_the_switch() {
    let world = World::new(&BOTH, &[("opt/data/active_profile", b"writer")]);
    let mut request = world.request(Some("$/opt/data"), None);
    request.supervised = true;
    assert_eq!(resolve(&request).unwrap().path, world.top.join("opt/data"));
}

#[test]
fn the_exact_home_knows_no_switch_and_says_so() {
    let world = World::new(&BOTH, &[("opt/data/active_profile", b"writer")]);
    let mut request = world.request(Some("$/opt/other"), None);
    request.hermes_home = Some(world.top.join("opt/data"));
    let home = resolve(&request).unwrap();
    let expected = Home {
        path: world.top.join("opt/data"),
        profile: None,
        decided_by: "--hermes-home".to_owned(),
    };
    assert_eq!(home, expected);
    request.profile = Some("coder".to_owned());
    assert_eq!(resolve(&request).unwrap_err().code(), Code::Usage);
}

#[test]
fn the_rule_that_decided_is_named() {
    let world = World::new(&BOTH, &[("opt/data/active_profile", b"writer")]);
    for (env, flag, rule) in [
        (None, None, "~/.hermes"),
        (Some("$/opt/other"), None, "HERMES_HOME"),
        (Some("$/opt/data"), None, "HERMES_HOME, then active_profile"),
        (Some("$/opt/data"), Some("coder"), "--profile"),
    ] {
        let home = resolve(&world.request(env, flag)).unwrap();
        assert_eq!(home.decided_by, rule);
    }
}

#[test]
fn links_are_resolved_once() {
    let world = World::new(&["opt/real/skills"], &[]);
    std::os::unix::fs::symlink(world.top.join("opt/real"), world.top.join("u/.hermes")).unwrap();
    assert_eq!(world.resolve(None, None).0, "opt/real");
}

#[test]
fn what_is_not_there_is_named_with_its_rule() {
    let files: [(&str, &[u8]); 3] = [
        ("opt/data/active_profile", b"gone"),
        ("opt/file", b""),
        ("opt/other/active_profile", b"../../etc"),
    ];
    let world = World::new(&["opt/data", "opt/other"], &files);
    for (env, flag, code, part) in [
        (None, None, Code::NotFound, "(found by ~/.hermes)"),
        (
            Some("$/nowhere"),
            None,
            Code::NotFound,
            "(found by HERMES_HOME)",
        ),
        (Some("$/opt/file"), None, Code::NotFound, "is no directory"),
        (
            Some("$/opt/data"),
            None,
            Code::NotFound,
            "(found by HERMES_HOME, then active_profile)",
        ),
        (
            Some("$/opt/data"),
            Some("nope"),
            Code::NotFound,
            "the profile `nope` has no home",
        ),
        (
            Some("$/opt/other"),
            None,
            Code::NotFound,
            "`../../etc` is no profile name",
        ),
        (
            Some("$/opt/data"),
            Some("a/b"),
            Code::Usage,
            "`a/b` is no profile name",
        ),
        (
            Some("$/opt/data"),
            Some("no:xdist"),
            Code::Usage,
            "is no profile name",
        ),
        (
            Some("$/opt/data"),
            Some(""),
            Code::Usage,
            "is no profile name",
        ),
        (Some("$/opt/data"), Some("tmp"), Code::Usage, "reserves it"),
        (Some("~/.hermes"), None, Code::NotFound, "`~/.hermes`"),
    ] {
        let error = resolve(&world.request(env, flag)).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(error.message().contains(part), "{error} / {part}");
        assert!(code == Code::Usage || !error.hints().is_empty(), "{error}");
    }
}

#[test]
fn an_oversized_switch_is_refused_in_one_short_line() {
    for text in [
        "x".repeat(100_000),
        "é".repeat(50_000),
        format!("a{}", "é".repeat(50_000)),
    ] {
        let world = World::new(
            &["opt/data"],
            &[("opt/data/active_profile", text.as_bytes())],
        );
        let error = resolve(&world.request(Some("$/opt/data"), None)).unwrap_err();
        assert_eq!(error.code(), Code::NotFound);
        assert!(error.message().len() < 1000, "{error}");
    }
}

#[test]
fn a_switch_that_is_no_file_is_passed_over() {
    let world = World::new(&["opt/data/active_profile"], &[]);
    assert_eq!(world.resolve(Some("$/opt/data"), None).0, "opt/data");
}

#[test]
fn without_a_user_home_only_the_native_rule_fails() {
    let world = World::new(&BOTH, &[]);
    let mut request = world.request(Some("$/opt/data"), None);
    request.user_home = None;
    assert!(resolve(&request).is_ok());
    request.env_hermes_home = None;
    assert_eq!(resolve(&request).unwrap_err().code(), Code::NotFound);
}

#[test]
fn the_workspace_is_the_nearest_work_tree() {
    let dirs = ["w/.git", "w/a/b", "w/sub/deep", "bare/x", "w/a/c"];
    let world = World::new(&dirs, &[("w/sub/.git", b"gitdir: ../.git/modules/sub\n")]);
    for (current, path, rule) in [
        ("w/a/b", "w", "git work tree"),
        ("w", "w", "git work tree"),
        ("w/sub/deep", "w/sub", "git work tree"),
        ("bare/x", "bare/x", "current directory"),
    ] {
        let found = workspace(None, &world.top.join(current)).unwrap();
        assert_eq!(
            (world.relative(&found.path).as_str(), found.decided_by),
            (path, rule)
        );
    }
    let flag = world.top.join("w/a");
    let found = workspace(Some(&flag), &world.top).unwrap();
    assert_eq!((found.path, found.decided_by), (flag, "--workspace"));
}

#[test]
fn a_workspace_that_is_not_there_is_not_found() {
    let world = World::new(&[], &[("file", b"")]);
    for path in ["none", "file"] {
        let error = workspace(Some(&world.top.join(path)), &world.top).unwrap_err();
        assert_eq!(error.code(), Code::NotFound, "{error}");
    }
}

#[test]
fn profile_ids_are_those_of_the_host() {
    let longest = "a".repeat(64);
    let longer = "a".repeat(65);
    for (name, valid) in [
        ("coder", true),
        ("0", true),
        ("a_b-c", true),
        (longest.as_str(), true),
        (longer.as_str(), false),
        ("", false),
        ("-a", false),
        ("_a", false),
        ("a.b", false),
        ("..", false),
        ("A", false),
        ("é", false),
        ("a\n", false),
    ] {
        assert_eq!(profile::is_id(name), valid, "{name:?}");
    }
}

proptest! {
    #[test]
    fn a_canonical_name_is_one_component(name in ".{0,80}") {
        if let Ok(canonical) = profile::canonical(&name) {
            prop_assert!(profile::is_id(&canonical));
            prop_assert_eq!(profile::canonical(&canonical), Ok(canonical));
        }
    }
}
