"""What par_scan_ops.bend prints: loops over lists, uneven by its stated tree."""
import sys
from lib import monoids as M
from lib.loops import by_halves, running
from lib.words import WORDS, digest, make

BLOCK = 1024


def scan(op, zero, acc, a, n, whole):
    if len(a) <= BLOCK:
        return running(op, acc, a[:n], whole)[0]
    half, low = len(a) // 2, min(n, len(a) // 2)
    left = by_halves(op, zero, a[:half], low, BLOCK)
    return (scan(op, zero, acc, a[:half], low, whole) +
            scan(op, zero, op(acc, left), a[half:], n - low, whole))


def by_tree(op, zero, a, n, whole):
    live = a[:n] + [None] * (len(a) - n)
    return [digest(scan(op, zero, zero, live, n, whole) + a[n:]),
            by_halves(op, zero, live, n, BLOCK)]


def to_new(a, n, projected, op, zero, u, whole):
    out, end = running(op, zero, projected, whole)
    return [digest(a), M.hashed(out + [u] * (len(a) - n)), M.hashed([end])]


def runs_to_new(a, n):
    rows = [M.runs(a[:i + 1]) for i in range(n)] if n < 5000 else fast(a[:n])
    none = (0, 0, 0, 0)
    return [digest(a), M.hashed(rows + [none] * (len(a) - n)),
            M.hashed([rows[-1] if rows else none])]


def fast(row):
    """The same as M.runs of every prefix."""
    out, head, tail, best = [], 0, 0, 0
    for i, x in enumerate(row):
        tail = tail + 1 if i and row[i - 1] <= x else 1
        head = tail if tail == i + 1 else head
        best = max(best, tail)
        out.append((i + 1, head, tail, best))
    return out


def checked(a, n, whole):
    if sum(a[:n]) >= WORDS:
        return [digest(a), 7]
    out, end = running(lambda x, y: x + y, 0, a[:n], whole)
    return [digest(out + a[n:]), end]


def row(d, n):
    a = make(d, n, n)

    def seen(every):
        return [M.rare(every, i, x) if i < n else x for i, x in enumerate(a)]

    lines, mats = make(d, n, 1), make(d, n, 2)
    small = [x % 4000000 if i < n else x for i, x in enumerate(make(d, n, 5))]
    return [
        by_tree(M.last, 0, seen(3), n, False),
        by_tree(M.uneven, 0, seen(2), n, True),
        to_new(lines, n, [M.line(i, x) for i, x in enumerate(lines[:n])],
               M.line_then, M.LINE, (3, 4), False),
        to_new(mats, n, [M.mat(i, x) for i, x in enumerate(mats[:n])],
               M.mat_mul, M.MAT, M.MAT, True),
        runs_to_new(make(d, n, 3), n),
        checked(small, n, False), checked(small, n, True)]


SIZES = [(0, 0), (0, 1), (1, 2), (2, 3), (5, 31), (5, 32), (6, 33), (10, 1000),
         (12, 4096), (12, 2500)]
if "large" in sys.argv:
    print([row(17, 65537)] * 5)
else:
    print([[row(*s)] * 5 for s in SIZES])
