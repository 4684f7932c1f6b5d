#!/bin/sh
# The scan tests: every row of expected.txt (kind, d, b, digest and total) at
# 1, 2 and 4 workers, with the project's own module par/scan and, where the
# checkout lies beside `shared`, with the seed module; then what the theory
# says of the seed (theory_*.bend).
#
#   TINE=build/release/tine tests/seed/run.sh [--quick]
#
# --quick: 2 workers only, and no row above d = 8. Prints `N passed, N
# failed, N skipped`; the status is 1 if one failed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tine=${TINE:-$here/../../build/release/tine}
seed=$here/../../../shared/seeds/scan.bend
threads="1 2 4"
limit=14
if [ "${1:-}" = --quick ]; then
  threads=2
  limit=8
fi
passed=0 failed=0 skipped=0

if ! command -v "$tine" >/dev/null 2>&1; then
  echo "tests/seed/run.sh: no tine at $tine; set TINE" >&2
  exit 1
fi

# pass NAME GOT WANTED
judge() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s\n  expected: %s\n  observed: %s\n' "$1" "$3" "$2"
  fi
}

# column B or LINE of the rows of kind $1 and depth $2
depths_of() { awk -v k="$1" -v d="$2" '$1 == k && $2 == d { printf "%s ", $3 }' "$here/expected.txt"; }
lines_of() { awk -v k="$1" -v d="$2" '$1 == k && $2 == d { print $4, $5 }' "$here/expected.txt"; }

# one program over the grid: one run of it does a whole row of depths
grid() {
  for n in $threads; do
    for kind in exclusive inclusive; do
      for d in $(awk '{ print $2 }' "$here/expected.txt" | sort -nu); do
        [ "$d" -le "$limit" ] || continue
        bs=$(depths_of $kind "$d")
        # shellcheck disable=SC2086
        got=$("$tine" run --threads "$n" "$here/$1_main.bend" $kind "$d" $bs 2>&1)
        wanted=$(lines_of $kind "$d")
        i=0
        for b in $bs; do
          i=$((i + 1))
          judge "$1 $kind d=$d b=$b threads=$n" \
            "$(printf '%s\n' "$got" | sed -n "${i}p")" \
            "$(printf '%s\n' "$wanted" | sed -n "${i}p")"
        done
      done
    done
  done
}

count_grid() {
  rows=$(awk -v l="$limit" '$2 <= l' "$here/expected.txt" | wc -l)
  workers=$(echo "$threads" | wc -w)
  echo $((rows * workers))
}

# the engines print the `#|` line, the theory the `# theory:` line
theory() {
  for file in "$here"/theory_*.bend; do
    name=$(basename "$file" .bend)
    wanted=$(sed -n 's/^#| //p' "$file")
    for n in $threads; do
      judge "$name engine threads=$n" \
        "$("$tine" run --threads "$n" "$file" 2>/dev/null)" "$wanted"
    done
    judge "$name theory" "$("$tine" eval "$file" 2>/dev/null)" \
      "$(sed -n 's/^# theory: //p' "$file")"
  done
}

grid own
if [ -r "$seed" ]; then
  grid seed
  theory
else
  files=$(ls "$here"/theory_*.bend | wc -l)
  workers=$(echo "$threads" | wc -w)
  skipped=$(($(count_grid) + files * (workers + 1)))
  echo "skipped: the seed module is not at ../shared/seeds beside this checkout"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
