#!/bin/bash
# The expected output of tests/run/NAME.bend is what NAME.py here prints: an
# independent program with integers of its own. Skips where there is no
# Python.
set -u
cd "$(dirname "$0")"
if ! command -v python3 > /dev/null; then
  echo "skip: there is no python3 for the oracles"
  echo "0 passed, 0 failed"
  exit 0
fi
passed=0 failed=0
for script in *.py; do
  program=../run/${script%.py}.bend
  if diff <(python3 "$script") <(sed -n 's/^#| //p' "$program"); then
    passed=$((passed + 1))
  else
    echo "FAIL $program: not what its oracle says"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
