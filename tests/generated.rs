//! Completions and manual pages are rendered from `args` and committed, so that a packager needs
//! to run nothing; `LITHERMES_BLESS=1 cargo test --test main generated` writes them again.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory as _;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use lithermes::args::Args;

use crate::support::Sandbox;

const BLESS: &str = "LITHERMES_BLESS=1 cargo test --test main generated";
/// On every page; moved by hand when a version is released, so that a rendering depends on no clock.
const DAY: &str = "2026-11-30";
const FILES: &str = include_str!("../templates/man-files.roff");
const ENVIRONMENT: &str = include_str!("../templates/man-environment.roff");

#[test]
fn completions_are_what_the_command_line_says() {
    same_as_committed("completions", &completions());
}

#[test]
fn manual_pages_are_what_the_command_line_says() {
    same_as_committed("man", &pages());
}

#[test]
fn every_command_has_a_page_with_every_section() {
    let pages = pages();
    for name in ["lithermes.1", "lithermes-skill-loop-apply.1"] {
        assert!(pages.contains_key(name), "{name} of {:?}", pages.keys());
    }
    for (name, page) in &pages {
        let sections: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix(".SH "))
            .collect();
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "\"EXIT STATUS\"",
            "ENVIRONMENT",
            "FILES",
            "EXAMPLES",
        ] {
            assert!(
                sections.contains(&section),
                "{name}: {section}, {sections:?}"
            );
        }
        assert!(!sections.contains(&"EXTRA"), "{name}");
    }
}

#[test]
fn manual_pages_are_clean_for_the_formatters() {
    for (name, page) in &pages() {
        silent("mandoc", &["-T", "lint"], name, page);
        silent("groff", &["-man", "-ww", "-z"], name, page);
    }
}

/// Sourced in the shell itself, where it is installed: no complaint, no output. (What they then
/// complete is in tests/shells.rs and tests/real/shells.py.)
#[test]
fn completions_load_in_their_shells() {
    let load = [
        (
            "bash",
            "lithermes.bash",
            "source \"$0\" && complete -p lithermes >/dev/null",
        ),
        (
            "zsh",
            "_lithermes",
            "autoload -U compinit && compinit -D -u && source \"$0\" && test \"$_comps[lithermes]\" = _lithermes",
        ),
        (
            "fish",
            "lithermes.fish",
            "source $argv[1]; and complete -c lithermes >/dev/null",
        ),
    ];
    let scripts = completions();
    for (shell, file, line) in load {
        let args: &[&str] = match shell {
            "bash" => &["--norc", "-c", line],
            "zsh" => &["-f", "-c", line],
            _ => &["--no-config", "-c", line],
        };
        silent(shell, args, file, &scripts[file]);
    }
}

/// Runs a program on a file with this text, where it is installed: status 0 and not a word.
fn silent(program: &str, args: &[&str], name: &str, text: &str) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join(name);
    fs_err::write(&path, text).unwrap();
    let mut command = Command::new(program);
    command.args(args).arg(&path).env("HOME", home.path());
    let out = match command.output() {
        Ok(out) => out,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
        Err(error) => panic!("{program}: {error}"),
    };
    let said = [out.stdout, out.stderr].concat();
    assert!(
        out.status.success() && said.is_empty(),
        "{program} {name}: {}\n{}",
        out.status,
        String::from_utf8_lossy(&said)
    );
}

/// The folder holds these files, byte for byte, and no other.
fn same_as_committed(folder: &str, wanted: &BTreeMap<String, String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if std::env::var_os("LITHERMES_BLESS").is_some() {
        rewrite(&folder, wanted);
    }
    let found = committed(&folder);
    for (name, text) in wanted {
        let same = found
            .get(name)
            .is_some_and(|bytes| bytes == text.as_bytes());
        assert!(
            same,
            "{} is out of date: {BLESS}",
            folder.join(name).display()
        );
    }
    for name in found.keys() {
        let known = wanted.contains_key(name);
        assert!(
            known,
            "{} is left over: {BLESS}",
            folder.join(name).display()
        );
    }
}

fn committed(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs_err::read_dir(folder).unwrap();
    entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().and_then(OsStr::to_str).unwrap().to_owned();
            (name, fs_err::read(path).unwrap())
        })
        .collect()
}

fn rewrite(folder: &Path, wanted: &BTreeMap<String, String>) {
    fs_err::create_dir_all(folder).unwrap();
    for name in committed(folder).keys() {
        if !wanted.contains_key(name) {
            fs_err::remove_file(folder.join(name)).unwrap();
        }
    }
    for (name, text) in wanted {
        fs_err::write(folder.join(name), text).unwrap();
    }
}

