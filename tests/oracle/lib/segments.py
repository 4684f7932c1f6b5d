"""Scans of one segment, in the order that par/segment states."""
from lib.loops import fold, running

GROUP = 256


def groups(xs):
    return [xs[i:i + GROUP] for i in range(0, len(xs), GROUP)]


def scan(op, zero, xs, whole):
    if len(xs) <= GROUP // 2:
        return running(op, zero, xs, whole)[0]
    parts = groups(xs)
    before = scan(op, zero, [fold(op, zero, g) for g in parts], False)
    return [y for acc, g in zip(before, parts)
            for y in running(op, acc, g, whole)[0]]


def uneven_scan(op, zero, xs, whole):
    """As scan, but only what is more than a group is cut into groups."""
    if len(xs) <= GROUP:
        return running(op, zero, xs, whole)[0]
    parts = groups(xs)
    before = uneven_scan(op, zero, [fold(op, zero, g) for g in parts], False)
    return [y for acc, g in zip(before, parts)
            for y in running(op, acc, g, whole)[0]]
