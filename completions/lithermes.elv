
use builtin;
use str;

set edit:completion:arg-completer[lithermes] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'lithermes'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'lithermes'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand skill-loop 'Commands for what an agent learned: observed, proposed, decided by a person'
            cand conference 'Commands for conferences: bounded research whose budget a person approves'
            cand doctor 'Check the home, the workspace, the store and the host, and say what to do'
            cand tour 'Show the whole product on throw-away directories'
            cand completions 'Print the completion script of a shell'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'lithermes;skill-loop'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand observe 'Record that something instructive happened, and change nothing'
            cand observations 'Print what was observed, oldest first'
            cand review 'Print what a model needs to propose changes: one bounded packet'
            cand propose 'Import proposals from a JSON document'
            cand list 'List proposals and what stands in their way'
            cand show 'Show a proposal: its reason, its evidence and the exact diff'
            cand apply 'Apply proposals to the skills that they name'
            cand reject 'Reject a proposal and keep the reason'
            cand rollback 'Take back a decision: restore what it replaced'
            cand log 'Print the receipts, newest first'
            cand verify 'Prove that ledger, store, queue and skills agree'
            cand curator 'Report what the host''s curator has to do with our skills, and do nothing'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'lithermes;skill-loop;observe'= {
            cand --signal 'What kind of thing happened: correction, repetition or coverage-gap'
            cand --skill 'The skill concerned; a coverage gap may name none'
            cand --observed 'What happened, quoted; at most 2,000 characters'
            cand --proposal 'The edit that would have prevented it: file and section; at most 2,000 characters'
            cand --active-skill 'Answer with this skill as one that was active; not stored (can be repeated)'
            cand --evidence 'Answer with the turn that this rests on; not stored'
            cand --occurrences 'Say how often it happened: from 2 on it is a pattern; not stored [default: 1]'
            cand --session 'Check whether this session consulted the skill; latest is the one that began last and is no child''s of a conference'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;observations'= {
            cand --signal 'Print observations of this kind only: correction, repetition or coverage-gap'
            cand --skill 'Print observations of this skill only'
            cand --since 'Print observations from this time on: a day, or a time as RFC 3339 spells it'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;review'= {
            cand --session 'Add the end of this session; latest is the one that began last and is no child''s of a conference'
            cand --skill 'Take only this skill, and what was observed about it'
            cand --max-bytes 'Print at most this many bytes [default: 65536]'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;propose'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;list'= {
            cand --state 'Show proposals in this state [default: pending and interrupted] (can be repeated)'
            cand --skill 'Show proposals for this skill only'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --all 'Show proposals in every state'
            cand --exit-code 'Exit with status 1 when something is pending'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;show'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;apply'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --dry-run 'Check and show everything, up to the first write'
            cand --keep-going 'Go on with the next proposal after one that failed'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;reject'= {
            cand --reason 'Keep this text with the receipt'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;rollback'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --dry-run 'Check and show everything, up to the first write'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;log'= {
            cand --skill 'Print receipts for this skill only'
            cand --kind 'Print receipts of this kind only'
            cand --limit 'Print at most this many [default: all]'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;verify'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --repair 'Finish or undo interrupted decisions and set torn last lines aside'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;curator'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --ask-host 'Run `hermes curator status` too; Hermes may write to its home then'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;skill-loop;help'= {
            cand observe 'Record that something instructive happened, and change nothing'
            cand observations 'Print what was observed, oldest first'
            cand review 'Print what a model needs to propose changes: one bounded packet'
            cand propose 'Import proposals from a JSON document'
            cand list 'List proposals and what stands in their way'
            cand show 'Show a proposal: its reason, its evidence and the exact diff'
            cand apply 'Apply proposals to the skills that they name'
            cand reject 'Reject a proposal and keep the reason'
            cand rollback 'Take back a decision: restore what it replaced'
            cand log 'Print the receipts, newest first'
            cand verify 'Prove that ledger, store, queue and skills agree'
            cand curator 'Report what the host''s curator has to do with our skills, and do nothing'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'lithermes;skill-loop;help;observe'= {
        }
        &'lithermes;skill-loop;help;observations'= {
        }
        &'lithermes;skill-loop;help;review'= {
        }
        &'lithermes;skill-loop;help;propose'= {
        }
        &'lithermes;skill-loop;help;list'= {
        }
        &'lithermes;skill-loop;help;show'= {
        }
        &'lithermes;skill-loop;help;apply'= {
        }
        &'lithermes;skill-loop;help;reject'= {
        }
        &'lithermes;skill-loop;help;rollback'= {
        }
        &'lithermes;skill-loop;help;log'= {
        }
        &'lithermes;skill-loop;help;verify'= {
        }
        &'lithermes;skill-loop;help;curator'= {
        }
        &'lithermes;skill-loop;help;help'= {
        }
        &'lithermes;conference'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand check 'Check a conference.md and print what there is to approve'
            cand approve 'Approve the conditions of a conference as check shows them'
            cand run 'Hold an approved conference to its end'
            cand resume 'Go on with a conference whose run was cut off'
            cand next 'Do what the root can do, and print the charters to hand to children'
            cand receive 'Take a child''s packet back'
            cand status 'Say how far a conference is, what is awaited and what to do next'
            cand cancel 'Stop a conference'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'lithermes;conference;check'= {
            cand --host 'Run children by this host [default: as conference.md says, else hermes]'
            cand --host-command 'Run this program for each child, under the host command'
            cand --recorded 'Play the packets of the conference in this root, under the host recorded'
            cand --grant 'Work under this grant, where the worktree has active bounded work'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --replay 'Replay a run, and compare all that it left with its events'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;approve'= {
            cand --host 'Run children by this host [default: as conference.md says, else hermes]'
            cand --host-command 'Run this program for each child, under the host command'
            cand --recorded 'Play the packets of the conference in this root, under the host recorded'
            cand --grant 'Work under this grant, where the worktree has active bounded work'
            cand --digest 'The digest that check printed; without it a person is asked'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;run'= {
            cand --host 'Run children by this host [default: as conference.md says, else hermes]'
            cand --host-command 'Run this program for each child, under the host command'
            cand --recorded 'Play the packets of the conference in this root, under the host recorded'
            cand --grant 'Work under this grant, where the worktree has active bounded work'
            cand --approve 'Approve the conditions with the digest that check printed, and run'
            cand --slots 'Run at most so many children at a time [default: what the host reports]'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --no-write 'Write nothing: print the documents instead, and end as blocked'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;resume'= {
            cand --host 'Run children by this host [default: as conference.md says, else hermes]'
            cand --host-command 'Run this program for each child, under the host command'
            cand --recorded 'Play the packets of the conference in this root, under the host recorded'
            cand --grant 'Work under this grant, where the worktree has active bounded work'
            cand --slots 'Run at most so many children at a time [default: what the host reports]'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --redispatch 'Send what was lost out again, under new ids, where the budget holds it'
            cand --go-on 'Go on without what was lost; the result is partial'
            cand --keep-first 'Of two packets under one id let the first stand'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;next'= {
            cand --host 'The host, where conference.md names none: handoff'
            cand --grant 'Work under this grant, where the worktree has active bounded work'
            cand --slots 'Have at most so many children out at a time [default: 3, as the host]'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --tasks 'Print the arguments of delegate_task for what goes out now, and nothing else'
            cand --again 'With the tasks of all that is out, not only of what goes out now'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;receive'= {
            cand --host 'The host, where conference.md names none: handoff'
            cand --grant 'Work under this grant, where the worktree has active bounded work'
            cand --via 'How it came here: relayed or hook [default: relayed]'
            cand --session 'Hold relayed packets against this session''s subagents [default: $HERMES_SESSION_ID]'
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;status'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;cancel'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;conference;help'= {
            cand check 'Check a conference.md and print what there is to approve'
            cand approve 'Approve the conditions of a conference as check shows them'
            cand run 'Hold an approved conference to its end'
            cand resume 'Go on with a conference whose run was cut off'
            cand next 'Do what the root can do, and print the charters to hand to children'
            cand receive 'Take a child''s packet back'
            cand status 'Say how far a conference is, what is awaited and what to do next'
            cand cancel 'Stop a conference'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'lithermes;conference;help;check'= {
        }
        &'lithermes;conference;help;approve'= {
        }
        &'lithermes;conference;help;run'= {
        }
        &'lithermes;conference;help;resume'= {
        }
        &'lithermes;conference;help;next'= {
        }
        &'lithermes;conference;help;receive'= {
        }
        &'lithermes;conference;help;status'= {
        }
        &'lithermes;conference;help;cancel'= {
        }
        &'lithermes;conference;help;help'= {
        }
        &'lithermes;doctor'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;tour'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;completions'= {
            cand --hermes-home 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]'
            cand --profile 'Use this profile of the Hermes home [default: the active one]'
            cand --workspace 'Use this workspace [default: git work tree, else current directory]'
            cand --color 'Use colour: auto, always or never [default: auto]'
            cand --lock-timeout 'Wait at most this long for another lithermes to finish [default: 10]'
            cand --json 'Print one JSON document on standard output, for errors too'
            cand --quiet 'Leave out notes; warnings and errors stay'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
        }
        &'lithermes;help'= {
            cand skill-loop 'Commands for what an agent learned: observed, proposed, decided by a person'
            cand conference 'Commands for conferences: bounded research whose budget a person approves'
            cand doctor 'Check the home, the workspace, the store and the host, and say what to do'
            cand tour 'Show the whole product on throw-away directories'
            cand completions 'Print the completion script of a shell'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'lithermes;help;skill-loop'= {
            cand observe 'Record that something instructive happened, and change nothing'
            cand observations 'Print what was observed, oldest first'
            cand review 'Print what a model needs to propose changes: one bounded packet'
            cand propose 'Import proposals from a JSON document'
            cand list 'List proposals and what stands in their way'
            cand show 'Show a proposal: its reason, its evidence and the exact diff'
            cand apply 'Apply proposals to the skills that they name'
            cand reject 'Reject a proposal and keep the reason'
            cand rollback 'Take back a decision: restore what it replaced'
            cand log 'Print the receipts, newest first'
            cand verify 'Prove that ledger, store, queue and skills agree'
            cand curator 'Report what the host''s curator has to do with our skills, and do nothing'
        }
        &'lithermes;help;skill-loop;observe'= {
        }
        &'lithermes;help;skill-loop;observations'= {
        }
        &'lithermes;help;skill-loop;review'= {
        }
        &'lithermes;help;skill-loop;propose'= {
        }
        &'lithermes;help;skill-loop;list'= {
        }
        &'lithermes;help;skill-loop;show'= {
        }
        &'lithermes;help;skill-loop;apply'= {
        }
        &'lithermes;help;skill-loop;reject'= {
        }
        &'lithermes;help;skill-loop;rollback'= {
        }
        &'lithermes;help;skill-loop;log'= {
        }
        &'lithermes;help;skill-loop;verify'= {
        }
        &'lithermes;help;skill-loop;curator'= {
        }
        &'lithermes;help;conference'= {
            cand check 'Check a conference.md and print what there is to approve'
            cand approve 'Approve the conditions of a conference as check shows them'
            cand run 'Hold an approved conference to its end'
            cand resume 'Go on with a conference whose run was cut off'
            cand next 'Do what the root can do, and print the charters to hand to children'
            cand receive 'Take a child''s packet back'
            cand status 'Say how far a conference is, what is awaited and what to do next'
            cand cancel 'Stop a conference'
        }
        &'lithermes;help;conference;check'= {
        }
        &'lithermes;help;conference;approve'= {
        }
        &'lithermes;help;conference;run'= {
        }
        &'lithermes;help;conference;resume'= {
        }
        &'lithermes;help;conference;next'= {
        }
        &'lithermes;help;conference;receive'= {
        }
        &'lithermes;help;conference;status'= {
        }
        &'lithermes;help;conference;cancel'= {
        }
        &'lithermes;help;doctor'= {
        }
        &'lithermes;help;tour'= {
        }
        &'lithermes;help;completions'= {
        }
        &'lithermes;help;help'= {
        }
    ]
    $completions[$command]
}
