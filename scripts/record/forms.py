#!/usr/bin/env python3
"""forms.py FILE: writes the recording FILE in the other forms of perf.data, beside it.

    forms.py input.perf.data

    input.pipe.data                       as perf record -o - writes it
    input.folder/                         as perf record --threads: a file for each processor
    input.z1.data input.z9.data input.z19.data    as perf record -z=LEVEL
    input.swapped.data                    as perf on a machine of the other byte order
    input.perf.data.gz input.perf.data.zst        packed as a whole

FILE is a plain file of perf record in little endian. perf script prints the same of all but the last
two. Sections that say nothing about the samples (caches, topology, PMUs) are left out where they would
have to be swapped.
"""
import ctypes, gzip, os, struct, subprocess, sys

MMAP, LOST, COMM, EXIT, FORK, SAMPLE, MMAP2, KSYMBOL, BPF_EVENT = 1, 2, 3, 4, 7, 9, 10, 17, 18
HEADER_ATTR, BUILD_ID, ID_INDEX, FINISHED_ROUND, THREAD_MAP, CPU_MAP = 64, 67, 69, 68, 73, 74
EVENT_UPDATE, TIME_CONV, HEADER_FEATURE, COMPRESSED, FINISHED_INIT = 78, 79, 80, 81, 82
IP, TID, TIME, CALLCHAIN, ID, CPU, PERIOD, IDENTIFIER = 1, 2, 4, 32, 64, 128, 256, 1 << 16
SECTION_BUILD_ID, SECTION_EVENT_DESC, SECTION_DIR_FORMAT, SECTION_COMPRESSED = 2, 12, 24, 27
MMAP_BUILD_ID = 1 << 14                  # in misc
ATTRIBUTE = 'IIQQQQ FIIQQQQIiQIHHIIQ'    # F: the flags, a bit field


class Recording:
    def __init__(self, path):
        b = open(path, 'rb').read()
        assert b[:8] == b'PERFILE2', path
        self.attr_size, at, n, data_at, data_size = struct.unpack_from('<5Q', b, 16)
        bits = int.from_bytes(b[72:104], 'little')
        self.attrs = []                   # (attribute, ids)
        for i in range(at, at + n, self.attr_size):
            where, size = struct.unpack_from('<QQ', b, i + self.attr_size - 16)
            self.attrs.append((b[i:i + self.attr_size - 16], b[where:where + size]))
        self.records = []
        i = data_at
        while i < data_at + data_size:
            size = struct.unpack_from('<H', b, i + 6)[0]
            self.records.append(b[i:i + size])
            i += size
        self.sections = {}
        i = data_at + data_size
        for bit in (k for k in range(256) if bits >> k & 1):
            where, size = struct.unpack_from('<QQ', b, i)
            self.sections[bit] = b[where:where + size]
            i += 16
        self.sample_type = struct.unpack_from('<Q', self.attrs[0][0], 24)[0]


def kind_of(record):
    return struct.unpack_from('<I', record)[0]


def record_of(kind, body, misc=0):
    return struct.pack('<IHH', kind, misc, 8 + len(body)) + body


# ---- the file and the pipe

def file_of(attrs, data, sections, order='<'):
    ids_at = 104
    attrs_at = ids_at + sum(len(ids) for _, ids in attrs)
    entry = len(attrs[0][0]) + 16
    data_at = attrs_at + entry * len(attrs)
    magic = int.from_bytes(b'PERFILE2', 'little')
    out = [struct.pack(order + 'Q8Q', magic, 104, entry, attrs_at, entry * len(attrs), data_at,
                       len(data), 0, 0)]
    bits = sum(1 << bit for bit in sections)
    out.append(struct.pack(order + '4Q', *(bits >> k & (1 << 64) - 1 for k in (0, 64, 128, 192))))
    out += [ids for _, ids in attrs]
    for attr, ids in attrs:
        out += [attr, struct.pack(order + 'QQ', ids_at, len(ids))]
        ids_at += len(ids)
    out.append(data)
    at = data_at + len(data) + 16 * len(sections)
    for bit in sorted(sections):
        out.append(struct.pack(order + 'QQ', at, len(sections[bit])))
        at += len(sections[bit])
    return b''.join(out + [sections[bit] for bit in sorted(sections)])


def pipe_of(r):
    out = [b'PERFILE2' + struct.pack('<Q', 16)]
    out += [record_of(HEADER_ATTR, attr + ids) for attr, ids in r.attrs]
    out += [record_of(HEADER_FEATURE, struct.pack('<Q', bit) + section)
            for bit, section in r.sections.items() if bit != SECTION_BUILD_ID]
    build_ids, at = r.sections.get(SECTION_BUILD_ID, b''), 0
    out += r.records
    while at < len(build_ids):
        misc, size = struct.unpack_from('<HH', build_ids, at + 4)
        out.append(record_of(BUILD_ID, build_ids[at + 8:at + size], misc))
        at += size
    return b''.join(out)


