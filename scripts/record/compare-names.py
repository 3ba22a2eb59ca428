#!/usr/bin/env python3
"""compare-names.py TRUTH MAP

Two speedscope files that perfold made of one recording with --annotate jit: TRUTH with its jitdump,
MAP with its perf map. Prints how many frames of samples are in generated code, how many of them have
no name in TRUTH and in MAP, and how many have another name in MAP. Which ones goes to standard error.

Samples in a row with the same stack are one in these files, and what is a row depends on the names:
so stacks are paired by time, and a pair counts as often as it lasts periods of sampling.
"""
import collections, os, sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tracks import pairs, tracks

MARK = '_[j]'


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
