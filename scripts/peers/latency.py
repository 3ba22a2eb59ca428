#!/usr/bin/env python3
"""latency.py CPUS SCRIPT FOLDED process|recording: shares of threads' names, weighed by latency.

SCRIPT is what perf script -F comm,pid,tid,time,period,event --ns --show-switch-events --show-task-events
printed; FOLDED is perfold's --weight latency --root comm. Prints each name with both shares in percent, and
fails where they differ by 0.1 or more.
"""
import re
import sys

LINE = re.compile(r"\s*(.+?)\s+(-?\d+)/(-?\d+)\s+[\d.]+:\s+(.*)")
AT_MOST = 0.1


def events(path):
    """(what, name, pid, tid, period), in order of time."""
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            m = LINE.match(line)
            if not m:
                continue
            name, pid, tid, rest = m[1], int(m[2]), int(m[3]), m[4]
            if rest.startswith("PERF_RECORD_SWITCH"):
                yield ("out" if " OUT" in rest else "in"), name, pid, tid, 0
            elif rest.startswith("PERF_RECORD_EXIT"):
                yield "out", name, pid, tid, 0
            elif rest.startswith("PERF_RECORD_COMM exec"):
                yield "in", name, pid, tid, 0
            elif rest.split()[0].isdigit():
                yield "sample", name, pid, tid, int(rest.split()[0])


def counted(path, cpus, by_process):
    """Weights by name. Threads are in a set while they run."""
    running, weights = set(), {}
    for what, name, pid, tid, period in events(path):
        if what == "in":
            running.add((pid, tid))
        elif what == "out":
            running.discard((pid, tid))
        else:
            n = sum(1 for p, _ in running if p == pid or not by_process)
            weights[name] = weights.get(name, 0) + period / max(1, min(n, cpus))
    return weights


def folded(path):
    weights = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            stack, weight = line.rsplit(" ", 1)
            name = stack.split(";", 1)[0]
            weights[name] = weights.get(name, 0) + int(weight)
    return weights


def shares(weights):
    total = sum(weights.values())
    return {name: 100 * w / total for name, w in weights.items()}


def main():
    cpus, script, stacks, of = sys.argv[1:]
    theirs, ours = shares(counted(script, int(cpus), of == "process")), shares(folded(stacks))
    names = sorted(theirs.keys() | ours.keys(), key=lambda name: -theirs.get(name, 0))
    print("; ".join(f"{n} {theirs.get(n, 0):.2f} {ours.get(n, 0):.2f}" for n in names))
    return any(abs(theirs.get(n, 0) - ours.get(n, 0)) >= AT_MOST for n in names) or not names


sys.exit(main())
