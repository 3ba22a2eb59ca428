#!/usr/bin/env python3
"""simpleperf.py RECORDING PROGRAM OUTPUT [FUNCTION]

Writes a recording of perf again as Android's simpleperf would have: the calls instead of the return
addresses in call chains, and the symbols of PROGRAM (read by nm) in a section of the recording, at
addresses that are not their places in the file. FUNCTION becomes code that a Java runtime has compiled: it is mapped
from a file of its own, whose symbol has the address in memory.
"""
import os, struct, subprocess, sys

SAMPLE_CALLCHAIN, BEFORE_CHAIN = 32, (1 << 16, 1, 2, 4, 8, 64, 512, 128, 256)
CONTEXT_MAX, MOVED = 0xfffffffffffff001, 0x10000
GENERATED, PROT_JIT_SYMFILE_MAP = '/data/local/tmp/perf.data_jit_app_cache:1040-2080', 0x4000


def adjust(b, at, sample_type):
    at += 8 + 8 * sum(1 for bit in BEFORE_CHAIN if sample_type & bit)
    n, exact = struct.unpack_from('<Q', b, at)[0], True
    for at in range(at + 8, at + 8 + 8 * n, 8):
        ip = struct.unpack_from('<Q', b, at)[0]
        if ip >= CONTEXT_MAX or exact:
            exact = ip >= CONTEXT_MAX
        else:
            struct.pack_into('<Q', b, at, max(ip, 1) - 1)


def varint(v):
    return bytes([v & 127 | 128]) + varint(v >> 7) if v > 127 else bytes([v])


def number(field, v):
    return varint(field << 3) + varint(v)


def message(field, b):
    return varint(field << 3 | 2) + varint(len(b)) + b


def symbol_message(address, size, name):
    return message(4, number(1, address) + number(2, size) + message(3, name.encode()))


def file_message(path, min_vaddr, offset, symbols):
    b = message(1, path.encode()) + number(2, 2) + number(3, min_vaddr) + symbols + message(6, number(1, offset))
    return struct.pack('<I', len(b)) + b


def functions_of(program):
    for line in subprocess.check_output(['nm', '-S', program], text=True).splitlines():
        word = line.split()
        if len(word) == 4 and word[2] in 'tT':
            yield word[3], int(word[0], 16), int(word[1], 16)


def file_section(program, path):
    symbols = b''.join(symbol_message(start + MOVED, size, name) for name, start, size in functions_of(program))
    return file_message(path, 0x1000 + MOVED, 0x1000, symbols)


def generated_mapping(record, start, size):
    """A record MMAP2 after that of the program."""
    path = record[72:].index(0) // 8 * 8 + 8
    name = GENERATED.encode() + bytes(8 - len(GENERATED) % 8)
    b = bytearray(record[:72]) + name + record[72 + path:]
    struct.pack_into('<H', b, 6, len(b))
    struct.pack_into('<3Q', b, 16, start, size, 0)
    struct.pack_into('<I', b, 64, PROT_JIT_SYMFILE_MAP)
    return b


def generate(b, program, function):
    """Maps a function as generated code. The recording, and the section about it."""
    data_at, data_size = struct.unpack_from('<2Q', b, 40)
    _, address, size = next(f for f in functions_of(program) if f[0] == function)
    at = data_at
    while os.path.basename(program).encode() not in b[at:at + struct.unpack_from('<H', b, at + 6)[0]] or b[at] != 10:
        at += struct.unpack_from('<H', b, at + 6)[0]
    end = at + struct.unpack_from('<H', b, at + 6)[0]
    mapped, _, offset = struct.unpack_from('<3Q', b, at + 16)
    record = generated_mapping(b[at:end], mapped + address - offset, size)
    struct.pack_into('<Q', b, 48, data_size + len(record))
    symbol = symbol_message(mapped + address - offset, size, 'long com.example.Spin.%s(int, long[])' % function)
    return b[:end] + record + b[end:], file_message(GENERATED, 0, 0, symbol)


def main(recording, program, output, function=None):
    b, section = bytearray(open(recording, 'rb').read()), b''
    if function:
        b, section = generate(b, program, function)
    attrs_at, _, data_at, data_size = struct.unpack_from('<4Q', b, 24)
    sample_type = struct.unpack_from('<Q', b, attrs_at + 24)[0]
    at, end = data_at, data_at + data_size
    path = None
    while at < end:
        kind, _, size = struct.unpack_from('<IHH', b, at)
        if kind == 9:
            adjust(b, at, sample_type)
        if kind == 10 and not path:
            name = b[at + 72:b.index(0, at + 72)].decode()
            path = name if os.path.basename(name) == os.path.basename(program) else None
        at += size
    info = b'simpleperf_version\x001.build.1\x00event_type_info\x00cpu-clock,1,0\n\x00'
    sections = ((129, info), (132, file_section(program, path) + section))
    b = b[:end]
    at = end + 16 * len(sections)
    for _, section in sections:
        b += struct.pack('<QQ', at, len(section))
        at += len(section)
    for _, section in sections:
        b += section
    bits = sum(1 << feature for feature, _ in sections)
    b[72:104] = bits.to_bytes(32, 'little')
    open(output, 'wb').write(b)


main(*sys.argv[1:])
