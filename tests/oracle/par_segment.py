"""What par_segment.bend prints: folds of slices, in the stated order."""
import sys
from lib.loops import fold
from lib.segments import GROUP, groups, scan, uneven_scan
from lib.words import WORDS, digest, make


def width(k):
    return 1 << max(k - 1, 0).bit_length()


def after(f, g):
    return (g[0] * f[0] % WORDS, (g[0] * f[1] + g[1]) % WORDS)


def last(x, y):
    return y or x


def uneven(x, y):
    return (x * 3 + y) % WORDS


def rare(every, i, x):
    return (x + i) % WORDS if x % every == 0 else 0


def combine(op, zero, xs):
    """Folds at most half a group from the left, else by groups."""
    if len(xs) <= GROUP // 2:
        return fold(op, zero, xs)
    parts = [fold(op, zero, g) for g in groups(xs)]
    return parts[0] if len(parts) == 1 else combine(op, zero, parts)


def strided(op, zero, xs):
    """As combine, but the entries of a first group stand apart."""
    if len(xs) <= GROUP // 2:
        return fold(op, zero, xs)
    parts = -(-len(xs) // GROUP)
    sums = [fold(op, zero, xs[k::parts]) for k in range(parts)]
    return sums[0] if parts == 1 else combine(op, zero, sums)


def lines(results, count):
    s = 7
    for m, c in results + [(1, 0)] * (width(count) - count):
        s = ((s * 31 + m) * 31 + c) % WORDS
    return s


def line(i, x):
    return (x | 1, (x + i) % WORDS)


def regular(count, length, d):
    a = make(d, 1 << d, count)
    if length:
        count = min(count, (1 << d) // length)
    starts = range(0, count * length, length) if length else [0] * count
    rest = a[count * length:]

    def each(f, xs):
        return [f([xs[i] for i in range(s, s + length)]) for s in starts]

    lined = [line(i, x) for i, x in enumerate(a)]
    some = [rare(3, i, x) for i, x in enumerate(a)]
    writes = [rare(5, i, x) for i, x in enumerate(a)]
    folded = each(lambda xs: fold(after, (1, 0), xs), lined)
    sums = each(lambda xs: combine(uneven, 0, xs), some)
    before = sum(each(lambda xs: scan(last, 0, xs, False), writes), [])
    through = sum(each(lambda xs: scan(uneven, 0, xs, True), a), [])
    zeros = [0] * (width(count) - count)
    plain = [rare(2, i, x) for i, x in enumerate(a)]
    added = each(lambda xs: sum(xs) % WORDS, plain)
    apart = each(lambda xs: strided(uneven, 0, xs), a)
    return [lines(folded, count),
            (digest(a) * 31 + digest(sums + zeros)) % WORDS,
            digest(before + writes[count * length:]), digest(through + rest),
            (digest(a) * 31 + digest(added + zeros)) % WORDS,
            (digest(a) * 31 + digest(apart + zeros)) % WORDS]


def irregular(count, k, top, n, d):
    a = make(d, 1 << d, count)
    lengths = [x % top + 700 * (i == 0) if i < count else x
               for i, x in enumerate(make(k, count, 1))]
    starts, s = [], 0
    for x in lengths:
        starts.append(s)
        s = (s + x) % WORDS
    live = starts[:count]
    ends = [min(e, n) for e in live[1:] + [n]]
    results = [fold(after, (1, 0), [line(i, a[i]) for i in range(min(x, n), y)])
               for x, y in zip(live, ends)]

    def scanned(op, whole, xs):
        for x, y in zip(live, ends):
            x = min(x, n)
            xs[x:y] = uneven_scan(op, 0, xs[x:y], whole)
        return (digest(starts) * 31 + digest(xs)) % WORDS

    writes = [rare(5, i, x) for i, x in enumerate(a)]
    return [digest(starts), digest(a), lines(results, count),
            scanned(last, False, writes), scanned(uneven, True, a)]


REGULAR = [(0, 5, 2), (1, 0, 0), (3, 0, 2), (1, 1, 0), (5, 3, 4),
           (31, 32, 10), (33, 31, 10), (7, 128, 10), (7, 129, 10),
           (4, 256, 10), (3, 257, 10), (1, 4096, 12), (1000, 2, 11),
           (9, 500, 12)]
IRREGULAR = [(0, 0, 3, 5, 3), (1, 0, 3, 600, 10), (3, 2, 300, 1100, 11),
             (33, 6, 100, 2048, 11), (1000, 10, 3, 1700, 11)]
if "large" in sys.argv:
    print("([%s], [%s])" % (
        ", ".join(str([regular(*s)] * 4) for s in
                  [(1, 65537, 17), (16, 4096, 16)]),
        ", ".join(str([irregular(*s)] * 4) for s in
                  [(1000, 10, 130, 65537, 17), (1, 0, 3, 131000, 17)])))
else:
    print("(%s, %s)" % ([[regular(*s)] * 4 for s in REGULAR],
                        [[irregular(*s)] * 4 for s in IRREGULAR]))
