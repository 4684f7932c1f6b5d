"""What par_histogram.bend prints, by counting into a dictionary."""
import sys
from collections import Counter
from lib.words import WORDS, digest, make


def width(k):
    return 1 << max(k - 1, 0).bit_length()


def row(d, n, top, k):
    a = make(d, n, n)
    found = Counter((a[i] + i) % WORDS % top for i in range(n))
    counts = [found[j] if j < k else 0 for j in range(width(k))]
    return [[digest(a), digest(counts)]] * 3


SIZES = [(0, 0, 4, 4), (0, 1, 4, 0), (1, 2, 3, 1), (2, 3, 5, 4),
         (5, 31, 100, 33), (5, 32, 4, 4), (6, 33, 1, 1), (10, 1000, 300, 256),
         (12, 4096, 256, 256), (12, 2500, 1500, 1500)]
if "large" in sys.argv:
    print([[row(17, 65537, 300, 256)] * 5, [row(17, 65537, 20000, 16000)] * 5])
else:
    print([[row(*s)] * 5 for s in SIZES])
