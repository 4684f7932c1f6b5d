# What the scripts of this folder share; they source it.

# The median of the numbers on standard input, one a line.
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# twins NAME: compiles it as $work/c and, where oneTBB is, as $work/tbb; sets
# has_tbb to 1 or nothing.
twins() {
  cc -O3 -std=c11 -D_POSIX_C_SOURCE=200809L -o "$work/c" "bench/twins/$1.c"
  has_tbb=1
  c++ -x c++ -std=c++17 -fpermissive -w -O3 -DTWIN_TBB -o "$work/tbb" \
    "bench/twins/$1.c" -ltbb 2> "$work/log" || has_tbb=
}

# The seconds that the run before has written to $work/log, tine's or a twin's.
seconds() {
  sed -n 's/.*"seconds":\([0-9.]*\).*/\1/p; s/^seconds //p' "$work/log"
}
