"""Loops over lists that several oracles share."""


def fold(op, acc, xs):
    for x in xs:
        acc = op(acc, x)
    return acc


def running(op, acc, xs, whole):
    """What acc is at each of xs, with it where whole holds; and at the end."""
    out = []
    for x in xs:
        new = op(acc, x)
        out.append(new if whole else acc)
        acc = new
    return out, acc


def by_halves(op, zero, a, n, block):
    """Of the first n of a's slots, by halves down to blocks."""
    if len(a) <= block:
        return fold(op, zero, a[:n])
    half = len(a) // 2
    return op(by_halves(op, zero, a[:half], min(n, half), block),
              by_halves(op, zero, a[half:], max(n - half, 0), block))
