"""What run.py measured, as RESULTS.md and as the table of README.md."""
import datetime
import os
import pathlib
import platform
import re
import subprocess

from cases import (COST_GOALS, EMPTY, GOALS, MEMORY_GOALS, PARALLEL_GOALS, PARALLEL_SHARE, READING_GOALS,
                   RECORDINGS, REPORT, REPORT_MEMORY, REPORT_WITHOUT_SOURCE, REPORTS, ROWS, STACK_BYTES, STACK_GOALS,
                   STACK_MB, STARTUP_GOALS_MS)

HERE = pathlib.Path(__file__).resolve().parent
README = HERE.parent.parent / "README.md"
BEGIN, END = "<!-- made by make bench -->", "<!-- end -->"
# of README.md: recording, row
SHOWN = [
    ("fp", "perfold"),
    ("fp", "perf, inferno"),
    ("fp", "perf, stackcollapse-perf.pl"),
    ("fp", "samply import"),
    ("dwarf", "perfold"),
    ("dwarf", "samply import"),
    ("dwarf", "perf, stackcollapse-perf.pl"),
    ("compile_dwarf", "perfold"),
    ("compile_dwarf", "perf, stackcollapse-perf.pl"),
    ("jitdump", "perfold"),
    ("jitdump", "perf inject --jit, perf script"),
    ("script", "perfold"),
    ("script", "inferno"),
    ("script", "stackcollapse-perf.pl"),
    ("folded", "perfold, SVG"),
    ("folded", "inferno-flamegraph"),
    ("folded", "flamegraph.pl"),
]

INTRO = """# Measurements

Written by `make bench` (scripts/bench/run.py). Figures are medians. Programs run in turn, one at a time, with
the recording in the page cache. CPU is user and system time of all processes of a command. Peak memory is the
largest sum over these processes of resident memory that is not a page of a file, sampled every 5 ms; resident is
the largest resident set of one of them.
Relative is to the first row: above 1, the row is slower. If other work shares the processors, compare CPU time.
A row with one run took more than {slow} s and was measured apart from its table, under another load: its wall time
has no meaningful ratio. Outputs are discarded or written to the disk of the recording. "> 900" was stopped after
that many seconds: its ratio is a lower bound. What was slow in perfold and has been changed is in
[PROFILES.md](PROFILES.md), how cost grows with the recording in [GROWTH.md](GROWTH.md), and what single addresses
cost, against symbolizers, in [LOOKUPS.md](LOOKUPS.md)."""


