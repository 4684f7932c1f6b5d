# What each command prints and where. Sourced by run.sh.

# run
try 0 run five.bend
is out 1105
is err ''
try 0 five.bend
is out 1105
try 0 --threads 2 five.bend
is out 1105
try 0 run -- five.bend
is out 1105
try 0 run hello.bend
is out hello
try 0 args.bend one --threads -- 'two words'
is out 'args.bend
one
--threads
--
two words'
try 0 run --threads=2 args.bend --help
is out 'args.bend
--help'
try 3 run die.bend
is out x
is err bad
try 125 run die_high.bend
try 1 run none.bend
has err 'the file `none.bend` does not exist'
try 1 run none.net
has err 'the file `none.net` does not exist'
mkdir -p folder.bend
try 1 run folder.bend
has err 'the file `folder.bend` cannot be read: Is a directory'
try 1 run no_main.bend
has err 'the program has no `main`'
try 1 run wrong.bend
is out ''
has err 'wrong.bend:3:3: error[E18'
try 0 run warned.bend
is err ''

# limits of a run
try 70 run --deadline 3 spin.bend
is out ''
has err 'tine: error: '
has err spin
try 71 run --mem 4M deep.bend
is out ''
has err 'tine: error: '
endless=$here/../edge/103_endless_calls.bend
for engine in net net-plain native; do
  try 71 run --mem 32M --engine $engine "$endless"
  is out ''
  has err 'tine: error: out of memory: the run held '
done
try 0 run --mem 512M deep.bend
is out 1000000
try 1 check --fuel 10 five.bend
has err 'met a limit: it takes too many steps'

# --stats
try 0 run --threads 2 --stats five.bend
is out 1105
has err 'engine        net'
has err 'workers       2'
has err 'calls'
has err 'U32.pow'
try 0 run --stats=json five.bend
is out 1105
has err '"engine":"net"'
has err '"def":"U32.pow"'
try 0 run --stats=time five.bend
has err '"engine":"net"'
has err '"seconds":'
lacks err '"def"'

# the native engine and its cache
TINE_CACHE=$work/cache
export TINE_CACHE
try 0 cache info
has out "$work/cache"
has out '0 programs, 0 bytes'
if command -v cc > /dev/null; then usual=native; else usual=net; fi
TINE_ENGINE=
try 0 run --stats=time five.bend
is out 1105
has err "\"engine\":\"$usual\""
lacks err note
TINE_CC=/nowhere/cc
export TINE_CC
try 0 run --engine auto --stats=time five.bend
has err '"engine":"net"'
lacks err note
unset TINE_CC
TINE_ENGINE=warp
try 2 run five.bend
has err 'there is no engine `warp`; this build has: net, net-plain, native, auto'
TINE_ENGINE=net
try 0 run --engine native five.bend
is out 1105
try 0 run --engine native --no-cache --stats five.bend
is out 1105
has err 'nodes_made'
try 0 cache clear
has out 'removed '
try 0 cache info
has out '0 programs, 0 bytes'
TINE_CC=/nowhere/cc
export TINE_CC
try 0 run --engine native five.bend
is out 1105
has err 'there is no C compiler `/nowhere/cc`; the net engine runs it'
unset TINE_CC TINE_CACHE
try 0 net --dump=c five.bend
has out 'tine_program'

# --dump, net
for stage in surface core book; do
  try 0 run --dump=$stage five.bend
  has out main
  is err ''
done
try 0 net five.bend
cp out five.net
try 0 run five.net
is out 1105
try 0 five.net
is out 1105
try 0 net five.net
is out "$(cat five.net)"
try 0 net no_main.bend
has out 'twice'
try 1 net wrong.bend
is out ''
try 1 run bad.net
has err 'bad.net:'
has err 'error[B01]'
try 1 eval five.net
has err 'a book has no theory: it can only be run'

# check
try 0 check five.bend
is out 'all terms check'
try 0 check five.bend hello.bend
is out 'five.bend: all terms check
hello.bend: all terms check'
try 0 check five.net
is out 'the book verifies'
try 1 check wrong.bend
is out ''
try 1 check five.bend wrong.bend
is out 'five.bend: all terms check'
try 0 check forks.bend
is out '2 defs rely on unsafe code:
forked
main'
try 1 check --deny unsafe forks.bend
has err 'unsafe code is denied by --deny, and 2 of the program'
try 0 check --deny unsafe five.bend
try 1 run --deny unsafe forks.bend
is out ''
try 0 check warned.bend
is out 'all terms check'
has err 'warning[W01]'
try 1 check --deny warnings warned.bend
has err 'a warning is denied by --deny'
try 1 check --deny W01 warned.bend
try 0 check --deny W03 warned.bend
try 1 run --deny W01 warned.bend
is out ''
has err 'warning[W01]'
try 1 check todo.bend
has err 'todo.bend:4:3: error[E30'
has err 'tine: error: 1 TODO found: the program is incomplete'
try 1 run todo.bend
is out ''

