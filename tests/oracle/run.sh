#!/bin/bash
# The expected output of tests/run/NAME.bend is what NAME.py here prints: an
# independent program with integers of its own. Programs of large/ are too much
# for the plain reference engine: what `NAME.py large` prints is what the
# others must print. Skips where there is no Python.
#
#   TINE=build/release/tine tests/oracle/run.sh [WORKER COUNTS, 1,2,4 [SECONDS, 60]]
set -u
TINE=$(realpath "${TINE:-$(dirname "$0")/../../build/release/tine}")
threads=${1:-1,2,4} deadline=${2:-60}
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
if ! command -v python3 > /dev/null; then
  echo "skip: there is no python3 for the oracles"
  echo "0 passed, 0 failed"
  exit 0
fi
passed=0 failed=0
# judge PROGRAM SCRIPT [large]
judge() {
  [ -r "$1" ] || return
  if diff <(python3 "${@:2}") <(sed -n 's/^#| //p' "$1"); then
    passed=$((passed + 1))
  else
    echo "FAIL $1: not what its oracle says"
    failed=$((failed + 1))
  fi
}
for script in *.py; do
  judge "../run/${script%.py}.bend" "$script"
  judge "large/${script%.py}.bend" "$script" large
done
for engine in net native; do
  if "$TINE" test --engine $engine --threads-list "$threads" \
    --deadline "$deadline" large; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
