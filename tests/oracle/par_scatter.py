"""What par_scatter.bend prints, one source after another."""
import sys
from lib.words import WORDS, digest, make


def scatter(a, n, at, value, target, rule):
    new = list(target)
    for i in range(n):
        j = at(i, a[i])
        if j < len(new):
            new[j] = rule(new[j], value(i, a[i])) % WORDS
    return [digest(a), digest(new)]


def row(d, n, top, t):
    a, target = make(d, n, n), make(t, 9 if t > 3 else 1 << t, 3)

    def at(_, x):
        return x % top

    def apart(i, _):
        return (i * 5 + top) % WORDS

    def value(i, x):
        return (x // top + i) % WORDS

    rules = [lambda x, y: x + y, min, max, lambda _, y: y]
    return ([scatter(a, n, at, value, target, rule) for rule in rules] +
            [scatter(a, n, apart, value, target, rules[3])])


SIZES = [(0, 0, 1, 0), (0, 1, 1, 0), (1, 2, 3, 1), (2, 3, 5, 2),
         (5, 31, 40, 5), (5, 32, 2, 0), (6, 33, 7, 3), (10, 1000, 300, 8),
         (12, 4096, 3000, 12), (12, 2500, 100, 7)]
if "large" in sys.argv:
    print([row(17, 65537, 70000, 16)] * 5)
else:
    print([[row(*s)] * 5 for s in SIZES])
