#!/usr/bin/env python3
"""lookups.py PROGRAM [BINARY...]: what random addresses cost, against symbolizers; writes LOOKUPS.md.

For each binary of BINARIES, in LOOKUPS_DIR (build/lookups), where binaries.sh made them, ADDRESSES addresses of
its code are chosen at random, and each program is asked for them, and for the first one alone: the function,
those inlined into it, files and lines. Peers read addresses from standard input, blazecli from its command line;
perfold reads a recording in which each is a sample (synthetic.py). Rounds go in turn, ROUNDS (5) of them; what
takes more than SLOW (30) seconds runs once, and is ended after TIMEOUT (300); each has LIMIT_GB (6) of memory.

Then the answers are compared: of each address the functions, innermost first, with file name and line. Names
are compared without arguments, template arguments and spaces, as programs write these differently.

LLVM_SYMBOLIZER, ADDR2LINE, CRATE_ADDR2LINE and BLAZECLI name the programs (peers.sh installs the latter two). What
is not there is absent in the table.
"""
import collections
import os
import pathlib
import random
import re
import shlex
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tree stays as it is
from report import load_note, machine, seconds  # noqa: E402
import synthetic  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DIR = pathlib.Path(os.environ.get("LOOKUPS_DIR", "build/lookups")).resolve()
ADDRESSES = 10_000
ROUNDS = int(os.environ.get("ROUNDS", "5"))
SLOW_S = float(os.environ.get("SLOW", "30"))
TIMEOUT_S = int(os.environ.get("TIMEOUT", "300"))
LIMIT_KB = int(os.environ.get("LIMIT_GB", "6")) << 20
PID, BIAS, PAGE = 1000, 0x555555554000, 4096
GOAL_TIMES, GOAL_MB, GOAL_FIRST_S = 5, 300, 0.5

# binary: what it is
BINARIES = {
    "rust": "a Rust program, parse/ with all debug information",
    "go": "a Go program, its own compiler",
    "lto": "git, C, linked by -flto into a single compile unit",
    "cc1plus": "g++ with all debug information",
    "large": "2610 compile units, generated; `binaries.sh large COPIES` makes it of any size",
}
# program: (its name or path, what it is called with)
LIST = "{program} -e {binary} -f -i -C -a < {list}"
PEERS = {
    "llvm-symbolizer": (os.environ.get("LLVM_SYMBOLIZER", "llvm-symbolizer"),
                        "{program} --obj={binary} --output-style=GNU --relativenames --print-address < {list}"),
    "addr2line, binutils": (os.environ.get("ADDR2LINE", "addr2line"), LIST),
    "addr2line, crate": (os.environ.get("CRATE_ADDR2LINE", "addr2line-crate"), LIST),
    "blazecli": (os.environ.get("BLAZECLI", "blazecli"),
                 "{program} symbolize elf --path {binary} $(cat {list})"),
}
PERFOLD = "{program} -q {recording} --symfs / --lines --full-names --root comm-pid/tid -o {out}.folded"


class Elf:
    """The first executable segment of a 64-bit ELF file of this byte order, and its .text."""

    def __init__(self, path):
        with open(path, "rb") as f:
            head = f.read(64)
            kind, = struct.unpack_from("<H", head, 16)
            segments_at, sections_at = struct.unpack_from("<QQ", head, 32)
            n_segments, _, n_sections, names = struct.unpack_from("<4H", head, 56)
            f.seek(segments_at)
            segments = [struct.unpack("<IIQQQQQQ", f.read(56)) for _ in range(n_segments)]
            f.seek(sections_at)
            sections = [struct.unpack("<IIQQQQIIQQ", f.read(64)) for _ in range(n_sections)]
            f.seek(sections[names][4])
            strings = f.read(sections[names][5])
        self.bias = BIAS if kind == 3 else 0
        self.code = next(s for s in segments if s[0] == 1 and s[1] & 1)
        by_name = {strings[s[0]:strings.index(b"\0", s[0])].decode(): s for s in sections}
        self.text = by_name[".text"][3:6]
        self.debug_bytes = sum(s[5] for name, s in by_name.items() if name.startswith((".debug", ".zdebug")))

    def addresses(self, n):
        choose = random.Random(1)
        start, _, size = self.text
        return [choose.randrange(start, start + size) for _ in range(n)]