# eval
try 0 eval five.bend
is out 1105
is err ''
try 0 eval five.bend -e 'U32.pow(2, 5n)'
is out 32
try 0 eval -e '[1, 2]' five.bend
is out '[1, 2]'
try 1 eval five.bend -e 'nonsense'
is out ''
has err '<expression>:1:1: error[E18'
try 1 eval five.bend -e '(1'
has err 'error[E14'
try 1 eval no_main.bend
has err 'the program has no `main`'
try 0 eval forks.bend
is out '[0, 0]'
has err "tine: note: this is the theory's value"
has err 'it relies on the fork in: forked, main'
try 0 run forks.bend
is out '[7, 0]'
try 70 eval --deadline 0.5 spin.bend
is out ''
has err 'the deadline of 0.5 seconds passed'
try 0 eval five.bend --whnf -e '{Some{U32.pow(2, 3n)} : Maybe<U32>}'
is out 'Some{U32.pow(2, 3n)}'
is err ''
try 0 eval --nf --steps five.bend -e '{Some{U32.pow(2, 3n)} : Maybe<U32>}'
is out 'Some{8}'
has err ' steps'
try 70 eval --fuel 1000000 spin.bend
has err 'the limit of 1000000 steps of the theory was reached'

# explain
try 0 explain E23a
has out 'E23a: `..` is used more than once'
has out '    def f(x: U32) -> U32 & U32: (x, x)'
has out '    def f(+x: U32) -> U32 & U32: (x, x)'
try 0 explain e05b
has out '`..` is not a number: literals are decimal'
try 0 explain E23
has out 'E23b `..` is erased'
lacks out 'E24'
try 0 explain
has out 'W04'
try 2 explain E99
has err 'there is no code `E99`; `tine explain` lists them all'

# test
mkdir -p suite/lib suite/sub
cp five.bend suite/sub/b.bend
cp wrong.bend suite/lib/
printf 'import Base\ndef main() -> U32: 7\n#| 7\n' > suite/a.bend
printf '#! E18 4:3\n' | cat - wrong_body.txt > suite/refused.bend
try 0 test suite
is out 'skip suite/sub/b.bend (no expected output)
2 passed, 0 failed, 1 skipped'
printf 'import Base\ndef main() -> U32: 7\n#| 8\n' > suite/a.bend
try 1 test --threads-list 2 suite
has out 'FAIL suite/a.bend
  net, 2 workers'
has out '    - 8'
has out '    + 7'
has out '1 passed, 1 failed, 1 skipped'
try 0 test --update suite
has out 'updated suite/a.bend'
has out 'updated suite/sub/b.bend'
try 0 test suite
is out '3 passed, 0 failed, 0 skipped'
printf '#! E18 4:4\n' | cat - wrong_body.txt > suite/refused.bend
try 1 test suite
has out 'expected E18 at 4:4, found:'
printf '#! nonsense\nimport Base\n' > suite/refused.bend
try 1 test suite
has out 'cannot read the header `#! nonsense`'
try 1 test nowhere
has out 'no such path'
printf 'import Base\ndef main() -> IO(Unit): IO.die(Unit, 3, "bad")\n#| bad\n#| exit 3\n' > suite/refused.bend
try 0 test suite
# Compiled code that cannot be had: no compiler is no failure, one that fails is.
printf 'import Base\ndef main() -> U32: 7\n#| 7\n' > suite/a.bend
TINE_CC=/nowhere/cc
export TINE_CC
try 0 test suite/a.bend
is out 'skip native, there is no C compiler `/nowhere/cc`; the net engine runs it
1 passed, 0 failed, 0 skipped'
try 0 test --engine native suite/a.bend
is out 'skip suite/a.bend (there is no C compiler `/nowhere/cc`; the net engine runs it)
0 passed, 0 failed, 1 skipped'
TINE_CC=/bin/false
try 1 test --no-cache suite/a.bend
has out '  native, 1 workers
  the C compiler `/bin/false` failed'
unset TINE_CC
# An error that no header speaks of; the theory; the defs that are unsafe.
printf '#! E18 3:14\nimport Base\ndef f() -> U32: x\ndef g() -> U32: y\n' > suite/refused.bend
try 1 test suite
has out 'expected E18 at 3:14, found:'
printf '#! E18 3:17\nimport Base\ndef f() -> U32: x\ndef g() -> U32: y\n' > suite/refused.bend
try 1 test suite
has out '  did not expect:
suite/refused.bend:4:17: error[E18a]: there is no `y`'
body='import Base\ndef f?() -> U32: 7\ndef g() -> U32: f\ndef main() -> U32: f()\n'
printf "$body"'#@ f\n#@ g\n#@ main\n#= 7\n#= (f + 1 : U32) ==> 8\n#| 7\n' > suite/refused.bend
try 0 test suite
printf "$body"'#= 7\n#= g ==> 8\n' > suite/refused.bend
try 1 test suite
has out '  in the theory, g:
    line 1:
    - 8
    + 7'
