"""What tests/run/par_reduce.bend prints, by plain loops over lists."""
import sys
from lib.words import WORDS, digest, make


def row(n, a):
    live = a[:n]
    total, product, parity, most, every, some = 0, 1, 0, 0, WORDS - 1, 0
    m, c = 1, 0
    for i, x in enumerate(live):
        total = (total + x) % WORDS
        product = product * x % WORDS
        parity ^= x
        every &= x
        some |= x
        k, e = x | 1, (x + i) % WORDS
        m, c = k * m % WORDS, (k * c + e) % WORDS
    least = min(live, default=WORDS - 1)
    most = max(live, default=0)
    return [total, product, parity, least, most, every, some, m, c,
            digest(live)]


def add_second(a, c, n):
    for i in range(min(n, len(a))):
        a[i] = (a[i] + c[i % len(c)] * 3 + i) % WORDS


def others(n, d):
    a, c = make(d, 9, 1), make(d, n, 2)
    add_second(a, c, n)
    e = [(x + i * 2) % WORDS if i < n else 5 for i, x in enumerate(a)]
    return [digest(c), digest(e), digest(a)]


def depths(d, n):
    return [row(n, make(d, n, n))] * 4 + [others(n, d)] * 2


def checked(n, d, most=4000000):
    total = sum(x % most for x in make(d, n, 5)[:n])
    return "Some{%d}" % total if total < WORDS else "None{}"


def uneven():
    a = make(9, 512, 1)
    add_second(a, make(4, 16, 2), 300)
    return digest(a)


SIZES = [(0, 0), (0, 1), (1, 2), (2, 3), (5, 31), (5, 32), (6, 33),
         (10, 1000), (12, 4096), (12, 2500)]
CHECKED = [(1000, 10)] * 2 + [(4096, 12)] * 2 + [(0, 3)]
if "large" in sys.argv:
    print("(%s, [%s])" % ([row(65537, make(17, 65537, 65537))] * 2, ", ".join(
        checked(65537, 17, most) for most in (4000, 4000, 4000000))))
else:
    print("(%s, [%s], %s)" % ([depths(d, n) for d, n in SIZES],
                              ", ".join(checked(n, d) for n, d in CHECKED),
                              [uneven()] * 2))
