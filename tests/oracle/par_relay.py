"""What par_relay.bend prints: the same runs, one after another."""
import sys
from lib.words import WORDS, digest, make


def cut(xs, runs):
    size = -(-len(xs) // max(runs, 1))
    return [xs[i:i + size] for i in range(0, len(xs), size)]


def relay(boxes, runs, length, d, o, part, op, zero, first, following, last):
    a, out = make(d, 1 << d, boxes), make(o, 1 << o, 3)
    boxes = min(boxes, 1 << o, (1 << d) // length) if length else 0
    for k in range(boxes):
        box = a[k * length:(k + 1) * length]
        carry = None
        for run in cut([part(k, j, x) for j, x in enumerate(box)], runs):
            p = zero
            for x in run:
                p = op(p, x)
            carry = first(p) if carry is None else following(carry, p)
        out[k] = last(carry)
    return [digest(a), digest(out)]


def row(*sizes):
    return relay(*sizes, lambda k, j, x: (x // 3 + k * 7 + j) % WORDS,
                 lambda x, y: (x * 31 + y) % WORDS, 0,
                 lambda p: (1000 + p) % WORDS,
                 lambda c, p: (c * 3 + p) % WORDS, lambda c: c ^ 1431655765)


def soft_add(s, t):
    top = max(s[0], t[0])
    return (top, (s[1] >> (top - s[0])) + (t[1] >> (top - t[0])))


def soft(*sizes):
    return relay(*sizes, lambda k, j, x: (x % 16, 1 << 20), soft_add, (0, 0),
                 lambda p: p, soft_add,
                 lambda s: (s[0] * 268435456 + s[1]) % WORDS)


SIZES = [(0, 1, 4, 2, 0), (1, 1, 1, 0, 0), (2, 1, 0, 2, 1), (2, 3, 2, 2, 1),
         (3, 0, 31, 7, 2), (31, 5, 32, 10, 5), (33, 4, 3, 7, 4),
         (1, 1000, 1000, 10, 0), (8, 10, 500, 12, 3), (100, 7, 33, 12, 7)]
if "large" in sys.argv:
    print([[row(*s)] * 5 for s in
           [(1, 100, 65537, 17, 0), (1000, 9, 65, 16, 10)]])
else:
    print([[row(*s)] * 5 for s in SIZES] + [[soft(5, 7, 100, 9, 3)] * 3])
