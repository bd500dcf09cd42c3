# The bytes of a pack of this repository's whole history, made with the settings that stand on
# standard input, {"compression":6,"depth":50,"window":10}, or git's own where one is missing. One
# thread, so that the same settings always give the same pack. It starts in an empty folder; the
# repository is where this file is.
set -eu
settings=$(cat)

setting() {
  value=$2
  case $settings in *"\"$1\":"*) value=${settings#*\"$1\":} ;; esac
  echo "${value%%[!0-9]*}"
}

repository=$(dirname "$0")
git -C "$repository" rev-list --objects HEAD >objects
git -C "$repository" -c core.compression="$(setting compression 6)" pack-objects --stdout -q \
  --threads=1 --no-reuse-delta --no-reuse-object --window="$(setting window 10)" \
  --depth="$(setting depth 50)" <objects >pack
wc -c <pack
