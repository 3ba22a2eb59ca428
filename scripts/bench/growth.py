#!/usr/bin/env python3
"""growth.py PROGRAM: what perfold costs as one thing in a recording grows; writes GROWTH.md and growth.svg.
growth.py PROGRAM RECORDING...: what perfold merge costs for 1, 10, 100, ... of these recordings; prints a table.

Synthetic recordings (synthetic.py), in which one thing at a time is 1, 10, 100 and 1,000 times as much, are
read by one worker and written as OUTPUTS: CPU time and the largest resident set, medians of three runs, and instructions, counted
by callgrind. "Of linear" compares what the last step added with ten times what the step before did. Where
that is above LIMIT for instructions, the script fails.

Recordings that are named are given again and again, by --inputs-from, to one process with one worker.
"""
import itertools
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tree stays as it is
from report import machine  # noqa: E402
import synthetic  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
RUNS = 3
FACTORS = (1, 10, 100, 1000)
MERGED = (1, 10, 100, 1000, 10000)
OUTPUTS = ("folded", "md", "pb.gz", "firefox.json")
LIMIT = 1.2
# What is measured: a title, digits, what a step must add to be judged, and whether LIMIT is one for it.
QUANTITIES = (("CPU s", 3, 0.05, False), ("million instructions", 0, 100, True), ("MB", 1, 2, False))

# What grows, what one time of it is, and what must grow for it to be seen.
GROWING = {
    "samples": ("samples", 2000, {}),
    "different stacks": ("stacks", 200, {"samples": 200_000}),
    "modules": ("modules", 2, {"stacks": 2000}),
    "processes": ("processes", 10, {"samples": 20_000}),
    "mappings": ("mappings", 200, {"samples": 200_000}),
    "lines of a perf map": ("map_lines", 1000, {}),
}


def build_measurer(directory):
    program = os.path.join(directory, "measure")
    subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", program, HERE / "measure.c"], check=True)
    return program


def to(directory):
    return " ".join(f"-o {directory}/sum.{format}" for format in OUTPUTS)


def run(command, directory):
    """CPU seconds and megabytes."""
    done = subprocess.run([build_measurer(directory), "900", f"{command} -j1 -q {to(directory)}"],
                          check=True, capture_output=True, text=True)
    _, user, system, resident, _, status = done.stdout.split()
    if status != "0":
        sys.exit(f"failed: {command}\n{done.stderr}")
    return float(user) + float(system), float(resident) / 1024


def measure(command, directory):
    runs = [run(command, directory) for _ in range(RUNS)]
    return tuple(statistics.median(column) for column in zip(*runs))


