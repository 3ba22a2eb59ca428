"""What is measured: recordings, commands, goals. run.py does the measuring.

A row is (name, recording, command). {perfold}, {static}, {flamegraph}, {newperf}, {perfparser} and {in} are
filled in; the first row of a recording is what its others are compared with. A row whose name begins with "perfold"
is ours, any other is a peer's.
"""

# recording: (file, what recipes.sh is called with, what it is)
RECORDINGS = {
    "fp": ("fp.data", ["fp"], "frame pointers, Node.js, C++, Rust and many short processes at 20 kHz"),
    "deep": ("deep.data", ["deep", "40"], "deep stacks of Node.js and C++ at 20 kHz"),
    "deep_tenth": ("deep_tenth.data", ["deep_tenth"], "as deep, a tenth of the time"),
    "dwarf": ("dwarf.data", ["dwarf"], "copied stacks of 8 KB, generic Rust inlined many deep"),
    "compile_fp": ("gxx-fp.data", ["compile_fp"], "g++ with all debug information, frame pointers"),
    "compile_dwarf": ("gxx-dwarf.data", ["compile_dwarf"], "g++ with all debug information, copied stacks of 16 KB"),
    "packed": ("packed.data", ["packed", "30"], "as deep, recorded with -z"),
    "jitdump": ("jitdump.data", ["jitdump"], "60 s of Node.js with --perf-prof"),
    "script": ("script.txt", ["script"], "what perf script prints of deep"),
    "folded": ("folded.txt", ["folded"], "500,000 folded stacks, generated"),
    "sched": ("sched.data", ["sched"], "ten million switches with short stacks, a small recording multiplied"),
    "spans": ("spans.data", ["spans"], "as sched, with 48,000 spans of a system call"),
    "switches": ("switches.data", ["switches"], "ten million PERF_RECORD_SWITCH beside samples of cpu-clock"),
    "branches": ("branches.data", ["branches"], "branch stacks of 32, a small recording multiplied"),
    "mixed": ("mixed.data", ["mixed"], "many different programs at 15 kHz, as they come"),
    "processes": ("processes.data", ["processes"], "10,000 processes at 20 kHz, as they come"),
    "service": ("service.data", ["service"], "a server in Node.js and its client for an hour, as they come"),
    "held_mixed": ("held_mixed.data", ["held_mixed"], "other programs at 15 kHz, held: measured here only"),
    "held_processes": ("held_processes.data", ["held_processes"], "10,000 other processes at 20 kHz, held"),
    "held_service": ("held_service.data", ["held_service"], "a server and its clients in Java for an hour, held"),
    "small": ("start/input.perf.data", ["small"], "0.7 s of Node.js, testdata/node/classic, with its files beside it"),
}

# What nothing was tuned on.
AS_THEY_COME = ("mixed", "processes", "service", "held_mixed", "held_processes", "held_service")

PERF_SCRIPT = "perf script -i {in} --no-inline"
NEW_PERF_SCRIPT = "{newperf} script -i {in} --no-inline"
REPORT = "perfold, report"
REPORT_WITHOUT_SOURCE = "perfold, report without source"
SMALL = "-q {in} --symfs start/root --kallsyms start/kallsyms -o out.folded"
STATIC = "perfold of make static"
FROM_HERE = "perfold, names from this machine too"
CACHED = "perfold --symbol-cache, names from this machine too"
COLLAPSE = "perl {flamegraph}/stackcollapse-perf.pl"


def machine(name):
    """What more threads gain in work that divides without a rest, on this machine, under the load of this run. Two
    processors that share a core gain much where they wait for memory, and little where they compute."""
    return [
        (f"{kind}, {threads}", name, f"{{threads}} {kind} {n}")
        for kind in ("memory", "computing")
        for threads, n in (("one thread", "1"), ("all threads", "$(nproc)"))
    ]


def unwritten(name, *options):
    """What more threads gain where nothing is written: one file is written by one thread at a time, as
    the kernel has a lock on it."""
    row, flags = " ".join(("perfold", *options)), "".join(f" {option}" for option in options)
    return [
        (f"{row}, written to /dev/null", name, f"{{perfold}} -q{flags} {{in}} -o folded:/dev/null"),
        (f"{row} -j1, written to /dev/null", name, f"{{perfold}} -q -j1{flags} {{in}} -o folded:/dev/null"),
    ]


