# Every usage message, and where help and version go. Sourced by run.sh.
usage 'a command or a file is needed'
usage 'a file is needed' run
usage 'a file is needed' check
usage 'a file is needed' eval
usage 'a file is needed' net
usage 'a file or a folder is needed' test
usage 'a file is needed' run --threads 2
usage 'a file is needed' --stats
usage '`explain` takes one code' explain E14 E15
usage 'one file only, but `hello.bend` follows' repl five.bend hello.bend
usage '`--json` is no option of `tine repl`' repl --json
usage 'one file only, but `hello.bend` follows' eval five.bend hello.bend
usage 'one file only, but `hello.bend` follows' net five.bend hello.bend
usage '`cache` needs `info` or `clear`' cache
usage '`cache` needs `info` or `clear`' cache fill
usage '`lib` takes no arguments' lib par/scan
usage 'a module, a file or a name is needed' doc
usage '`doc` takes a module and a name' doc par/scan up down
usage '`version` takes no arguments' version x
usage '`help` takes one command' help run check
usage 'there is no command `swim`' help swim
usage 'unknown option `--wat`' run --wat five.bend
usage 'unknown option `-x`' -x
usage '`--update` is no option of `tine run`' run --update five.bend
usage '`--stats` is no option of `tine check`' check --stats five.bend
usage '`-e` is no option of `tine run`' run -e 1 five.bend
usage '`--json` takes no value' check --json=yes five.bend
usage '`--threads` needs a number from 1 to 256' run --threads
for n in 0 257 -1 two 1.5 99999999999999999999 ''; do
  usage "\`--threads\` needs a number from 1 to 256, not \`$n\`" \
    run --threads "$n" five.bend
done
usage '`--threads` needs a number from 1 to 256, not `0`' \
  run --threads=0 five.bend
for size in 0 -1 1X 1.5G G 99999999999999T 18446744073709551616; do
  usage "\`--mem\` needs a size such as 64M, 1G or a number of bytes, not \`$size\`" \
    run --mem $size five.bend
done
for seconds in 0 -1 soon inf nan; do
  usage "\`--deadline\` needs a positive number of seconds, not \`$seconds\`" \
    run --deadline $seconds five.bend
done
usage '`--fuel` needs a positive number of steps, not `0`' \
  eval --fuel 0 five.bend
usage '`--engine` needs an engine of this build: auto, net, net-plain or native, not `warp`' \
  run --engine warp five.bend
usage '`--stats` needs table, json or time, not `xml`' run --stats=xml five.bend
usage '`--deny` needs unsafe, warnings or a code such as W01, not `sloth`' \
  check --deny sloth five.bend
usage '`--dump` needs a stage: surface, core, book, c or device, not `soul`' \
  run --dump=soul five.bend
usage '`--whnf` is no option of `tine run`' run --whnf five.bend
usage '`-e` needs an expression' eval five.bend -e
usage '`-e` needs an expression, not ` `' eval five.bend -e ' '
usage '`--threads-list` needs numbers from 1 to 256 with commas between' \
  test --threads-list 1,,2 five.bend

# A hint names the command that was meant.
try 2 run --wat
has err 'try `tine help run`'

for word in help -h --help; do
  try 0 $word
  has out 'usage: tine [COMMAND] [OPTION..] FILE [ARGUMENT..]'
  is err ''
done
for command in run check eval repl explain lib doc net test version help; do
  try 0 help $command
  has out "usage: tine $command"
  cp out first
  try 0 $command --help
  is out "$(cat first)"
done
for word in version -V --version; do
  try 0 $word
  has out 'tine 0.'
  is err ''
done
