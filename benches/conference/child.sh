#!/bin/sh
# A lane that finds a little more each round, and a reviewer that believes it.
read -r charter
field() { value=${charter#*\"$1\":\"}; value=${value%%\"*}; }
common='"claims":[],"uncertainties":[],"recommended_root_actions":[]'
field dispatch_id; id=$value
field role; role=$value
round=${charter#*\"round\":}; round=${round%%[!0-9]*}
case $role in
researcher)
  echo "{\"dispatch_id\":\"$id\",\"role\":\"researcher\",\"status\":\"completed\",\"claims\":[{\"claim\":\"It is less.\",\"evidence\":\"Measured once.\",\"confidence\":\"high\",\"rows\":[0]}],\"uncertainties\":[],\"recommended_root_actions\":[],\"measurements\":[{\"name\":\"cost\",\"value\":\"-$round\",\"provenance\":\"script:child\"}]}" ;;
reviewer)
  rest=$charter verdicts=
  while :; do
    case $rest in *'"id":"'*) ;; *) break ;; esac
    rest=${rest#*\"id\":\"}
    verdicts="$verdicts${verdicts:+,}{\"claim\":\"${rest%%\"*}\",\"verdict\":\"validated\",\"reason\":\"It holds.\",\"evidence\":\"Read.\",\"confidence\":\"high\"}"
  done
  echo "{\"dispatch_id\":\"$id\",\"role\":\"reviewer\",\"status\":\"completed\",$common,\"verdicts\":[$verdicts]}" ;;
*)
  echo "{\"dispatch_id\":\"$id\",\"role\":\"$role\",\"status\":\"completed\",$common}" ;;
esac
