#!/bin/sh
# The scan tests: every row of expected.txt (kind, d, b, digest and total) at
# 1, 2 and 4 workers, with the project's own module par/scan and, where the
# checkout lies beside `shared`, with the seed module; then what the theory
# says of the seed (theory_*.bend), what the checker says of it, and edits of
# it that the checker must refuse.
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

# what `tine check` says of the seed: accepted, with the defs that name a fork
# or a join, directly or through others
check() {
  listed=$("$tine" check "$seed" 2>/dev/null)
  judge "seed check status" "$?" 0
  judge "seed unsafe defs" "$(echo $listed)" "13 defs rely on unsafe code:\
 two.join two.rejoin sums puts run.mid run.pre run0.sums run0 run1.sums\
 run.pick run exclusive inclusive"
  "$tine" check --deny unsafe "$seed" >/dev/null 2>&1
  judge "seed check --deny unsafe status" "$?" 1
}

# edit SCRIPT CODE LINE:COLUMN: an edit of the seed is refused there
edit() {
  sed "$1" "$seed" >"$scratch/edit.bend"
  judge "seed edit $1" "$("$tine" check "$scratch/edit.bend" 2>&1 |
    sed -n 's/^.*edit\.bend:\([0-9:]*\): error\[\([^]]*\)\].*/\2 \1/p')" "$2 $3"
}

edits() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  edit '49s/a\[q\])/Array.join(U32, a, a)[q])/' E23a 49:54
  edit '49s/sum.go(p,/sum.go(Nat.sub(n, 1n),/' E26a 49:7
  edit '49s/sum.go(p,/sum.go(n,/' E26a 49:7
  edit '/^def sums(/s/fa: Array/+fa: Array/' E24a 116:37
  edit '43,45d' E25a 42:3
  edit '49s/sum.go/ex.go/;62s/ex.go/sum.go/' E26c 62:7
  edit '45s/(s + x : U32)/s + x/' E15 45:13
  edit '49s/sum.go/sum.og/' E18a 49:7
}

grid own
if [ -r "$seed" ]; then
  grid seed
  theory
  check
  edits
else
  files=$(ls "$here"/theory_*.bend | wc -l)
  workers=$(echo "$threads" | wc -w)
  skipped=$(($(count_grid) + files * (workers + 1) + 3 + 8))
  echo "skipped: the seed module is not at ../shared/seeds beside this checkout"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
