"""The words of tests/run/lib/words.bend, with Python's integers."""
WORDS = 1 << 32


def mix(x):
    y = (x ^ (x << 13)) % WORDS
    z = y ^ (y >> 17)
    return (z ^ (z << 5)) % WORDS


def word(seed, i):
    return mix((seed + i + 1) * 2654435761 % WORDS)


def make(d, n, seed):
    return [word(seed, i) if i < n else 77 for i in range(1 << d)]


def digest(words):
    s = 7
    for x in words:
        s = (s * 31 + x) % WORDS
    return s