# ---- the directory

def after_start(r):
    """What perf synthesized comes first, in one piece."""
    kinds = [kind_of(record) for record in r.records]
    return kinds.index(FINISHED_INIT) + 1


def cpu_of(r, record):
    if kind_of(record) >= 64:
        return 0
    if kind_of(record) != SAMPLE:
        back = 8 if not r.sample_type & IDENTIFIER else 16
        return struct.unpack_from('<I', record, len(record) - back)[0]
    before = IDENTIFIER | IP | TID | TIME | ID
    return struct.unpack_from('<I', record, 8 + 8 * bin(r.sample_type & before).count('1'))[0]


def write_folder(r, folder):
    os.makedirs(folder, exist_ok=True)
    start = after_start(r)
    sections = dict(r.sections)
    sections[SECTION_DIR_FORMAT] = struct.pack('<Q', 1)
    write(folder + '/data', file_of(r.attrs, b''.join(r.records[:start]), sections))
    by_cpu = {}
    for record in r.records[start:]:
        by_cpu.setdefault(cpu_of(r, record), []).append(record)
    assert len(by_cpu) > 1, 'a recording of one processor'
    for i, cpu in enumerate(sorted(by_cpu)):
        write(f'{folder}/data.{i}', b''.join(by_cpu[cpu]))


# ---- compressed records

class Buffer(ctypes.Structure):
    _fields_ = [('p', ctypes.c_void_p), ('size', ctypes.c_size_t), ('pos', ctypes.c_size_t)]


class Stream:
    """One zstd stream, flushed after every piece."""

    def __init__(self, level):
        self.zstd = ctypes.CDLL('libzstd.so.1')
        self.zstd.ZSTD_createCStream.restype = ctypes.c_void_p
        self.zstd.ZSTD_compressStream2.restype = ctypes.c_size_t
        self.stream = ctypes.c_void_p(self.zstd.ZSTD_createCStream())
        self.zstd.ZSTD_initCStream(self.stream, level)

    def pack(self, piece):
        room = ctypes.create_string_buffer(len(piece) + (64 << 10))
        source = ctypes.create_string_buffer(piece, len(piece))
        out = Buffer(ctypes.cast(room, ctypes.c_void_p), len(room), 0)
        into = Buffer(ctypes.cast(source, ctypes.c_void_p), len(piece), 0)
        flush = 1
        left = self.zstd.ZSTD_compressStream2(self.stream, ctypes.byref(out), ctypes.byref(into), flush)
        assert left == 0, 'no room'
        return room.raw[:out.pos]


def compressed_of(r, level):
    piece = 5000                          # perf flushes where its buffer ends, within a record
    stream, start = Stream(level), after_start(r)
    tail = b''.join(r.records[start:])
    data = b''.join(r.records[:start])
    for at in range(0, len(tail), piece):
        data += record_of(COMPRESSED, stream.pack(tail[at:at + piece]))
    sections = dict(r.sections)
    sections[SECTION_COMPRESSED] = struct.pack('<5I', 1, 1, level, 3, 128 << 12)
    return file_of(r.attrs, data, sections)


# ---- the other byte order

def swap(b, fields, at=0):
    """Fields as in struct, one by one; "F" is a bit field of 8 bytes, "s" the rest as it is."""
    out = []
    for field in fields.replace(' ', ''):
        if field == 'F':
            out.append(bytes(int(f'{byte:08b}'[::-1], 2) for byte in b[at:at + 8]))
            at += 8
        elif field == 's':
            out.append(b[at:])
            at = len(b)
        else:
            out.append(struct.pack('>' + field, *struct.unpack_from('<' + field, b, at)))
            at += struct.calcsize('<' + field)
    assert at == len(b), (fields, at, len(b))
    return b''.join(out)


def sample_fields(sample_type, body):
    fields, words = '', 0
    for bit, field in ((IDENTIFIER, 'Q'), (IP, 'Q'), (TID, 'II'), (TIME, 'Q'), (ID, 'Q'), (CPU, 'II'),
                       (PERIOD, 'Q')):
        if sample_type & bit:
            fields, words = fields + field, words + 1
    assert sample_type & CALLCHAIN and not sample_type & ~(
        IDENTIFIER | IP | TID | TIME | ID | CPU | PERIOD | CALLCHAIN), hex(sample_type)
    return fields + 'Q' * (1 + struct.unpack_from('<Q', body, 8 * words)[0])


