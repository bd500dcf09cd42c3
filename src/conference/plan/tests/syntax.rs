use super::super::{Critic, Document, Origin, Part, Strategy, read};
use super::{BASE, Rule, Severity, reading, told, with};

#[test]
fn both_spellings_say_the_same() {
    let bare = with(&[
        ("- **Metric:** seconds", "name: \"seconds\"   # the median"),
        ("- **Target:** < 0.5s", "target: '< 0.5s'"),
        ("- **Direction:** minimize", "Direction: Minimize"),
        (
            "- **Evaluator:** python3 bench.py",
            "evaluator: python3 bench.py # local",
        ),
        ("- **Count:** 3", "count: 3"),
        (
            "- **Iterations per round:** 5",
            "iterations_per_round: 5 # each",
        ),
        ("- **Max rounds:** 4", "* __Max rounds__: 4"),
        ("- **Strategy:** assigned", "strategy: assigned"),
        ("### Researcher A Focus", "## Researcher A Focus"),
        ("- **Max total iterations:** 60", "max_total_iterations: 60"),
        ("- **Time budget:** 2h", "time_budget: 120m"),
        ("- **Researcher timeout:** 30m", "researcher-timeout: 30M"),
    ]);
    let (one, other) = (reading(BASE), reading(&bare));
    assert_eq!(other.faults, []);
    assert_eq!(one.draft, other.draft);
    assert_eq!(one.config_digest, other.config_digest);
}

#[test]
fn a_default_that_is_said_is_the_default() {
    let said = with(&[
        (
            "- **Max total iterations:** 60\n",
            "- pause_every: never\n- On lost child: ask\n",
        ),
        (
            "- **Max rounds:** 4",
            "- **Max rounds:** 4\n- **Poster:** root",
        ),
        (
            "## Current Approach",
            "## Noise Handling\n- **Noise runs:** 1\n- **Min consensus delta:** 0.0\n\n\
             ## Guard\n- **Guard:** none\n\n## Convergence\n- **Plateau window:** 2\n\n\
             ## Current Approach",
        ),
    ]);
    assert_eq!(reading(&said).faults, []);
    assert_eq!(reading(&said).config_digest, reading(BASE).config_digest);
}

#[test]
fn headings_are_found_as_people_write_them() {
    let text = with(&[
        ("## Goal\n", "## goal ##\n"),
        ("## Success Metric", "##  SUCCESS   METRIC"),
        ("## Context & References", "## Context and References:"),
        ("## Pre-Flight Gate", "## Preflight Gate"),
        (
            "### Researcher C Focus",
            "### Researcher C Focus (contrarian)",
        ),
    ]);
    assert_eq!(reading(&text).faults, []);
    assert_eq!(reading(&format!("\u{feff}{BASE}")).faults, []);
    let crlf = reading(&BASE.replace('\n', "\r\n"));
    assert_eq!(crlf.faults, []);
    assert_eq!(crlf.config_digest, reading(BASE).config_digest);
}

#[test]
fn fences_and_comments_hide_headings_and_fields() {
    let hidden = "```md\n## Goal\n- **Count:** 9\n```\n~~~~\n```\n## Mode\n~~~\n~~~~\n\
                  <!--\n## Goal\n- **Time budget:** 1s\n-->\n<!-- ## Goal -->\n";
    let text = with(&[(
        "- **Time budget:** 2h",
        &format!("{hidden}- **Time budget:** 2h"),
    )]);
    let reading = reading(&text);
    assert_eq!(reading.faults, []);
    assert_eq!(
        reading.document.sections().len(),
        Document::parse(BASE.to_owned()).sections().len()
    );
}

#[test]
fn prose_and_nested_items_in_field_sections_are_kept_and_count() {
    let text = with(&[(
        "- **Baseline:** 2.4",
        "- **Baseline:** 2.4\n- **Sub-metrics (2):**\n  - **Count:** of passes (60%)\n  - spread (40%)",
    )]);
    let reading_of = reading(&text);
    assert_eq!(reading_of.faults, []);
    assert_eq!(reading_of.draft.count, Some(3));
    let other = reading(&text.replace("(60%)", "(70%)"));
    assert_ne!(reading_of.config_digest, other.config_digest);
}

#[test]
fn text_fields_go_on_in_indented_lines() {
    let text = with(&[(
        "- **Allowed changes:** level, window",
        "- **Allowed changes:**\n  - level\n  - window\n\n- **Allowed read roots:** src, `data/a`",
    )]);
    let draft = reading(&text).draft;
    assert_eq!(
        draft.settings.allowed_changes.as_deref(),
        Some("- level\n- window")
    );
    assert_eq!(draft.settings.allowed_read_roots, ["src", "data/a"]);
}

#[test]
fn words_may_bear_a_remark_in_parentheses() {
    let text = with(&[
        ("assigned\n", "free (everyone looks everywhere)\n"),
        ("disabled", "Enabled (lane C)"),
    ]);
    let draft = reading(&text).draft;
    assert_eq!(draft.strategy, Some(Strategy::Free));
    assert_eq!(draft.critic, Some(Critic::Enabled));
    assert_eq!(reading(&text).plan.unwrap().contrarian(), Some('C'));
}

