"""The operators of tests/run/lib/monoids.bend, with Python's integers.

A Run here is the row itself, so that its three lengths are counted, not
combined.
"""
from lib.words import WORDS

LINE, MAT, RUN = (1, 0), (1, 0, 0, 1), ()


def line(i, x):
    return (x | 1, (x + i) % WORDS)


def line_then(f, g):
    return (g[0] * f[0] % WORDS, (g[0] * f[1] + g[1]) % WORDS)


def last(x, y):
    return y or x


def rare(every, i, x):
    return (x + i) % WORDS if x % every == 0 else 0


def uneven(x, y):
    return (x * 3 + y) % WORDS


def mat(i, x):
    return (x, i, 1, x >> 3)


def mat_mul(x, y):
    a, b, c, d = x
    e, f, g, h = y
    return tuple(v % WORDS for v in
                 (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h))


def runs(row):
    """(n, head, tail, best) of a row of entries."""
    lengths = []
    for i, x in enumerate(row):
        if i and row[i - 1] <= x:
            lengths[-1] += 1
        else:
            lengths.append(1)
    if not lengths:
        return (0, 0, 0, 0)
    return (len(row), lengths[0], lengths[-1], max(lengths))


def hashed(records, s=7):
    for record in records:
        for x in record:
            s = (s * 31 + x) % WORDS
    return s
