# `tine fmt`: files in place, folders, --check, --diff, standard input. Sourced by
# run.sh.
mkdir -p fmt/sub/.hidden fmt/deep.bend
printf 'def f( x:U32 )->U32:\n    x' > fmt/a.bend
printf 'def f(x: U32) -> U32:\n  x\n' > fmt/good.bend
cp fmt/a.bend fmt/sub/b.bend
cp fmt/a.bend fmt/sub/.hidden/c.bend
cp fmt/a.bend fmt/sub/d.txt
cp fmt/a.bend before

# --check changes nothing
try 1 fmt --check fmt
is out 'fmt/a.bend
fmt/sub/b.bend'
is err ''
judge "$(cmp -s fmt/a.bend before; echo $?)" "--check changed a file"
try 0 fmt --check fmt/good.bend

# nor does --diff, which shows what would
try 1 fmt --diff fmt/a.bend fmt/good.bend
is out '--- fmt/a.bend
+++ fmt/a.bend (formatted)
@@ -1,2 +1,2 @@
-def f( x:U32 )->U32:
-    x
\ No newline at end of file
+def f(x: U32) -> U32:
+  x'
is err ''
judge "$(cmp -s fmt/a.bend before; echo $?)" "--diff changed a file"
try 0 fmt --diff fmt/good.bend
is out ''

# in place: names of what changed, permissions and links kept
chmod 640 fmt/a.bend
ln -s ../a.bend fmt/sub/link.bend
try 0 fmt fmt/sub/link.bend fmt/good.bend
is out fmt/sub/link.bend
is err ''
judge "$(cmp -s fmt/a.bend fmt/good.bend; echo $?)" "a.bend is not formatted"
judge "$([ -L fmt/sub/link.bend ]; echo $?)" "the link is gone"
judge "$([ "$(stat -c %a fmt/a.bend)" = 640 ]; echo $?)" "permissions changed"
try 0 fmt fmt
is out fmt/sub/b.bend
try 0 fmt fmt
is out ''
try 0 fmt --check fmt
is out ''
judge "$(cmp -s fmt/sub/.hidden/c.bend before; echo $?)" "hidden file changed"
judge "$(cmp -s fmt/sub/d.txt before; echo $?)" "d.txt changed"
judge "$([ "$(ls -A fmt fmt/sub | wc -l)" = 11 ]; echo $?)" "files left over"
try 0 fmt fmt/sub/d.txt
is out fmt/sub/d.txt

# a file with an error stays, the others do not
printf 'def f( x:U32 )->U32: (x\n' > fmt/bad.bend
cp fmt/bad.bend bad_before
cp before fmt/sub/b.bend
try 1 fmt fmt
is out fmt/sub/b.bend
has err 'fmt/bad.bend:1:22: error[E14e'
judge "$(cmp -s fmt/bad.bend bad_before; echo $?)" "bad.bend changed"
try 1 fmt --check --json fmt/bad.bend
has err '"code":"E14e"'
printf 'def f(x: U32) -> U32: x # \377\n' > fmt/bad.bend
try 1 fmt fmt/bad.bend
has err 'fmt/bad.bend:1:27: error'
rm fmt/bad.bend

# what cannot be read or written
try 1 fmt fmt/none.bend
has err 'the file `fmt/none.bend` does not exist'
try 1 fmt --check fmt/good.bend fmt/none.bend
cp before fmt/a.bend
if [ "$(id -u)" != 0 ]; then
  chmod 400 fmt/a.bend
  try 70 fmt fmt/a.bend
  has err '`fmt/a.bend` cannot be written: Permission denied'
  chmod 600 fmt/a.bend
  chmod 500 fmt
  try 70 fmt fmt/a.bend
  has err '`fmt/a.bend` cannot be written: Permission denied'
  judge "$(cmp -s fmt/a.bend before; echo $?)" "a.bend changed"
  chmod 700 fmt
  chmod 000 fmt/sub
  try 70 fmt --check fmt/sub
  has err 'the folder `fmt/sub` cannot be read: Permission denied'
  chmod 700 fmt/sub
fi
mkfifo fmt/pipe.bend
cat before > fmt/pipe.bend &
try 70 fmt fmt/pipe.bend
has err '`fmt/pipe.bend` cannot be written: it is no regular file'
rm fmt/pipe.bend

# standard input
for path in '' -; do
  what="tine fmt $path < a.bend"
  timeout 60 "$TINE" fmt $path < before > out 2> err
  judge "$?" 'a status'
  judge "$(cmp -s out fmt/good.bend; echo $?)" 'not formatted'
done
what='tine fmt --check < before'
timeout 60 "$TINE" fmt --check < before > out 2> err
judge "$([ $? = 1 ]; echo $?)" 'status not 1'
is out '<stdin>'
what='tine fmt < bad'
timeout 60 "$TINE" fmt < bad_before > out 2> err
judge "$([ $? = 1 ]; echo $?)" 'status not 1'
is out ''
has err '<stdin>:1:22: error'

usage '`-` goes with no other path' fmt - fmt/a.bend
usage '`--check` takes no value' fmt --check=yes fmt
usage '`--threads` is no option of `tine fmt`' fmt --threads 2 fmt
