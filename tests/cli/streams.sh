# Full disks, closed pipes, colours, JSON, signals, odd paths. Sourced by
# run.sh.

# after STATUS COMMAND: a shell command whose status is checked.
after() {
  want=$1
  what=$2
  : > out
  : > err
  sh -c "$2" 2> err
  got=$?
  judge "$([ "$got" = "$want" ]; echo $?)" "status $got, not $want"
}
export TINE

if [ -c /dev/full ]; then
  for command in 'run five.bend' 'run hello.bend' 'check five.bend' \
    'eval five.bend' 'net five.bend' 'help' 'version'; do
    after 70 "\"\$TINE\" $command > /dev/full"
    has err 'No space left on device'
  done
fi

# A reader that leaves early.
after 0 '{ "$TINE" run many.bend; echo $? > status; } | head -n 1 > out'
is out line
is status 0
is err ''
after 0 '{ "$TINE" net many.bend; echo $? > status; } | :'
is status 0
is err ''

# Colour only on a terminal, and not under NO_COLOR.
escape=$(printf '\033')
try 1 check wrong.bend
lacks err "$escape"
if command -v script > /dev/null; then
  what='colour on a terminal'
  env -u NO_COLOR script -qec "\"$TINE\" check wrong.bend" /dev/null > out 2> err < /dev/null
  has out "$escape"
  what='NO_COLOR'
  NO_COLOR=1 script -qec "\"$TINE\" check wrong.bend" /dev/null > out 2> err < /dev/null
  lacks out "$escape"
fi

# JSON lines: an object a line, and nothing else.
json_lines() {
  judge "$(! grep -qv '^{.*}$' err && [ -s err ]; echo $?)" 'err is no JSON lines'
  if command -v python3 > /dev/null; then
    judge "$(python3 -c '
import json, sys
for line in open("err", encoding="utf-8"): json.loads(line)
' 2> /dev/null; echo $?)" 'err does not parse as JSON lines'
  fi
}
try 1 check --json wrong.bend
json_lines
has err '"code":"E18'
has err '"line":3'
try 0 check --json warned.bend
json_lines
has err '"severity":"warning"'
try 70 run --json --deadline 3 spin.bend
json_lines
has err '"severity":"failure"'
has err '"status":70'
try 0 run --json --stats=json five.bend
json_lines

# Signals.
for signal in INT TERM; do
  what="SIG$signal while running"
  "$TINE" run spin.bend > out 2> err &
  child=$!
  sleep 1
  kill -s $signal $child
  wait $child
  got=$?
  judge "$([ "$got" = 130 ]; echo $?)" "status $got, not 130"
  has err interrupted
done

# Odd paths, other folders, links.
mkdir -p 'odd name/sub'
cp five.bend 'odd name/sub/a b.bend'
try 0 run 'odd name/sub/a b.bend'
is out 1105
try 0 run "$work/odd name/sub/../sub/a b.bend"
is out 1105
mkdir -p elsewhere/lib
printf 'import Base\ndef one() -> U32: 1\n' > elsewhere/lib/one.bend
printf 'import Base\nimport ./lib/one.bend as One\ndef main() -> U32: One.one\n' > elsewhere/main.bend
try 0 run elsewhere/main.bend
is out 1
ln -s elsewhere/main.bend link.bend
try 0 run link.bend
is out 1
try 0 run ./elsewhere/../link.bend
is out 1

# A name that would send escapes to the terminal.
what='control characters in a name'
"$TINE" run "$(printf 'a\033[31m.bend')" > out 2> err
lacks err "$escape"
has err 'does not exist'
