#!/usr/bin/env python3
"""odd.py [FOLDER]: writes the recordings of testdata/perfdata/odd-*, byte by byte.

They hold what perf does not write, or not on purpose. Only their author needs this; expected.* are
written by scripts/golden.sh --bless.
"""
import os
import struct
import sys

MMAP, COMM, SAMPLE, UNKNOWN = 1, 3, 9, 200
USER_MODE = 2
USER_MARK = 2**64 - 512
IP, TID, TIME, PERIOD, CALLCHAIN = 1, 2, 4, 256, 32
SAMPLE_ID_ALL = 1 << 18


def words(*values):
    return struct.pack('<%dQ' % len(values), *values)


def record(kind, body, size=None):
    return struct.pack('<IHH', kind, USER_MODE, size or 8 + len(body)) + body


def text(name):
    name += b'\0'
    return name + b'\0' * (-len(name) % 8)


def trailer(pid, time):
    return struct.pack('<IIQ', pid, pid, time)


def comm(pid, name):
    return record(COMM, struct.pack('<II', pid, pid) + text(name) + trailer(pid, 0))


def mmap(pid, start, path):
    head = struct.pack('<IIQQQ', pid, pid, start, 0x1000, 0)
    return record(MMAP, head + text(path) + trailer(pid, 0))


def sample(pid, time, *chain, n=None, size=None, kind=SAMPLE):
    ips = (USER_MARK,) + chain
    head = struct.pack('<QIIQQQ', chain[0], pid, pid, time, 1, len(ips) if n is None else n)
    return record(kind, head + words(*ips), size)


def recording(*records):
    """A file of one event, cpu-clock:u, that samples every nanosecond."""
    data = b''.join(records)
    kinds = IP | TID | TIME | PERIOD | CALLCHAIN
    attr = struct.pack('<IIQQQQQ', 1, 64, 0, 1, kinds, 0, SAMPLE_ID_ALL) + b'\0' * 16
    header = b'PERFILE2' + words(104, len(attr) + 16, 104, len(attr) + 16)
    header += words(104 + len(attr) + 16, len(data), 0, 0, 0, 0, 0, 0)
    return header + attr + words(0, 0) + data


def names():
    hostile = [b'a;b c', b'new\nline', b'\x1b[31mred', b'not utf-8 \xff\xc0\x80',
               'turned \u202earound'.encode(), b'<script>&"\'', b'', b':-1', b'number 12',
               b'n' * 200]
    records = []
    for i, name in enumerate(hostile):
        pid = 100 + i
        records += [comm(pid, name), mmap(pid, 0x1000, b'/lib/odd ' + name)]
        records.append(sample(pid, 10 + i, 0x1010))
    return recording(*records)


def damage():
    start = [comm(7, b'main'), mmap(7, 0x1000, b'/bin/main')]
    good = [sample(7, 10 + i, 0x1010, 0x1020) for i in range(10)]
    bad = [sample(7, 30, 0x1010, size=60000), sample(7, 31, 0x1010, n=2**40),
           sample(7, 32, 0x1010, kind=UNKNOWN), sample(7, 33, 0x1010, size=4)]
    mixed = [r for pair in zip(good, bad) for r in pair] + good[len(bad):]
    return recording(*start, *mixed)[:-20]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else 'testdata/perfdata'
    cases = {'odd-names': names(), 'odd-damage': damage(), 'odd-strict': damage(), 'odd-empty': b''}
    for case, content in cases.items():
        os.makedirs(os.path.join(folder, case), exist_ok=True)
        with open(os.path.join(folder, case, 'input.perf.data'), 'wb') as f:
            f.write(content)


main()
