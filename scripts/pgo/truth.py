#!/usr/bin/env python3
"""truth.py LOG BINARY [--preagg FILE | --drop-stubs FILE]: what the branch stacks of a recording say.

LOG is written by branches.c, beside the recording. Prints what is in BINARY as the profile without
symbols that llvm-profgen prints: ranges of code that ran from one taken branch to the next, and
branches, in hexadecimal from the first page with code, each with its count. The stubs of the
procedure linkage table are no code of the binary there, and branches to elsewhere are left out.

--preagg: FILE, in the format that perf2bolt -pa reads, is compared with all branches and ranges; what
differs is printed, and the exit status is 1. --drop-stubs: FILE is such a profile without symbols,
which is printed without the stubs.

Knows nothing of how perfold does it: one pass over the log, in Python.
"""
import argparse
import collections
import struct
import sys

PAGE = 4096
PT_LOAD, PF_X = 1, 1
ELSEWHERE = None
STUBS = (b".plt", b".plt.got", b".plt.sec")


def segments(path):
    """The loaded segments of an ELF file for a 64-bit machine: offset, address, size, flags."""
    with open(path, "rb") as f:
        header = f.read(64)
        at, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        f.seek(at)
        table = f.read(size * count)
    for i in range(count):
        kind, flags, offset, address, _, _, bytes_, _ = struct.unpack_from("<IIQQQQQQ", table, i * size)
        if kind == PT_LOAD:
            yield offset, address, bytes_, flags


def stubs(path):
    """The addresses of the procedure linkage table."""
    with open(path, "rb") as f:
        content = f.read()
    at, = struct.unpack_from("<Q", content, 40)
    size, count, strings = struct.unpack_from("<HHH", content, 58)
    headers = [struct.unpack_from("<IIQQQQ", content, at + size * i) for i in range(count)]
    for name, _, _, address, _, bytes_ in headers:
        start = headers[strings][4] + name
        if content[start:content.index(0, start)] in STUBS:
            yield range(address, address + bytes_)


class Binary:
    def __init__(self, path, with_stubs):
        self.stubs = [] if with_stubs else list(stubs(path))
        self.name = path.rsplit("/", 1)[-1]
        self.segments = list(segments(path))
        self.base = min(a for _, a, _, flags in self.segments if flags & PF_X) // PAGE * PAGE
        self.maps = []

    def add_map(self, start, end, offset, path):
        if path.rsplit("/", 1)[-1] == self.name:
            self.maps.append((start, end, offset))

    def address(self, recorded):
        """That of the file as it was linked; ELSEWHERE for any other file."""
        for start, end, offset in self.maps:
            if start <= recorded < end:
                in_file = recorded - start + offset
                for at, address, bytes_, _ in self.segments:
                    found = in_file - at + address
                    if at // PAGE * PAGE <= in_file < at + bytes_:
                        return ELSEWHERE if any(found in stub for stub in self.stubs) else found
        return ELSEWHERE


class Counts:
    """Ranges and branches of a binary."""

    def __init__(self, binary):
        self.binary = binary
        self.ranges, self.branches, self.mispredicted = (collections.Counter() for _ in range(3))

    def add_stack(self, entries):
        """Of a sample, the latest branch first."""
        follows = ELSEWHERE  # the source of the branch that was taken next
        for place in entries:
            source, target, mispredicted = place.split("/")
            branch = self.binary.address(int(source, 16)), self.binary.address(int(target, 16))
            if branch == (ELSEWHERE, ELSEWHERE):
                continue
            self.branches[branch] += 1
            self.mispredicted[branch] += mispredicted == "M"
            if branch[1] is not ELSEWHERE and follows is not ELSEWHERE and branch[1] <= follows:
                self.ranges[branch[1], follows] += 1
            follows = branch[0]


def read(log, binary):
    counts = Counts(binary)
    with open(log, encoding="utf-8") as lines:
        for line in lines:
            kind, *words = line.split()
            if kind == "M":
                binary.add_map(*(int(word, 16) for word in words[1:4]), words[4])
            elif kind == "S":
                counts.add_stack(words[1:])
    return counts


def print_unsymbolized(counts):
    def place(address):
        # 1 stands for any address elsewhere
        return f"{((1 if address is ELSEWHERE else address) - counts.binary.base) % 2 ** 64:x}"

    def order(item):
        return [1 if address is ELSEWHERE else address for address in item[0]]

    branches = {pair: count for pair, count in counts.branches.items() if pair[1] is not ELSEWHERE}
    for rows, between in ((counts.ranges, "-"), (branches, "->")):
        print(len(rows))
        for pair, count in sorted(rows.items(), key=order):
            print(f"{place(pair[0])}{between}{place(pair[1])}:{count}")


def read_preaggregated(path):
    """B FROM TO COUNT MISPREDICTED; F and f START END COUNT; T FROM TO END COUNT, all at once."""
    ranges, branches = collections.Counter(), collections.Counter()
    mispredicted = collections.Counter()

    def address(word):
        value = int(word.split(":")[-1], 16)
        return ELSEWHERE if word.startswith("X:") or value in (0, 2 ** 64 - 1, 2 ** 64 - 2) else value

    with open(path, encoding="utf-8") as lines:
        for line in lines:
            kind, *words = line.split()
            if kind == "B":
                pair = address(words[0]), address(words[1])
                branches[pair] += int(words[2])
                mispredicted[pair] += int(words[3])
            elif kind in ("F", "f", "R"):
                ranges[address(words[0]), address(words[1])] += int(words[2])
            elif kind == "T":
                start, target, end = (address(word) for word in words[:3])
                branches[start, target] += int(words[3])
                if end is not ELSEWHERE:
                    ranges[target, end] += int(words[3])
    return ranges, branches, mispredicted


def compare(path, counts):
    def text(address):
        return "elsewhere" if address is ELSEWHERE else f"{address:x}"

    bad = False
    ranges, branches, mispredicted = read_preaggregated(path)
    wanted = (counts.ranges, counts.branches, counts.mispredicted)
    for what, found, truth in zip(("range", "branch", "mispredicted"), (ranges, branches, mispredicted), wanted):
        if what == "mispredicted" and not found:
            continue
        for pair in sorted(found.keys() | truth.keys(), key=lambda p: [a or 0 for a in p]):
            if found[pair] != truth[pair]:
                bad = True
                print(f"{what} {text(pair[0])} {text(pair[1])}: {found[pair]}, truth {truth[pair]}")
    return bad


def drop_stubs(path, binary):
    def place(word):
        return (int(word, 16) + binary.base) % 2 ** 64

    parts = [[]]
    with open(path, encoding="utf-8") as lines:
        for line in lines.read().split():
            if ":" not in line:
                parts.append([])
                continue
            places = [place(word) for word in line.split(":")[0].replace("->", "-").split("-")]
            if not any(at in stub for at in places for stub in binary.stubs):
                parts[-1].append(line)
    for rows in parts[1:]:
        print(len(rows), *rows, sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("log")
    parser.add_argument("binary")
    parser.add_argument("--preagg")
    parser.add_argument("--drop-stubs")
    options = parser.parse_args()
    binary = Binary(options.binary, options.preagg is not None)
    if options.drop_stubs:
        drop_stubs(options.drop_stubs, binary)
        return
    counts = read(options.log, binary)
    if options.preagg:
        sys.exit(compare(options.preagg, counts))
    print_unsymbolized(counts)


if __name__ == "__main__":
    main()
