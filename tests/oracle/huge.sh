#!/bin/bash
# The campaign: the programs of large/ with 2^20 entries in place of 65537, on
# the native engine with 1, 2 and 4 workers, against their oracles with the same
# sizes. Takes an hour with Python's loops, so it is no part of ctest.
#
#   TINE=build/release/tine tests/oracle/huge.sh [NAME..]
set -u
TINE=$(realpath "${TINE:-$(dirname "$0")/../../build/release/tine}")
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/run" "$work/oracle"
cp -r ../run/lib "$work/run"
cp -r lib large ./*.py "$work/oracle"
cd "$work/oracle" || exit 1
# A path of 2^17 nodes stays one.
sed -i '/path(/!s/\b17\(n\?\)\b/20\1/g; s/\b65537\b/1048576/g; s/\b131000\b/1048000/g' \
  large/*.bend ./*.py
passed=0 failed=0
[ $# -gt 0 ] || set -- $(basename -s .bend large/*.bend)
for name in "$@"; do
  python3 "$name.py" large > want
  for threads in 1 2 4; do
    begin=$(date +%s%N)
    "$TINE" run --engine native --threads $threads "large/$name.bend" > got
    ms=$((($(date +%s%N) - begin) / 1000000))
    if cmp -s want got; then
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
