"""Every def of the library is reached by a test, on every engine.

    reached.py TINE ENGINE..    prints what is not reached; status 1 then

Runs tests/run/par_*.bend, the examples and this folder's programs with counts
of calls, and joins the counts. A line `#@ NAME CALLS` of a program says how
often one of its own defs must have been called: a projection runs exactly once
for each index.
"""
import glob
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")


def library():
    folder = os.path.join(ROOT, "compiler", "lib")
    for path in glob.glob(os.path.join(folder, "par", "**", "*.bend"),
                          recursive=True):
        space = os.path.relpath(path, folder)[:-len(".bend")]
        for name in re.findall(r"^def ([\w.]+)\(", open(path).read(), re.M):
            yield space + "." + name


def programs():
    for pattern in ("tests/run/par_*.bend", "examples/*.bend",
                    "tests/oracle/counts/*.bend"):
        yield from sorted(glob.glob(os.path.join(ROOT, pattern)))


def counts(tine, engine, path):
    """Calls of each def in a run of the program."""
    run = subprocess.run(
        [tine, "run", "--engine", engine, "--threads", "2", "--stats=json",
         os.path.basename(path)], cwd=os.path.dirname(path),
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    lines = [x for x in run.stderr.splitlines() if x.startswith('{"engine"')]
    if run.returncode or not lines:
        print(f"{path} on {engine}: status {run.returncode}")
        return {}
    return {x["def"]: x["calls"] for x in json.loads(lines[-1])["defs"]}


def pins(path):
    return [(name, int(calls)) for name, calls in
            re.findall(r"^#@ (\S+) (\d+)$", open(path).read(), re.M)]


def main(tine, engines):
    wrong, defs, pinned = 0, sorted(library()), 0
    for engine in engines:
        reached = set()
        for path in programs():
            got = counts(tine, engine, path)
            reached |= {name for name, calls in got.items() if calls}
            for name, calls in pins(path):
                pinned += 1
                if got.get(name, 0) != calls:
                    wrong += 1
                    print(f"{os.path.basename(path)} on {engine}: {name} ran "
                          f"{got.get(name, 0)} times, not {calls}")
        for name in defs:
            if name not in reached:
                wrong += 1
                print(f"no test reaches {name} on {engine}")
    print(f"{len(defs)} defs, {pinned} pinned counts, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
