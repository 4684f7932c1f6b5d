"""What par_compact.bend prints, by plain loops over lists."""
import sys
from lib.words import WORDS, digest, make


def keep(a, n, every):
    return [i for i in range(n) if (a[i] + i) % WORDS % every == 0]


def put(out, values):
    return values[:len(out)] + out[len(values):]


def values(a, n, every, out):
    kept = keep(a, n, every)
    seen = [(a[i] * every + i) % WORDS for i in kept]
    return [len(kept), digest(a), digest(put(out, seen))]


def indices(a, n, every):
    kept = keep(a, n, every)
    return [len(kept), digest(a), digest(put([WORDS - 1] * len(a), kept))]


def front(a, n, every):
    seen = [(a[i] * every + i) % WORDS for i in keep(a, n, every)]
    return [len(seen), digest(put(a, seen))]


def depths(d, n, every):
    a = make(d, n, n)
    return [values(a, n, every, make(d, 3, 9)) + indices(a, n, every) +
            front(a, n, every)] * 5


SIZES = [(0, 0, 1), (0, 1, 1), (1, 2, 2), (2, 3, 2), (5, 31, 3), (5, 32, 1),
         (6, 33, 2), (10, 1000, 3), (12, 4096, 50), (12, 2500, 1)]
if "large" in sys.argv:
    print(depths(17, 65537, 3))
else:
    print("(%s, %s)" % ([depths(*s) for s in SIZES],
                        [values(make(10, 1000, 1), 1000, 2, make(5, 3, 9))] * 2))