def count_instructions(command, directory):
    """In millions."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command.split(), "-j1",
                           "-q", *to(directory).split()], check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]) / 1e6


def measure_merge(program, recordings):
    print("| recordings | CPU s | ms for each | MB |")
    print("|---|---|---|---|")
    for count in MERGED:
        with tempfile.TemporaryDirectory() as directory:
            listed = os.path.join(directory, "list")
            with open(listed, "wb") as f:
                for name in itertools.islice(itertools.cycle(recordings), count):
                    f.write(os.fsencode(name) + b"\0")
            cpu, megabytes = measure(f"{program} merge -0 --inputs-from {listed}", directory)
        print(f"| {count:,} | {cpu:.2f} | {cpu / count * 1000:.2f} | {megabytes:.1f} |", flush=True)


def measure_growth(program, thing):
    """[(how many, CPU seconds, million instructions, megabytes)]"""
    name, once, fixed = GROWING[thing]
    points = []
    for factor in FACTORS:
        sizes = {**fixed, name: once * factor}
        with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as directory:
            recording = synthetic.write(directory, **sizes)
            command = f"{program} {recording} --symfs {directory}/root"
            cpu, megabytes = measure(command, directory)
            points.append((once * factor, cpu, count_instructions(command, directory), megabytes))
        print(f"# {thing}: {once * factor:,}: {cpu:.3f} s, {points[-1][2]:.0f} million instructions, {megabytes:.1f} MB",
              flush=True)
    return points


def of_linear(points, column):
    """The last step, by ten times the one before. None: too small to be judged."""
    before, last = (points[i][column] - points[i - 1][column] for i in (-2, -1))
    return last / (10 * before) if before > 0 and last > QUANTITIES[column - 1][2] else None


def shown(value):
    return f"{value:.2f}" if value is not None else "-"


def table(results, column):
    title, digits, _, _ = QUANTITIES[column - 1]
    yield f"| {title}, by | from | to | 1 | 10 | 100 | 1,000 times | of linear |"
    yield "|---|---|---|---|---|---|---|---|"
    for thing, points in results.items():
        values = " | ".join(f"{p[column]:,.{digits}f}" for p in points)
        yield f"| {thing} | {points[0][0]:,} | {points[-1][0]:,} | {values} | {shown(of_linear(points, column))} |"
    yield ""


COLOURS = ("#1f6fb4", "#d1491f", "#2b8a3e", "#8a3fb0", "#8a6d00", "#0b7d8c")


def plot(results, column, title, x0):
    """Lines on two logarithmic axes, in a square of 300 from x0."""
    values = [p[column] for points in results.values() for p in points]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def place(i, value):
        return (f"{x0 + 60 + i * 240 / (len(FACTORS) - 1):.1f},"
                f"{280 - 240 * (math.log10(value) - low) / (high - low):.1f}")
    yield f'<text x="{x0 + 60}" y="25" font-weight="bold">{title}</text>'
    for power in range(low, high + 1):
        y = place(0, 10 ** power).split(",")[1]
        yield f'<path d="M{x0 + 60},{y}h240" stroke="#ccc"/><text x="{x0 + 54}" y="{y}" dy="4" ' \
              f'text-anchor="end">{10 ** power:g}</text>'
    for i, factor in enumerate(FACTORS):
        yield f'<text x="{x0 + 60 + i * 80}" y="300" text-anchor="middle">{factor:,} times</text>'
    for colour, points in zip(COLOURS, results.values()):
        line = " ".join(place(i, p[column]) for i, p in enumerate(points))
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'


def picture(results):
    yield ('<svg xmlns="http://www.w3.org/2000/svg" width="840" height="310" font-family="sans-serif" '
           'font-size="12">')
    yield '<rect width="840" height="310" fill="#fff"/>'
    yield from plot(results, 1, "CPU seconds", 0)
    yield from plot(results, 3, "megabytes", 320)
    for i, (colour, thing) in enumerate(zip(COLOURS, results)):
        yield f'<path d="M670,{50 + i * 22}h20" stroke="{colour}" stroke-width="2"/>' \
              f'<text x="696" y="{54 + i * 22}">{thing}</text>'
    yield "</svg>"


def write_growth(results):
    (HERE / "growth.svg").write_text("\n".join(picture(results)) + "\n", encoding="ascii")
    (HERE / "GROWTH.md").write_text("\n".join([
        "# Growth", "",
        "Written by `make bench-growth` (scripts/bench/growth.py): synthetic recordings, in which one thing at a time",
        "grows to 10, 100 and 1,000 times, are read by one worker and written folded, as Markdown, for pprof and for the",
        f"Firefox Profiler. CPU time and the largest resident set are medians of {RUNS} runs. \"Of linear\" is what the step",
        "from 100 to 1,000 times added, by ten times what the step before did: 1 is linear, \"-\" is too little to be judged.",
        f"Instructions must stay below {LIMIT}. CPU time may grow more steeply than they do: small trees are in a cache. Memory",
        "is a peak, so what grows shows only when it is larger than anything before or after it, and arrays double.",
        "Growth with the number of recordings is in [scripts/fleet](../fleet/README.md#growth).", "",
        f"Machine: {machine()}.", "",
        "![CPU time and memory](growth.svg)", "",
        *[line for column in (1, 2, 3) for line in table(results, column)]]), encoding="ascii")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2:
        measure_merge(program, sys.argv[2:])
        return
    results = {thing: measure_growth(program, thing) for thing in GROWING}
    write_growth(results)
    steep = [f"{QUANTITIES[column - 1][0]} by {thing}" for thing, points in results.items() for column in (1, 2, 3)
             if QUANTITIES[column - 1][3] and (of_linear(points, column) or 0) > LIMIT]
    if steep:
        sys.exit(f"more than {LIMIT} times linear: {', '.join(steep)}")


main()
