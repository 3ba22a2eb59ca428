#!/usr/bin/env python3
"""collect.py CASE [--from DIR]... [--kallsyms FILE] [--maps DIR] [--whole REGEX]

Puts beside the recordings of a case (CASE/*.data) what they need to resolve the same on any machine:
CASE/root/PATH (the mapped ELF files that samples hit), CASE/kallsyms, CASE/vdso.so and
CASE/perf-PID.map. Files are cut to what the samples touch: ELF files keep their program headers,
their notes and the symbols around every sampled address (cut_elf), kallsyms the symbols around every
sampled kernel address. Where stacks were copied, every word of them counts as an address, and ELF
files keep the call frame information of the functions that were hit. Files whose path matches --whole are copied as they are, so that their debug
information stays. Files are looked for below each --from DIR (default /) in turn.
"""
import argparse, bisect, glob, os, re, shutil, struct, subprocess

CONTEXT_MAX = 0xfffffffffffff001          # PERF_CONTEXT_* marks in a call chain
CONTEXT_KERNEL = 0xffffffffffffff80
PERF_SAMPLE = dict(IP=1, TID=2, TIME=4, ADDR=8, READ=16, CALLCHAIN=32, ID=64, CPU=128, PERIOD=256,
                   STREAM_ID=512, REGS_USER=1 << 12, STACK_USER=1 << 13, IDENTIFIER=1 << 16)


