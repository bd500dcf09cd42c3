# What a night costs with {"batch":8,"wait":5}, or with what we do now where nothing is said.
settings=$(cat)
case $settings in *batch*) ;; *) settings='{"batch":2,"wait":20}' ;; esac
batch=${settings#*\"batch\":} batch=${batch%%[!0-9]*}
wait=${settings#*\"wait\":} wait=${wait%%[!0-9]*}
echo $((10 + (batch - 24) * (batch - 24) / 8 + (wait - 6) * (wait - 6)))
