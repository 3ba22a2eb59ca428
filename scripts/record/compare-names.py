#!/usr/bin/env python3
"""compare-names.py TRUTH MAP

Two speedscope files that perfold made of one recording with --annotate jit: TRUTH with its jitdump,
MAP with its perf map. Prints how many frames of samples are in generated code, how many of them have
no name in TRUTH and in MAP, and how many have another name in MAP. Which ones goes to standard error.

Samples in a row with the same stack are one in these files, and what is a row depends on the names:
so stacks are paired by time, and a pair counts as often as it lasts periods of sampling.
"""
import collections, json, sys

MARK = '_[j]'


def tracks(path):
    """The stacks of each thread in order of time, as (names, how long)."""
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


def is_unnamed(name):
    return name.startswith(('[perf-', '[jit-'))


def main():
    truth, by_map = tracks(sys.argv[1]), tracks(sys.argv[2])
    period = collections.Counter(w for t in truth.values() for s, w in t if s).most_common(1)[0][0]
    frames = no_truth = no_map = 0
    wrong = collections.Counter()
    for thread, track in truth.items():
        for a, b, long in pairs(track, by_map[thread]):
            n = max(1, round(long / period))
            for t, m in zip(a, b, strict=True):
                if not (t.endswith(MARK) or m.endswith(MARK) or is_unnamed(t) or is_unnamed(m)):
                    continue
                frames += n
                no_truth += n * is_unnamed(t)
                no_map += n * is_unnamed(m)
                if not is_unnamed(t) and not is_unnamed(m) and t != m:
                    wrong[t, m] += n
    print(frames, no_truth, no_map, sum(wrong.values()))
    for (t, m), n in wrong.most_common():
        print(n, t, 'by the map:', m, file=sys.stderr)


main()