/// What the program prints is what is committed.
fn completions() -> BTreeMap<String, String> {
    let shells = [
        ("bash", "lithermes.bash"),
        ("zsh", "_lithermes"),
        ("fish", "lithermes.fish"),
        ("powershell", "_lithermes.ps1"),
        ("elvish", "lithermes.elv"),
    ];
    let sandbox = Sandbox::new();
    let print = |(shell, file): (&str, &str)| {
        let script = sandbox.run(&["completions", shell]).ok().stdout;
        (file.to_owned(), script)
    };
    shells.into_iter().map(print).collect()
}

/// One page a command.
fn pages() -> BTreeMap<String, String> {
    let mut root = Args::command().disable_help_subcommand(true);
    root.build();
    let mut pages = BTreeMap::new();
    let mut waiting = vec![root];
    while let Some(command) = waiting.pop() {
        waiting.extend(
            command
                .get_subcommands()
                .filter(|sub| !sub.is_hide_set())
                .cloned(),
        );
        let command = for_a_page(command);
        let man = Man::new(command.clone());
        pages.insert(man.get_filename(), page(&man, &command));
    }
    pages
}

/// The usage line of `--help` for a synopsis, and a description that does not begin with the name's
/// own line.
fn for_a_page(mut command: clap::Command) -> clap::Command {
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap().to_owned();
    let about = command.get_long_about().unwrap().to_string();
    let (_, about) = about.split_once("\n\n").unwrap();
    let about = about.to_owned();
    let command = command.override_usage(usage).long_about(about);
    command.mut_args(|arg| arg.hide_short_help(false))
}

/// What clap_mangen renders, with sections of their own in place of its one called EXTRA.
fn page(man: &Man, command: &clap::Command) -> String {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let version = command.get_version().unwrap();
    let mut page = Roff::new().render();
    page.push_str(&format!(
        ".TH {} 1 {DAY} \"lithermes {version}\" \"lithermes\"\n",
        name.to_uppercase()
    ));
    page.push_str(&section(|out| man.render_name_section(out)));
    page.push_str(&section(|out| man.render_synopsis_section(out)));
    page.push_str(&section(|out| man.render_description_section(out)));
    page.push_str(&section(|out| man.render_options_section(out)));
    if command.has_subcommands() {
        page.push_str(&section(|out| man.render_subcommands_section(out)));
    }
    let notes = command.get_after_long_help().unwrap().to_string();
    let (before, examples) = notes.split_once("Examples:\n").unwrap();
    page.push_str(&sections(before));
    page.push_str(ENVIRONMENT);
    page.push_str(FILES);
    page.push_str(&sections(&format!("Examples:\n{examples}")));
    in_short_lines(&in_ascii(&page.replace(".br\n\n.br\n", ".sp\n")))
}

/// Running text is broken between two words, as the formatters want their input. A line that began
/// with a dot or a quotation mark would be a request.
fn in_short_lines(page: &str) -> String {
    const WIDTH: usize = 80;
    let mut short = String::new();
    let mut is_running = true;
    for line in page.lines() {
        is_running = match line {
            ".nf" => false,
            ".fi" => true,
            _ => is_running,
        };
        let breaks = is_running && !line.starts_with('.');
        let mut column = 0;
        for (number, word) in line.split(' ').enumerate() {
            let is_full = column + 1 + word.len() > WIDTH;
            if number > 0 && breaks && is_full && !word.starts_with(['.', '\'']) {
                short.push('\n');
                column = 0;
            } else if number > 0 {
                short.push(' ');
                column += 1;
            }
            short.push_str(word);
            column += word.len();
        }
        short.push('\n');
    }
    short
}

/// Neither formatter need guess the encoding; and a lone backtick is drawn as a quotation mark.
fn in_ascii(page: &str) -> String {
    let mut text = String::new();
    for c in page.chars() {
        match c {
            '`' => text.push_str("\\(ga"),
            c if c.is_ascii() => text.push(c),
            c => text.push_str(&format!("\\[u{:04X}]", u32::from(c))),
        }
    }
    text
}

/// One section as clap_mangen writes it, without the preamble that it repeats in each.
fn section(render: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    render(&mut bytes).unwrap();
    without_preamble(String::from_utf8(bytes).unwrap())
}

fn without_preamble(roff: String) -> String {
    roff.strip_prefix(&Roff::new().render()).unwrap().to_owned()
}

/// Notes as roff: a line at the left margin that ends in a colon is a heading, the lines under it
/// keep their form.
fn sections(notes: &str) -> String {
    let mut roff = Roff::new();
    let mut open = false;
    for line in notes.lines().filter(|line| !line.is_empty()) {
        let heading = line.strip_suffix(':').filter(|_| !line.starts_with(' '));
        let Some(heading) = heading else {
            roff.text([roman(line.strip_prefix("  ").unwrap())]);
            continue;
        };
        if std::mem::replace(&mut open, true) {
            roff.control("fi", []);
        }
        roff.control("SH", [heading.to_uppercase().as_str()]);
        roff.control("nf", []);
    }
    if open {
        roff.control("fi", []);
    }
    without_preamble(roff.render())
}
