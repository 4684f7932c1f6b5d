#!/bin/bash
# The examples that read a file, on every engine and at 1, 2 and 4 workers:
# what `NAME.bend INPUT` prints is examples/data/NAME.out.
#
#   TINE=build/release/tine tests/examples/run.sh [WORKERS, "1 2 4"]
set -u
TINE=$(realpath "${TINE:-$(dirname "$0")/../../build/release/tine}")
cd "$(dirname "$0")/../../examples" || exit 1
passed=0 failed=0
# replay NAME INPUT
replay() {
  for engine in net net-plain native; do
    for threads in ${workers:-1 2 4}; do
      if diff <("$TINE" run --engine $engine --threads "$threads" \
        "$1.bend" "data/$2" 2>&1) "data/$1.out"; then
        passed=$((passed + 1))
      else
        failed=$((failed + 1))
        echo "FAIL $1, $engine, $threads workers"
      fi
    done
  done
}
workers=${1:-}
replay word_count verse.txt
replay k_means points.csv
replay page_rank links.txt
replay brightness moon.pgm
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
