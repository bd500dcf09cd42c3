use clap::CommandFactory;

use super::*;

/// Every command of the tree with its full name.
fn every_command() -> Vec<clap::Command> {
    fn walk(command: &clap::Command, into: &mut Vec<clap::Command>) {
        into.push(command.clone());
        for sub in command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help")
        {
            walk(sub, into);
        }
    }
    let mut root = Args::command().term_width(100);
    root.build();
    let mut all = Vec::new();
    walk(&root, &mut all);
    all
}

fn parse(line: &str) -> Result<Args, clap::Error> {
    Args::try_parse_from(std::iter::once("lithermes").chain(line.split_whitespace()))
}

#[test]
fn the_definition_is_sound() {
    Args::command().debug_assert();
}

#[test]
fn first_lines_are_short_and_have_no_full_stop() {
    for command in every_command() {
        let about = command.get_about().unwrap().to_string();
        assert!(!about.ends_with('.'), "{about}");
        assert!(about.len() <= 80, "{about}");
        assert!(
            about.starts_with(|c: char| c.is_ascii_uppercase()),
            "{about}"
        );
        assert!(
            command.get_after_long_help().is_some(),
            "{} has no notes",
            command.get_name()
        );
        for arg in command.get_arguments() {
            let help = arg.get_help().unwrap().to_string();
            assert!(!help.ends_with('.'), "{}: {help}", command.get_name());
        }
    }
}

#[test]
fn short_help_takes_half_a_screen_and_long_help_one() {
    for mut command in every_command() {
        let short = command.render_help().to_string().lines().count();
        let long = command.render_long_help().to_string().lines().count();
        assert!(short <= 30, "{} -h: {short} lines", command.get_name());
        // Each flag takes three lines; the screen has room for three beside those of all commands.
        let flags = command
            .get_arguments()
            .filter(|flag| !flag.is_positional() && !flag.is_global_set())
            .filter(|flag| !["help", "version"].contains(&flag.get_id().as_str()))
            .count();
        let screen = 60 + 3 * flags.saturating_sub(3);
        assert!(
            long <= screen,
            "{} --help: {long} lines",
            command.get_name()
        );
    }
}

#[test]
fn global_flags_stand_before_or_after_the_command() {
    for line in [
        "--json --quiet --color never --lock-timeout 3 --workspace w --profile p skill-loop list",
        "skill-loop list --json --quiet --color never --lock-timeout 3 --workspace w --profile p",
        "skill-loop --json --quiet --color never list --lock-timeout 3 --workspace w --profile p",
    ] {
        let global = parse(line).unwrap().global;
        assert!(global.json && global.quiet, "{line}");
        assert_eq!(global.color, ColorChoice::Never, "{line}");
        assert_eq!(global.lock_timeout, 3, "{line}");
        assert_eq!(global.workspace, Some(PathBuf::from("w")), "{line}");
        assert_eq!(global.profile.as_deref(), Some("p"), "{line}");
    }
}

#[test]
fn the_defaults_are_those_that_the_help_names() {
    let args = parse("skill-loop list").unwrap();
    assert_eq!(args.global.lock_timeout, 10);
    assert_eq!(args.global.color, ColorChoice::Auto);
    assert_eq!(args.global.hermes_home, None);
    let Command::SkillLoop(SkillLoopCommand::List(list)) = args.command else {
        panic!("list expected");
    };
    assert!(list.states.is_empty() && !list.all && !list.exit_code);
}

#[test]
fn states_repeat_and_ids_keep_their_order() {
    let args = parse("skill-loop list --state rolled-back --state applied").unwrap();
    let Command::SkillLoop(SkillLoopCommand::List(list)) = args.command else {
        panic!("list expected");
    };
    assert_eq!(list.states, [StateFilter::RolledBack, StateFilter::Applied]);
    let args = parse("skill-loop apply p-2 p-1 --keep-going").unwrap();
    let Command::SkillLoop(SkillLoopCommand::Apply(apply)) = args.command else {
        panic!("apply expected");
    };
    assert_eq!(apply.ids, ["p-2", "p-1"]);
    assert!(apply.keep_going && !apply.dry_run);
}

#[test]
fn calls_that_mean_nothing_are_usage_errors() {
    for line in [
        "",
        "skill-loop",
        "skill-loop propose",
        "skill-loop show",
        "skill-loop show a b",
        "skill-loop reject",
        "skill-loop rollback",
        "skill-loop list --all --state pending",
        "skill-loop list --state gone",
        "completions",
        "completions tcsh",
        "completions bash lithermes",
        "skill-loop log --limit 0",
        "skill-loop log --kind skill.unknown",
        "--hermes-home h --profile p skill-loop list",
        "skill-loop list --hermes-home h --profile p",
        "--lock-timeout -1 doctor",
        "--color blue doctor",
    ] {
        assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
    }
}
