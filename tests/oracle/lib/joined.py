"""Components of nodes joined by edges: by merging sets, and by rounds written
over lists."""


def width(k):
    return 1 << max(k - 1, 0).bit_length()


def inside(n, edges):
    return [(u, v) for u, v in edges if u < n and v < n]


def merged(n, edges):
    """The least node of each component, by relabelling the smaller list."""
    home = {i: [i] for i in range(n)}
    for u, v in inside(n, edges):
        a, b = home[u], home[v]
        if a is not b:
            if len(a) < len(b):
                a, b = b, a
            a += b
            for i in b:
                home[i] = a
    labels = list(range(width(n)))
    for part in {id(p): p for p in home.values()}.values():
        least = min(part)
        for i in part:
            labels[i] = least
    return labels


def root(parents, i, n):
    for _ in range(n):
        up = parents[i]
        if up == i or up >= n:
            break
        i = up
    return i


def one_round(labels, n, edges):
    hooked = list(labels)
    for u, v in inside(n, edges):
        r, s = root(labels, u, n), root(labels, v, n)
        if r != s:
            hooked[max(r, s)] = min(hooked[max(r, s)], min(r, s))
    return [root(hooked, i, n) for i in range(n)] + labels[n:]


def apart(labels, n, edges):
    return sum(labels[u] != labels[v] for u, v in inside(n, edges))
