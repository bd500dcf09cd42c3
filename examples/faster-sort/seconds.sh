# The seconds that `sort` takes for 300,000 lines with the settings that stand on standard input,
# {"batch":16,"buffer":8,"parallel":2}, or these where one is missing. Making the lines is not
# timed. A time is never the same twice: the conference takes the median of several runs, and asks
# for more than their spread. It starts in an empty folder.
set -euo pipefail
settings=$(cat)

setting() {
  local value=$2
  case $settings in *"\"$1\":"*) value=${settings#*\"$1\":} ;; esac
  echo "${value%%[!0-9]*}"
}

awk 'BEGIN { srand(7); for (n = 0; n < 300000; n++) printf "%d %d\n", rand() * 1000000000, n }' >lines

order() {
  sort --buffer-size="$(setting buffer 8)M" --batch-size="$(setting batch 16)" \
    --parallel="$(setting parallel 2)" --key=1n lines >sorted
}

export LC_ALL=C TIMEFORMAT=%R
{ time order; } 2>&1
