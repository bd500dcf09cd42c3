#compdef lithermes

# Ids come from lithermes itself. Fails where no id belongs.
_lithermes_ids() {
    local found
    local -a ids
    found=$(command lithermes completions zsh -- "${(@)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null </dev/null) || return
    ids=(${(f)found})
    (( $#ids )) && _describe -t ids -V id ids
    return 0
}

# The first time, zsh calls this whole file.
if [[ $funcstack[1] == _lithermes ]] && _lithermes_ids; then
    return
fi

@STATIC@

functions[_lithermes_without_ids]=$functions[_lithermes]
_lithermes() {
    _lithermes_ids || _lithermes_without_ids "$@"
}
