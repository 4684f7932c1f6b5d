"""What par_scan.bend prints: running sums of lists, modulo 2^32."""
import sys
from lib.words import WORDS, digest, make


def scan(words, whole):
    sums, total = [], 0
    for x in words:
        sums.append((total + x * whole) % WORDS)
        total = (total + x) % WORDS
    return sums, total


def shown(words, whole):
    return "([%s], %d)" % (", ".join(map(str, scan(words, whole)[0])),
                           scan(words, whole)[1])


if "large" in sys.argv:
    words = make(17, 65537, 65537)
    got = []
    for whole in (0, 1):
        sums, total = scan(words, whole)
        got += [[digest(sums), total]] * 3
    print(got)
else:
    eight = list(range(1, 9))
    print("(%s, %s)" % (", ".join(shown(eight, whole) for whole in
                                  (0, 1, 0, 1)),
                        shown([WORDS - 1] * 2, 0)[1:-1]))
