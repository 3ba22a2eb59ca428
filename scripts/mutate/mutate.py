#!/usr/bin/env python3
"""mutate.py N SEED: changes the code in N places, one at a time, and says which changes no test notices.

The places are drawn from src/ by draw.py; the same seed draws the same. The tree is copied, built and run in
MUTATE_DIR (/var/tmp/perfold-mutate): the checkout is never changed, and the tests of mutants can write nowhere
else (unshare, a mount namespace: as root, or where users may have namespaces; /tmp is one of their own).

All tests are linked with one shared library, so a mutant costs one object and one link. A library of the same
code that records coverage (cover.c) says once which tests reach which block of code; of a mutant only those run:
the file's own unit test, then the shortest first, with favour for those of its folder and its room, until one fails. A failure
counts if it comes twice; a test that takes 20 times as long as without a mutant is ended, and has noticed. What
does not compile is drawn anew, what compiles to the same code (-O2) is equivalent.

build/mutate-SEED.tsv has a line for each mutant: file and line, the code, the change, "noticed" and by which
test, "SURVIVED", or "equivalent" (equivalent.txt says why). A second run goes on after an interruption, and judges
survivors again where a test that reaches them has changed. What survives is run once more by the first unit tests
with LeakSanitizer; with SANITIZERS=1 by all of its tests, built with AddressSanitizer and UBSan.

JOBS (2) are judged at once. WITHIN: of the tests of a mutant only the first that together take so many seconds. With
ONLY, a regular expression for FILE:LINE, all mutants of these lines are judged, whatever N.
"""
import concurrent.futures
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True  # the tree stays as it is
from draw import changes, draw, room_of, score  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = pathlib.Path(os.environ.get("MUTATE_DIR", "/var/tmp/perfold-mutate")).resolve()
TREE = WORK / "tree"
JOBS = int(os.environ.get("JOBS", "2"))
WITHIN_S = float(os.environ.get("WITHIN") or "inf")
ONLY = os.environ.get("ONLY", "")
# All is read-only but $0 (the folder of a worker), /tmp and testdata/ (cases write there), which are below $0, too.
CONFINED = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
            'mount --bind "$0" "$0" && mount --bind "$0/tmp" /tmp && mount -t overlay overlay -o '
            '"lowerdir=testdata,upperdir=$0/upper,workdir=$0/overlay" testdata && mount -o remount,bind,ro / && '
            'exec "$@"']
LEAK_TESTS = 8
FOLDERS = ["tmp", "upper", "overlay"]
CFLAGS = "-O0 -g1 -fPIC -ftrivial-auto-var-init=pattern"
LINKER = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []


def sources(kind):
    """Paths of C files: "" for the program's, "_test", "_fuzz"."""
    paths = sorted(str(p.relative_to(TREE)) for p in TREE.glob("src/**/*.c"))
    if kind:
        return [p for p in paths if p.endswith(kind + ".c")]
    return [p for p in paths if not p.endswith(("_test.c", "_fuzz.c"))]