printf "$body"'#@ f\n#@ main\n' > suite/refused.bend
try 1 test suite
has out '  other defs rely on unsafe code:
    line 2:
    - main
    + g'
rm suite/refused.bend
try 0 test --deadline 5 --mem 64M suite

# check --time
try 0 check --time five.bend
has err 'five.bend: '
has err ' ms of CPU'
is out 'all terms check'

# build
try 0 build five.bend
is out ''
is err ''
alone=$work/alone
mkdir "$alone" && mv five "$alone/"
# Runs a built program, in a folder of its own, without a compiler.
built() {
  want=$1
  shift
  what="$*"
  (cd "$alone" && PATH=/nowhere && export PATH && exec "$@") > out 2> err
  got=$?
  judge "$([ "$got" = "$want" ]; echo $?)" "status $got, not $want"
}
built 0 ./five
is out 1105
is err ''
for engine in native net net-plain; do
  built 0 ./five --tine-threads 2 --tine-engine $engine --tine-stats
  is out 1105
  has err "\"engine\":\"$engine\""
done
built 0 ./five --tine-help
has out '--tine-threads N'
built 2 ./five --tine-threads 0
is err 'tine: `--tine-threads` needs a number from 1 to 256, not `0`'
built 2 ./five --tine-mem
is err 'tine: `--tine-mem` needs a value'
built 2 ./five --tine-fast
is err 'tine: unknown option `--tine-fast`; --tine-help lists them'
try 0 build -o "$alone/words" args.bend
built 0 ./words --tine-threads 1 --threads 2 --tine-mem
lacks out '--tine-threads'
has out '--threads'
has out '--tine-mem'
built 0 ./words --tine-end --tine-help
has out '--tine-help'
try 0 build -o "$alone/dies" die.bend
built 3 ./dies
# A build that fails leaves what was there.
echo here > "$alone/old"
try 1 build -o "$alone/old" wrong.bend
judge "$(grep -q here "$alone/old"; echo $?)" 'the old file is gone'
try 70 build -o "$alone" five.bend
has err "\`$alone\` cannot be written: it is no regular file"
try 70 build -o /nowhere/five five.bend
has err '`/nowhere/five` cannot be written: No such file or directory'
try 0 build -o five.c five.bend
judge "$(grep -q tine_program five.c; echo $?)" 'five.c is no C text'
try 70 build -o /nowhere/five.c five.bend
has err '`/nowhere/five.c` cannot be written: No such file or directory'
TINE_CC=/nowhere/cc
export TINE_CC
try 0 build -o "$alone/slow" five.bend
has err 'there is no C compiler `/nowhere/cc`; it runs on the net engine'
unset TINE_CC
built 0 ./slow --tine-stats
is out 1105
has err '"engine":"net"'
# What is behind the trailer's book must be one.
size=$(wc -c < "$alone/slow")
head -c $((size - 200)) "$alone/slow" > "$alone/torn"
tail -c 24 "$alone/slow" >> "$alone/torn"
chmod +x "$alone/torn"
built 1 ./torn
has err 'error[B'
try 2 build
has err 'a file is needed'

# lib and doc
try 0 lib
has out 'prefix sums, of words or by any operator, in place and in parallel.'
has out 'Base  '
is err ''
try 0 doc par/scan
has out 'par/scan: prefix sums'
has out 'def exclusive(+b: Nat, a: Array<U32>) -> Array<U32> & U32'
lacks out 'up.join'
try 0 doc par/scan up
has out 'Cuts d times'
try 0 doc U32.pow
is out 'def U32.pow(+b: U32, e: Nat) -> U32
    b to the power e, modulo 2^32.'
try 0 doc Base List
has out 'type List<a, -A: Kind(a)> is Kind(a):'
try 0 doc five.bend
has out 'def main() -> U32'
try 2 doc swim
is err 'tine: error: there is no module `swim`, and Base has no such name; `tine lib` lists the modules'
try 2 doc swim main
has err 'there is no module `swim`; `tine lib` lists the modules'
try 2 doc par/scan swim
has err '`par/scan` has no `swim`; `tine doc par/scan` shows what it has'
try 1 doc none.bend
has err 'the file `none.bend` does not exist'
try 2 doc five.bend swim
has err '`five.bend` has no `swim`'
