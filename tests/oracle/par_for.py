"""What par_for.bend prints, by plain loops over lists."""
import sys
from lib.words import WORDS, digest, make


def three(a, c, e, n):
    for i in range(min(n, len(a))):
        a[i] = (a[i] * 3 + c[i % len(c)] * 5 + e[i % len(e)] + i) % WORDS
    return [digest(a), digest(c), digest(e)]


def reading(a, c, n):
    for i in range(min(n, len(a))):
        a[i] = (a[i] + c[a[i] % len(c)] * 7 + i) % WORDS
    return [digest(a), digest(c)]


def window(n, d, r):
    a = make(d, n, r)
    new = [9] * len(a)
    for i in range(n):
        for k in range(2 * r + 1):
            x = a[min(max(i - r + k, 0), n - 1)]
            new[i] = (new[i] * 5 + x * 3 + k) % WORDS
    return [digest(new), digest(a)]


def blocks(s, n, d):
    a = make(d, 1 << d, 6)
    size = min(1 << s, len(a))
    for k in range(min(n, len(a) // size)):
        block = a[k * size:(k + 1) * size]
        a[k * size] = (11 + k + sum(i * x for i, x in enumerate(block))) % WORDS
    return digest(a)


def row(d, n):
    return [three(make(d, n, 1), make(d, n, 2), make(d, n, 3), n),
            reading(make(d, n, 4), make(d, n, 5), n),
            window(n, d, 0), window(n, d, 1), window(n, d, 6),
            [blocks(0, n, d), blocks(3, n // 8, d), blocks(5, 3, d)]]


SIZES = [(0, 0), (0, 1), (1, 2), (2, 3), (5, 31), (5, 32), (6, 33), (10, 1000),
         (12, 4096), (12, 2500)]
if "large" in sys.argv:
    print([row(17, 65537)] * 5)
else:
    print("(%s, %s)" % (
        [[row(*s)] * 5 for s in SIZES],
        [three(make(9, 512, 1), make(9, 512, 2), make(4, 16, 3), 300)] * 2))
