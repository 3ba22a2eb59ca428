#!/usr/bin/env python3
"""run_queue.py PERFOLD RECORDING: compares the waits of perfold spans runqueue with the delays of perf sched
timehist, one by one. Prints a line that says what was compared. Exit status 1 if any of them differs, 2 if few could be compared.

perf knows no other switches than the recorded ones: it takes a thread to be on the CPU from the recorded switch
before, also where an unrecorded program ran in between. PERF_RECORD_SWITCH says when the thread really came: only
waits that end within NEAR_NS of a switch on the same CPU are compared. perf prints a wait when the thread leaves the CPU
again, and cuts it to microseconds.
"""
import bisect
import collections
import json
import re
import subprocess
import sys

NEAR_NS = 50_000  # from sched_switch of the thread before to PERF_RECORD_SWITCH of the next
CUT_NS = 2_000  # two numbers cut to microseconds
FEWEST = 200  # of some 1300 on a machine at rest

LINE = re.compile(r"\s*(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d+):\s+(\S+?):? (?:\s*(IN|OUT))?(?:.* next_pid=(\d+))?")
DELAY = re.compile(r"\s*(\d+)\.(\d+) \[(\d+)\]\s.*\[(\d+)(?:/\d+)?\]\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)")


def lines_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return done.stdout.splitlines()


def near(sorted_times, time_ns):
    """The last of the times that is at most NEAR_NS before; None if there is none."""
    at = bisect.bisect_right(sorted_times, time_ns)
    return sorted_times[at - 1] if at and sorted_times[at - 1] >= time_ns - NEAR_NS else None


class Switches:
    """When threads came to a CPU and left it, and when recorded switches took place there."""

    def __init__(self, recording):
        self.came = collections.defaultdict(list)  # by thread: (time, CPU)
        self.switched = collections.defaultdict(list)  # by CPU, and the thread that comes next
        self.left = {}  # by thread: the last time
        for line in lines_of("perf", "script", "-i", recording, "--show-switch-events", "-G", "--ns",
                             "-F", "tid,cpu,time,event,trace"):
            found = LINE.match(line)
            if not found:
                continue
            tid, cpu, seconds, ns, event, way, next_tid = found.groups()
            time_ns = int(seconds) * 10**9 + int(ns.ljust(9, "0"))
            if event == "sched:sched_switch":
                self.switched[int(cpu), int(next_tid)].append(time_ns)
                self.left[int(tid)] = time_ns
            elif event == "PERF_RECORD_SWITCH" and way == "IN":
                self.came[int(tid)].append((time_ns, int(cpu)))

    def known_end(self, tid, end_ns):
        """When the recorded switch began by which a wait ended, at end_ns, give or take CUT_NS, and when the thread
        came; None if it was another program's, or perf never prints it. What is near is decided by recorded times,
        which are the same for perf's wait, cut to microseconds, and perfold's."""
        came = self.came[tid]
        at = bisect.bisect_left(came, (end_ns - CUT_NS, 0))
        if at == len(came) or came[at][0] > end_ns + NEAR_NS + CUT_NS or came[at][0] > self.left.get(tid, 0):
            return None
        switched = near(self.switched[came[at][1], tid], came[at][0])
        return switched and (switched, came[at][0])


def their_waits(recording, switches):
    """Durations in ns by (thread, switch)."""
    waits = {}
    for line in lines_of("perf", "sched", "timehist", "-i", recording):
        found = DELAY.match(line)
        if not found:
            continue
        seconds, us, _, tid, _, delay_ms, run_ms = found.groups()
        out_ns = int(seconds) * 10**9 + int(us) * 1000
        end = switches.known_end(int(tid), out_ns - round(float(run_ms) * 10**6))
        if end and float(delay_ms):
            waits[int(tid), end] = round(float(delay_ms) * 10**6)
    return waits


def our_waits(perfold, recording, switches):
    spans = json.loads("".join(lines_of(perfold, "spans", "runqueue", recording, "-q", "--json", "-")))
    waits = {}
    for span in spans["spans"]:
        tid = spans["threads"][span["thread"]]["tid"]
        end = switches.known_end(tid, span["from_ns"] + span["duration_ns"])
        if end and spans["kinds"][span["kind"]]["name"] == "woken":
            waits[tid, end] = span["duration_ns"]
    return waits


def main():
    perfold, recording = sys.argv[1:]
    switches = Switches(recording)
    theirs, ours = their_waits(recording, switches), our_waits(perfold, recording, switches)
    both = theirs.keys() & ours.keys()
    # What perf cuts to nothing it does not have.
    alone = [w for w in theirs.keys() - both] + [w for w in ours.keys() - both if ours[w] >= CUT_NS]
    # perf's waits end where the switch begins, perfold's may end where the thread has come.
    apart = [(tid, (start, end)) for tid, (start, end) in both
             if not -CUT_NS <= ours[tid, (start, end)] - theirs[tid, (start, end)] <= end - start + CUT_NS]
    print(f"{len(both)} waits of {len({tid for tid, _ in both})} threads, {sum(ours[w] for w in both) / 1e6:.1f} ms, "
          f"{len(apart)} differ, {len(alone)} have no counterpart")
    sys.exit(1 if apart or alone else 2 if len(both) < FEWEST else 0)


if __name__ == "__main__":
    main()
