# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_lithermes_global_optspecs
    string join \n hermes-home= profile= workspace= json color= quiet lock-timeout= h/help V/version
end

function __fish_lithermes_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_lithermes_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_lithermes_using_subcommand
    set -l cmd (__fish_lithermes_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c lithermes -n "__fish_lithermes_needs_command" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_needs_command" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_needs_command" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_needs_command" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_needs_command" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_needs_command" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_needs_command" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_needs_command" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_needs_command" -f -a "skill-loop" -d 'Commands for what an agent learned: observed, proposed, decided by a person'
complete -c lithermes -n "__fish_lithermes_needs_command" -f -a "conference" -d 'Commands for conferences: bounded research whose budget a person approves'
complete -c lithermes -n "__fish_lithermes_needs_command" -f -a "doctor" -d 'Check the home, the workspace, the store and the host, and say what to do'
complete -c lithermes -n "__fish_lithermes_needs_command" -f -a "tour" -d 'Show the whole product on throw-away directories'
complete -c lithermes -n "__fish_lithermes_needs_command" -f -a "completions" -d 'Print the completion script of a shell'
complete -c lithermes -n "__fish_lithermes_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "observe" -d 'Record that something instructive happened, and change nothing'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "observations" -d 'Print what was observed, oldest first'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "review" -d 'Print what a model needs to propose changes: one bounded packet'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "propose" -d 'Import proposals from a JSON document'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "list" -d 'List proposals and what stands in their way'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "show" -d 'Show a proposal: its reason, its evidence and the exact diff'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "apply" -d 'Apply proposals to the skills that they name'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "reject" -d 'Reject a proposal and keep the reason'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "rollback" -d 'Take back a decision: restore what it replaced'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "log" -d 'Print the receipts, newest first'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "verify" -d 'Prove that ledger, store, queue and skills agree'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "curator" -d 'Report what the host\'s curator has to do with our skills, and do nothing'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and not __fish_seen_subcommand_from observe observations review propose list show apply reject rollback log verify curator help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l signal -d 'What kind of thing happened: correction, repetition or coverage-gap' -r -f -a "correction\t'A person put something right'
repetition\t'The same instruction again'
coverage-gap\t'Repeated work with no skill behind it'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l skill -d 'The skill concerned; a coverage gap may name none' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l observed -d 'What happened, quoted; at most 2,000 characters' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l proposal -d 'The edit that would have prevented it: file and section; at most 2,000 characters' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l active-skill -d 'Answer with this skill as one that was active; not stored (can be repeated)' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l evidence -d 'Answer with the turn that this rests on; not stored' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l occurrences -d 'Say how often it happened: from 2 on it is a pattern; not stored [default: 1]' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l session -d 'Check whether this session consulted the skill; latest is the one that began last and is no child\'s of a conference' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observe" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l signal -d 'Print observations of this kind only: correction, repetition or coverage-gap' -r -f -a "correction\t'A person put something right'
repetition\t'The same instruction again'
coverage-gap\t'Repeated work with no skill behind it'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l skill -d 'Print observations of this skill only' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l since -d 'Print observations from this time on: a day, or a time as RFC 3339 spells it' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from observations" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l session -d 'Add the end of this session; latest is the one that began last and is no child\'s of a conference' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l skill -d 'Take only this skill, and what was observed about it' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l max-bytes -d 'Print at most this many bytes [default: 65536]' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from review" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from propose" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l state -d 'Show proposals in this state [default: pending and interrupted] (can be repeated)' -r -f -a "pending\t'Not decided yet, or undone when a decision was interrupted'
applied\t'Written to the skill'
rejected\t'Decided against'
rolled-back\t'Applied once and taken back'
interrupted\t'A decision began and did not end'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l skill -d 'Show proposals for this skill only' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l all -d 'Show proposals in every state'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l exit-code -d 'Exit with status 1 when something is pending'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from list" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from show" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l dry-run -d 'Check and show everything, up to the first write'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l keep-going -d 'Go on with the next proposal after one that failed'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from apply" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l reason -d 'Keep this text with the receipt' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from reject" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l dry-run -d 'Check and show everything, up to the first write'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from rollback" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l skill -d 'Print receipts for this skill only' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l kind -d 'Print receipts of this kind only' -r -f -a "skill.approve\t''
skill.apply\t''
skill.reject\t''
skill.reopen\t''
skill.rollback\t''
skill.recover\t''"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l limit -d 'Print at most this many [default: all]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from log" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l repair -d 'Finish or undo interrupted decisions and set torn last lines aside'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from verify" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l ask-host -d 'Run `hermes curator status` too; Hermes may write to its home then'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from curator" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "observe" -d 'Record that something instructive happened, and change nothing'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "observations" -d 'Print what was observed, oldest first'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "review" -d 'Print what a model needs to propose changes: one bounded packet'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "propose" -d 'Import proposals from a JSON document'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "list" -d 'List proposals and what stands in their way'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show a proposal: its reason, its evidence and the exact diff'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "apply" -d 'Apply proposals to the skills that they name'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "reject" -d 'Reject a proposal and keep the reason'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "rollback" -d 'Take back a decision: restore what it replaced'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "log" -d 'Print the receipts, newest first'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Prove that ledger, store, queue and skills agree'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "curator" -d 'Report what the host\'s curator has to do with our skills, and do nothing'
complete -c lithermes -n "__fish_lithermes_using_subcommand skill-loop; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "check" -d 'Check a conference.md and print what there is to approve'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "approve" -d 'Approve the conditions of a conference as check shows them'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "run" -d 'Hold an approved conference to its end'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "resume" -d 'Go on with a conference whose run was cut off'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "next" -d 'Do what the root can do, and print the charters to hand to children'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "receive" -d 'Take a child\'s packet back'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "status" -d 'Say how far a conference is, what is awaited and what to do next'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "cancel" -d 'Stop a conference'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and not __fish_seen_subcommand_from check approve run resume next receive status cancel help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l host -d 'Run children by this host [default: as conference.md says, else hermes]' -r -f -a "hermes\t'One Hermes process a child'
command\t'Any program that reads a charter and prints a packet'
local\t'Built-in search over the parameters; needs no model'
recorded\t'The packets of an earlier run'
handoff\t'The session that drives the conference itself'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l host-command -d 'Run this program for each child, under the host command' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l recorded -d 'Play the packets of the conference in this root, under the host recorded' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l grant -d 'Work under this grant, where the worktree has active bounded work' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l replay -d 'Replay a run, and compare all that it left with its events'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from check" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l host -d 'Run children by this host [default: as conference.md says, else hermes]' -r -f -a "hermes\t'One Hermes process a child'
command\t'Any program that reads a charter and prints a packet'
local\t'Built-in search over the parameters; needs no model'
recorded\t'The packets of an earlier run'
handoff\t'The session that drives the conference itself'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l host-command -d 'Run this program for each child, under the host command' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l recorded -d 'Play the packets of the conference in this root, under the host recorded' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l grant -d 'Work under this grant, where the worktree has active bounded work' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l digest -d 'The digest that check printed; without it a person is asked' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from approve" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l host -d 'Run children by this host [default: as conference.md says, else hermes]' -r -f -a "hermes\t'One Hermes process a child'
command\t'Any program that reads a charter and prints a packet'
local\t'Built-in search over the parameters; needs no model'
recorded\t'The packets of an earlier run'
handoff\t'The session that drives the conference itself'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l host-command -d 'Run this program for each child, under the host command' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l recorded -d 'Play the packets of the conference in this root, under the host recorded' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l grant -d 'Work under this grant, where the worktree has active bounded work' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l approve -d 'Approve the conditions with the digest that check printed, and run' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l slots -d 'Run at most so many children at a time [default: what the host reports]' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l no-write -d 'Write nothing: print the documents instead, and end as blocked'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from run" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l host -d 'Run children by this host [default: as conference.md says, else hermes]' -r -f -a "hermes\t'One Hermes process a child'
command\t'Any program that reads a charter and prints a packet'
local\t'Built-in search over the parameters; needs no model'
recorded\t'The packets of an earlier run'
handoff\t'The session that drives the conference itself'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l host-command -d 'Run this program for each child, under the host command' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l recorded -d 'Play the packets of the conference in this root, under the host recorded' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l grant -d 'Work under this grant, where the worktree has active bounded work' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l slots -d 'Run at most so many children at a time [default: what the host reports]' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l redispatch -d 'Send what was lost out again, under new ids, where the budget holds it'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l go-on -d 'Go on without what was lost; the result is partial'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l keep-first -d 'Of two packets under one id let the first stand'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from resume" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l host -d 'The host, where conference.md names none: handoff' -r -f -a "hermes\t'One Hermes process a child'
command\t'Any program that reads a charter and prints a packet'
local\t'Built-in search over the parameters; needs no model'
recorded\t'The packets of an earlier run'
handoff\t'The session that drives the conference itself'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l grant -d 'Work under this grant, where the worktree has active bounded work' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l slots -d 'Have at most so many children out at a time [default: 3, as the host]' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l tasks -d 'Print the arguments of delegate_task for what goes out now, and nothing else'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l again -d 'With the tasks of all that is out, not only of what goes out now'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from next" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l host -d 'The host, where conference.md names none: handoff' -r -f -a "hermes\t'One Hermes process a child'
command\t'Any program that reads a charter and prints a packet'
local\t'Built-in search over the parameters; needs no model'
recorded\t'The packets of an earlier run'
handoff\t'The session that drives the conference itself'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l grant -d 'Work under this grant, where the worktree has active bounded work' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l via -d 'How it came here: relayed or hook [default: relayed]' -r -f -a "relayed\t'A model wrote it down again'
hook\t'A hook of the host handed the child\'s own text over'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l session -d 'Hold relayed packets against this session\'s subagents [default: $HERMES_SESSION_ID]' -r
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from receive" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from status" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from cancel" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "check" -d 'Check a conference.md and print what there is to approve'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "approve" -d 'Approve the conditions of a conference as check shows them'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "run" -d 'Hold an approved conference to its end'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "resume" -d 'Go on with a conference whose run was cut off'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "next" -d 'Do what the root can do, and print the charters to hand to children'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "receive" -d 'Take a child\'s packet back'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "status" -d 'Say how far a conference is, what is awaited and what to do next'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "cancel" -d 'Stop a conference'
complete -c lithermes -n "__fish_lithermes_using_subcommand conference; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand doctor" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand tour" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l hermes-home -d 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l profile -d 'Use this profile of the Hermes home [default: the active one]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l workspace -d 'Use this workspace [default: git work tree, else current directory]' -r -f -a "(__fish_complete_directories)"
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l color -d 'Use colour: auto, always or never [default: auto]' -r -f -a "auto\t'On a terminal that can, unless the environment says no'
always\t'Always'
never\t'Never'"
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l lock-timeout -d 'Wait at most this long for another lithermes to finish [default: 10]' -r -f
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l json -d 'Print one JSON document on standard output, for errors too'
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -l quiet -d 'Leave out notes; warnings and errors stay'
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c lithermes -n "__fish_lithermes_using_subcommand completions" -s V -l version -d 'Print version'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and not __fish_seen_subcommand_from skill-loop conference doctor tour completions help" -f -a "skill-loop" -d 'Commands for what an agent learned: observed, proposed, decided by a person'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and not __fish_seen_subcommand_from skill-loop conference doctor tour completions help" -f -a "conference" -d 'Commands for conferences: bounded research whose budget a person approves'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and not __fish_seen_subcommand_from skill-loop conference doctor tour completions help" -f -a "doctor" -d 'Check the home, the workspace, the store and the host, and say what to do'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and not __fish_seen_subcommand_from skill-loop conference doctor tour completions help" -f -a "tour" -d 'Show the whole product on throw-away directories'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and not __fish_seen_subcommand_from skill-loop conference doctor tour completions help" -f -a "completions" -d 'Print the completion script of a shell'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and not __fish_seen_subcommand_from skill-loop conference doctor tour completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "observe" -d 'Record that something instructive happened, and change nothing'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "observations" -d 'Print what was observed, oldest first'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "review" -d 'Print what a model needs to propose changes: one bounded packet'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "propose" -d 'Import proposals from a JSON document'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "list" -d 'List proposals and what stands in their way'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "show" -d 'Show a proposal: its reason, its evidence and the exact diff'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "apply" -d 'Apply proposals to the skills that they name'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "reject" -d 'Reject a proposal and keep the reason'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "rollback" -d 'Take back a decision: restore what it replaced'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "log" -d 'Print the receipts, newest first'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "verify" -d 'Prove that ledger, store, queue and skills agree'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from skill-loop" -f -a "curator" -d 'Report what the host\'s curator has to do with our skills, and do nothing'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "check" -d 'Check a conference.md and print what there is to approve'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "approve" -d 'Approve the conditions of a conference as check shows them'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "run" -d 'Hold an approved conference to its end'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "resume" -d 'Go on with a conference whose run was cut off'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "next" -d 'Do what the root can do, and print the charters to hand to children'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "receive" -d 'Take a child\'s packet back'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "status" -d 'Say how far a conference is, what is awaited and what to do next'
complete -c lithermes -n "__fish_lithermes_using_subcommand help; and __fish_seen_subcommand_from conference" -f -a "cancel" -d 'Stop a conference'

# Ids come from lithermes itself. Fails where no id belongs.
function __lithermes_ids
    set -g __lithermes_ids (command lithermes completions fish -- (commandline -opc) (commandline -ct) 2>/dev/null)
end
complete -c lithermes -n __lithermes_ids -f -k -a '(printf "%s\n" $__lithermes_ids)'
