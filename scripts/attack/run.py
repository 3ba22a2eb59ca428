#!/usr/bin/env python3
"""run.py PROGRAM [RUNS [SEED]]: inputs of testdata/, damaged in RUNS ways (13500), through every command and output

A run is a copy of a golden case in which one file is damaged, and a command, both drawn from SEED and the number
of the run: the same numbers make the same run. Classes: recordings, binaries (ELF, maps, dumps: what is below the
recording), texts, packs (also with a right checksum around a damaged tar). Of each run is required

	a status from 0 to 4, no signal, within 20 s of a CPU and 5 minutes; where 1 or 2, a message, and no output file
	nothing left in $TMPDIR; no control character in what is printed or written as text
	the same again, by one thread and by three: each eighth run is made twice

within --max-memory 1G. Prints TAP, a test for each class; what failed stays in build/attack/CLASS-NUMBER. NUMBERS=N,N
makes these runs only, JOBS (2) at once.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile

OUTPUTS = ["x." + suffix for suffix in "folded svg html cpuprofile pb.gz speedscope.json md rows.json".split()]
# Cases whose recordings have the events of spans, and what --during calls these.
SPANS = {"choose/during": "job:begin..job:end", "choose/event-loop": "event-loop", "choose/slow-request": "http",
         "spans/block": "block", "spans/calls": "file-io", "spans/http": "http", "spans/runqueue": "runqueue",
         "spans/texts": "lock", "truth/during-requests": "truth:begin..truth:end", "truth/locks": "lock"}
SHARES = {"recordings": 50, "binaries": 22, "texts": 20, "packs": 8}
BINARY = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
ABSURD = [0, 1, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xffffffff, 1 << 40, (1 << 63) - 1, (1 << 64) - 8, (1 << 64) - 1]
NAMES = [b"\x1b]0;t\x07", b"\n::error::x", b"</script><script>", b"/../../../etc/shadow", b"\xff\xfe\xc2\x9b31m", b"%s%n%p"]


def damaged(data, r):
    """One to three changes of one kind each."""
    data = bytearray(data)
    for _ in range(r.randint(1, 3)):
        at = r.randrange(min(len(data), r.choice([1024, len(data) or 1])) or 1)
        kind, n = r.randrange(7), r.randint(1, 64)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            data[at:at + n] = bytes(n)
        elif kind == 2:
            data[at:at] = data[at:at + n]
        elif kind == 3:
            at &= ~7
            data[at:at + 8] = r.choice(ABSURD).to_bytes(8, "little")
        elif kind == 4:
            name = r.choice(NAMES)
            data[at:at + len(name)] = name
        elif kind == 5:
            del data[at:at + n]
        elif data:
            data[min(at, len(data) - 1)] ^= 1 << r.randrange(8)
    return bytes(data)


def spans(of, file, symbols):
    """Commands that measure spans, or choose by them."""
    begin, _, end = of.partition("..")
    what = ["--begin", begin, "--end", end] if end else [of]
    return [["spans", *what, file, *symbols, "--slower", "1ns", "--rows", "9"],
            ["spans", *what, file, *symbols, "-o", "out/x.folded", "-o", "out/x.md", "-o", "out/x.svg", "--json",
             "out/x.json", "--histogram", "out/h.svg", "--heatmap", "out/h.html"],
            [file, *symbols, "--during", f"{of} > 1us", "--wall", "-o", "out/x.md", "-o", "out/x.folded"],
            [file, *symbols, "--during", f"!{of} #2", "-o", "out/x.rows.json", "-o", "out/x.html"],
            ["top", file, *symbols, "--during", of], ["diff", "--during", f"{of} > 1ms", file, *symbols]]


def command(r, case, file, texts, of):
    """Words after the program, and whether standard output is text for people."""
    near = [w for name, w in (("root", "--symfs"), ("kallsyms", "--kallsyms"), ("vmlinux", "--vmlinux"),
                              ("src", "--source-dir")) if (case / name).exists() for w in (w, name)]
    symbols = [w for w in near if w not in ("--source-dir", "src")]
    outputs = [w for name in OUTPUTS for w in ("-o", "out/" + name)]
    choices = [[file, *near, *outputs], [file, *near, "-o", "out/x.html", "--lines"], ["info", file, *symbols],
               ["info", "--symbols", file, *symbols], ["top", file, *symbols],
               ["merge", file, file, *symbols, "-o", "out/x.folded"], ["diff", file, file, *symbols, "-o", "out/x.svg"],
               [file, *symbols, "--page-tokens", "500", "-o", "out/x.md"],
               [file, *symbols, "--wall", "-o", "out/x.rows.json"],
               ["annotate", "[a-z]", file, *near], ["annotate", "[a-z]", file, *near, "--asm", "--json"]]
    if not texts:
        choices += [["pack", file, *symbols, "-o", "out/x.perfpack"], [file, *symbols, "--off-cpu", "-o", "out/x.svg"],
                    ["pack", file, *near, "--light", "--sources", "-o", "out/x.perfpack"],
                    [file, *symbols, "--flamechart", "--event", "all", "--split", "thread", "-o", "out/%t.folded"]]
    if of and r.randrange(4):
        choices = spans(of, file, symbols)
    return r.choice(choices)


class Attack:
    def __init__(self, program, seed, work):
        self.program, self.seed, self.work = program, seed, work
        self.tree = work / "testdata"
        shutil.copytree("testdata", self.tree, symlinks=True, ignore=shutil.ignore_patterns("expected.*"))
        packed = [str(p) for p in self.tree.rglob("*.zst") if p.is_file()]
        subprocess.run(["zstd", "-dqf", "--rm", *packed], check=False)
        self.files = {name: [] for name in SHARES}
        for path in sorted(p for p in self.tree.rglob("*") if p.is_file() and not p.is_symlink() and p.stat().st_size):
            parts = path.relative_to(self.tree).parts
            if parts[0] == "fuzz" or len(parts) < 3 or path.stat().st_size > 4 << 20:
                continue
            recordings = sorted((self.tree / parts[0] / parts[1]).glob("input*.data"))
            if "input" in parts[2]:
                self.files["recordings" if path.suffix == ".data" else "texts"].append((path, path))
            elif recordings and parts[2] != "cmd":
                self.files["binaries"].append((path, recordings[0]))
        for path, _ in self.files["recordings"][::4]:
            to = path.parent / "input.perfpack"
            if subprocess.run([program, "pack", path, "--symfs", path.parent / "root", "-q", "-o", to],
                              stderr=subprocess.DEVNULL, check=False).returncode == 0:
                self.files["packs"].append((to, to))

    def damage(self, kind, data, r):
        if kind != "packs" or r.randrange(4) == 0:
            return damaged(data, r)
        tar = subprocess.run(["zstd", "-dqc"], input=data, stdout=subprocess.PIPE, check=True).stdout
        return subprocess.run(["zstd", "-qc"], input=damaged(tar, r), stdout=subprocess.PIPE, check=True).stdout

    def execute(self, here, words, jobs):
        out, tmp = here / "out", here / "tmp"
        for path in (out, tmp):
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir()
        try:
            done = subprocess.run(["prlimit", "--cpu=20:30", self.program, *words, f"-j{jobs}", "--max-memory", "1G"],
                                  cwd=here, timeout=300, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                                  env={**os.environ, "LC_ALL": "C", "TMPDIR": str(tmp), "PERFOLD_NO_SYSTEM": "1"})
        except subprocess.TimeoutExpired:
            return "no end within 5 minutes", None
        if done.returncode == -signal.SIGXCPU:
            return "no end within 20 s of a CPU", None
        files = {p.name: p.read_bytes() for p in sorted(out.iterdir())}
        said = (done.returncode, done.stdout, done.stderr, files)
        if not 0 <= done.returncode <= 4:
            return f"status {done.returncode}", said
        if done.returncode in (1, 2) and (b"perfold: " not in done.stderr or files):
            return f"status {done.returncode}: {done.stderr[:200]!r}, {list(files)}", said
        if any(tmp.iterdir()):
            return "files left in TMPDIR", said
        texts = {"stdout": done.stdout, "stderr": done.stderr,
                 **{n: b for n, b in files.items() if not n.endswith((".gz", ".perfpack"))}}
        bad = [name for name, text in texts.items() if BINARY.search(text)]
        return (f"control characters in {bad}" if bad else ""), said

    def run(self, kind, number):
        r = random.Random(f"{self.seed}:{kind}:{number}")
        path, recording = r.choice(self.files[kind])
        here = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        case = self.tree.joinpath(*path.relative_to(self.tree).parts[:2])
        shutil.copytree(case, here, symlinks=True, copy_function=os.link, dirs_exist_ok=True)
        target = here / path.relative_to(case)
        data = path.read_bytes()
        target.unlink()
        target.write_bytes(self.damage(kind, data, r))
        of = SPANS.get(str(case.relative_to(self.tree)))
        words = command(r, here, str(recording.relative_to(case)), kind == "texts", of)
        why, said = self.execute(here, words, 1)
        if not why and number % 8 == 0:
            why, again = self.execute(here, words, 3)
            why = why or ("" if again == said else "another result by three threads")
        if why:
            kept = pathlib.Path("build/attack") / f"{kind}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(here, kept, symlinks=True)
            why = f"{kind} {number}: {path.relative_to(self.tree)}: {' '.join(words)}: {why}"
        shutil.rmtree(here)
        return why


def main():
    program = os.path.realpath(sys.argv[1])
    runs, seed = int(sys.argv[2]) if len(sys.argv) > 2 else 13500, sys.argv[3] if len(sys.argv) > 3 else "1"
    only = [int(n) for n in os.environ.get("NUMBERS", "").split(",") if n]
    failed = False
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        attack = Attack(program, seed, pathlib.Path(work))
        for test, (kind, share) in enumerate(SHARES.items(), 1):
            numbers = only or range(runs * share // 100)
            bad = [why for why in pool.map(lambda n, kind=kind: attack.run(kind, n), numbers) if why]
            failed = failed or bool(bad)
            print(f"{'not ok' if bad else 'ok'} {test} - {kind}: {len(numbers)} damaged, {len(bad)} faults", flush=True)
            for why in bad[:20]:
                print("#  ", why.replace("\n", " "), flush=True)
    print(f"1..{len(SHARES)}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