def as_it_comes(name):
    """The rows that every binary recording has."""
    return [
        ("perfold", name, "{perfold} -q {in} -o out.folded"),
        ("perfold -j1", name, "{perfold} -q -j1 {in} -o out.folded"),
        *unwritten(name),
        ("perf, inferno", name, f"{PERF_SCRIPT} | inferno-collapse-perf -q"),
        ("newer perf, inferno", name, f"{NEW_PERF_SCRIPT} | inferno-collapse-perf -q"),
        ("samply import", name, "samply import --save-only -o out.json {in}"),
        *machine(name),
    ]


def of_recording(name):
    """The rows of a recording that perfold is made faster with."""
    return as_it_comes(name) + [
        ("perf, stackcollapse-perf.pl", name, f"{PERF_SCRIPT} | {COLLAPSE}"),
        ("hotspot-perfparser", name, "{perfparser} --input {in} --output /dev/null"),
        ("xxhsum -H3", name, "xxhsum -q -H3 {in}"),
    ]


def of_report(name):
    """What source and instructions cost in the HTML report."""
    return [
        (REPORT, name, "{perfold} -q {in} -o out.html"),
        (REPORT_WITHOUT_SOURCE, name, "{perfold} -q {in} --source-limit 0 -o out.html"),
    ]


def of_compiler(name):
    """Names of a large program: what costs is its debug information.

    perf 6.1 finds inlined functions for copied stacks alone, 7.2 for frame pointers too."""
    return [
        ("perfold", name, "{perfold} -q {in} -o out.folded"),
        ("perfold -j1", name, "{perfold} -q -j1 {in} -o out.folded"),
        ("perfold --no-inline", name, "{perfold} -q --no-inline {in} -o out.folded"),
        ("perf, stackcollapse-perf.pl", name, "perf script -i {in} | " + COLLAPSE),
        ("newer perf, stackcollapse-perf.pl", name, "{newperf} script -i {in} | " + COLLAPSE),
        ("perf --no-inline, stackcollapse-perf.pl", name, f"{PERF_SCRIPT} | {COLLAPSE}"),
        ("samply import --presymbolicate", name,
         "samply import --unstable-presymbolicate --save-only -o out.json {in}"),
        *of_report(name),
    ]


