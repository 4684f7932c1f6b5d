#!/bin/sh
# Transcripts of the prompt, typed through a pipe; keys through a terminal.
#
#   TINE=build/release/tine tests/repl/run.sh [--update] [FILE..]
#
# Prints `N passed, N failed`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
TINE=${TINE:-$here/../../build/release/tine}
case $TINE in /*) ;; *) TINE=$PWD/$TINE ;; esac
export TINE
update=no
if [ "${1:-}" = --update ]; then
  update=yes
  shift
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$here/files" || exit 1
passed=0 failed=0
[ $# -gt 0 ] || set -- "$here"/*.txt

for file in "$@"; do
  case $file in /*) ;; *) file=$here/$file ;; esac
  sed -n 's/^tine> \{0,1\}//p; s/^\.\.\.\.> \{0,1\}//p' "$file" |
    timeout 120 "$TINE" repl --echo --threads 2 > "$work/out" 2>&1
  if cmp -s "$file" "$work/out"; then
    passed=$((passed + 1))
  elif [ $update = yes ]; then
    cp "$work/out" "$file"
    echo "updated $file"
  else
    failed=$((failed + 1))
    echo "FAIL $file"
    diff "$file" "$work/out"
  fi
  if grep -q "$(printf '\033')" "$work/out"; then
    failed=$((failed + 1))
    echo "FAIL $file: escape codes through a pipe"
  fi
done

# Keys typed while a busy machine switches the terminal's mode are lost: the
# session of keys has three tries, and says so.
keys() {
  for try in 1 2 3; do
    timeout 120 python3 "$here/keys.py" > "$work/keys" 2>&1 && return
    echo "keys.py failed at try $try: $(tail -1 "$work/keys")"
  done
  return 1
}

if ! python3 -c 'import pty' 2> "$work/why"; then
  echo 'skip keys.py (no python3)'
elif ! grep -q 'el_init\|libedit' "$TINE" 2> "$work/why"; then
  echo 'skip keys.py (built without libedit)'
elif keys; then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  echo 'FAIL keys.py'
  cat "$work/keys"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
