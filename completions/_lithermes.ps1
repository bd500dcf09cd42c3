
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'lithermes' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'lithermes'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'lithermes' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('skill-loop', 'skill-loop', [CompletionResultType]::ParameterValue, 'Commands for what an agent learned: observed, proposed, decided by a person')
            [CompletionResult]::new('conference', 'conference', [CompletionResultType]::ParameterValue, 'Commands for conferences: bounded research whose budget a person approves')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the home, the workspace, the store and the host, and say what to do')
            [CompletionResult]::new('tour', 'tour', [CompletionResultType]::ParameterValue, 'Show the whole product on throw-away directories')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script of a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'lithermes;skill-loop' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('observe', 'observe', [CompletionResultType]::ParameterValue, 'Record that something instructive happened, and change nothing')
            [CompletionResult]::new('observations', 'observations', [CompletionResultType]::ParameterValue, 'Print what was observed, oldest first')
            [CompletionResult]::new('review', 'review', [CompletionResultType]::ParameterValue, 'Print what a model needs to propose changes: one bounded packet')
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Import proposals from a JSON document')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List proposals and what stands in their way')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a proposal: its reason, its evidence and the exact diff')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Apply proposals to the skills that they name')
            [CompletionResult]::new('reject', 'reject', [CompletionResultType]::ParameterValue, 'Reject a proposal and keep the reason')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Take back a decision: restore what it replaced')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Print the receipts, newest first')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Prove that ledger, store, queue and skills agree')
            [CompletionResult]::new('curator', 'curator', [CompletionResultType]::ParameterValue, 'Report what the host''s curator has to do with our skills, and do nothing')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'lithermes;skill-loop;observe' {
            [CompletionResult]::new('--signal', '--signal', [CompletionResultType]::ParameterName, 'What kind of thing happened: correction, repetition or coverage-gap')
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'The skill concerned; a coverage gap may name none')
            [CompletionResult]::new('--observed', '--observed', [CompletionResultType]::ParameterName, 'What happened, quoted; at most 2,000 characters')
            [CompletionResult]::new('--proposal', '--proposal', [CompletionResultType]::ParameterName, 'The edit that would have prevented it: file and section; at most 2,000 characters')
            [CompletionResult]::new('--active-skill', '--active-skill', [CompletionResultType]::ParameterName, 'Answer with this skill as one that was active; not stored (can be repeated)')
            [CompletionResult]::new('--evidence', '--evidence', [CompletionResultType]::ParameterName, 'Answer with the turn that this rests on; not stored')
            [CompletionResult]::new('--occurrences', '--occurrences', [CompletionResultType]::ParameterName, 'Say how often it happened: from 2 on it is a pattern; not stored [default: 1]')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Check whether this session consulted the skill; latest is the one that began last and is no child''s of a conference')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;observations' {
            [CompletionResult]::new('--signal', '--signal', [CompletionResultType]::ParameterName, 'Print observations of this kind only: correction, repetition or coverage-gap')
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'Print observations of this skill only')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Print observations from this time on: a day, or a time as RFC 3339 spells it')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;review' {
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Add the end of this session; latest is the one that began last and is no child''s of a conference')
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'Take only this skill, and what was observed about it')
            [CompletionResult]::new('--max-bytes', '--max-bytes', [CompletionResultType]::ParameterName, 'Print at most this many bytes [default: 65536]')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;propose' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;list' {
            [CompletionResult]::new('--state', '--state', [CompletionResultType]::ParameterName, 'Show proposals in this state [default: pending and interrupted] (can be repeated)')
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'Show proposals for this skill only')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Show proposals in every state')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with status 1 when something is pending')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;show' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;apply' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Check and show everything, up to the first write')
            [CompletionResult]::new('--keep-going', '--keep-going', [CompletionResultType]::ParameterName, 'Go on with the next proposal after one that failed')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;reject' {
            [CompletionResult]::new('--reason', '--reason', [CompletionResultType]::ParameterName, 'Keep this text with the receipt')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;rollback' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Check and show everything, up to the first write')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;log' {
            [CompletionResult]::new('--skill', '--skill', [CompletionResultType]::ParameterName, 'Print receipts for this skill only')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Print receipts of this kind only')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Print at most this many [default: all]')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;verify' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--repair', '--repair', [CompletionResultType]::ParameterName, 'Finish or undo interrupted decisions and set torn last lines aside')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;curator' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--ask-host', '--ask-host', [CompletionResultType]::ParameterName, 'Run `hermes curator status` too; Hermes may write to its home then')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;skill-loop;help' {
            [CompletionResult]::new('observe', 'observe', [CompletionResultType]::ParameterValue, 'Record that something instructive happened, and change nothing')
            [CompletionResult]::new('observations', 'observations', [CompletionResultType]::ParameterValue, 'Print what was observed, oldest first')
            [CompletionResult]::new('review', 'review', [CompletionResultType]::ParameterValue, 'Print what a model needs to propose changes: one bounded packet')
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Import proposals from a JSON document')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List proposals and what stands in their way')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a proposal: its reason, its evidence and the exact diff')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Apply proposals to the skills that they name')
            [CompletionResult]::new('reject', 'reject', [CompletionResultType]::ParameterValue, 'Reject a proposal and keep the reason')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Take back a decision: restore what it replaced')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Print the receipts, newest first')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Prove that ledger, store, queue and skills agree')
            [CompletionResult]::new('curator', 'curator', [CompletionResultType]::ParameterValue, 'Report what the host''s curator has to do with our skills, and do nothing')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'lithermes;skill-loop;help;observe' {
            break
        }
        'lithermes;skill-loop;help;observations' {
            break
        }
        'lithermes;skill-loop;help;review' {
            break
        }
        'lithermes;skill-loop;help;propose' {
            break
        }
        'lithermes;skill-loop;help;list' {
            break
        }
        'lithermes;skill-loop;help;show' {
            break
        }
        'lithermes;skill-loop;help;apply' {
            break
        }
        'lithermes;skill-loop;help;reject' {
            break
        }
        'lithermes;skill-loop;help;rollback' {
            break
        }
        'lithermes;skill-loop;help;log' {
            break
        }
        'lithermes;skill-loop;help;verify' {
            break
        }
        'lithermes;skill-loop;help;curator' {
            break
        }
        'lithermes;skill-loop;help;help' {
            break
        }
        'lithermes;conference' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check a conference.md and print what there is to approve')
            [CompletionResult]::new('approve', 'approve', [CompletionResultType]::ParameterValue, 'Approve the conditions of a conference as check shows them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Hold an approved conference to its end')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on with a conference whose run was cut off')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'Do what the root can do, and print the charters to hand to children')
            [CompletionResult]::new('receive', 'receive', [CompletionResultType]::ParameterValue, 'Take a child''s packet back')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say how far a conference is, what is awaited and what to do next')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a conference')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'lithermes;conference;check' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'Run children by this host [default: as conference.md says, else hermes]')
            [CompletionResult]::new('--host-command', '--host-command', [CompletionResultType]::ParameterName, 'Run this program for each child, under the host command')
            [CompletionResult]::new('--recorded', '--recorded', [CompletionResultType]::ParameterName, 'Play the packets of the conference in this root, under the host recorded')
            [CompletionResult]::new('--grant', '--grant', [CompletionResultType]::ParameterName, 'Work under this grant, where the worktree has active bounded work')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--replay', '--replay', [CompletionResultType]::ParameterName, 'Replay a run, and compare all that it left with its events')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;approve' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'Run children by this host [default: as conference.md says, else hermes]')
            [CompletionResult]::new('--host-command', '--host-command', [CompletionResultType]::ParameterName, 'Run this program for each child, under the host command')
            [CompletionResult]::new('--recorded', '--recorded', [CompletionResultType]::ParameterName, 'Play the packets of the conference in this root, under the host recorded')
            [CompletionResult]::new('--grant', '--grant', [CompletionResultType]::ParameterName, 'Work under this grant, where the worktree has active bounded work')
            [CompletionResult]::new('--digest', '--digest', [CompletionResultType]::ParameterName, 'The digest that check printed; without it a person is asked')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;run' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'Run children by this host [default: as conference.md says, else hermes]')
            [CompletionResult]::new('--host-command', '--host-command', [CompletionResultType]::ParameterName, 'Run this program for each child, under the host command')
            [CompletionResult]::new('--recorded', '--recorded', [CompletionResultType]::ParameterName, 'Play the packets of the conference in this root, under the host recorded')
            [CompletionResult]::new('--grant', '--grant', [CompletionResultType]::ParameterName, 'Work under this grant, where the worktree has active bounded work')
            [CompletionResult]::new('--approve', '--approve', [CompletionResultType]::ParameterName, 'Approve the conditions with the digest that check printed, and run')
            [CompletionResult]::new('--slots', '--slots', [CompletionResultType]::ParameterName, 'Run at most so many children at a time [default: what the host reports]')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--no-write', '--no-write', [CompletionResultType]::ParameterName, 'Write nothing: print the documents instead, and end as blocked')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;resume' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'Run children by this host [default: as conference.md says, else hermes]')
            [CompletionResult]::new('--host-command', '--host-command', [CompletionResultType]::ParameterName, 'Run this program for each child, under the host command')
            [CompletionResult]::new('--recorded', '--recorded', [CompletionResultType]::ParameterName, 'Play the packets of the conference in this root, under the host recorded')
            [CompletionResult]::new('--grant', '--grant', [CompletionResultType]::ParameterName, 'Work under this grant, where the worktree has active bounded work')
            [CompletionResult]::new('--slots', '--slots', [CompletionResultType]::ParameterName, 'Run at most so many children at a time [default: what the host reports]')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--redispatch', '--redispatch', [CompletionResultType]::ParameterName, 'Send what was lost out again, under new ids, where the budget holds it')
            [CompletionResult]::new('--go-on', '--go-on', [CompletionResultType]::ParameterName, 'Go on without what was lost; the result is partial')
            [CompletionResult]::new('--keep-first', '--keep-first', [CompletionResultType]::ParameterName, 'Of two packets under one id let the first stand')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;next' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'The host, where conference.md names none: handoff')
            [CompletionResult]::new('--grant', '--grant', [CompletionResultType]::ParameterName, 'Work under this grant, where the worktree has active bounded work')
            [CompletionResult]::new('--slots', '--slots', [CompletionResultType]::ParameterName, 'Have at most so many children out at a time [default: 3, as the host]')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--tasks', '--tasks', [CompletionResultType]::ParameterName, 'Print the arguments of delegate_task for what goes out now, and nothing else')
            [CompletionResult]::new('--again', '--again', [CompletionResultType]::ParameterName, 'With the tasks of all that is out, not only of what goes out now')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;receive' {
            [CompletionResult]::new('--host', '--host', [CompletionResultType]::ParameterName, 'The host, where conference.md names none: handoff')
            [CompletionResult]::new('--grant', '--grant', [CompletionResultType]::ParameterName, 'Work under this grant, where the worktree has active bounded work')
            [CompletionResult]::new('--via', '--via', [CompletionResultType]::ParameterName, 'How it came here: relayed or hook [default: relayed]')
            [CompletionResult]::new('--session', '--session', [CompletionResultType]::ParameterName, 'Hold relayed packets against this session''s subagents [default: $HERMES_SESSION_ID]')
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;status' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;cancel' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;conference;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check a conference.md and print what there is to approve')
            [CompletionResult]::new('approve', 'approve', [CompletionResultType]::ParameterValue, 'Approve the conditions of a conference as check shows them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Hold an approved conference to its end')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on with a conference whose run was cut off')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'Do what the root can do, and print the charters to hand to children')
            [CompletionResult]::new('receive', 'receive', [CompletionResultType]::ParameterValue, 'Take a child''s packet back')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say how far a conference is, what is awaited and what to do next')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a conference')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'lithermes;conference;help;check' {
            break
        }
        'lithermes;conference;help;approve' {
            break
        }
        'lithermes;conference;help;run' {
            break
        }
        'lithermes;conference;help;resume' {
            break
        }
        'lithermes;conference;help;next' {
            break
        }
        'lithermes;conference;help;receive' {
            break
        }
        'lithermes;conference;help;status' {
            break
        }
        'lithermes;conference;help;cancel' {
            break
        }
        'lithermes;conference;help;help' {
            break
        }
        'lithermes;doctor' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;tour' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;completions' {
            [CompletionResult]::new('--hermes-home', '--hermes-home', [CompletionResultType]::ParameterName, 'Use exactly this Hermes home [default: $HERMES_HOME, else ~/.hermes]')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'Use this profile of the Hermes home [default: the active one]')
            [CompletionResult]::new('--workspace', '--workspace', [CompletionResultType]::ParameterName, 'Use this workspace [default: git work tree, else current directory]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Use colour: auto, always or never [default: auto]')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait at most this long for another lithermes to finish [default: 10]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON document on standard output, for errors too')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Leave out notes; warnings and errors stay')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'lithermes;help' {
            [CompletionResult]::new('skill-loop', 'skill-loop', [CompletionResultType]::ParameterValue, 'Commands for what an agent learned: observed, proposed, decided by a person')
            [CompletionResult]::new('conference', 'conference', [CompletionResultType]::ParameterValue, 'Commands for conferences: bounded research whose budget a person approves')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Check the home, the workspace, the store and the host, and say what to do')
            [CompletionResult]::new('tour', 'tour', [CompletionResultType]::ParameterValue, 'Show the whole product on throw-away directories')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script of a shell')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'lithermes;help;skill-loop' {
            [CompletionResult]::new('observe', 'observe', [CompletionResultType]::ParameterValue, 'Record that something instructive happened, and change nothing')
            [CompletionResult]::new('observations', 'observations', [CompletionResultType]::ParameterValue, 'Print what was observed, oldest first')
            [CompletionResult]::new('review', 'review', [CompletionResultType]::ParameterValue, 'Print what a model needs to propose changes: one bounded packet')
            [CompletionResult]::new('propose', 'propose', [CompletionResultType]::ParameterValue, 'Import proposals from a JSON document')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List proposals and what stands in their way')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Show a proposal: its reason, its evidence and the exact diff')
            [CompletionResult]::new('apply', 'apply', [CompletionResultType]::ParameterValue, 'Apply proposals to the skills that they name')
            [CompletionResult]::new('reject', 'reject', [CompletionResultType]::ParameterValue, 'Reject a proposal and keep the reason')
            [CompletionResult]::new('rollback', 'rollback', [CompletionResultType]::ParameterValue, 'Take back a decision: restore what it replaced')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'Print the receipts, newest first')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Prove that ledger, store, queue and skills agree')
            [CompletionResult]::new('curator', 'curator', [CompletionResultType]::ParameterValue, 'Report what the host''s curator has to do with our skills, and do nothing')
            break
        }
        'lithermes;help;skill-loop;observe' {
            break
        }
        'lithermes;help;skill-loop;observations' {
            break
        }
        'lithermes;help;skill-loop;review' {
            break
        }
        'lithermes;help;skill-loop;propose' {
            break
        }
        'lithermes;help;skill-loop;list' {
            break
        }
        'lithermes;help;skill-loop;show' {
            break
        }
        'lithermes;help;skill-loop;apply' {
            break
        }
        'lithermes;help;skill-loop;reject' {
            break
        }
        'lithermes;help;skill-loop;rollback' {
            break
        }
        'lithermes;help;skill-loop;log' {
            break
        }
        'lithermes;help;skill-loop;verify' {
            break
        }
        'lithermes;help;skill-loop;curator' {
            break
        }
        'lithermes;help;conference' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Check a conference.md and print what there is to approve')
            [CompletionResult]::new('approve', 'approve', [CompletionResultType]::ParameterValue, 'Approve the conditions of a conference as check shows them')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Hold an approved conference to its end')
            [CompletionResult]::new('resume', 'resume', [CompletionResultType]::ParameterValue, 'Go on with a conference whose run was cut off')
            [CompletionResult]::new('next', 'next', [CompletionResultType]::ParameterValue, 'Do what the root can do, and print the charters to hand to children')
            [CompletionResult]::new('receive', 'receive', [CompletionResultType]::ParameterValue, 'Take a child''s packet back')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Say how far a conference is, what is awaited and what to do next')
            [CompletionResult]::new('cancel', 'cancel', [CompletionResultType]::ParameterValue, 'Stop a conference')
            break
        }
        'lithermes;help;conference;check' {
            break
        }
        'lithermes;help;conference;approve' {
            break
        }
        'lithermes;help;conference;run' {
            break
        }
        'lithermes;help;conference;resume' {
            break
        }
        'lithermes;help;conference;next' {
            break
        }
        'lithermes;help;conference;receive' {
            break
        }
        'lithermes;help;conference;status' {
            break
        }
        'lithermes;help;conference;cancel' {
            break
        }
        'lithermes;help;doctor' {
            break
        }
        'lithermes;help;tour' {
            break
        }
        'lithermes;help;completions' {
            break
        }
        'lithermes;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
