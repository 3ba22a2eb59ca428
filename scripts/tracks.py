"""Stacks over time, as perfold writes them to speedscope files, and two of them side by side."""
import json


def tracks(path):
    """The stacks of each thread in order of time, root first, as (names, how long)."""
    d = json.load(open(path))
    name = [f['name'] for f in d['shared']['frames']]
    return {p['name']: [([name[i] for i in s], w) for s, w in zip(p['samples'], p['weights'])]
            for p in d['profiles']}


def pairs(a, b):
    """What both tracks show at the same time, and how long."""
    i = j = used_a = used_b = 0
    while i < len(a) and j < len(b):
        left_a, left_b = a[i][1] - used_a, b[j][1] - used_b
        long = min(left_a, left_b)
        yield a[i][0], b[j][0], long
        i, used_a = (i + 1, 0) if left_a == long else (i, used_a + long)
        j, used_b = (j + 1, 0) if left_b == long else (j, used_b + long)
