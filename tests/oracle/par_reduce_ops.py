"""What par_reduce_ops.bend prints; uneven by its stated tree of halves."""
import struct
import sys
from lib import monoids as M
from lib.loops import by_halves, fold
from lib.words import WORDS, digest, make

BLOCK = 64
NAN = 0x7FC00000


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def float_of(top, x):
    return -float(x % top) if x >> 7 & 1 else x % top * 0.5


def floats(n, top, d):
    xs = [float_of(top, x) for x in make(d, n, top)[:n]]

    def key(x):
        return (x, 0 if bits(x) >> 31 else 1)

    return [bits(min(xs, key=key, default=float("inf"))),
            bits(max(xs, key=key, default=float("-inf")))]


def into(n, k, d):
    out = [5] * 4
    if k < len(out):
        out[k] = sum(make(d, n, 8)[:n]) % WORDS
    return digest(out)


def row(d, n):
    w = [make(d, n, k) for k in range(7)]
    live = [x[:n] for x in w]
    return [
        fold(M.last, 0, [M.rare(3, i, x) for i, x in enumerate(live[1])]),
        by_halves(M.uneven, 0, w[2], n, BLOCK),
        M.hashed([fold(M.line_then, M.LINE,
                       [M.line(i, x) for i, x in enumerate(live[3])])]),
        M.hashed([fold(M.mat_mul, M.MAT,
                       [M.mat(i, x) for i, x in enumerate(live[4])])]),
        M.hashed([M.runs([x >> 22 for x in live[5]])]),
        (7 * 31 + sum((x % 3000) ** 2 for x in live[6]) % 4294967291) % WORDS,
        into(n, 2, d), into(n, 4, d)] + floats(n, 3, d) + floats(n, 100000, d)


SIZES = [(0, 0), (0, 1), (1, 2), (2, 3), (5, 31), (5, 32), (6, 33), (10, 1000),
         (12, 4096), (12, 2500)]
RULES = [NAN] * 4 + [1 << 31] * 2 + [0] * 2
if "large" in sys.argv:
    print([row(17, 65537)] * 5)
else:
    print("(%s, %s)" % (RULES, [[row(*s)] * 5 for s in SIZES]))
