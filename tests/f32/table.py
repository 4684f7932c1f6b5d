#!/usr/bin/env python3
"""Writes the tests of F32: tests/run/f32_table.bend, whose output every engine
must give, and tests/check/good/f32_table.bend, which the theory must agree to.

The expectations do not come from tine. Sums, products and quotients are exact
fractions here, rounded to 24 bits by integers; roots likewise. The functions
of the C library are Python's, in double, rounded once by the same integers.
"""
import math
import pathlib
from fractions import Fraction

NAN = 0x7FC00000
INF = 0x7F800000


def round_bits(q, sign=0):
    """The float nearest to the fraction q, ties to even, as bits."""
    if q < 0:
        return round_bits(-q, 1)
    if q == 0:
        return sign << 31
    e = q.numerator.bit_length() - q.denominator.bit_length()
    if Fraction(2) ** e > q:
        e -= 1
    e = max(e, -126)
    m = q / Fraction(2) ** (e - 23)
    n, rest = divmod(m.numerator, m.denominator)
    twice = 2 * rest - m.denominator
    if twice > 0 or (twice == 0 and n % 2 == 1):
        n += 1
    if n == 1 << 24:
        n, e = 1 << 23, e + 1
    if e > 127:
        return sign << 31 | INF
    return sign << 31 | (n if n < 1 << 23 else (e + 126 << 23) + n)


def is_nan(b):
    return b & 0x7FFFFFFF > INF


def is_inf(b):
    return b & 0x7FFFFFFF == INF


def is_zero(b):
    return b & 0x7FFFFFFF == 0


def value(b):
    """Exact, of what is neither NaN nor infinite."""
    e, m = b >> 23 & 255, b & 0x7FFFFF
    q = Fraction(m if e == 0 else m | 1 << 23) * Fraction(2) ** (max(e, 1) - 150)
    return -q if b >> 31 else q


def sign(b):
    return b >> 31


def flip(b):
    return NAN if is_nan(b) else b ^ 1 << 31


def add(a, b):
    if is_nan(a) or is_nan(b):
        return NAN
    if is_inf(a) or is_inf(b):
        if is_inf(a) and is_inf(b) and a != b:
            return NAN
        return a if is_inf(a) else b
    q = value(a) + value(b)
    if q == 0:
        return (1 << 31) if sign(a) and sign(b) else 0
    return round_bits(q)


def sub(a, b):
    return add(a, flip(b))


def mul(a, b):
    s = sign(a) ^ sign(b)
    if is_nan(a) or is_nan(b) or is_inf(a) and is_zero(b) or \
            is_zero(a) and is_inf(b):
        return NAN
    if is_inf(a) or is_inf(b):
        return s << 31 | INF
    return round_bits(abs(value(a) * value(b)), s)


def div(a, b):
    s = sign(a) ^ sign(b)
    if is_nan(a) or is_nan(b) or is_inf(a) and is_inf(b) or \
            is_zero(a) and is_zero(b):
        return NAN
    if is_inf(a) or is_zero(b):
        return s << 31 | INF
    if is_inf(b):
        return s << 31
    return round_bits(abs(value(a) / value(b)), s)


def mod(a, b):
    if is_nan(a) or is_nan(b) or is_inf(a) or is_zero(b):
        return NAN
    if is_inf(b):
        return a
    return round_bits(abs(value(a)) % abs(value(b)), sign(a))


def order(a, b):
    """-1, 0, 1, or None where they do not compare."""
    if is_nan(a) or is_nan(b):
        return None
    def key(x):
        return -(x & 0x7FFFFFFF) if sign(x) else x
    return (key(a) > key(b)) - (key(a) < key(b))


