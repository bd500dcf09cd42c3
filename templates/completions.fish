@STATIC@

# Ids come from lithermes itself. Fails where no id belongs.
function __lithermes_ids
    set -g __lithermes_ids (command lithermes completions fish -- (commandline -opc) (commandline -ct) 2>/dev/null)
end
complete -c lithermes -n __lithermes_ids -f -k -a '(printf "%s\n" $__lithermes_ids)'
