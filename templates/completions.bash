@STATIC@

# Ids come from lithermes itself, whatever else is completed from above.
_lithermes_with_ids() {
    local ids id
    if ids=$(command lithermes completions bash -- "${COMP_WORDS[@]:0:COMP_CWORD}" "$2" 2>/dev/null </dev/null); then
        COMPREPLY=()
        while read -r id; do
            [[ -z $id ]] || COMPREPLY+=("$id")
        done <<<"$ids"
        # Where an id belongs, no file does. Before bash 4 there is no compopt.
        compopt +o bashdefault +o default 2>/dev/null
        return 0
    fi
    _lithermes "$@"
}

complete -F _lithermes_with_ids -o nosort -o bashdefault -o default lithermes 2>/dev/null ||
    complete -F _lithermes_with_ids -o bashdefault -o default lithermes
