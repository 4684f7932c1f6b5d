"""What par_runs.bend prints, by writing every entry with its owner."""
import sys
from lib.words import WORDS, digest, make


def width(k):
    return 1 << max(k - 1, 0).bit_length()


def count(top, x):
    return 0 if x % 3 == 0 else (x >> 8) % top


def row(d, n, top, slots=None):
    counts = [count(top, x) for x in make(d, n, n)[:n]]
    owner = [i for i, c in enumerate(counts) for _ in range(c)]
    entries = [i * 1000 + rank for i, c in enumerate(counts)
               for rank in range(c)]
    total = len(entries)
    ends = [sum(counts[:i + 1]) for i in range(n)] if n < 9000 else run(counts)
    ends += [total] * ((1 << d) - n)
    if slots is None:
        slots = [WORDS - 1] * width(max(total, 1))
    filled = entries[:len(slots)] + slots[total:]
    found = [owner[e] if e < total else n
             for e in range(0, 20 * (total // 17 + 1), total // 17 + 1)]
    return [total, digest(filled), digest(ends), digest(found[:20])]


def run(counts):
    ends, s = [], 0
    for c in counts:
        s += c
        ends.append(s)
    return ends


SIZES = [(0, 0, 3), (0, 1, 3), (1, 2, 5), (2, 3, 200), (5, 31, 1),
         (5, 32, 100), (6, 33, 7), (10, 1000, 9), (12, 4096, 2),
         (12, 2500, 3)]
if "large" in sys.argv:
    print([row(17, 65537, 4)] * 5)
else:
    print([[row(*s)] * 5 for s in SIZES] + [[row(7, 100, 9, [5] * 64)] * 2])
