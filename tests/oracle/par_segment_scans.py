"""What par_segment_scans.bend prints: entries projected, then the scans of each
segment."""
import sys
from lib.segments import scan, uneven_scan
from lib.words import WORDS, digest, make


def uneven(x, y):
    return (x * 3 + y) % WORDS


def near(env, i, x):
    return (x // env + i) % WORDS


def regular(count, length, d):
    size = 1 << d
    if length:
        count = min(count, size // length)
    got = []
    for whole in (False, True):
        a = make(d, size, count)
        for s in range(0, count * length, length or 1):
            if length == 0:
                break
            xs = [near(5, i, a[i]) for i in range(s, s + length)]
            a[s:s + length] = scan(uneven, 0, xs, whole)
        got.append(digest(a))
    return got


def irregular(count, k, start, by, n, d):
    slots = 1 << k
    offsets = [min(start + i * by, n) for i in range(slots)]
    got = []
    for whole in (False, True):
        a = make(d, 1 << d, count)
        live = offsets[:count]
        for x, y in zip(live, live[1:] + [n]):
            xs = [near(7, i, a[i]) for i in range(x, y)]
            a[x:y] = uneven_scan(uneven, 0, xs, whole)
        got += [digest(offsets), digest(a)]
    return got


REGULAR = [(0, 5, 2), (3, 0, 2), (1, 1, 0), (5, 3, 4), (31, 32, 10),
           (7, 128, 10), (7, 129, 10), (3, 257, 10), (1, 4096, 12)]
IRREGULAR = [(0, 0, 3, 1, 5, 3), (1, 0, 3, 1, 600, 10), (4, 2, 0, 300, 1100, 11),
             (33, 6, 100, 57, 2048, 11), (1000, 10, 3, 1, 1700, 11)]
if "large" in sys.argv:
    print("(%s, %s)" % ([regular(1, 65537, 17), regular(4000, 16, 16)],
                        [irregular(1000, 10, 5, 60, 65537, 17)]))
else:
    print("(%s, %s)" % ([[regular(*s)] * 4 for s in REGULAR],
                        [[irregular(*s)] * 4 for s in IRREGULAR]))