#[test]
fn an_unknown_section_is_kept_and_counts() {
    let text = with(&[(
        "## Current Approach",
        "## Ground Truth\n- **Count:** 9\n\n## Current Approach",
    )]);
    let (plain, reading_of) = (reading(BASE), reading(&text));
    assert_eq!(reading_of.faults, []);
    assert_eq!(reading_of.document.text(), text);
    assert_ne!(plain.config_digest, reading_of.config_digest);
}

#[test]
fn a_label_in_the_wrong_section_is_told() {
    let text = with(&[(
        "- **Time budget:** 2h",
        "- **Time budget:** 2h\n- **Noise runs:** 3",
    )]);
    assert_eq!(
        told(&reading(&text).faults),
        [(Rule::V1, Severity::Warning, "Noise runs", 43)]
    );
}

#[test]
fn knowledge_and_log_are_no_configuration() {
    let text = with(&[
        (
            "<!-- written by the root -->",
            "### Round 1 Validated Findings\n1. **Levels.** x\n\n### Researcher A Focus\n- **Count:** 9",
        ),
        (
            "|--------|\n",
            "|--------|\n| 1 | A | 0.9 | x | validated |\n",
        ),
    ]);
    let (one, other) = (reading(BASE), reading(&text));
    assert_eq!(other.faults, []);
    assert_eq!(one.config_digest, other.config_digest);
    assert_ne!(one.knowledge_digest, other.knowledge_digest);
    let confirmed = with(&[(
        "disabled",
        "disabled\n- **Final confirmation:** confirmed abc",
    )]);
    assert_eq!(one.config_digest, reading(&confirmed).config_digest);
}

#[test]
fn everything_else_is_configuration() {
    let base = reading(BASE).config_digest;
    for (old, new) in [
        ("Faster log", "Slower log"),
        ("half a second", "a second"),
        ("0.5s", "0.4s"),
        ("bench.py", "bench2.py"),
        ("2.4", "2.5"),
        ("disabled", "enabled"),
        ("the format", "the format, the name"),
        ("Levels.", "Levels and more."),
        ("30m", "29m"),
        ("Level 6", "Level 7"),
        ("one week", "two weeks"),
        (
            "# Conference: Faster log compression\n",
            "# Conference: Faster log compression\n> Template: code\n",
        ),
    ] {
        let changed = reading(&with(&[(old, new)]));
        assert!(changed.config_digest.is_some(), "{old}");
        assert_ne!(changed.config_digest, base, "{old}");
    }
}

#[test]
fn what_counts_for_nothing_here_is_configuration_too() {
    let words = with(&[("metric\n", "qualitative\n\n## Success Criteria\nGood.\n")]);
    let (one, other) = (reading(&words), reading(&words.replace("0.5s", "0.4s")));
    assert_eq!(one.faults, []);
    assert_eq!(one.draft, other.draft);
    assert_ne!(one.config_digest, other.config_digest);
}

#[test]
fn a_scaffold_that_says_so_is_incomplete() {
    let text = with(&[(
        "\n\n## Goal",
        "\n\n> Scaffold status: INCOMPLETE\n\n## Goal",
    )]);
    assert_eq!(
        told(&reading(&text).faults),
        [(Rule::V4, Severity::Warning, "Scaffold status", 3)]
    );
}

#[test]
fn the_title_has_a_default() {
    let text = with(&[("# Conference: Faster log compression\n", "")]);
    let draft = reading(&text).draft;
    assert_eq!(
        draft.settings.title,
        "Bring the median time of one pass below"
    );
    let text = with(&[("Faster log compression", "{title}")]);
    assert_eq!(
        told(&reading(&text).faults),
        [(Rule::V4, Severity::Warning, "Title", 1)]
    );
}

#[test]
fn sections_are_told_by_part() {
    let document = Document::parse(BASE.to_owned());
    let section = document.section(Part::Focus('B')).unwrap();
    assert_eq!(document.prose(section), "Windows.");
    assert_eq!(section.line, 34);
    let context = document.section(Part::Context).unwrap();
    assert_eq!(document.prose(context), "Ten log files of one week.");
}

#[test]
fn what_is_no_text_is_refused_whole() {
    let refuse = |bytes: Vec<u8>| read(bytes, Origin::New).unwrap_err();
    let error = refuse(b"# x\n\xff\n".to_vec());
    assert_eq!(error.code().as_str(), "INVALID_CONFERENCE");
    assert!(error.message().contains("line 2"), "{error}");
    assert!(refuse(b"# x\n\n\0".to_vec()).message().contains("line 3"));
    assert!(
        refuse(vec![b'x'; (1 << 20) + 1])
            .message()
            .contains("larger")
    );
    assert!(refuse(vec![b'x'; 10 << 20]).message().contains("larger"));
    assert!(read(vec![b'x'; 1 << 20], Origin::New).is_ok());
}