def write_recording(path, binary, elf, addresses):
    """A sample at each address, of a thread that is its number."""
    _, _, offset, start, _, size, _, _ = elf.code
    before = start % PAGE
    r = synthetic.Recording(path)
    r.comm(PID, "program")
    mapped = (size + before + PAGE - 1) // PAGE * PAGE
    r.mmap(PID, elf.bias + start - before, mapped, os.fspath(binary), offset - before)
    for i, address in enumerate(addresses):
        r.sample(PID, [elf.bias + address], PID + i)
    r.close()


class Lookups:
    """What is measured of one binary."""

    def __init__(self, program, name, scratch):
        self.binary = DIR / name
        self.elf = Elf(self.binary)
        self.addresses = self.elf.addresses(ADDRESSES)
        self.scratch = pathlib.Path(scratch)
        self.programs = {"perfold": (program, PERFOLD), **PEERS}
        self.runs = collections.defaultdict(list)
        for many, some in ((True, self.addresses), (False, self.addresses[:1])):
            self.path("list", many).write_text("".join(f"{a:#x}\n" for a in some))
            write_recording(self.path("recording", many), self.binary, self.elf, some)

    def path(self, what, many):
        return self.scratch / f"{what}.{ADDRESSES if many else 1}"

    def command(self, name, many):
        program, template = self.programs[name]
        found = shutil.which(program)
        words = {what: shlex.quote(str(self.path(what, many))) for what in ("list", "recording", "out")}
        return found and template.format(program=shlex.quote(found), binary=shlex.quote(str(self.binary)), **words)

    def measure(self, name, many):
        command = self.command(name, many)
        if not command:
            return
        out = self.path(f"{name.replace(', ', '-')}.text", many)
        limited = f"ulimit -v {LIMIT_KB}; {command} > {shlex.quote(str(out))}"
        done = subprocess.run([self.scratch / "measure", str(TIMEOUT_S), limited],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        wall, user, system, resident, anonymous, status = done.stdout.split()
        self.runs[name, many].append((float(wall), float(user) + float(system), int(resident) / 1024,
                                      int(anonymous) / 1024, status))

    def is_slow(self, name, many):
        return self.failed(name, many) or any(run[0] > SLOW_S for run in self.runs[name, many])

    def measure_all(self):
        subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", self.scratch / "measure", HERE / "measure.c"], check=True)
        for _ in range(ROUNDS):
            for name in self.programs:
                for many in (True, False):
                    if not self.is_slow(name, many):
                        self.measure(name, many)

    def median(self, name, many, quantity):
        runs = self.runs[name, many]
        return statistics.median(run[quantity] for run in runs) if runs else None

    def failed(self, name, many):
        """Why, if it did."""
        return next((run[4] for run in self.runs[name, many] if run[4] != "0"), None)

    # What was answered: by program a list of frames for each address.

    def answers(self, name):
        if not self.runs[name, True] or self.failed(name, True):
            return None
        if name == "perfold":
            return perfold_answers(self.path("out", True).with_suffix(f".{ADDRESSES}.folded"), len(self.addresses))
        text = self.path(f"{name.replace(', ', '-')}.text", True).read_text(errors="replace")
        return blazecli_answers(text) if name == "blazecli" else addr2line_answers(text)


# ---- answers ------------------------------------------------------------------------------------

def without_brackets(name):
    """A name without what is in (), <>, [] and {}, and without spaces."""
    out, depth = [], 0
    for c in name.replace("->", ""):
        if c in "(<[{":
            depth += 1
        elif c in ")>]}" and depth:
            depth -= 1
        elif not depth and c not in " *&":
            out.append(c)
    return "".join(out)


def frame(name, place):
    """Comparable: the function's last name, the file's, the line."""
    if name == "??" or name.startswith("["):
        return "", "", ""
    name = re.sub(r"::h[0-9a-f]{16}$", "", re.sub(r"\s\[clone .*", "", name))
    name = re.sub(r"\.(constprop|isra|part|cold|lto_priv|llvm)\b.*", "", name)
    last = re.split(r"::|\.(?=[A-Za-z_]\w*$)", without_brackets(name) or name)[-1]
    file, _, line = place.rpartition(":")
    has_line = line.isdigit() and line != "0"
    return last, file.rpartition("/")[2] if has_line else "", line if has_line else ""


def addr2line_answers(text):
    answers = []
    lines = iter(text.split("\n"))
    for line in lines:
        if re.fullmatch(r"0x[0-9a-f]+", line):
            answers.append([])
        elif line:
            place = re.sub(r" \(discriminator \d+\)", "", next(lines, ""))
            answers[-1].append(frame(line, re.sub(r"(:\d+):\d+$", r"\1", place)))
    return answers


def blazecli_answers(text):
    answers = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        if not line.startswith(" "):
            answers.append([])
        name, _, place = re.sub(r"^0x[0-9a-f]+: ", "", line).strip().removesuffix(" [inlined]").rpartition(" @ ")
        place = re.sub(r"^0x[0-9a-f]+\+0x[0-9a-f]+ ?", "", place)
        if name:
            answers[-1].insert(0, frame(name, re.sub(r"(:\d+):\d+$", r"\1", place)))
    return answers


def perfold_answers(path, n):
    answers = [[] for _ in range(n)]
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            stack, _, _ = line.rpartition(" ")
            thread, *frames = stack.split(";")
            for text in reversed(frames):
                name, file, number = (re.match(r"(.*):([^:]+):(\d+)$", text) or re.match(r"(.*)()()", text)).groups()
                answers[int(thread.rpartition("/")[2]) - PID].append(frame(name, f"{file}:{number}"))
    return answers


def agreement(ours, theirs):
    """Of how many addresses all is equal, and of how many the innermost function. Some say nothing of an address
    without a function, others ??."""
    pairs = [[[f for f in answer if any(f)] for answer in pair] for pair in zip(ours, theirs)]
    return sum(a == b for a, b in pairs), sum([f[0] for f in a[:1]] == [f[0] for f in b[:1]] for a, b in pairs)


# ---- the report ---------------------------------------------------------------------------------

INTRO = """# Looking up addresses

Written by `scripts/bench/lookups.py`, with binaries that `scripts/bench/binaries.sh` makes. Of each, 10,000 random
addresses of its code are looked up, and the first of them alone: the function, what is inlined there, files and
lines. The peers read a list of addresses, perfold a recording in which each is a sample of another thread, as it
reads any recording. Figures are medians of runs in turn; peak memory is that which belongs to no file. A program
may have {limit} GB.

Answers are equal if functions, innermost first, and their files and lines are. Names are compared without
arguments, template arguments and scopes. Where they differ: llvm-symbolizer does not demangle the older mangling of
Rust (rust). Where functions with the same code were merged, perfold says the name of one symbol at that address,
others that of the debug information (cc1plus). binutils 2.40 may call an innermost inlined function by the symbol's
name (cc1plus), and reads no lines of Go (go). Copies have their number in their symbols, and not in their debug
information (large).
"""

HEAD = ("| program | runs | wall s | CPU s | peak MB | first answer s | wall, times perfold | CPU "
        "| all frames equal | function equal |")


def row(lookups, name, ours):
    if not lookups.runs[name, True]:
        return f"| {name} | absent |" + " |" * 8
    failed = lookups.failed(name, True)
    if failed and failed != "timeout":
        return f"| {name} | failed, with at most {LIMIT_KB >> 20} GB |" + " |" * 8
    cut = "> " if failed else ""
    wall, cpu, _, peak = (lookups.median(name, True, q) for q in range(4))
    times = [lookups.median(name, True, q) / lookups.median("perfold", True, q) for q in (0, 1)]
    equal = " | "
    theirs = lookups.answers(name)
    if name != "perfold" and theirs and ours:
        equal = " | ".join(f"{100 * n / len(ours):.1f} %" for n in agreement(ours, theirs))
    return (f"| {name} | {len(lookups.runs[name, True])} | {cut}{seconds(wall)} | {cut}{seconds(cpu)} | {peak:.0f} "
            f"| {seconds(lookups.median(name, False, 0))} | {cut}{times[0]:.1f} | {cut}{times[1]:.1f} | {equal} |")


def answered(lookups, name, ours):
    """Not if it failed, or says something else of most addresses, as where there was no memory for some sections."""
    if name == "perfold" or not lookups.runs[name, True] or lookups.failed(name, True):
        return False
    theirs = lookups.answers(name)
    return not (theirs and ours) or agreement(ours, theirs)[1] * 2 > len(ours)


def faster(lookups, ours):
    peers = [name for name in lookups.programs if answered(lookups, name, ours)]
    if not peers:
        return "no other program answers"
    wall, cpu = (min((lookups.median(name, True, quantity), name) for name in peers) for quantity in (0, 1))
    times = [best[0] / lookups.median("perfold", True, quantity) for quantity, best in enumerate((wall, cpu))]
    return f"{times[0]:.1f} times faster than {wall[1]} by wall time, {times[1]:.1f} times by CPU (goal: {GOAL_TIMES})"


def goals(lookups, ours):
    first, peak = lookups.median("perfold", False, 0), lookups.median("perfold", True, 3)
    return (f"{faster(lookups, ours)}; {peak:.0f} MB (goal: {GOAL_MB}); first answer after {first * 1000:.0f} ms "
            f"(goal: {GOAL_FIRST_S * 1000:.0f}).")


def section(lookups, name):
    ours = lookups.answers("perfold")
    yield f"## {name}: {BINARIES[name]}"
    yield ""
    yield (f"{lookups.binary.stat().st_size / 1e6:.0f} MB, code {lookups.elf.text[2] / 1e6:.1f} MB, debug information "
           f"{lookups.elf.debug_bytes / 1e6:.0f} MB. perfold: {goals(lookups, ours)}")
    yield ""
    yield HEAD
    yield "|---" * (HEAD.count("|") - 1) + "|"
    yield from (row(lookups, program, ours) for program in lookups.programs)
    yield ""


def version_of(program):
    found = shutil.which(program)
    if not found:
        return "absent"
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    lines = [line.strip() for line in done.stdout.split("\n")]
    return next((line for line in lines if re.search(r"\d\.\d", line)), "version not known")


def main():
    args = sys.argv[1:]
    if not args or args[0] in ("-h", "--help"):
        sys.exit(__doc__)
    program = os.path.realpath(args[0])
    sections = []
    for name in args[1:] or BINARIES:
        if not (DIR / name).exists():
            absent = f"Absent: `binaries.sh {name}` was not run, or failed here."
            sections += [f"## {name}: {BINARIES[name]}", "", absent, ""]
            continue
        with tempfile.TemporaryDirectory(dir=DIR) as scratch:
            lookups = Lookups(program, name, scratch)
            lookups.measure_all()
            sections += section(lookups, name)
            print("\n".join(section(lookups, name)), flush=True)
    head = [INTRO.format(limit=LIMIT_KB >> 20), f"Machine: {machine()}; load averages at the end: {load_note()}.", ""]
    programs = {"perfold": program, **{name: path for name, (path, _) in PEERS.items()}}
    tail = ["## Versions", "", *(f"- {name}: {version_of(path)}" for name, path in programs.items())]
    (HERE / "LOOKUPS.md").write_text("\n".join([*head, *sections, *tail]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
