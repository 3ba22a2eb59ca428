#!/usr/bin/env python3
"""run.py PROGRAM [RECORDING...]: measures perfold against its peers and writes RESULTS.md.
run.py --check PROGRAM: measures two rows of RESULTS.md again, chosen at random, and compares.

The table of what is measured is cases.py; recipes.sh makes the recordings, in BENCH_DIR (build/bench),
where they are kept, as are the measurements of recordings that are not named in this run. Every command
of a recording runs ROUNDS (5) times, one after the other in turn. A peer that takes more than SLOW (60)
seconds runs once, and not again for the same file, version and command; one that takes more than TIMEOUT
(900) seconds is ended, and its row says so. FLAMEGRAPH is the folder of the Perl scripts, PERFPARSER the
program hotspot-perfparser, NEW_PERF a perf of 7.2 or later; the other peers are looked for in PATH
(peers.sh installs them). STATIC is the program of make static (build/static/perfold). What is absent has
a row that says so. COMPILER is a cc1plus with debug information, for the recordings of a compiler.
"""
import hashlib
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True  # the tree stays as it is
from cases import RECORDINGS, ROWS, STACK_GOALS  # noqa: E402
from report import write_report  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
DIR = pathlib.Path(os.environ.get("BENCH_DIR", "build/bench")).resolve()
ROUNDS = int(os.environ.get("ROUNDS", "5"))
TIMEOUT_S = int(os.environ.get("TIMEOUT", "900"))
SLOW_S = int(os.environ.get("SLOW", "60"))
TOLERANCE = 0.3  # of bench-check: CPU time on a machine that others use too
FLAMEGRAPH = os.environ.get("FLAMEGRAPH", "")
PERFPARSER = os.environ.get("PERFPARSER", "hotspot-perfparser")
NEW_PERF = os.environ.get("NEW_PERF", "")
STATIC = str(pathlib.Path(os.environ.get("STATIC", "build/static/perfold")).resolve())