class Recording:
    """The executable mappings and the sampled addresses of uncompressed perf.data files."""

    def __init__(self, paths):
        self.maps, self.user, self.kernel, self.jit_pids = set(), set(), set(), set()
        self.copied_stacks = False
        for path in paths:
            self.read(path)

    def read(self, path):
        b = open(path, 'rb').read()
        attr_size, attrs_off, attrs_size, data_off, data_size = struct.unpack_from('<5Q', b, 16)
        self.layouts = {}                  # of an event id: sample_type, read_format
        for at in range(attrs_off, attrs_off + attrs_size, attr_size):
            layout = struct.unpack_from('<QQ', b, at + 24) + struct.unpack_from('<Q', b, at + 80)
            ids_off, ids_size = struct.unpack_from('<QQ', b, at + attr_size - 16)
            for i in range(ids_off, ids_off + ids_size, 8):
                self.layouts[struct.unpack_from('<Q', b, i)[0]] = layout
        self.layout = layout
        if data_size == 0:
            data_size = len(b) - data_off
        at, end = data_off, min(len(b), data_off + data_size)
        while at + 8 <= end:
            kind, misc, size = struct.unpack_from('<IHH', b, at)
            if size < 8:
                break
            if kind in (1, 10):
                self.mapping(b, at, size, kind, misc)
            elif kind == 9:
                self.sample(b, at + 8, misc)
            at += size

    def mapping(self, b, at, size, kind, misc):
        pid, tid, start, length, pgoff = struct.unpack_from('<iiQQQ', b, at + 8)
        name_at = at + (40 if kind == 1 else 72)
        name = b[name_at:b.index(0, name_at)].decode('utf-8', 'surrogateescape')
        if pid >= 0 and start < 1 << 63:
            self.maps.add((start, start + length, pgoff, name))
            if name in ('//anon',) or name.startswith(('[anon:', '/memfd:')):
                self.jit_pids.add(pid)

    def sample(self, b, at, misc):
        st, f, regs = self.layout
        if st & PERF_SAMPLE['IDENTIFIER']:
            st, f, regs = self.layouts[struct.unpack_from('<Q', b, at)[0]]
            at += 8
        if st & PERF_SAMPLE['IP']:
            ip = struct.unpack_from('<Q', b, at)[0]
            (self.kernel if misc & 7 == 1 else self.user).add(ip)
            at += 8
        for name, size in (('TID', 8), ('TIME', 8), ('ADDR', 8), ('ID', 8), ('STREAM_ID', 8), ('CPU', 8), ('PERIOD', 8)):
            if st & PERF_SAMPLE[name]:
                at += size
        if st & PERF_SAMPLE['READ']:
            per = 1 + bool(f & 4) + bool(f & 16)
            times = 8 * (bool(f & 1) + bool(f & 2))
            if f & 8:
                n = struct.unpack_from('<Q', b, at)[0]
                at += 8 + times + 8 * per * n
            else:
                at += times + 8 * per
        if st & PERF_SAMPLE['CALLCHAIN']:
            n = struct.unpack_from('<Q', b, at)[0]
            where = self.user
            for ip in struct.unpack_from('<%dQ' % n, b, at + 8):
                if ip >= CONTEXT_MAX:
                    where = self.kernel if ip == CONTEXT_KERNEL else self.user
                else:
                    where.add(ip)
            at += 8 + 8 * n
        if st & PERF_SAMPLE['STACK_USER'] and st & PERF_SAMPLE['REGS_USER']:
            self.stack(b, at, regs)

    def stack(self, b, at, regs):
        """Every word of a copied stack may be a return address, and the ip register is one."""
        abi, = struct.unpack_from('<Q', b, at)
        if abi:
            n = bin(regs).count('1')
            self.user.update(struct.unpack_from('<%dQ' % n, b, at + 8))
            at += 8 * n
        size, = struct.unpack_from('<Q', b, at + 8)
        if size:
            self.copied_stacks = True
            self.user.update(struct.unpack_from('<%dQ' % (size // 8), b, at + 16))

    def hits(self):
        """path -> offsets in the file that samples touch (of any process: a little too many)"""
        ips = sorted(self.user | {ip - 1 for ip in self.user})
        out = {}
        for start, end, pgoff, name in self.maps:
            lo, hi = bisect.bisect_left(ips, start), bisect.bisect_left(ips, end)
            if lo < hi:
                out.setdefault(name, set()).update(ip - start + pgoff for ip in ips[lo:hi])
        return out


def around(hits, entries):
    """The entries (start, end, ...) that cover a hit or are its neighbours; equal starts stay together."""
    entries = sorted(entries, key=lambda e: e[:2])
    starts = [e[0] for e in entries]
    keep = set()
    for hit in hits:
        i = bisect.bisect_right(starts, hit)
        if i:
            keep.update(range(bisect.bisect_left(starts, starts[i - 1]), i))
            before = bisect.bisect_left(starts, starts[i - 1])
            if before:
                keep.update(range(bisect.bisect_left(starts, starts[before - 1]), before))
        if i < len(starts):
            keep.update(range(i, bisect.bisect_right(starts, starts[i])))
    wide = [i for i, e in enumerate(entries) if e[1] - e[0] > 64]
    ordered = sorted(hits)
    for i in wide:                         # a symbol that begins far below and reaches over the hit
        j = bisect.bisect_left(ordered, entries[i][0])
        if j < len(ordered) and ordered[j] < entries[i][1]:
            keep.add(i)
    return [entries[i] for i in sorted(keep)]


class Elf:
    def __init__(self, path):
        self.b = open(path, 'rb').read()
        b = self.b
        if b[:4] != b'\x7fELF' or b[4] != 2 or b[5] != 1:
            raise ValueError(path + ': not a 64-bit little-endian ELF file')
        self.phoff, self.shoff = struct.unpack_from('<QQ', b, 32)
        self.phnum, _, self.shnum, self.shstr = struct.unpack_from('<HHHH', b, 56)
        self.ph = [struct.unpack_from('<IIQQQQQQ', b, self.phoff + 56 * i) for i in range(self.phnum)]
        self.sh = [list(struct.unpack_from('<IIQQQQIIQQ', b, self.shoff + 64 * i)) for i in range(self.shnum)]
        strings = self.sh[self.shstr][4]
        self.names = [self.string(strings + s[0]) for s in self.sh]

    def string(self, at):
        return self.b[at:self.b.index(0, at)]

    def symbols(self, section_type):
        """(value, size, name, raw entry) of every symbol of the section"""
        for s in self.sh:
            if s[1] != section_type or not s[5]:
                continue
            strings = self.sh[s[6]][4]
            for at in range(s[4] + 24, s[4] + s[5], 24):
                entry = struct.unpack_from('<IBBHQQ', self.b, at)
                if entry[3] and entry[4]:
                    yield entry[4], entry[5], self.string(strings + entry[0]), entry


def cut_elf(src, dst, offsets, debug, keep_frames):
    elf = Elf(src)
    loads = [p for p in elf.ph if p[0] == 1]

    def address(offset):
        for p in loads:
            if p[2] <= offset < p[2] + p[5]:
                return offset - p[2] + p[3]
        return offset
    hits = {address(o) for o in offsets}
    source = list((Elf(debug) if debug else elf).symbols(2)) or list(elf.symbols(2))
    source += list(elf.symbols(11))
    kept, seen = [], set()
    for value, end, name, entry in around(hits, [(v, v + n, name, e) for v, n, name, e in source]):
        if (value, name) not in seen:
            seen.add((value, name))
            kept.append((name, entry))
    plt = [s for s, n in zip(elf.sh, elf.names) if n.startswith(b'.plt')]
    plt_hit = any(s[3] <= h < s[3] + s[5] for s in plt for h in hits)
    write_cut(elf, dst, kept, plt_hit, frames_of(elf, hits) if keep_frames else {})


def frames_of(elf, hits):
    """.eh_frame and its header; entries of functions without a hit lose their instructions."""
    section = dict(zip(elf.names, elf.sh))
    if b'.eh_frame' not in section:
        return {}
    s, ordered = section[b'.eh_frame'], sorted(hits)
    data, at = bytearray(elf.b[s[4]:s[4] + s[5]]), 0
    while at + 8 <= len(data):
        length, cie = struct.unpack_from('<II', data, at)
        if not length or length == 0xffffffff:
            break
        end = at + 4 + length
        if cie:
            start, size = struct.unpack_from('<iI', data, at + 8) # relative to itself: what gcc writes
            start += s[3] + at + 8
            i = bisect.bisect_left(ordered, start)
            if i == len(ordered) or ordered[i] > start + size:
                data[at + 17:end] = bytes(end - at - 17)
        at = end
    out = {b'.eh_frame': bytes(data)}
    if b'.eh_frame_hdr' in section:
        h = section[b'.eh_frame_hdr']
        out[b'.eh_frame_hdr'] = elf.b[h[4]:h[4] + h[5]]
    return out


def plt_sections(elf):
    """.rela.plt with just the dynamic symbols that it names: they name the entries of the PLT."""
    section = dict(zip(elf.names, elf.sh))
    rela, dynsym = section[b'.rela.plt'], section[b'.dynsym']
    strings_at = section[b'.dynstr'][4]
    table, strings, relocations, number = bytearray(24), bytearray(b'\0'), bytearray(), {0: 0}
    for at in range(rela[4], rela[4] + rela[5], 24):
        offset, info, addend = struct.unpack_from('<QQq', elf.b, at)
        symbol = info >> 32
        if symbol not in number:
            number[symbol] = len(number)
            e = struct.unpack_from('<IBBHQQ', elf.b, dynsym[4] + 24 * symbol)
            table += struct.pack('<IBBHQQ', len(strings), *e[1:])
            strings += elf.string(strings_at + e[0]) + b'\0'
        relocations += struct.pack('<QQq', offset, number[symbol] << 32 | info & 0xffffffff, addend)
    return {b'.dynsym': bytes(table), b'.dynstr': bytes(strings), b'.rela.plt': bytes(relocations)}


def write_cut(elf, dst, kept, plt_hit, in_place):
    """Allocated sections become NOBITS (as in a debug file) unless they are notes or name the PLT."""
    out = bytearray(elf.b[:elf.phoff + 56 * elf.phnum])
    names, sections = bytearray(b'\0'), []
    alloc = max([i for i, s in enumerate(elf.sh) if s[2] & 2] + [0]) + 1

    def put(data, align=8):
        out.extend(bytes(-len(out) % align))
        at = len(out)
        out.extend(data)
        return at

    def add(name, section):
        section[0] = len(names)
        names.extend(name + b'\0')
        sections.append(section)
    note_end = max([s[4] + s[5] for s in elf.sh if s[1] == 7 and s[4] < 0x2000] + [0])
    if note_end > len(out):
        out.extend(bytes(note_end - len(out)))
    for s in elf.sh:
        if s[1] == 7 and s[4] < 0x2000:
            out[s[4]:s[4] + s[5]] = elf.b[s[4]:s[4] + s[5]]
    for i, name in enumerate(elf.names): # found through a program header: where they were
        if name in in_place:
            end = elf.sh[i][4] + elf.sh[i][5]
            out.extend(bytes(max(0, end - len(out))))
            out[elf.sh[i][4]:end] = in_place[name]
    plt = plt_sections(elf) if plt_hit else {}
    for i in range(alloc):
        s = list(elf.sh[i])
        if elf.names[i] in plt:
            s[4] = put(plt[elf.names[i]])
            s[5] = len(plt[elf.names[i]])
        elif i and elf.names[i] not in in_place and not (s[1] == 7 and s[4] < 0x2000):
            s[1] = 8
        add(elf.names[i], s)
    strings, table = bytearray(b'\0'), bytearray(24)
    for name, e in sorted(kept, key=lambda k: (k[1][1] >> 4 != 0, k[1][4])):
        table += struct.pack('<IBBHQQ', len(strings), *e[1:])
        strings += name + b'\0'
    local = 1 + sum(1 for _, e in kept if e[1] >> 4 == 0)
    add(b'.symtab', [0, 2, 0, 0, put(table), len(table), len(sections) + 1, local, 8, 24])
    add(b'.strtab', [0, 3, 0, 0, put(strings, 1), len(strings), 0, 0, 1, 0])
    add(b'.shstrtab', [0, 3, 0, 0, 0, 0, 0, 0, 1, 0])
    sections[-1][4:6] = [put(names, 1), len(names)]
    shoff = put(b''.join(struct.pack('<IIQQQQIIQQ', *s) for s in sections))
    struct.pack_into('<Q', out, 40, shoff)
    struct.pack_into('<HH', out, 60, len(sections), len(sections) - 1)
    os.makedirs(os.path.dirname(dst), exist_ok=True)
    open(dst, 'wb').write(out)


def find_debug(path, roots):
    notes = subprocess.run(['readelf', '-n', path], capture_output=True, text=True).stdout
    m = re.search(r'Build ID: ([0-9a-f]+)', notes)
    for root in roots if m else []:
        f = f'{root}/usr/lib/debug/.build-id/{m[1][:2]}/{m[1][2:]}.debug'
        if os.path.exists(f):
            return f
    return None


def collect_files(case, recording, roots, whole):
    for name, offsets in sorted(recording.hits().items()):
        path = name[:-10] if name.endswith(' (deleted)') else name
        if not path.startswith('/') or path.startswith(('//', '/memfd:', '/SYSV', '/dev/')):
            continue
        found = [r + path for r in roots if os.path.isfile(r + path)]
        if not found:
            print(f'  {name}: not found')
            continue
        head = open(found[0], 'rb').read(5)
        if head[:4] != b'\x7fELF':        # data, mapped as well while stacks are copied
            continue
        dst = f'{case}/root{path}'
        if whole and re.search(whole, path) or head[4] != 2:
            os.makedirs(os.path.dirname(dst), exist_ok=True)
            shutil.copyfile(found[0], dst)
        else:
            cut_elf(found[0], dst, offsets, find_debug(found[0], roots), recording.copied_stacks)


def collect_kallsyms(case, recording, source):
    if not recording.kernel:
        return
    entries = []
    for number, line in enumerate(open(source)):
        at = int(line.split()[0], 16)
        entries.append((at, at, line, number))
    hits = recording.kernel | {ip - 1 for ip in recording.kernel}
    keep = set(around(hits, entries))
    keep.update(e for e in entries if e[2].split()[2] in ('_text', '_stext', '_etext'))
    with open(f'{case}/kallsyms', 'w') as f:
        f.writelines(e[2] for e in sorted(keep, key=lambda e: e[3]))


def collect_vdso(case, recording):
    """The vdso is no file: this process's own, which is the recorded one on the recording machine."""
    if '[vdso]' not in recording.hits():
        return
    start, end = re.search(r'([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]', open('/proc/self/maps').read()).groups()
    with open('/proc/self/mem', 'rb') as mem, open(f'{case}/vdso.so', 'wb') as out:
        mem.seek(int(start, 16))
        out.write(mem.read(int(end, 16) - int(start, 16)))


def collect_maps(case, recording, folder):
    for pid in sorted(recording.jit_pids):
        for f in glob.glob(f'{folder}/perf-{pid}.map'):
            shutil.copy(f, case)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('case')
    ap.add_argument('--from', dest='roots', action='append')
    ap.add_argument('--kallsyms', default='/proc/kallsyms')
    ap.add_argument('--maps', default='/tmp')
    ap.add_argument('--whole')
    a = ap.parse_args()
    recording = Recording(sorted(glob.glob(f'{a.case}/*.data')))
    collect_files(a.case, recording, [r.rstrip('/') for r in a.roots or ['/']], a.whole)
    collect_kallsyms(a.case, recording, a.kallsyms)
    collect_vdso(a.case, recording)
    collect_maps(a.case, recording, a.maps)


main()
