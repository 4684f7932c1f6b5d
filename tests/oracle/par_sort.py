"""What par_sort.bend prints, by Python's own sort."""
import sys
from lib.words import digest, make


def permutation(a, n, bits):
    n = min(n, len(a))
    by = sorted(range(n), key=lambda i: a[i] % (1 << bits))
    return by + list(range(n, len(a)))


def gather(order, a):
    return [a[i] for i in order]


def back(order, a):
    new = list(a)
    for i, to in enumerate(order):
        new[to] = a[i]
    return new


def width(k):
    return 1 << max(k - 1, 0).bit_length()


def buckets(a, n, k):
    k = max(k, 1)
    home = [min(x, k - 1) for x in a[:n]]
    order = sorted(range(n), key=lambda i: home[i]) + list(range(n, len(a)))
    counts = [home.count(j) for j in range(k)] if k < 300 else tally(home, k)
    offsets = [sum(counts[:j]) for j in range(k)]
    return [digest(a), digest(order),
            digest(counts + [0] * (width(k) - k)),
            digest(offsets + [n] * (width(k) - k))]


def tally(home, k):
    counts = [0] * k
    for j in home:
        counts[j] += 1
    return counts


def row(n, d, bits, k):
    a, v = make(d, n, n), make(d, 9, 3)
    order = permutation(a, n, bits)
    low = [x % (k * 2 + 1) if i < n else x for i, x in enumerate(a)]
    return [[digest(a), digest(order)], [digest(gather(order, a))],
            [digest(gather(order, a)), digest(gather(order, v))],
            [digest(order), digest(a), digest(back(order, a))],
            [digest(a), digest(permutation(a, n, 12))],
            buckets(a, n, k), buckets(low, n, k)]


def depths(d, n, bits, k):
    return [row(n, d, bits, k)] * 4


SIZES = [(0, 0, 16, 1), (0, 1, 32, 1), (1, 2, 1, 0), (2, 3, 32, 3),
         (5, 31, 2, 4), (5, 32, 8, 256), (6, 33, 9, 5), (10, 1000, 32, 100),
         (12, 4096, 5, 7), (12, 2500, 0, 1500)]
if "large" in sys.argv:
    print([row(65537, 17, 32, 300)] * 3)
else:
    print([depths(*s) for s in SIZES])
