#!/usr/bin/env python3
"""compare-names.py TRUTH MAP

Two speedscope files that perfold made of one recording with --annotate jit: TRUTH with its jitdump,
MAP with its perf map. Prints how many frames are in generated code, how many of them have no name in
TRUTH and in MAP, and how many have another name in MAP. Which ones goes to standard error.
"""
import collections, json, sys

MARK = '_[j]'


def stacks(path):
    """The stacks of each thread, in order of time, as lists of names."""
    d = json.load(open(path))
    name = [f['name'] for f in d['shared']['frames']]
    return {p['name']: [[name[i] for i in s] for s in p['samples']] for p in d['profiles']}


def is_unnamed(name):
    return name.startswith(('[perf-', '[jit-'))


def main():
    truth, by_map = stacks(sys.argv[1]), stacks(sys.argv[2])
    frames = no_truth = no_map = 0
    wrong = collections.Counter()
    for thread, samples in truth.items():
        for a, b in zip(samples, by_map[thread], strict=True):
            for t, m in zip(a, b, strict=True):
                if not (t.endswith(MARK) or m.endswith(MARK) or is_unnamed(t) or is_unnamed(m)):
                    continue
                frames += 1
                no_truth += is_unnamed(t)
                no_map += is_unnamed(m)
                if not is_unnamed(t) and not is_unnamed(m) and t != m:
                    wrong[t, m] += 1
    print(frames, no_truth, no_map, sum(wrong.values()))
    for (t, m), n in wrong.most_common():
        print(n, t, 'by the map:', m, file=sys.stderr)


main()