def body_fields(kind, misc, body):
    assert not (kind == MMAP2 and misc & MMAP_BUILD_ID)
    if kind == THREAD_MAP:
        return 'Q' + 'Q16B' * struct.unpack_from('<Q', body)[0]
    if kind in (ID_INDEX, TIME_CONV):
        return 'Q' * (len(body) // 8)
    if kind == CPU_MAP:
        return 'H' * (len(body) // 2)
    if kind == EVENT_UPDATE:              # of kind 3: with a map of CPUs
        of_cpus = struct.unpack_from('<Q', body)[0] == 3
        return 'QQ' + ('H' * (len(body) // 2 - 8) if of_cpus else 's')
    return {MMAP: 'IIQQQs', MMAP2: 'IIQQQIIQQIIs', COMM: 'IIs', EXIT: 'IIIIQs', FORK: 'IIIIQs',
            LOST: 'QQs', KSYMBOL: 'QIHHs', BPF_EVENT: 'HHIs', FINISHED_ROUND: '', FINISHED_INIT: ''}[kind]


def swap_record(r, record):
    kind, misc, size = struct.unpack_from('<IHH', record)
    head, body, trailer = struct.pack('>IHH', kind, misc, size), record[8:], b''
    if kind == SAMPLE:
        return head + swap(body, sample_fields(r.sample_type, body))
    if kind < 64:
        fields = ''.join(field for bit, field in ((TID, 'II'), (TIME, 'Q'), (ID, 'Q'), (CPU, 'II'),
                                                  (IDENTIFIER, 'Q')) if r.sample_type & bit)
        n = struct.calcsize('<' + fields)
        body, trailer = body[:-n], swap(body[-n:], fields)
    return head + swap(body, body_fields(kind, misc, body).replace('16B', 'B' * 16)) + trailer


def swap_attr(attr):
    return swap(attr[:struct.unpack_from('<I', attr, 4)[0]], ATTRIBUTE)


def swap_texts(b, at):
    out = b''
    while at < len(b):
        n = struct.unpack_from('<I', b, at)[0]
        out += struct.pack('>I', n) + b[at + 4:at + 4 + n]
        at += 4 + n
    return out


def swap_event_desc(b):
    n, size = struct.unpack_from('<II', b)
    out, at = struct.pack('>II', n, size), 8
    for _ in range(n):
        attr = swap_attr(b[at:at + size])
        n_ids, n_text = struct.unpack_from('<II', b, at + size)
        at += size + 8
        out += attr + struct.pack('>II', n_ids, n_text) + b[at:at + n_text]
        at += n_text
        out += swap(b[at:at + 8 * n_ids], 'Q' * n_ids)
        at += 8 * n_ids
    return out


def swap_build_ids(b):
    out, at = b'', 0
    while at < len(b):
        size = struct.unpack_from('<H', b, at + 6)[0]
        out += swap(b[at:at + size], 'IHHis')
        at += size
    return out


def swap_sections(sections):
    out = {}
    for bit, b in sections.items():
        if bit == SECTION_BUILD_ID:
            out[bit] = swap_build_ids(b)
        elif bit in (3, 4, 5, 6, 8, 9):   # host, release, version, machine, CPU
            out[bit] = swap_texts(b, 0)
        elif bit == 7:                    # number of CPUs
            out[bit] = swap(b, 'II')
        elif bit == 11:                   # command line
            out[bit] = swap(b[:4], 'I') + swap_texts(b, 4)
        elif bit == SECTION_EVENT_DESC:
            out[bit] = swap_event_desc(b)
    return out


def swapped_of(r):
    attrs = [(swap_attr(attr), swap(ids, 'Q' * (len(ids) // 8))) for attr, ids in r.attrs]
    return file_of(attrs, b''.join(swap_record(r, record) for record in r.records),
                   swap_sections(r.sections), '>')


# ----

def write(path, b):
    with open(path, 'wb') as f:
        f.write(b)


def main(path):
    r, stem = Recording(path), path.removesuffix('.perf.data')
    write(stem + '.pipe.data', pipe_of(r))
    write_folder(r, stem + '.folder')
    for level in (1, 9, 19):
        write(f'{stem}.z{level}.data', compressed_of(r, level))
    write(stem + '.swapped.data', swapped_of(r))
    write(path + '.gz', gzip.compress(open(path, 'rb').read(), 9, mtime=0))
    subprocess.run(['zstd', '-qf19', path, '-o', path + '.zst'], check=True)


main(*sys.argv[1:])