def copy_tree():
    """What git knows, and files not yet added. A file keeps its time: make builds only what has changed."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout.split("\0")
    wanted = {p for p in listed if p and os.path.lexists(ROOT / p)}
    for path in wanted:
        old, new = ROOT / path, TREE / path
        a, b = old.lstat(), new.lstat() if os.path.lexists(new) else None
        if not b or (a.st_mtime_ns, a.st_size, a.st_mode) != (b.st_mtime_ns, b.st_size, b.st_mode):
            new.parent.mkdir(parents=True, exist_ok=True)
            new.unlink(missing_ok=True)
            shutil.copy2(old, new, follow_symlinks=False)
    for directory, names, files in os.walk(TREE):
        if pathlib.Path(directory) == TREE and "build" in names:
            names.remove("build")
        for name in files:
            path = pathlib.Path(directory, name)
            if str(path.relative_to(TREE)) not in wanted:
                path.unlink()


class Build:
    """One CONFIG: the objects of the library, and programs linked with the library."""

    def __init__(self, config, cflags, *, san="", tested=True):
        self.folder = f"build/{config}"
        self.make = ["make", "--no-print-directory", f"-j{JOBS}", f"CONFIG={config}", f"CFLAGS={cflags}",
                     *([f"SAN={san}"] if san else [])]
        self.tests = [p[:-2] for p in sources("_test") + sources("_fuzz")]
        objects = [*self.tests, "scripts/fuzz/replay"] if tested else []
        self.run_make(*(f"{self.folder}/{p}" for p in ["libperfold.a", "src/main.o", *(o + ".o" for o in objects)]))
        lines = self.run_make("-n", "-B", "V=1", f"{self.folder}/src/main.o", f"{self.folder}/perfold").splitlines()
        self.compile = shlex.split(next(l for l in lines if "src/main.c" in l and " -c " in l))
        self.compile = self.compile[:self.compile.index("-MMD")]
        link = shlex.split(next(l for l in lines if f"-o {self.folder}/perfold " in l))
        at = link.index("-o")
        self.link, self.libs = [*link[:at], *LINKER], [w for w in link[at:] if w.startswith("-l")]
        self.members = [f"{self.folder}/src/main.o", *(TREE / self.folder / "members").read_text().split()]
        self.san = ["-fsanitize=" + san] if san else []

    def run_make(self, *goals):
        done = subprocess.run([*self.make, *goals], cwd=TREE, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            sys.exit(f"make {' '.join(goals)[:80]}...: it failed")
        return done.stdout

    def library(self, to, *, instead=None, more=()):
        """Links the library; `instead` is (member, object)."""
        members = [instead[1] if instead and m == instead[0] else m for m in self.members]
        subprocess.run([*self.link, "-shared", "-o", f"{to}/libperfold.so", *members, *more, *self.libs], cwd=TREE,
                       check=True)

    def program(self, name, place):
        """Links a test, when it is first run, or "perfold", with the library of any place."""
        program, unit = TREE / self.folder / "linked" / name, f"{self.folder}/{name}.o"
        if name == "perfold":
            what = ["-Wl,-rpath,$ORIGIN"]
        else:
            what = [unit, *([f"{self.folder}/scripts/fuzz/replay.o"] if name.endswith("_fuzz") else [])]
            if program.exists() and program.stat().st_mtime > (TREE / unit).stat().st_mtime:
                return
        program.parent.mkdir(parents=True, exist_ok=True)
        new = program.with_suffix(f".{threading.get_ident()}")
        subprocess.run([*self.link, "-o", new, *what, f"-L{place}", "-lperfold", *self.libs, "-lcmocka"],
                       cwd=TREE, check=True)
        new.rename(program)

    def place(self, name):
        """A folder for one worker: the library and perfold, which finds filters/ from there."""
        place = TREE / "build" / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        return place

    def enter(self, place):
        (place / "perfold").unlink(missing_ok=True)
        os.link(TREE / self.folder / "linked/perfold", place / "perfold")


def tests_of(build):
    """Name of each test and the files that it is made of; the file of a unit test is its name."""
    found = {name + ".c": [name + ".c"] for name in build.tests}
    for cmd in sorted(TREE.glob("testdata/*/*/cmd")):
        files = sorted(str(p.relative_to(TREE)) for p in cmd.parent.rglob("*") if p.is_file())
        found[str(cmd.parent.relative_to(TREE))] = files
    for truth in sorted(TREE.glob("testdata/truth/*")):
        found["truth of " + truth.name] = found[str(truth.relative_to(TREE))]
    for check in ("man", "completion"):
        found[f"scripts/check-{check}.sh"] = [f"scripts/check-{check}.sh"]
    return found


def command_of(test, build, place):
    if test.startswith("src/"):
        seeds = pathlib.Path(test).stem
        return [f"{build.folder}/linked/{test[:-2]}",
                *([f"testdata/fuzz/{seeds[:-5]}"] if seeds.endswith("_fuzz") else [])]
    if test.startswith("scripts/"):
        return [test, f"{place}/perfold"]
    if test.startswith("truth of "):
        return ["scripts/truth/check.sh", f"{place}/perfold", test.replace("truth of ", "truth/")]
    return ["scripts/golden.sh", f"{place}/perfold", test.removeprefix("testdata/")]


def run_test(test, build, place, limit_s, more=()):
    """Exit status (None: it took too long), what it printed, seconds. `more` precedes the command."""
    if test.startswith("src/"):
        build.program(test[:-2], place)
    for folder in FOLDERS:
        shutil.rmtree(place / folder, ignore_errors=True)
        (place / folder).mkdir()
    environ = dict(os.environ, TMPDIR="/tmp", LD_LIBRARY_PATH=str(place), CMOCKA_MESSAGE_OUTPUT="TAP",
                   MALLOC_PERTURB_="165", ASAN_OPTIONS="exitcode=99:detect_leaks=1",
                   UBSAN_OPTIONS="exitcode=99:print_stacktrace=1")
    limits = ["prlimit", "--core=0", *([] if build.san or more else [f"--as={8 << 30}"])]
    command = ["setpriv", "--pdeathsig", "KILL", *CONFINED, str(place), *limits, *more,
               *command_of(test, build, place)]
    begin = time.monotonic()
    with open(place / "log", "w+b") as log:
        child = subprocess.Popen(command, cwd=TREE, env=environ, stdin=subprocess.DEVNULL, stdout=log,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = child.wait(limit_s)
        except subprocess.TimeoutExpired:
            status = None
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        log.seek(0)
        text = log.read(1 << 20).decode(errors="replace")
    return status, text, time.monotonic() - begin


class Coverage:
    """Which tests reach which blocks, and how long each takes."""

    def __init__(self, plain, tests):
        self.build = Build("mutate-cover", CFLAGS + " -fsanitize-coverage=trace-pc", tested=False)
        self.plain = plain
        subprocess.run([*self.build.compile[:1], "-O2", "-fPIC", "-D_GNU_SOURCE", "-c", HERE / "cover.c", "-o",
                        TREE / self.build.folder / "cover.o"], check=True)
        self.places = [self.build.place(f"cover{i}") for i in range(JOBS)]
        for place in self.places:
            self.build.library(place, more=[f"{self.build.folder}/cover.o"])
            plain.enter(place)
        self.blocks = self.find_blocks()
        self.lines = self.find_lines()
        self.tests = self.measure(tests)
        self.of_file = {}

    def dump(self, *arguments):
        with subprocess.Popen(["objdump", *arguments, str(self.places[0] / "libperfold.so")], stdout=subprocess.PIPE,
                              text=True) as objdump:
            yield from objdump.stdout

    def find_blocks(self):
        """Addresses to which __sanitizer_cov_trace_pc() returns, sorted."""
        found, called = [], False
        for line in self.dump("-d", "--no-show-raw-insn"):
            if called and ":\t" in line:
                found.append(int(line.split(":")[0], 16))
            called = "<__sanitizer_cov_trace_pc" in line and ":\t" in line
        return sorted(found)

    def find_lines(self):
        """(basename, line) to the bits of its blocks."""
        rows = []
        for line in self.dump("--dwarf=decodedline"):
            row = re.match(r"(\S+\.c)\s+(\d+|-)\s+0x([0-9a-f]+)", line)
            if row:
                rows.append((int(row[3], 16), row[1], row[2]))
        rows.sort(key=lambda r: r[0])
        found, at = {}, 0
        for i, (begin, name, line) in enumerate(rows):
            end = rows[i + 1][0] if i + 1 < len(rows) else begin
            while at < len(self.blocks) and self.blocks[at] <= begin:
                at += 1
            last = at
            while last < len(self.blocks) and self.blocks[last] <= end:
                last += 1
            first = at if last > at else max(at - 1, 0)
            if line != "-":
                bits = ((1 << max(last - first, 1)) - 1) << first
                found[name, int(line)] = found.get((name, int(line)), 0) | bits
        return found

    def measure(self, tests):
        """A test that has not changed, with code that has not changed, is not measured again."""
        def digest(paths):
            return hashlib.sha256(b"\0".join((TREE / p).read_bytes() for p in paths)).hexdigest()[:16]
        code = digest(sources("") + sorted(str(p.relative_to(TREE)) for p in TREE.glob("src/**/*.h")))
        kept = WORK / "cover.json"
        old = json.loads(kept.read_text()) if kept.exists() else {}
        self.digests = {test: digest(files) for test, files in tests.items()}
        keys = {test: f"{code} {self.digests[test]} {test}" for test in tests}
        free, lock = list(self.places), threading.Lock()
        size = (self.places[0] / "libperfold.so").stat().st_size
        index = {address: i for i, address in enumerate(self.blocks)}

        def one(test):
            if keys[test] in old:
                return old[keys[test]]
            with lock:
                place = free.pop()
            with open(place / "cover", "wb") as cover:
                cover.truncate(size)
            status, text, seconds = run_test(test, self.plain, place, 900)
            if status != 0:
                print(f"# left out, as it fails without a mutant: {test}\n{text[-2000:]}", flush=True)
            reached = (place / "cover").read_bytes()
            bits = bytearray(len(self.blocks) // 8 + 1)
            for m in re.finditer(b"\1", reached):
                if m.start() in index:
                    bits[index[m.start()] >> 3] |= 1 << (index[m.start()] & 7)
            with lock:
                free.append(place)
            return {"ok": status == 0, "seconds": round(seconds, 3), "bits": bits.hex()}
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            results = dict(zip(keys, pool.map(one, keys)))
        kept.write_text(json.dumps({keys[test]: result for test, result in results.items() if result["ok"]}))
        if not any(result["ok"] for result in results.values()):
            sys.exit("mutate.py: no test passes; does unshare --mount work here? Nothing runs without it.")
        for result in results.values():
            result["bits"] = int.from_bytes(bytes.fromhex(result["bits"]), "little")
        return {test: result for test, result in results.items() if result["ok"]}

    def order(self, m):
        """The tests that are run, in this order, and the number of those that reach the mutant. Of a table all
        that reach the file."""
        name = pathlib.PurePath(m.path).name
        bits = 0
        for line in range(m.line, m.last + 1):
            bits |= self.lines.get((name, line), 0)
        if not bits:
            for (other, _), more in self.lines.items():
                bits |= more if other == name else 0

        def rank(test):
            """Those near the code notice more, so they may take longer."""
            folder, seconds = str(pathlib.PurePath(m.path).parent), self.tests[test]["seconds"]
            if test == m.path.replace(".c", "_test.c"):
                return 0
            if test.startswith(folder + "/"):
                return seconds / 8
            return seconds / 4 if test.startswith(f"src/{room_of(m.path)}/") else seconds
        reaching = sorted((t for t, result in self.tests.items() if result["bits"] & bits), key=rank)
        first, seconds = 0, 0
        while first < len(reaching) and seconds < WITHIN_S:
            seconds += self.tests[reaching[first]]["seconds"]
            first += 1
        return reaching[:first], len(reaching)

    def digest(self, tests, sanitized):
        """What a survivor has survived."""
        what = " ".join(sorted(self.digests[test] for test in tests)) + (" sanitized" if sanitized else "")
        return hashlib.sha256(what.encode()).hexdigest()[:8]


class Judge:
    """Compiles and runs mutants, each worker in its place."""

    def __init__(self, build, name):
        self.build = build
        self.places = [build.place(f"{name}{i}") for i in range(JOBS)]
        build.library(self.places[0])
        build.program("perfold", self.places[0])
        self.unchanged = build.place(f"{name}-unchanged")
        build.library(self.unchanged)
        for place in [*self.places, self.unchanged]:
            build.enter(place)
        found = subprocess.run([build.compile[0], "-print-file-name=liblsan.so"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.strip()
        self.leak_sanitizer = ["env", f"LD_PRELOAD={found}", "LSAN_OPTIONS=exitcode=99"] if "/" in found else None

    def compile(self, m, to, *flags):
        """The object of the mutant, or None where it does not compile."""
        changed = to.parent / pathlib.PurePath(m.path).name
        changed.write_text(m.apply((TREE / m.path).read_text()))
        folder = str(pathlib.PurePath(m.path).parent)
        done = subprocess.run([*self.build.compile, "-Werror=return-type", *flags, "-iquote", folder, "-c", "-o", to,
                               changed], cwd=TREE, stderr=subprocess.DEVNULL, check=False,
                              env=dict(os.environ, CCACHE_DISABLE="1"))
        return to if done.returncode == 0 else None

    def same_code(self, m, place):
        """Does it compile to the same as without the change?"""
        changed = self.compile(m, place / "optimized.o", "-O2", "-g0", "-fPIE")
        text = changed.read_bytes()
        m.put, kept = (TREE / m.path).read_text()[m.start:m.end], m.put
        original = self.compile(m, place / "optimized.o", "-O2", "-g0", "-fPIE")
        m.put = kept
        return original.read_bytes() == text

    def noticed(self, m, tests, seconds, place):
        """The first test that fails, or None."""
        self.build.library(place, instead=(f"{self.build.folder}/{m.path[:-2]}.o", place / "mutant.o"))
        for test in tests:
            limit_s = 20 + 20 * seconds[test]["seconds"]
            status, text, _ = run_test(test, self.build, place, limit_s)
            if status == 0:
                continue
            if status is None:
                return f"{test}: no end"
            if run_test(test, self.build, place, limit_s)[0] != 0:
                failed = re.search(r"^not ok(?: \d+)?(?: -)? (.*)", text, re.M)
                return f"{test}: {failed[1] if failed and test.startswith('src/') else f'status {status}'}"
        return None

    def leaks(self, tests, place):
        """The first of a few unit tests that leaks with the mutant that was judged last, or None."""
        for test in [t for t in tests if t.endswith("_test.c")][:LEAK_TESTS] if self.leak_sanitizer else []:
            status, text, _ = run_test(test, self.build, place, 300, self.leak_sanitizer)
            if status == 99 and "LeakSanitizer" in text and \
                    run_test(test, self.build, self.unchanged, 300, self.leak_sanitizer)[0] == 0:
                return f"{test}: leak"
        return None


class Equivalent:
    """What equivalent.txt argues. Stanzas: "FILE: CHANGE", the line of code (with the line before, where several
    lines are the same), which begin with a tab, and why no test can notice the change."""

    def __init__(self):
        self.of = {}
        for stanza in (HERE / "equivalent.txt").read_text().split("\n\n"):
            lines = [l for l in stanza.split("\n") if l and not l.startswith("#")]
            if lines:
                path, change = lines[0].split(": ", 1)
                code = [l.strip() for l in lines[1:] if l.startswith("\t")]
                why = " ".join(l for l in lines[1:] if not l.startswith("\t"))
                self.of.setdefault(f"{path}\t{code[-1]}\t{change}", []).append((code[:-1], why))

    def why(self, m):
        return next((why for before, why in self.of.get(m.key(), []) if before in ([], [m.before])), None)


class Table:
    """build/mutate-SEED.tsv: one line for each mutant, the last for a mutant counts."""

    def __init__(self, seed):
        self.path = ROOT / f"build/mutate-{seed}.tsv"
        self.path.parent.mkdir(exist_ok=True)
        self.rows, self.lock = {}, threading.Lock()
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                fields = line.split("\t")
                self.rows["\t".join(fields[:4])] = fields[4:]

    def add(self, m, verdict, by, seconds):
        row = [verdict, by.replace("\t", " "), str(m.line), f"{seconds:.0f}"]
        with self.lock:
            self.rows[m.unique()] = row
            with open(self.path, "a") as f:
                f.write("\t".join([m.unique(), *row]) + "\n")
            if verdict != "uncompiled":
                print(f"{m.path}:{m.line}\t{m.change}\t{verdict}\t{by}\t{seconds:.0f} s\t{m.text}", flush=True)


def judge_place(places, table, equivalent, judge, coverage, sanitized, worker):
    """The first mutant of a place that compiles."""
    for m in places:
        old = table.rows.get(m.unique(), [""])
        if old[0] == "uncompiled":
            continue
        if equivalent.why(m):
            if old[0] != "equivalent":
                table.add(m, "equivalent", equivalent.why(m), 0)
            return m
        if old[0] in ("noticed", "equivalent"):
            return m
        begin, place = time.monotonic(), judge.places[worker]
        if not judge.compile(m, place / "mutant.o"):
            table.add(m, "uncompiled", "", time.monotonic() - begin)
            continue
        tests, reaching = coverage.order(m)
        survived = f"{coverage.digest(tests, sanitized)}: {len(tests)} of {reaching} tests that reach it"
        if old[:2] == ["SURVIVED", survived]:
            return m
        by = judge.noticed(m, tests, coverage.tests, place) or judge.leaks(tests, place)
        if not by and judge.same_code(m, place):
            table.add(m, "equivalent", "the same code at -O2", time.monotonic() - begin)
            return m
        if not by and sanitized:
            place = sanitized.places[worker]
            sanitized.compile(m, place / "mutant.o")
            by = sanitized.noticed(m, tests, coverage.tests, place)
            by = by and f"sanitizers: {by}"
        if by:
            table.add(m, "noticed", by, time.monotonic() - begin)
        else:
            table.add(m, "SURVIVED", survived, time.monotonic() - begin)
        return m
    return None


def report(done, table):
    print(f"{'room':12}{'mutants':>9}{'noticed':>9}{'equivalent':>12}{'survived':>10}")
    totals = {}
    for m in done:
        verdict = table.rows[m.unique()][0]
        for name in (room_of(m.path), "all"):
            counts = totals.setdefault(name, {"noticed": 0, "equivalent": 0, "SURVIVED": 0})
            counts[verdict] += 1
    for room in [*sorted(totals.keys() - {"all"}), "all"]:
        c = totals.get(room, {"noticed": 0, "equivalent": 0, "SURVIVED": 0})
        print(f"{room:12}{sum(c.values()):9}{c['noticed']:9}{c['equivalent']:12}{c['SURVIVED']:10}")


def drawn(count, seed):
    texts = {path: (TREE / path).read_text() for path in sources("")}
    if not ONLY:
        return draw(texts, count, seed)
    rooms = {}
    for path, text in texts.items():
        for m in changes(path, text, seed):
            if re.search(ONLY, f"{path}:{m.line}"):
                rooms.setdefault(room_of(path), []).append([m])
    return {room: len(places) for room, places in rooms.items()}, rooms


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    count, seed = int(sys.argv[1]), sys.argv[2]
    os.nice(5)
    WORK.mkdir(parents=True, exist_ok=True)
    alone = open(WORK / "lock", "w")
    try:
        fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        sys.exit(f"mutate.py: another run is at work in {WORK}")
    copy_tree()
    build = Build("mutate", CFLAGS)
    judge = Judge(build, "worker")
    coverage = Coverage(build, tests_of(build))
    sanitized = None
    if os.environ.get("SANITIZERS"):
        sanitized = Judge(Build("mutate-san", CFLAGS, san="address,undefined"), "sanitized")
    table, equivalent = Table(seed), Equivalent()
    print(f"# {len(coverage.tests)} tests, {sum(t['seconds'] for t in coverage.tests.values()):.0f} s", flush=True)
    free, lock, done = list(range(JOBS)), threading.Lock(), []

    def one(places):
        with lock:
            worker = free.pop()
        try:
            return judge_place(places, table, equivalent, judge, coverage, sanitized, worker)
        finally:
            with lock:
                free.append(worker)
    quota, rooms = drawn(count, seed)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        while any(rooms.values()):  # what did not compile is drawn anew
            places = [rooms[room].pop(0) for room in rooms for _ in range(min(quota[room], len(rooms[room])))]
            places.sort(key=lambda p: score(seed, "order", p[0].unique()))
            for m in pool.map(one, places):
                if m:
                    quota[room_of(m.path)] -= 1
                    done.append(m)
            rooms = {room: places for room, places in rooms.items() if quota[room]}
    report(done, table)


if __name__ == "__main__":
    main()
