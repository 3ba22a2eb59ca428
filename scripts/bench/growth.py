#!/usr/bin/env python3
"""growth.py PROGRAM RECORDING...: what perfold merge costs for 1, 10, 100, 1,000 and 10,000 recordings.

The recordings that are named are given again and again, by --inputs-from, to one process with one worker.
Prints a table in Markdown: CPU time, the same for each recording, and the most memory. Each number is the
median of three runs. Run it where nothing else runs.
"""
import itertools
import os
import statistics
import sys
import tempfile

COUNTS = (1, 10, 100, 1000, 10000)
RUNS = 3


def run(program, names, directory):
    """User and system time in seconds, and kilobytes."""
    listed = os.path.join(directory, "list")
    with open(listed, "wb") as f:
        for name in names:
            f.write(os.fsencode(name) + b"\0")
    pid = os.posix_spawn(program, [program, "merge", "-j1", "-q", "-0", "--inputs-from", listed, "-o",
                                   os.path.join(directory, "sum.pb.gz")], os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("perfold merge failed")
    return usage.ru_utime, usage.ru_stime, usage.ru_maxrss


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, recordings = os.path.abspath(sys.argv[1]), sys.argv[2:]
    print("| recordings | user s | system s | ms of CPU for each | MB |")
    print("|---|---|---|---|---|")
    for count in COUNTS:
        names = list(itertools.islice(itertools.cycle(recordings), count))
        with tempfile.TemporaryDirectory() as directory:
            runs = [run(program, names, directory) for _ in range(RUNS)]
        user, system, kilobytes = (statistics.median(column) for column in zip(*runs))
        print(f"| {count:,} | {user:.2f} | {system:.2f} | {(user + system) / count * 1000:.2f} | "
              f"{kilobytes / 1024:.1f} |", flush=True)


main()
