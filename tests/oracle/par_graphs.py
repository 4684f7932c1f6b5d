"""What par_graphs.bend prints: the labels of enough passes by merging sets, those
of one pass by rounds written over lists."""
import sys
from lib.joined import apart, merged, one_round, width
from lib.words import digest, word


def star(n, _):
    return [(n // 2, i) for i in range(n)]


def grid(n, size):
    """Rows of `size` nodes; to the right nothing leaves eight columns."""
    across = [(x, x if x % size == size - 1 or x % size % 8 == 7 or x + 1 >= n
               else x + 1) for x in range(n)]
    return across + [(x, x + size if x + size < n else x) for x in range(n)]


def by_chance(n, size):
    return [(word(1, i) % n, word(2, i) % n) for i in range(n * size // 4)]


def parts(n, size):
    return [(i - i % size, i) for i in range(n)]


def cycles(n, size):
    return [(i, i + 1 if i % size != size - 1 and i != n - 1 else i - i % size)
            for i in range(n)]


def row(kind, n, size, by, rounds=True):
    edges = [star, grid, by_chance, parts, cycles][kind](n, size)
    edges = [(u * by % n, v * by % n) for u, v in edges]
    slots = width(len(edges)) - len(edges)
    ends = [digest([e[k] for e in edges] + [0] * slots) for k in (0, 1)]

    def shown(labels):
        return [apart(labels, n, edges)] + ends + [digest(labels)]

    got = [shown(merged(n, edges))]
    if rounds:
        labels = list(range(width(n)))
        for _ in range(2):
            labels = one_round(labels, n, edges)
        got.append(shown(labels))
    return got


SMALL = [(0, 33, 0, 5), (0, 1000, 0, 1), (1, 33, 6, 5), (1, 1000, 32, 401),
         (1, 1000, 25, 1), (2, 1000, 2, 401), (2, 1000, 8, 1),
         (3, 1000, 5, 401), (4, 31, 31, 1), (4, 1000, 7, 401),
         (4, 1000, 1000, 1), (4, 2000, 2000, 401)]
LARGE = [(0, 65537, 0, 401), (1, 65537, 256, 1), (2, 65537, 4, 401),
         (3, 65537, 5, 401), (4, 65537, 7, 401), (4, 65537, 65537, 1)]
if "large" in sys.argv:
    print([row(*s, rounds=False)[0] for s in LARGE])
else:
    print([[row(*s)] * 4 for s in SMALL])
