#!/usr/bin/env python3
"""branches.py [FOLDER]: writes the recordings of testdata/branches/, byte by byte, and their binaries.

They hold branch stacks that no machine has to be found for: entries of the kernel, from other files,
backwards, doubled, empty. Only their author needs this; expected.* are written by scripts/golden.sh
--bless.
"""
import os
import struct
import sys

MMAP, COMM, SAMPLE = 1, 3, 9
KERNEL_MODE, USER_MODE = 1, 2
IP, TID, TIME, PERIOD, BRANCHES = 1, 2, 4, 256, 2048
SAMPLE_ID_ALL = 1 << 18
BRANCH_USER, BRANCH_ANY, BRANCH_HW_INDEX = 1, 8, 1 << 17
CODE_OFFSET, CODE_BYTES, BASE = 0x200, 0x100, 0x400000
PROGRAM, LIBRARY, KERNEL = 0x555555554000, 0x7ffff7fc0000, 0xffffffff81000000
MISPREDICTED, PREDICTED = 1, 2


def words(*values):
    return struct.pack('<%dQ' % len(values), *values)


def record(kind, body, mode=USER_MODE):
    return struct.pack('<IHH', kind, mode, 8 + len(body)) + body


def text(name):
    name += b'\0'
    return name + b'\0' * (-len(name) % 8)


def trailer(pid, time):
    return struct.pack('<IIQ', pid, pid, time)


def comm(pid, name):
    return record(COMM, struct.pack('<II', pid, pid) + text(name) + trailer(pid, 0))


def mmap(pid, start, size, path, mode=USER_MODE):
    head = struct.pack('<iiQQQ', pid, pid, start, size, 0 if mode == USER_MODE else start)
    return record(MMAP, head + text(path) + trailer(0 if pid < 0 else pid, 0), mode)


def sample(time, ip, *branches):
    """branches: (from, to, flags), the newest first; None: the event has none."""
    body = struct.pack('<QIIQQ', ip, 7, 7, time, 1000)
    if branches != (None,):
        body += words(len(branches), 0) + b''.join(words(*b) for b in branches)
    return record(SAMPLE, body)


def recording(kinds, *records):
    data = b''.join(records)
    filters = BRANCH_USER | BRANCH_ANY | BRANCH_HW_INDEX if kinds & BRANCHES else 0
    attr = struct.pack('<IIQQQQQ', 0, 80, 0, 1000, kinds, 0, SAMPLE_ID_ALL) + b'\0' * 24
    attr += words(filters)
    header = b'PERFILE2' + words(104, len(attr) + 16, 104, len(attr) + 16)
    header += words(104 + len(attr) + 16, len(data), 0, 0, 0, 0, 0, 0)
    return header + attr + words(0, 0) + data


def elf(symbols):
    """A file whose code is at the offset 0x200 and the address 0x400200: {name: (start, bytes)}."""
    names, table = b'\0', b'\0' * 24
    for name, (start, size) in symbols.items():
        table += struct.pack('<IBBHQQ', len(names), 0x12, 0, 1, BASE + start, size)
        names += name.encode() + b'\0'
    sections = b'\0.text\0.symtab\0.strtab\0.shstrtab\0'
    code_end = CODE_OFFSET + CODE_BYTES
    names_at = code_end + len(table)
    sections_at = names_at + len(names)
    table_at = sections_at + len(sections) + -(sections_at + len(sections)) % 8
    head = b'\x7fELF\2\1\1' + b'\0' * 9
    head += struct.pack('<HHIQQQIHHHHHH', 2, 62, 1, BASE + CODE_OFFSET, 64, table_at, 0, 64, 56, 1,
                        64, 5, 4)
    head += struct.pack('<IIQQQQQQ', 1, 5, 0, BASE, BASE, code_end, code_end, 0x1000)
    out = head.ljust(CODE_OFFSET, b'\0') + b'\x90' * CODE_BYTES + table + names + sections
    out = out.ljust(table_at, b'\0') + b'\0' * 64
    for name, kind, flags, addr, at, size, link, entry in (
            (1, 1, 6, BASE + CODE_OFFSET, CODE_OFFSET, CODE_BYTES, 0, 0),
            (7, 2, 0, 0, code_end, len(table), 3, 24),
            (15, 3, 0, 0, names_at, len(names), 0, 0),
            (23, 3, 0, 0, sections_at, len(sections), 0, 0)):
        out += struct.pack('<IIQQQQIIQQ', name, kind, flags, addr, at, size, link, 1, 8, entry)
    return out


def at(offset):
    return PROGRAM + offset


def lib(offset):
    return LIBRARY + offset


def stacks():
    """A loop in f() that calls g(), which calls the library."""
    loop = ((at(0x2f0), at(0x240), PREDICTED), (at(0x250), at(0x280), PREDICTED),
            (at(0x230), at(0x240), MISPREDICTED))
    call = ((lib(0x220), at(0x2a5), PREDICTED), (at(0x2a0), lib(0x210), PREDICTED),
            (at(0x250), at(0x280), PREDICTED))
    interrupt = ((at(0x230), at(0x240), PREDICTED), (KERNEL + 0x10, at(0x228), 0),
                 (at(0x260), at(0x220), PREDICTED))
    doubled = ((at(0x230), at(0x240), 0), (at(0x210), at(0x270), 0), (at(0x210), at(0x270), 0))
    elsewhere = ((0x1234, at(0x200), 0), (at(0x2c0), 0x1234, 0))
    return [loop] * 5 + [call] * 3 + [interrupt] * 2 + [doubled, elsewhere, (), ((0, 0, 0),)]


def maps():
    return [mmap(-1, KERNEL, 0x1000000, b'[kernel.kallsyms]_text', KERNEL_MODE), comm(7, b'prog'),
            mmap(7, PROGRAM, 0x1000, b'/opt/prog'), mmap(7, LIBRARY, 0x1000, b'/opt/lib.so')]


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(content)


def write_case(folder, kinds, samples):
    write(os.path.join(folder, 'input.perf.data'), recording(kinds, *maps(), *samples))
    write(os.path.join(folder, 'root/opt/prog'), elf({'f': (0x200, 0x80), 'g': (0x280, 0x80)}))
    write(os.path.join(folder, 'root/opt/lib.so'), elf({'of_lib': (0x200, 0x40)}))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else 'testdata/branches'
    usual = IP | TID | TIME | PERIOD
    write_case(os.path.join(folder, 'stacks'), usual | BRANCHES,
               [sample(100 + i, at(0x240), *s) for i, s in enumerate(stacks())])
    write_case(os.path.join(folder, 'samples'), usual,
               [sample(100 + i, at(0x240 + i % 3), None) for i in range(10)])


main()
