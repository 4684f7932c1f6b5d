#!/bin/sh
# The command from outside: usage messages, statuses, streams, signals.
#
#   TINE=build/release/tine tests/cli/run.sh
#
# Each case runs the command once (`try STATUS ARGUMENT..`) and then looks at
# its status, standard output and standard error. Prints `N passed, N failed`.
set -u
here=$(cd "$(dirname "$0")" && pwd)
TINE=${TINE:-$here/../../build/release/tine}
case $TINE in /*) ;; *) TINE=$PWD/$TINE ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$here"/programs/* .
passed=0 failed=0 what=
# What is tested here needs no compiled code, but where it says so.
export TINE_ENGINE=net

# try STATUS ARGUMENT..: runs tine; out and err hold what it wrote.
try() {
  want=$1
  shift
  what="tine $*"
  timeout 60 "$TINE" "$@" > out 2> err
  got=$?
  judge "$([ "$got" = "$want" ]; echo $?)" "status $got, not $want"
}

judge() {
  if [ "$1" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s\n  %s\n' "$what" "$2"
    sed 's/^/  out: /' out | head -5
    sed 's/^/  err: /' err | head -10
  fi
}

# has FILE TEXT: the file holds that text. is: it is that text.
has() {
  judge "$(grep -qF -- "$2" "$1"; echo $?)" "$1 lacks: $2"
}
lacks() {
  judge "$(! grep -qF -- "$2" "$1"; echo $?)" "$1 has: $2"
}
is() {
  judge "$([ "$(cat "$1")" = "$2" ]; echo $?)" "$1 is not: $2"
}

# usage TEXT ARGUMENT..: status 2, one line and a hint on standard error.
usage() {
  text=$1
  shift
  try 2 "$@"
  is out ''
  has err "tine: $text"
  has err 'try `tine help'
  judge "$([ "$(wc -l < err)" -eq 2 ]; echo $?)" "err has not two lines"
}

. "$here/usage.sh"
. "$here/commands.sh"
. "$here/streams.sh"
. "$here/fmt.sh"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