def seconds(value):
    return f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def load_note():
    return ", ".join(f"{x:.1f}" for x in os.getloadavg())


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = int(re.search(r"MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text(encoding="utf-8"))[1])
    return (f"{model[1] if model else platform.machine()}, {os.cpu_count()} processors, {memory / 1048576:.0f} GB, "
            f"Linux {platform.release()}")


def first_row(name):
    return next(row for row, recording, _ in ROWS if recording == name)


def ratio(bench, name, row, other, quantity):
    return f"{bench.median(name, row, quantity) / bench.median(name, other, quantity):.2f}"


def row_line(bench, name, row):
    known = bench.results[name]["rows"].get(row)
    if known is None:
        return None
    if known["version"] is None:
        return f"| {row} | absent | | | | | | |"
    if (name, row) in EMPTY:
        return f"| {row} | {EMPTY[name, row]} | | | | | | |"
    wall = bench.median(name, row, "wall")
    if wall is None:
        return f"| {row} | failed: {known['runs'][0][5] if known['runs'] else 'not run'} | | | | | | |"
    cut = "> " if bench.timed_out(name, row) else ""
    relative = [ratio(bench, name, row, first_row(name), q) for q in ("wall", "cpu")]
    anon, rss = (bench.median(name, row, q) / 1024 for q in ("anon", "rss"))
    return (f"| {row} | {len(known['runs'])} | {cut}{seconds(wall)} | {cut}{seconds(bench.median(name, row, 'cpu'))} "
            f"| {anon:.0f} | {rss:.0f} | {cut}{relative[0]} | {cut}{relative[1]} |")


def recording_section(bench, name):
    known = bench.results[name]
    file, recipe, what = RECORDINGS[name]
    yield f"## {name}: {what}"
    yield ""
    yield f"`{file}`, {known['size']} bytes, {known['hash']}; `recipes.sh {' '.join(recipe)}`."
    yield ""
    yield "| command | runs | wall s | CPU s | peak MB | resident MB | wall, relative | CPU, relative |"
    yield "|---|---|---|---|---|---|---|---|"
    for row, recording, _ in ROWS:
        line = row_line(bench, name, row) if recording == name else None
        if line:
            yield line
    yield ""


def verdict(by_wall, by_cpu, bound=""):
    """Others' work makes wall times long, so what CPU time says is shown beside it."""
    if by_wall:
        return "met"
    return "met by CPU time" if by_cpu else "open" if bound else "short"


def gain_of(bench, name, row, one):
    """How often faster a row is than another one; None where either was not measured."""
    walls = [bench.median(name, r, "wall") for r in (one, row)]
    return None if None in walls else walls[0] / walls[1]


def parallel_lines(bench):
    """How often faster all threads are than one; CPU time has nothing to say of that."""
    for name, row, one in PARALLEL_GOALS:
        gain = gain_of(bench, name, row, one)
        memory, computing = (gain_of(bench, name, f"{kind}, all threads", f"{kind}, one thread")
                             for kind in ("memory", "computing"))
        if None in (gain, memory, computing):
            continue
        yield (f"| {name}: {row}, all threads for one | {PARALLEL_SHARE:.0%} of the {memory:.2f} times in reading memory "
               f"({computing:.2f} in computing) | {gain:.2f} | {verdict(gain >= PARALLEL_SHARE * memory, False)} | |")


def goal_lines(bench):
    for what, name, row, quantity, other, goal in GOALS:
        ours, theirs = bench.median(name, row, quantity), bench.median(name, other, quantity)
        if (name, other) in EMPTY:
            yield f"| {what} | {goal} times faster | {EMPTY[name, other]} | | |"
            continue
        if ours is None or theirs is None:
            yield f"| {what} | {goal} times faster | not measured | | |"
            continue
        times = theirs / ours
        bound = "at least " if bench.timed_out(name, other) else ""
        cpu = ratio(bench, name, other, row, "cpu")
        met = verdict(times >= goal, float(cpu) >= goal, bound)
        if len(bench.results[name]["rows"][other]["runs"]) < 2 and quantity == "wall":
            met = f"not in turn; CPU time: {'met' if float(cpu) >= goal else 'open' if bound else 'short'}"
        yield f"| {what} | {goal} times faster | {bound}{times:.1f} | {met} | {bound}{cpu} |"
    for what, name, row, goal in READING_GOALS:
        ours, reading = bench.median(name, row, "wall"), bench.median(name, "xxhsum -H3", "wall")
        if ours and reading:
            cpu = ratio(bench, name, row, "xxhsum -H3", "cpu")
            yield (f"| {what} | at most {goal} | {ours / reading:.1f} | "
                   f"{verdict(ours / reading <= goal, float(cpu) <= goal)} | {cpu} |")
    for what, name, row, other, goal in COST_GOALS:
        if bench.median(name, row, "wall") and bench.median(name, other, "wall"):
            wall, cpu = (ratio(bench, name, row, other, quantity) for quantity in ("wall", "cpu"))
            yield f"| {what} | at most {goal} | {wall} | {verdict(float(wall) <= goal, float(cpu) <= goal)} | {cpu} |"
    for name in REPORTS:
        if bench.median(name, REPORT, "anon") and bench.median(name, REPORT_WITHOUT_SOURCE, "anon"):
            times = ratio(bench, name, REPORT, REPORT_WITHOUT_SOURCE, "anon")
            yield (f"| {name}: memory of source in the report | at most {REPORT_MEMORY} | {times} times "
                   f"| {verdict(float(times) <= REPORT_MEMORY, False)} | |")
    for what, name, row, samples, goal in MEMORY_GOALS:
        anon = bench.median(name, row, "anon")
        if anon:
            each = anon * 1024 / samples
            yield f"| {what} | at most {goal} bytes each | {each:.1f} bytes | {verdict(each <= goal, False)} | |"
    for name, row in STACK_GOALS:
        anon, stacks = bench.median(name, row, "anon"), bench.results.get(name, {}).get("stacks")
        if anon and stacks:
            limit = STACK_MB + STACK_BYTES * stacks / 1e6
            yield (f"| {name}: memory | {STACK_MB} MB and {STACK_BYTES} bytes for each of {stacks} stacks: {limit:.0f} MB "
                   f"| {anon / 1024:.0f} MB | {verdict(anon * 1024 / 1e6 <= limit, False)} | |")
    yield from parallel_lines(bench)
    for row, goal_ms in STARTUP_GOALS_MS.items():
        wall, cpu = (bench.median("small", row, q) for q in ("wall", "cpu"))
        goal = f"| start: {row}, small recording | below {goal_ms} ms"
        if wall is None:
            yield f"{goal} | not measured | | |"
            continue
        met = verdict(wall * 1000 < goal_ms, cpu * 1000 < goal_ms)
        yield f"{goal} | {wall * 1000:.1f} ms | {met} | {cpu * 1000:.1f} ms |"


def tree_version():
    done = subprocess.run(["git", "-C", str(HERE), "describe", "--always", "--dirty"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip()


def results_lines(bench):
    yield INTRO.replace("{slow}", os.environ.get("SLOW", "60"))
    yield ""
    yield f"Machine: {machine()}. {datetime.date.today().isoformat()}; load averages at the end: {load_note()}."
    yield ""
    yield "## Goals"
    yield ""
    yield "| what | goal | wall time | | CPU time |"
    yield "|---|---|---|---|---|"
    yield from goal_lines(bench)
    yield ""
    for name, (_, recipe, what) in RECORDINGS.items():
        if bench.results.get(name, {}).get("rows"):
            yield from recording_section(bench, name)
        else:
            yield from (f"## {name}: {what}", "", f"Absent: `recipes.sh {' '.join(recipe)}` was not run, or failed here.", "")
    yield "## Commands and versions"
    yield ""
    for name in RECORDINGS:
        for row, known in bench.results.get(name, {}).get("rows", {}).items():
            command = re.sub(r"\{(\w+)\}/?", lambda m, f=RECORDINGS[name][0]: fill(m[1], f), known["template"])
            yield f"- {name}: {row}: `{command}`"
    yield ""
    yield from (f"- {word.strip('{ }')}: {version or 'absent'}" for word, version in bench.versions.items())
    yield f"- perfold's tree: {tree_version()}"


def fill(word, file):
    named = {"perfold": "perfold", "static": "build/static/perfold", "newperf": "new-perf",
             "perfparser": "hotspot-perfparser", "threads": "threads"}
    return {"in": file, **named}.get(word, "")


def readme_lines(bench):
    yield "| | wall | CPU | peak memory | CPU, times perfold |"
    yield "|---|---|---|---|---|"
    last = None
    for name, row in SHOWN:
        wall = bench.median(name, row, "wall") if name in bench.results else None
        if wall is None:
            continue
        if name != last:
            last = name
            yield f"| **{bench.results[name]['size'] / 1e6:.0f} MB, {RECORDINGS[name][2]}** | | | | |"
        cut = "> " if bench.timed_out(name, row) else ""
        ratio = bench.median(name, row, "cpu") / bench.median(name, first_row(name), "cpu")
        anon = bench.median(name, row, "anon") / 1024
        yield (f"| `{row}` | {cut}{wall:.1f} s | {cut}{bench.median(name, row, 'cpu'):.1f} s | {anon:.0f} MB "
               f"| {'' if row == first_row(name) else f'{cut}{ratio:.1f}'} |")


def write_report(bench):
    (HERE / "RESULTS.md").write_text("\n".join(results_lines(bench)) + "\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    if BEGIN in text:
        table = "\n".join(readme_lines(bench))
        text = re.sub(f"{BEGIN}.*?{END}", lambda _: f"{BEGIN}\n\n{table}\n\n{END}", text, flags=re.S)
        README.write_text(text, encoding="utf-8")
    print((HERE / "RESULTS.md").read_text(encoding="utf-8"))
