"""What par_components.bend prints: the labels of enough passes by merging
sets, the others by rounds written over lists."""
import sys
from lib.joined import apart, merged, one_round
from lib.words import digest, make


def ends(d, m, top, seed):
    return [x % top if i < m else x for i, x in enumerate(make(d, m, seed))]


def shown(labels, n, us, vs, m):
    return [apart(labels, n, list(zip(us, vs))[:m]), digest(us), digest(vs),
            digest(labels)]


def some(count, n, m, d, top, labels):
    us, vs = ends(d, m, top, 1), ends(d, m, top, n)
    for _ in range(2 * count):
        labels = one_round(labels, n, list(zip(us, vs))[:m])
    return shown(labels, n, us, vs, m)


def row(n, m, d, top, slots):
    us, vs = ends(d, m, top, 1), ends(d, m, top, n)
    enough = merged(n, list(zip(us, vs))[:m])
    start = list(range(1 << slots))
    return ([shown(enough, n, us, vs, m)] +
            [some(count, n, m, d, top, start) for count in range(3)])


def cycle(n, d):
    return [(i + 1) % n if i < n else i for i in range(1 << d)]


def path(d):
    n = 1 << d
    words = make(d, n, 3)
    order = sorted(range(n), key=lambda i: words[i])
    # The last slot keeps its node, as the program's shift leaves it.
    return [0, digest(order), digest(order[1:] + order[-1:]), digest([0] * n)]


SIZES = [(0, 1, 0, 1, 0), (1, 1, 0, 1, 0), (2, 1, 0, 2, 1), (3, 4, 2, 4, 2),
         (31, 20, 5, 33, 5), (32, 40, 6, 34, 5), (33, 33, 6, 33, 6),
         (1000, 700, 10, 1100, 10)]
if "large" in sys.argv:
    print([[row(65537, 60000, 16, 66000, 17)] * 2,
           [[path(17)] * 2]])
else:
    print([[row(*s)] * 4 for s in SIZES] +
          [[[some(1, 33, 10, 4, 40, cycle(33, 6))] * 2 +
            [some(3, 33, 10, 4, 40, cycle(33, 6))]]])