ROWS = (
    of_recording("fp")
    + of_report("fp")
    + of_recording("deep")
    + [("perfold, SVG", "deep", "{perfold} -q {in} -o out.svg")]
    + [("perfold", "deep_tenth", "{perfold} -q {in} -o out.folded")]
    + of_recording("packed")
    + [
        ("perfold", "dwarf", "{perfold} -q {in} -o out.folded"),
        ("perfold -j1", "dwarf", "{perfold} -q -j1 {in} -o out.folded"),
        ("perfold --no-inline", "dwarf", "{perfold} -q --no-inline {in} -o out.folded"),
        ("perfold --no-inline -j1", "dwarf", "{perfold} -q -j1 --no-inline {in} -o out.folded"),
        *unwritten("dwarf"),
        *unwritten("dwarf", "--no-inline"),
        ("perf --no-inline, stackcollapse-perf.pl", "dwarf", f"{PERF_SCRIPT} | {COLLAPSE}"),
        ("perf, stackcollapse-perf.pl", "dwarf", "perf script -i {in} | " + COLLAPSE),
        ("newer perf, stackcollapse-perf.pl", "dwarf", "{newperf} script -i {in} | " + COLLAPSE),
        ("samply import", "dwarf", "samply import --save-only -o out.json {in}"),
        ("samply import --presymbolicate", "dwarf", "samply import --unstable-presymbolicate --save-only -o out.json {in}"),
        ("hotspot-perfparser", "dwarf", "{perfparser} --input {in} --output /dev/null"),
        ("xxhsum -H3", "dwarf", "xxhsum -q -H3 {in}"),
        *machine("dwarf"),
    ]
    + of_compiler("compile_fp")
    + of_compiler("compile_dwarf")
    + [
        ("perfold", "jitdump", "{perfold} -q {in} -o out.folded"),
        (
            "perf inject --jit, perf script, stackcollapse-perf.pl",
            "jitdump",
            "perf inject --jit -i {in} -o jitted.tmp && perf script -i jitted.tmp --no-inline | " + COLLAPSE,
        ),
        ("perf inject --jit, perf script", "jitdump",
         "perf inject --jit -i {in} -o jitted.tmp && perf script -i jitted.tmp --no-inline"),
        ("newer perf inject --jit, perf script", "jitdump",
         "{newperf} inject --jit -i {in} -o jitted.tmp && {newperf} script -i jitted.tmp --no-inline"),
        ("samply import", "jitdump", "samply import --save-only -o out.json {in}"),
    ]
    + [
        ("perfold", "script", "{perfold} -q {in} -o out.folded"),
        ("perfold -j1", "script", "{perfold} -q -j1 {in} -o out.folded"),
        ("inferno", "script", "inferno-collapse-perf -q {in}"),
        ("inferno -n 1", "script", "inferno-collapse-perf -q -n 1 {in}"),
        ("stackcollapse-perf.pl", "script", COLLAPSE + " {in}"),
    ]
    + [
        ("perfold, SVG", "folded", "{perfold} -q {in} -o out.svg"),
        ("perfold -j1, SVG", "folded", "{perfold} -q -j1 {in} -o out.svg"),
        ("inferno-flamegraph", "folded", "inferno-flamegraph -q {in} > out.inferno.svg"),
        ("flamegraph.pl", "folded", "perl {flamegraph}/flamegraph.pl {in} > out.perl.svg"),
    ]
    + [
        ("perfold --off-cpu", "sched", "{perfold} -q --off-cpu {in} -o out.folded"),
        ("perfold --off-cpu -j1", "sched", "{perfold} -q -j1 --off-cpu {in} -o out.folded"),
        ("perf sched timehist", "sched", "perf sched timehist -i {in} > /dev/null"),
        ("newer perf sched timehist", "sched", "{newperf} sched timehist -i {in} > /dev/null"),
        ("perf script, the switches alone", "sched", "perf script -i {in} -F comm,tid,time,trace > /dev/null"),
        ("xxhsum -H3", "sched", "xxhsum -q -H3 {in}"),
    ]
    + [
        ("perfold --off-cpu", "spans", "{perfold} -q --off-cpu {in} -o out.folded"),
        ("perfold --off-cpu --during", "spans",
         "{perfold} -q --off-cpu --during syscalls:sys_enter_poll..syscalls:sys_exit_poll {in} -o out.folded"),
        ("perfold", "switches", "{perfold} -q {in} -o out.folded"),
        ("perfold --weight latency", "switches", "{perfold} -q --weight latency {in} -o out.folded"),
    ]
    + [
        ("perfold, for BOLT", "branches", "{perfold} -q {in} --binary app -o out.preagg"),
        ("perfold -j1, for BOLT", "branches", "{perfold} -q -j1 {in} --binary app -o out.preagg"),
        ("perfold, for clang", "branches", "{perfold} -q {in} --binary app -o out.afdo.txt"),
        ("perf2bolt", "branches", "perf2bolt -p {in} -o out.fdata app"),
        ("llvm-profgen", "branches", "llvm-profgen --perfdata={in} --binary=app --format=text --output=out.txt"),
        ("xxhsum -H3", "branches", "xxhsum -q -H3 {in}"),
    ]
    + [row for name in AS_THEY_COME for row in as_it_comes(name)]
    + [
        ("perfold", "small", f"PERFOLD_NO_SYSTEM=1 {{perfold}} {SMALL}"),
        (STATIC, "small", f"PERFOLD_NO_SYSTEM=1 {{static}} {SMALL}"),
        (FROM_HERE, "small", f"{{perfold}} {SMALL}"),
        (CACHED, "small", f"{{perfold}} {SMALL} --symbol-cache cache"),
        ("perfold --version", "small", "{perfold} --version"),
        (f"{STATIC} --version", "small", "{static} --version"),
        ("perfold --help", "small", "{perfold} --help"),
    ]
)

# Rows whose command ends well without having done the work: what was seen in its output.
EMPTY = {
    ("packed", "samply import"): "no sample in its output: reads no compressed records",
    ("packed", "hotspot-perfparser"): "no sample in its output: reads no compressed records",
    # samply 0.13.1: import reads no debug information, and writes no .syms.json
    ("dwarf", "samply import --presymbolicate"): "no name of a program in its output: left to the viewer",
    ("compile_fp", "samply import --presymbolicate"): "no name of a program in its output: left to the viewer",
    ("compile_dwarf", "samply import --presymbolicate"): "no name of a program in its output: left to the viewer",
}

