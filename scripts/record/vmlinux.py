#!/usr/bin/env python3
"""vmlinux.py FOLDER: writes a kernel with inlined functions, and a recording of it.

    vmlinux.py testdata/kernel/vmlinux

    vmlinux             inlines.cpp and other.cpp of testdata/elf/inlines, linked where kernels are
    input.perf.data     samples in it, 0x200000 higher than it was linked (KASLR), byte by byte

Only their author needs this: a kernel with debug information has hundreds of megabytes.
"""
import os
import struct
import subprocess
import sys

MMAP, SAMPLE = 1, 9
KERNEL_MODE = 1
KERNEL_MARK = 2**64 - 128
IP, TID, TIME, PERIOD, CALLCHAIN = 1, 2, 4, 256, 32
BUILD_ID = 2  # a section
LINKED = 0xffffffff81000000
SLIDE = 0x200000
SOURCES = ['testdata/elf/inlines/inlines.cpp', 'testdata/elf/inlines/other.cpp']


# The linker puts this section first.
START = '.section .text.unlikely,"ax"\n.globl _text, _stext\n_text:\n_stext:\n'


def run(*words, given=''):
    return subprocess.run(words, check=True, capture_output=True, text=True, input=given).stdout


def build(program):
    run('g++', '-O2', '-g', '-mcmodel=kernel', '-fno-pic', '-no-pie', '-nostdlib', '-static',
        '-fno-asynchronous-unwind-tables', '-ffile-prefix-map=' + os.getcwd() + '=/src',
        '-Wl,-Ttext=%#x,-e,main,--build-id=sha1' % LINKED, *SOURCES, '-x', 'assembler', '-',
        '-o', program, given=START)


def symbols(program):
    """name: (address, size)"""
    rows = [line.split() for line in run('nm', '-S', program).splitlines()]
    return {row[3]: (int(row[0], 16), int(row[1], 16)) for row in rows if len(row) == 4}


def build_id_of(program):
    line = next(x for x in run('readelf', '-n', program).splitlines() if 'Build ID' in x)
    return bytes.fromhex(line.split()[-1])


def words(*values):
    return struct.pack('<%dQ' % len(values), *values)


def record(kind, body):
    return struct.pack('<IHH', kind, KERNEL_MODE, 8 + len(body)) + body


def text(name):
    name += b'\0'
    return name + b'\0' * (-len(name) % 8)


def mmap(start, size):
    head = struct.pack('<iiQQQ', -1, 0, start, size, start)
    return record(MMAP, head + text(b'[kernel.kallsyms]_text') + struct.pack('<iiQ', 0, 0, 0))


def sample(time, *chain):
    chain = [address + SLIDE for address in chain]
    head = struct.pack('<QIIQQQ', chain[0], 7, 7, time, 1, len(chain) + 1)
    return record(SAMPLE, head + words(KERNEL_MARK, *chain))


def recording(build_id, *records):
    data = b''.join(records)
    attr = struct.pack('<IIQQQQQ', 1, 64, 0, 1, IP | TID | TIME | PERIOD | CALLCHAIN, 0, 1 << 18)
    attr += b'\0' * 16
    attrs_size = len(attr) + 16
    data_at = 104 + attrs_size
    name = text(b'[kernel.kallsyms]').ljust(64, b'\0')
    entry = struct.pack('<IHHi', 0, KERNEL_MODE, 36 + len(name), -1)
    entry += build_id + bytes([len(build_id), 0, 0, 0]) + name
    header = b'PERFILE2' + words(104, attrs_size, 104, attrs_size, data_at, len(data), 0, 0)
    header += words(1 << BUILD_ID, 0, 0, 0)
    section = words(data_at + len(data) + 16, len(entry))
    return header + attr + words(0, 0) + data + section + entry


def main(folder):
    program = os.path.join(folder, 'vmlinux')
    build(program)
    places = symbols(program)
    work, size = places['_Z4worki']
    caller, caller_size = places['main']
    other, other_size = places['_Z5otheri']
    chains = [(address, caller + caller_size - 1) for address in range(work, work + size, 3)]
    chains += [(address, work + 5) for address in range(other, other + other_size, 5)]
    samples = [sample(10 + i, *chain) for i, chain in enumerate(chains)]
    with open(os.path.join(folder, 'input.perf.data'), 'wb') as f:
        f.write(recording(build_id_of(program), mmap(LINKED + SLIDE, 0x400000), *samples))


main(sys.argv[1])
