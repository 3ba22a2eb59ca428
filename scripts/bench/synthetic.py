"""synthetic.py - recordings in which one thing grows and everything else stays as it is.

write(directory, **sizes) makes perf.data, as perf record -g writes it (file layout, MMAP, COMM and samples
with frame pointers), the perf map of its first process, and root/, which is for --symfs. Names come
from the map and from copies of one shared library, whose functions are LIBRARY_SOURCE.

Source of the layout: tools/perf/Documentation/perf.data-file-format.txt, include/uapi/linux/perf_event.h.
"""
import os
import pathlib
import random
import struct
import subprocess

MMAP, COMM, SAMPLE = 1, 3, 9
USER = 2  # PERF_RECORD_MISC_USER
CONTEXT_USER = (1 << 64) - 512
SAMPLE_TYPE = 1 | 2 | 4 | 1 << 5 | 1 << 8  # IP, TID, TIME, CALLCHAIN, PERIOD
FLAGS = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 18  # mmap, comm, freq, sample_id_all
PERIOD_NS = 1_000_000
FIRST_PID = 1000
JIT = 0x7E0000000000  # code of the perf map, MAP_LINE_BYTES for each line
MAP_LINE_BYTES = 256
LIBRARIES = 0x7F0000000000
LIBRARY_STRIDE = 1 << 20
FUNCTIONS = 64
LIBRARY_SOURCE = "".join(f"int function_{i}(int x) {{ return x * {i} + x / {i + 3}; }}\n" for i in range(FUNCTIONS))


def record(kind, body):
    return struct.pack("<IHH", kind, USER, 8 + len(body)) + body


def text(s):
    bytes_of = s.encode() + b"\0"
    return bytes_of + bytes(-len(bytes_of) % 8)


class Recording:
    """Records are appended; each comes a microsecond after the one before."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(bytes(self.data_at()))
        self.now_ns = 1_000_000_000

    @staticmethod
    def data_at():
        return 104 + 128

    def trailer(self, pid):
        self.now_ns += 1000
        return struct.pack("<IIQ", pid, pid, self.now_ns)

    def comm(self, pid, name):
        self.file.write(record(COMM, struct.pack("<II", pid, pid) + text(name) + self.trailer(pid)))

    def mmap(self, pid, start, size_bytes, path, offset=0):
        body = struct.pack("<IIQQQ", pid, pid, start, size_bytes, offset) + text(path)
        self.file.write(record(MMAP, body + self.trailer(pid)))

    def sample(self, pid, addresses, tid=None):
        """The innermost address is the first."""
        self.now_ns += 1000
        chain = (CONTEXT_USER, *addresses)
        self.file.write(record(SAMPLE, struct.pack(f"<QIIQQQ{len(chain)}Q", addresses[0], pid, tid or pid, self.now_ns,
                                                   PERIOD_NS, len(chain), *chain)))

    def close(self):
        size = self.file.tell() - self.data_at()
        attr = struct.pack("<IIQQQQQ", 1, 112, 0, 999, SAMPLE_TYPE, 0, FLAGS).ljust(112, b"\0")
        self.file.seek(0)
        self.file.write(b"PERFILE2" + struct.pack("<12Q", 104, 128, 104, 128, self.data_at(), size, *[0] * 6))
        self.file.write(attr + bytes(16))
        self.file.close()


def build_library(directory):
    source = directory / "library.c"
    source.write_text(LIBRARY_SOURCE, encoding="ascii")
    library = directory / "library.so"
    subprocess.run(["gcc", "-g", "-O1", "-shared", "-fPIC", "-nostdlib", "-Wl,--build-id=none", "-o", library,
                    source], check=True)
    symbols = subprocess.run(["nm", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return library, [int(line.split()[0], 16) for line in symbols.splitlines() if " T function_" in line]


def link_libraries(directory, n):
    """root/lib/N.so, and where their functions begin."""
    library, offsets = build_library(directory)
    folder = directory / "root" / "lib"
    folder.mkdir(parents=True)
    for i in range(n):
        # A copy for each, as programs have different files: what is shared is read once.
        (folder / f"{i}.so").write_bytes(library.read_bytes())
    return offsets


def write_map(directory, lines):
    with open(directory / f"perf-{FIRST_PID}.map", "w", encoding="ascii") as f:
        for i in range(lines):
            f.write(f"{JIT + i * MAP_LINE_BYTES:x} {MAP_LINE_BYTES:x} *jit_function_{i} /srv/app.js:{i + 1}\n")


def make_stacks(n, depth, lines, modules, offsets):
    """Different stacks, each with frames of the map and of the libraries."""
    choose = random.Random(1)
    stacks = set()
    while len(stacks) < n:
        stacks.add(tuple(
            JIT + choose.randrange(lines) * MAP_LINE_BYTES + 5 if i % 2 else
            LIBRARIES + choose.randrange(modules) * LIBRARY_STRIDE + choose.choice(offsets) + 3
            for i in range(depth)))
    return sorted(stacks)


def write(directory, samples=20_000, stacks=100, modules=4, processes=1, mappings=0, map_lines=1000, depth=12):
    """The recording's path."""
    directory = pathlib.Path(directory)
    offsets = link_libraries(directory, modules)
    write_map(directory, map_lines)
    r = Recording(directory / "perf.data")
    for pid in range(FIRST_PID, FIRST_PID + processes):
        r.comm(pid, f"worker-{pid}")
        r.mmap(pid, JIT, map_lines * MAP_LINE_BYTES, "//anon")
        for i in range(modules):
            r.mmap(pid, LIBRARIES + i * LIBRARY_STRIDE, LIBRARY_STRIDE, f"/lib/{i}.so")
    different = make_stacks(stacks, depth, map_lines, modules, offsets)
    between = max(samples // mappings, 1) if mappings else 0
    for i in range(samples):
        if between and i % between == 0:
            # What is mapped and unmapped as a program runs, here and there the same addresses again.
            r.mmap(FIRST_PID, LIBRARIES + (modules + i // between % 5000) * LIBRARY_STRIDE, 4096, "/lib/0.so")
        r.sample(FIRST_PID + i % processes, different[i % stacks])
    r.close()
    return os.fspath(directory / "perf.data")