# (what, recording, row, quantity, another row, how many times that row has to take)
GOALS = [
    ("frame pointers: perf, stackcollapse-perf.pl", "fp", "perfold", "wall", "perf, stackcollapse-perf.pl", 150),
    ("frame pointers: perf, inferno", "fp", "perfold", "wall", "perf, inferno", 25),
    ("frame pointers: samply", "fp", "perfold", "wall", "samply import", 3),
    ("deep: perf, stackcollapse-perf.pl", "deep", "perfold", "wall", "perf, stackcollapse-perf.pl", 150),
    ("deep: perf, inferno", "deep", "perfold", "wall", "perf, inferno", 25),
    ("dwarf without inlines: perf", "dwarf", "perfold --no-inline", "wall",
     "perf --no-inline, stackcollapse-perf.pl", 10),
    ("dwarf with inlines: perf", "dwarf", "perfold", "wall", "perf, stackcollapse-perf.pl", 30),
    ("dwarf: samply", "dwarf", "perfold --no-inline", "wall", "samply import", 2),
    ("dwarf with names: samply", "dwarf", "perfold", "wall", "samply import --presymbolicate", 2),
    ("a compiler, frame pointers with inlines: newer perf", "compile_fp", "perfold", "wall",
     "newer perf, stackcollapse-perf.pl", 20),
    ("a compiler, dwarf with inlines: perf", "compile_dwarf", "perfold", "wall", "perf, stackcollapse-perf.pl", 20),
    ("text: inferno, per CPU second", "script", "perfold -j1", "cpu", "inferno -n 1", 3),
    ("SVG: flamegraph.pl", "folded", "perfold, SVG", "wall", "flamegraph.pl", 30),
    ("SVG: inferno-flamegraph", "folded", "perfold, SVG", "wall", "inferno-flamegraph", 5),
    ("jitdump: perf inject, perf script", "jitdump", "perfold", "wall", "perf inject --jit, perf script", 20),
    ("branches: perf2bolt", "branches", "perfold, for BOLT", "wall", "perf2bolt", 10),
    ("branches: llvm-profgen", "branches", "perfold, for clang", "wall", "llvm-profgen", 10),
    ("switches: perf sched timehist", "sched", "perfold --off-cpu", "wall", "perf sched timehist", 50),
]
GOALS += [
    (f"{name}: {what}", name, "perfold", quantity, row, times)
    for name in AS_THEY_COME
    for what, quantity, row, times in [
        ("perf, inferno", "wall", "perf, inferno", 40),
        ("samply", "wall", "samply import", 12),
        ("samply, CPU", "cpu", "samply import", 8),
    ]
]
# (recording, row): peak memory is at most so many MB, and so many bytes for each line of its output
STACK_GOALS = [(name, "perfold") for name in AS_THEY_COME]
STACK_MB, STACK_BYTES = 100, 150
# (what, recording, row, samples, how many bytes of memory for each, all that the program needs included)
MEMORY_GOALS = [
    ("switches: memory", "sched", "perfold --off-cpu", 10_000_000, 32),
    ("branches: memory", "branches", "perfold, for BOLT", 1_300_000, 150),
    ("branches: memory with lines", "branches", "perfold, for clang", 1_300_000, 150),
    ("latency: memory", "switches", "perfold --weight latency", 10_000_000, 32),
]
# (what, recording, row, times what xxhsum -H3 needs for the file)
READING_GOALS = [
    ("frame pointers: times xxhsum", "fp", "perfold", 30),
    ("dwarf: times xxhsum", "dwarf", "perfold --no-inline", 6),
]
# (what, recording, row, another row, how many times that row it may take)
COST_GOALS = [
    ("samples inside spans: times blocked time alone", "spans", "perfold --off-cpu --during", "perfold --off-cpu", 1.5),
    ("latency: times the period", "switches", "perfold --weight latency", "perfold", 2),
]
# recordings whose report is measured with source and without: how many times the time and the memory
REPORTS, REPORT_TIMES, REPORT_MEMORY = ("fp", "compile_fp", "compile_dwarf"), 1.5, 1.2
COST_GOALS += [(f"{name}: source in the report", name, REPORT, REPORT_WITHOUT_SOURCE, REPORT_TIMES) for name in REPORTS]
# (recording, row of all threads, row of one thread): what threads gain, of what they gain in reading memory
PARALLEL_GOALS = [
    (name, f"{row}{where}", f"{row} -j1{where}")
    for name, row in [("fp", "perfold"), ("deep", "perfold"), ("dwarf", "perfold"), ("dwarf", "perfold --no-inline")]
    for where in ("", ", written to /dev/null")
]
PARALLEL_SHARE = 0.85
# make static is the fast start; what is linked dynamically pays for mapping a dozen libraries.
STARTUP_GOALS_MS = {row: {"perfold": 7, FROM_HERE: 8, CACHED: 8}.get(row, 5) for row, name, _ in ROWS if name == "small"}
