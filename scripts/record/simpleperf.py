#!/usr/bin/env python3
"""simpleperf.py RECORDING PROGRAM OUTPUT

Writes a recording of perf again as Android's simpleperf would have: the calls instead of the return
addresses in call chains, and the symbols of PROGRAM (read by nm) in a section of the recording, at
addresses that are not their places in the file.
"""
import os, struct, subprocess, sys

SAMPLE_CALLCHAIN, BEFORE_CHAIN = 32, (1 << 16, 1, 2, 4, 8, 64, 512, 128, 256)
CONTEXT_MAX, MOVED = 0xfffffffffffff001, 0x10000


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


def file_section(program, path):
    symbols = b''
    for line in subprocess.check_output(['nm', '-S', program], text=True).splitlines():
        word = line.split()
        if len(word) == 4 and word[2] in 'tT':
            symbols += message(4, number(1, int(word[0], 16) + MOVED) + number(2, int(word[1], 16))
                               + message(3, word[3].encode()))
    b = (message(1, path.encode()) + number(2, 2) + number(3, 0x1000 + MOVED) + symbols
         + message(6, number(1, 0x1000)))
    return struct.pack('<I', len(b)) + b


def main(recording, program, output):
    b = bytearray(open(recording, 'rb').read())
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
    sections = ((129, info), (132, file_section(program, path)))
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
