#!/usr/bin/env python3
"""Every name of the library tables of the language reference is declared by
Base or kept for it (compiler/core/reserved.def).

usage: names.py SOURCE_DIR. The reference is language.md in a folder `shared`
beside the source; without it the test says so and is skipped (status 77).
"""
import pathlib
import re
import sys

SKIPPED = 77


def section(text, begin, end):
    return text[text.index(begin):text.index(end)]


def cells(text):
    """The code spans of the first column, row by row."""
    for line in text.splitlines():
        if line.startswith("|") and not line.startswith("| ---"):
            yield re.findall(r"`([^`]*)`", line.split("|")[1])


def words(span):
    """The names of a span such as `F32.clamp(x, lo, hi)` or `U32.add sub`."""
    span = span.split("(")[0].split(" ->")[0]
    return [w for w in span.split() if re.fullmatch(r"\.?[A-Za-z_][\w.]*", w)]


def names(text):
    """Each name as the spellings it may have: `.go` hangs on the row's first
    name or on what that one hangs on."""
    for row in cells(text):
        first = last = None
        for span in row:
            for word in words(span):
                if word.startswith("."):
                    stems = []
                    for base in {first, last} - {None}:
                        parts = base.split(".")
                        stems += [".".join(parts[:n])
                                  for n in range(1, len(parts) + 1)]
                    yield [stem + word for stem in stems]
                elif "." in word and word[0].isupper():
                    last = word
                    first = first or word
                    yield [word]
                elif last and word[0].islower():
                    yield [last.rsplit(".", 1)[0] + "." + word,
                           last.split(".")[0] + "." + word]


def main():
    source = pathlib.Path(sys.argv[1])
    reference = source.parent / "shared" / "language.md"
    if not reference.exists():
        print("skipped: there is no", reference)
        return SKIPPED
    text = reference.read_text()
    base = (source / "compiler/lib/base.bend").read_text()
    known = set(re.findall(r"^(?:def|law|type) ([A-Za-z_][\w.]*)", base, re.M))
    declared = len(known)
    kept = (source / "compiler/core/reserved.def").read_text()
    known |= set(re.findall(r'TINE_\w+\("([^"]+)"', kept))
    missing, count = [], 0
    for part in (section(text, "### 5.2 ", "### 5.5 "),
                 section(text, "### 5.5 ", "\n## 6. ")):
        for spellings in names(part):
            count += 1
            if not any(s in known for s in spellings):
                missing.append(spellings[0])
    print(count, "names of the reference,", declared, "declarations of Base")
    for name in missing:
        print("missing:", name)
    return 1 if missing or count < 400 else 0


sys.exit(main())