def output_of(*command):
    """First line of what a command prints, "" where it cannot run."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.stdout.strip().split("\n")[0]
    except OSError:
        return ""


def file_id(path):
    with open(path, "rb") as f:
        return f"sha256 {hashlib.file_digest(f, 'sha256').hexdigest()[:16]}"


def read_through(path):
    """Into the page cache, or what of it the system has taken out since."""
    with open(path, "rb", buffering=0) as f:
        while f.read(1 << 20):
            pass


def count_lines(path):
    with open(path, "rb") as f:
        return sum(block.count(b"\n") for block in iter(lambda: f.read(1 << 20), b""))


def program_id(name):
    """Programs whose --version is known by nothing else than their bytes."""
    path = shutil.which(name)
    return file_id(path) if path else ""


def versions(program):
    """What each word of a command is, by the word that shows it is needed."""
    return {
        "{perfold}": f"{output_of(program, '--version')}, {file_id(program)}",
        "{static}": program_id(STATIC) and f"{output_of(STATIC, '--version')}, {program_id(STATIC)}",
        "perf ": output_of("perf", "--version"),
        "{newperf}": NEW_PERF and output_of(NEW_PERF, "--version"),
        "{flamegraph}": FLAMEGRAPH and f"FlameGraph {output_of('git', '-C', FLAMEGRAPH, 'rev-parse', '--short', 'HEAD')}",
        "inferno-collapse-perf": program_id("inferno-collapse-perf"),  # it does not print its version
        "inferno-flamegraph": program_id("inferno-flamegraph"),
        "samply ": program_id("samply") and f"{output_of('samply', '--version')}, {program_id('samply')}",
        "{perfparser}": program_id(PERFPARSER) and f"{output_of(PERFPARSER, '--version')}, {program_id(PERFPARSER)}",
        "perf2bolt": output_of("perf2bolt", "--version"),
        "llvm-profgen": output_of("llvm-profgen", "--version"),
        "xxhsum": output_of("xxhsum", "--version"),
    }


class Bench:
    """Measurements so far, in results.json: {recording: {hash, size, rows: {name: row}}}."""

    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())
        self.versions = versions(self.program)
        DIR.mkdir(parents=True, exist_ok=True)
        self.store = DIR / "results.json"
        self.results = json.loads(self.store.read_text()) if self.store.exists() else {}
        self.measurer, self.threads = (self.build(name) for name in ("measure", "threads"))

    @staticmethod
    def build(name):
        """One of the C programs here."""
        program = DIR / name
        subprocess.run(
            ["cc", "-O2", "-D_GNU_SOURCE", "-pthread", "-o", str(program), str(HERE / f"{name}.c")], check=True)
        return program

    def save(self):
        self.store.write_text(json.dumps(self.results, indent=1))

    def prepare(self, name):
        """Makes a recording unless it is there; False where its recipe failed."""
        file, recipe, _ = RECORDINGS[name]
        path = DIR / file
        if not path.exists():
            print(f"recording {name}", flush=True)
            subprocess.run([str(HERE / "recipes.sh"), *recipe], cwd=DIR, check=False)
        if not path.exists():
            print(f"{name}: its recipe failed")
            return False
        for source in DIR.glob("perf-*.map"):  # perf reads maps in /tmp only
            if not pathlib.Path("/tmp", source.name).exists():
                shutil.copy2(source, "/tmp")
        known = self.results.setdefault(name, {"rows": {}})
        if known.get("size") != path.stat().st_size or known.get("mtime") != path.stat().st_mtime:
            known.update(size=path.stat().st_size, mtime=path.stat().st_mtime, hash=file_id(path), rows={})
        return True

    def command(self, template, file):
        fill = {"perfold": self.program, "static": STATIC, "flamegraph": FLAMEGRAPH, "newperf": NEW_PERF,
                "perfparser": PERFPARSER, "threads": str(self.threads), "in": file}
        return re.sub(r"\{(\w+)\}", lambda m: shlex.quote(fill[m[1]]), template)

    def version_of(self, template):
        """Versions of all that a command needs; None where something is absent."""
        needed = [version for word, version in self.versions.items() if word in template]
        return "; ".join(needed) if all(needed) else None

    def measure(self, template, file):
        """Wall, user, system in seconds; resident, anonymous in KB; status.

        Each command writes a new file to a disk at rest: ext4 flushes what replaces a file, and what the
        command before left to be written takes processor time of the next. And each finds its recording in
        memory: else it is the disk that is measured, for whoever comes first."""
        for left in DIR.glob("out.*"):
            left.unlink()
        os.sync()
        read_through(DIR / file)
        done = subprocess.run(
            [str(self.measurer), str(TIMEOUT_S), self.command(template, file)],
            cwd=DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
        words = done.stdout.split()
        if words[5] not in ("0", "timeout"):
            print(done.stderr[-500:])
        return [float(x) for x in words[:5]] + [words[5]]

    def run_recording(self, name):
        if not self.prepare(name):
            return
        rows = [(row, template) for row, recording, template in ROWS if recording == name]
        known = self.results[name]["rows"]
        todo = []
        for row, template in rows:
            version = self.version_of(template)
            old = known.get(row, {})
            slow = old.get("runs") and old["runs"][0][0] > SLOW_S
            if slow and old["version"] == version and old["template"] == template:
                continue
            known[row] = {"template": template, "version": version, "runs": []}
            if version is not None:
                todo.append(row)
        for _ in range(ROUNDS):
            for row in list(todo):
                known[row]["runs"].append(self.measure(known[row]["template"], RECORDINGS[name][0]))
                last = known[row]["runs"][-1]
                if (name, row) in STACK_GOALS:
                    self.results[name]["stacks"] = count_lines(DIR / "out.folded")
                print(f"{name}: {row}: {last[0]:.3f} s, cpu {last[1] + last[2]:.3f} s, {last[5]}", flush=True)
                if last[0] > SLOW_S or last[5] != "0":
                    todo.remove(row)
            self.save()

    def median(self, name, row, quantity):
        """Of the runs of a row; None where there is none."""
        runs = self.results.get(name, {}).get("rows", {}).get(row, {}).get("runs") or []
        pick = {"wall": lambda r: r[0], "cpu": lambda r: r[1] + r[2], "rss": lambda r: r[3], "anon": lambda r: r[4]}
        runs = [r for r in runs if r[5] in ("0", "timeout")]
        return statistics.median(pick[quantity](r) for r in runs) if runs else None

    def timed_out(self, name, row):
        return any(r[5] == "timeout" for r in self.results[name]["rows"].get(row, {}).get("runs", []))

    def check(self):
        """Two rows again; the number of those that differ."""
        rows = [(row, recording) for row, recording, _ in ROWS
                if (self.median(recording, row, "wall") or SLOW_S) < SLOW_S and not self.timed_out(recording, row)]
        bad = 0
        for row, name in random.sample(rows, min(2, len(rows))):
            before = min(r[1] + r[2] for r in self.results[name]["rows"][row]["runs"])
            runs = [self.measure(self.results[name]["rows"][row]["template"], RECORDINGS[name][0]) for _ in range(3)]
            now = min(r[1] + r[2] for r in runs)
            fits = abs(now - before) <= TOLERANCE * before + 0.01
            bad += not fits
            print(f"{'ok' if fits else 'not ok'} - {name}: {row}: {before:.3f} s of processor time then, {now:.3f} s now")
        print(f"1..{min(2, len(rows))}" + ("" if rows else " # SKIP nothing was measured before"))
        return bad


def main():
    args = sys.argv[1:]
    if not args or args == ["--check"] or args[0] in ("-h", "--help"):
        sys.exit(__doc__)
    if args[0] == "--check":
        sys.exit(1 if Bench(args[1]).check() else 0)
    bench = Bench(args[0])
    for name in args[1:] or RECORDINGS:
        bench.run_recording(name)
    bench.save()
    write_report(bench)


if __name__ == "__main__":
    main()
