"""What par_exact.bend prints: sums of integers, in units of 2^-298."""
import sys
from lib.words import WORDS, word

INF, NAN = 0x7F800000, 0x7FC00000
UNIT = 298


def number(x, y, at):
    """Bits of m * 2^(at - 149) with a sign."""
    m, bits = x & 0xFFFFFF, (y & 1) << 31
    if m == 0:
        return bits
    if m < 1 << 23:
        shift = min(24 - m.bit_length(), at)
        m, at = m << shift, at - shift
    return bits | ((at + 1) << 23 | m & 0x7FFFFF if m >> 23 else m)


def exponent(mode, y):
    return [y % 244, 140 + y % 20, y % 3, 246 + y % 8, 0, 100 + y % 20][mode]


def random(mode, seed, i):
    y = word((seed + 1000) % WORDS, i)
    return number(word(seed, i), y, exponent(mode, y >> 8))


def value(mode, seed, n, i):
    if mode != 4:
        return random(mode, seed, i)
    if i < n // 2:
        return random(0, seed, i)
    if i % 701 == 0:
        return random(2, seed, i)
    return random(0, seed, n - 1 - i) ^ 1 << 31


def real(bits):
    """In units of 2^-149; the bits are those of a finite number."""
    e, f = bits >> 23 & 255, bits & 0x7FFFFF
    m = f << 0 if e == 0 else (f | 1 << 23) << (e - 1)
    return -m if bits >> 31 else m


def rounded(total):
    """Bits of total * 2^-298, to the nearest and even."""
    sign, total = (1 << 31 if total < 0 else 0), abs(total)
    drop = max(total.bit_length() - 24, UNIT - 149)
    q, rest = total >> drop, total & ((1 << drop) - 1)
    half = 1 << (drop - 1)
    q += rest > half or (rest == half and q & 1)
    e = drop - (UNIT - 149)
    if q == 1 << 24:
        q, e = q >> 1, e + 1
    if e > 253:
        return sign | INF
    return sign | (q if q < 1 << 23 else (e + 1) << 23 | q & 0x7FFFFF)


def kind(bits):
    size = bits & 0x7FFFFFFF
    return "nan" if size > INF else "inf" if size == INF else \
        "zero" if size == 0 else "number"


def total_of(terms):
    """Of (kind, sign, exact value) of each term."""
    kinds = {(k, s) for k, s, _ in terms}
    ends = {s for k, s in kinds if k == "inf"}
    if any(k == "nan" for k, _ in kinds) or len(ends) == 2:
        return NAN
    if ends:
        return ends.pop() << 31 | INF
    if kinds == {("zero", 1)}:
        return 1 << 31
    return rounded(sum(v for _, _, v in terms))


def term(x):
    k = kind(x)
    v = real(x) << UNIT - 149 if k in ("zero", "number") else 0
    return (k, x >> 31, v)


def product(x, y):
    k, l = kind(x), kind(y)
    sign = (x ^ y) >> 31
    if "nan" in (k, l) or {k, l} == {"zero", "inf"}:
        return ("nan", 0, 0)
    if "inf" in (k, l):
        return ("inf", sign, 0)
    if "zero" in (k, l):
        return ("zero", sign, 0)
    return ("number", sign, real(x) * real(y))


def make(n, mode, seed):
    return [value(mode, seed, n, i) for i in range(n)]


def sum_of(xs):
    return total_of([term(x) for x in xs])


def dot_of(xs, ys):
    return total_of([product(x, y) for x, y in zip(xs, ys)])


def modes(n):
    return [sum_of(make(n, m, m + 1)) for m in range(5)] + [
        dot_of(make(n, *p), make(n, *q)) for p, q in
        (((0, 6), (5, 7)), ((1, 8), (1, 9)), ((2, 10), (2, 11)),
         ((2, 12), (3, 13)), ((4, 14), (1, 15)))]


MINUS = 1 << 31
SPECIAL = [0, MINUS, INF, MINUS | INF, NAN, 0x3F800000, 0xBF800000,
           number(0xFFFFFF, 0, 253), number(1, 0, 252), number(1, 1, 252),
           number(1, 0, 0), number(1, 1, 0), number(1, 0, 173),
           number(0x800001, 1, 150), number(5, 0, 100), number(3, 0, 48)]


def three(e):
    return [SPECIAL[e >> 4 * i & 15] for i in range(3)]


def specials():
    s = 7
    for e in range(4096):
        s = (s * 31 + sum_of(three(e))) % WORDS
        other = three(e * 2654435761 % WORDS)
        s = (s * 31 + dot_of(three(e)[:2], other[:2])) % WORDS
    return s


SIZES = [0, 1, 2, 3, 31, 32, 33, 1000, 4097]
if "large" in sys.argv:
    print([modes(65537)] * 5)
else:
    print("(%s, %s)" % (specials(), [[modes(n)] * 5 for n in SIZES]))