def sqrt(a):
    if is_nan(a) or is_zero(a):
        return a if is_zero(a) else NAN
    if sign(a):
        return NAN
    if is_inf(a):
        return a
    q = value(a) * Fraction(4) ** 200
    r = math.isqrt(q.numerator // q.denominator)
    sticky = r * r != q
    return round_bits((Fraction(r) + (Fraction(1, 2) if sticky else 0))
                      / Fraction(2) ** 200)


def whole(pick):
    def f(a):
        if is_nan(a):
            return NAN
        if is_inf(a):
            return a
        return round_bits(Fraction(abs(pick(value(a)))), sign(a))
    return f


def to_u32(a):
    if is_nan(a) or sign(a) or is_inf(a):
        return 0
    n = math.floor(value(a))
    return n if n < 1 << 32 else 0


def library(f):
    """A function of the C library on a finite argument."""
    return lambda a: round_double(f(float(value(a))))


def round_double(d):
    if math.isnan(d):
        return NAN
    if math.isinf(d):
        return INF if d > 0 else INF | 1 << 31
    return round_bits(abs(Fraction(d)), int(math.copysign(1, d) < 0))


# (spelling in bend, bits)
VALUES = [
    ("0.0", 0), ("F32.neg(0.0)", 1 << 31), ("1.0", 0x3F800000),
    ("F32.neg(1.0)", 0xBF800000), ("0.1", round_bits(Fraction(1, 10))),
    ("1.5", round_bits(Fraction(3, 2))),
    ("F32.neg(2.5)", round_bits(Fraction(5, 2), 1)),
    ("16777215.0", round_bits(Fraction(2**24 - 1))),
    ("16777216.0", round_bits(Fraction(2**24))),
    ("16777217.0", round_bits(Fraction(2**24 + 1))),
    ("16777219.0", round_bits(Fraction(2**24 + 3))),
    ("3.4028235e38", 0x7F7FFFFF), ("F32.neg(3.4028235e38)", 0xFF7FFFFF),
    ("1.17549435e-38", 0x00800000), ("1.1754942e-38", 0x007FFFFF),
    ("1.0e-45", 1), ("F32.neg(1.0e-45)", 1 << 31 | 1),
    ("F32.div(1.0, 0.0)", INF), ("F32.div(F32.neg(1.0), 0.0)", 1 << 31 | INF),
    ("F32.div(0.0, 0.0)", NAN), ("3.1415927", 0x40490FDB),
    ("4294967040.0", round_bits(Fraction(2**32 - 256))),
    ("4294967296.0", round_bits(Fraction(2**32))),
    ("1.0e-20", round_bits(Fraction(1, 10**20))),
]
BINARY = [("add", add), ("sub", sub), ("mul", mul), ("div", div), ("mod", mod)]
TESTS = [("is_eq", lambda o: o == 0), ("is_ne", lambda o: o != 0),
         ("is_lt", lambda o: o == -1), ("is_gt", lambda o: o == 1),
         ("is_le", lambda o: o in (-1, 0)), ("is_ge", lambda o: o in (0, 1))]
UNARY = [("neg", flip), ("abs", lambda a: NAN if is_nan(a) else a & 0x7FFFFFFF),
         ("sqrt", sqrt), ("floor", whole(math.floor)),
         ("ceil", whole(math.ceil)), ("trunc", whole(math.trunc))]
POINTS = [("0.5", Fraction(1, 2)), ("1.0", Fraction(1)), ("0.25", Fraction(1, 4))]
LIBRARY = [("exp", math.exp), ("log", math.log), ("log2", math.log2),
           ("log10", math.log10), ("sin", math.sin), ("cos", math.cos),
           ("tan", math.tan), ("asin", math.asin), ("acos", math.acos),
           ("atan", math.atan), ("sinh", math.sinh), ("cosh", math.cosh),
           ("tanh", math.tanh)]
WORDS = [0, 1, 16777217, 16777219, 2147483647, 4294967295, 4294967168]


def mix(rows):
    h = 0
    for n in rows:
        h = (h * 16777619 ^ n) & 0xFFFFFFFF
    return h


HEAD = """# %s
# Written by tests/f32/table.py, which computes with exact fractions.
import Base
"""

RUN = """
def mix(h: U32, x: U32) -> U32:
  (h * 16777619 .^. x : U32)

def one(~f: F32 -> U32, xs: +List<F32>, h: U32) -> U32:
  match xs:
    case Nil{}:
      h
    case Con{x, t}:
      one(~f, t, mix(h, f(x)))

def row(~f: F32 -> F32 -> U32, +x: F32, ys: +List<F32>, h: U32) -> U32:
  match ys:
    case Nil{}:
      h
    case Con{y, t}:
      row(~f, x, t, mix(h, f(x, y)))

def all(~f: F32 -> F32 -> U32, xs: +List<F32>, +ys: +List<F32>, h: U32) -> U32:
  match xs:
    case Nil{}:
      h
    case Con{x, t}:
      all(~f, t, ys, row(~f, x, ys, h))

def show(name: String, h: U32) -> IO(Unit):
  IO.print(name ++ " " ++ U32.show(h))

def values() -> +List<F32>:
  [%s]

def words(xs: +List<U32>, h: U32) -> U32:
  match xs:
    case Nil{}:
      h
    case Con{x, t}:
      words(t, mix(h, F32.bits(U32.to_f32(x))))

def main() -> IO(Unit):
  +v = values()
  do IO<Unit>:
%s
"""


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    bits = [b for _, b in VALUES]
    lines, proofs, out = [], [], []

    def say(name, call, h):
        lines.append('    show("%s", %s)' % (name, call))
        out.append("%s %d" % (name, h))

    def prove(call, typ, right):
        proofs.append("def t%d() -> {%s == %s : %s}:\n  {==}\n"
                      % (len(proofs), call, right, typ))

    say("values", "one(~(x => F32.bits(x)), v, 0)", mix(bits))
    for name, f in UNARY:
        say(name, "one(~(x => F32.bits(F32.%s(x))), v, 0)" % name,
            mix(map(f, bits)))
        for text, b in VALUES:
            prove("F32.bits(F32.%s(%s))" % (name, text), "U32", f(b))
    say("to_u32", "one(~(x => F32.to_u32(x)), v, 0)", mix(map(to_u32, bits)))
    say("to_f32", "words([%s], 0)" % ", ".join(map(str, WORDS)),
        mix(round_bits(Fraction(n)) for n in WORDS))
    for name, f in BINARY:
        say(name, "all(~(x => y => F32.bits(F32.%s(x, y))), v, v, 0)" % name,
            mix(f(a, b) for a in bits for b in bits))
        for s, a in VALUES:
            for t, b in VALUES[::3]:
                prove("F32.bits(F32.%s(%s, %s))" % (name, s, t), "U32", f(a, b))
    for name, f in TESTS:
        say(name, "all(~(x => y => Bool.to_u32(F32.%s(x, y))), v, v, 0)" % name,
            mix(int(f(order(a, b))) for a in bits for b in bits))
        for t, b in VALUES:
            prove("F32.%s(%s, 1.5)" % (name, t), "Bool",
                  "%s{}" % f(order(b, round_bits(Fraction(3, 2)))))
    for name, f in LIBRARY:
        for text, q in POINTS:
            b = library(f)(round_bits(q))
            say("%s %s" % (name, text), "F32.bits(F32.%s(%s))" % (name, text), b)
            prove("F32.bits(F32.%s(%s))" % (name, text), "U32", b)
    for name, f in (("pow", math.pow), ("atan2", math.atan2)):
        b = round_double(f(2.5, 3.0))
        say(name, "F32.bits(F32.%s(2.5, 3.0))" % name, b)
        prove("F32.bits(F32.%s(2.5, 3.0))" % name, "U32", b)
    run = HEAD % "Every operation of F32 over edge values, as hashes of bits."
    run += RUN % (", ".join(t for t, _ in VALUES), "\n".join(lines))
    run += "\n" + "\n".join("#| " + line for line in out) + "\n"
    (root / "run/f32_table.bend").write_text(run)
    good = HEAD % "Operations of F32 in the theory, proved by evaluation."
    (root / "check/good/f32_table.bend").write_text(
        good + "\n" + "\n".join(proofs))


main()
