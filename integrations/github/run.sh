#!/usr/bin/env bash
# Runs sitewalk with the inputs of the action, and sets the outputs. sitewalk annotates
# findings and writes the job summary. The script reads the inputs only from environment
# variables, so that no part of an input can run as a command.
set -euo pipefail

fail() {
  printf '::error title=sitewalk::%s\n' "$1"
  exit 2
}

case "$INPUT_COMMAND" in
build | check | diff) ;;
*) fail 'the input command must be build, check or diff' ;;
esac
for input in "$INPUT_STRICT" "$INPUT_FAIL" "$INPUT_LEDGER" "$INPUT_LIVE"; do
  case "$input" in
  true | false) ;;
  *) fail 'the inputs strict, fail, ledger and live must be true or false' ;;
  esac
done
cd -- "$INPUT_WORKING_DIRECTORY" || fail 'the input working-directory is not a folder'

report="$RUNNER_TEMP/sitewalk-$INPUT_COMMAND.json"
args=("$INPUT_COMMAND" --report github --report "json=$report")
[ -z "$INPUT_BASE_URL" ] || args+=("--base-url=$INPUT_BASE_URL")
[ -z "$INPUT_CONFIG" ] || args+=("--config=$INPUT_CONFIG")
[ "$INPUT_STRICT" = false ] || args+=(--strict)
if [ "$INPUT_COMMAND" = diff ]; then
  [ -z "$INPUT_MAX_LOSS" ] || args+=("--max-loss=$INPUT_MAX_LOSS")
elif [ -n "$INPUT_AGAINST$INPUT_MAX_LOSS" ]; then
  fail 'the inputs against and max-loss are for diff'
fi
if [ "$INPUT_LIVE" = true ]; then
  [ "$INPUT_COMMAND" = check ] || fail 'the input live is for check'
  args+=(--live "--sample=$INPUT_SAMPLE")
  case "$INPUT_DIR" in
  *://*) ;; # a URL: there is no deploy to wait for
  *) args+=("--wait=$INPUT_WAIT") ;;
  esac
fi
while IFS= read -r arg; do
  arg=${arg%$'\r'}
  [ -z "$arg" ] || args+=("$arg")
done <<<"$INPUT_ARGS"

if [ "$INPUT_COMMAND" = build ]; then
  export SITEWALK_CACHE="$RUNNER_TEMP/sitewalk-memory"
  if [ "$INPUT_LEDGER$(grep -Es "^[\"']?ledger[\"']?[[:space:]]*:" -- "${INPUT_CONFIG:-sitemap.yaml}" || true)" = true ]; then
    export SITEWALK_LEDGER="${SITEWALK_LEDGER:-$SITEWALK_CACHE/ledger}"
    args+=(--level ledger-first-run=off) # the user did not ask for a ledger
  fi
fi

# Arguments that are not flags follow "--", because a folder may be called -x.
case "$INPUT_COMMAND" in
diff)
  [ -z "$INPUT_AGAINST" ] || args+=(-- "$INPUT_AGAINST")
  export SITEWALK_DIR="${INPUT_DIR:-${SITEWALK_DIR:-}}"
  ;;
*) [ -z "$INPUT_DIR" ] || args+=(-- "$INPUT_DIR") ;;
esac

rm -f "$report"
code=0
sitewalk "${args[@]}" || code=$?

# number prints the number in the field $1 of the report. The field must be on a
# separate line that is indented by $2 spaces.
number() { sed -n "s/^ \{$2\}\"$1\": \([0-9]*\),\{0,1\}\$/\1/p" "$report" | head -n 1; }

if [ -f "$report" ]; then
  urls=$(number urls 2)
  {
    printf 'urls=%s\n' "${urls:-$(number is 4)}"
    printf 'lost=%s\n' "$(number lost 4)"
    printf 'added=%s\n' "$(grep -c '^ *"class": "added",$' "$report" || true)"
    printf 'answered=%s\n' "$(number answered 4)"
    printf 'correct=%s\n' "$(number correct 4)"
    printf 'findings=%s\n' "$(($(number errors 4) + $(number warnings 4) + $(number notes 4)))"
    printf 'report=%s\n' "$report"
  } >>"$GITHUB_OUTPUT"
  sitemap=$(sed -n 's/^  "sitemap": "\(.*\)",\{0,1\}$/\1/p' "$report" | head -n 1)
  printf 'sitemap=%s\n' "$sitemap" >>"$GITHUB_OUTPUT"
fi

[ "$code" -ne 1 ] || [ "$INPUT_FAIL" = true ] || code=0
exit "$code"
