#!/bin/bash
# The campaign: each function of the library once at 2^20 entries, at depths 0,
# 5, 12 and 30, on the native engine with 1, 2 and 4 workers, against what
# `NAME.py huge` prints. Takes minutes, so it is no part of ctest.
#
#   TINE=build/release/tine tests/oracle/huge.sh [NAME..]
set -u
TINE=$(realpath "${TINE:-$(dirname "$0")/../../build/release/tine}")
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
passed=0 failed=0
[ $# -gt 0 ] || set -- $(basename -s .bend huge/*.bend)
for name in "$@"; do
  want=$(python3 "$name.py" huge)
  for threads in 1 2 4; do
    begin=$(date +%s%N)
    got=$("$TINE" run --engine native --threads $threads "huge/$name.bend")
    ms=$((($(date +%s%N) - begin) / 1000000))
    if [ "$got" = "$want" ]; then
      passed=$((passed + 1))
      echo "$name, $threads workers: as the oracle says, $ms ms"
    else
      failed=$((failed + 1))
      echo "FAIL $name, $threads workers"
    fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
