"""An ELF file as evidence: its bytes, symbols, unwind entries, and copies of it that name nothing."""
import bisect
import lzma
import os
import re
import struct
import subprocess

PADDING = re.compile(r'^(cs |data16 |rex\.W )*(nop|int3|xchg +%ax,%ax|lea +0x0\(%[re]?(si|di),)')
ENDS = re.compile(r'^(bnd |repz |notrack )*(ret|jmp|ud2|hlt)\b')
JUMP = re.compile(r'^(?:bnd |notrack )*j[a-z]+ +([0-9a-f]+)')
TRAMPOLINES = [bytes.fromhex('48c7c00f0000000f05'), bytes.fromhex('b80f0000000f05'),
               bytes.fromhex('b8ad000000cd80'), bytes.fromhex('58b877000000cd80'), bytes.fromhex('b8ad0000000f05')]
TYPES = {0: 'label', 1: 'object', 2: 'function', 10: 'function'}
NAMES_OF_SECTIONS = {'.symtab', '.dynsym', '.gnu_debugdata', '.gnu_debuglink', '.gnu_debugaltlink', '.gopclntab',
                     '.debug_info', '.debug_line', '.debug_abbrev', '.debug_aranges', '.debug_types', '.debug_str'}


def call_ends_here(b):
    """Whether the last bytes of B are a call instruction of x86."""
    def at(n):
        return b[-n] if len(b) >= n else 0
    if at(5) == 0xe8:
        return True
    for n in range(2, 8):
        if at(n) != 0xff or at(n - 1) & 0x38 != 0x10 and n > 1:
            continue
        mod, rm = at(n - 1) >> 6, at(n - 1) & 7
        long = 2
        if mod != 3:
            sib = rm == 4
            long += sib + (1 if mod == 1 else 4 if mod == 2 or rm == 5 else 0)
            if sib and mod == 0 and at(n - 2) & 7 == 5:
                long += 4
        if long == n:
            return True
    return False


class Program:
    def __init__(self, path, content=None):
        self.path = path
        self.bytes = content or open(path, 'rb').read()
        b = self.bytes
        if b[:4] != b'\x7fELF':
            raise ValueError(path)
        self.wide = b[4] == 2
        header = '<HHIQQQIHHHHHH' if self.wide else '<HHIIIIIHHHHHH'
        _, _, _, self.entry, phoff, shoff, _, _, phsize, phnum, shsize, shnum, names = struct.unpack_from(header, b, 16)
        self.segments, self.notes_end = [], 0
        for at in range(phoff, phoff + phsize * phnum, phsize):
            if self.wide:
                kind, flags, offset, vaddr, _, size, _, _ = struct.unpack_from('<IIQQQQQQ', b, at)
            else:
                kind, offset, vaddr, _, size, _, flags, _ = struct.unpack_from('<8I', b, at)
            if kind == 4:
                self.notes_end = max(self.notes_end, offset + size)
            if kind == 1:
                self.segments.append((offset, vaddr, size, flags))
        self.sections = []
        for at in range(shoff, shoff + shsize * shnum, shsize):
            self.sections.append((at,) + struct.unpack_from('<IIQQQQIIQQ' if self.wide else '<10I', b, at))
        self.section_names = []
        if shnum:
            table = self.sections[names][5]
            self.section_names = [b[table + s[1]:b.index(0, table + s[1])].decode() for s in self.sections]
        self._symbols = self._entries = self.plt = None
        build_id = self.build_id()
        debug = f'/usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug'
        self.debug = Program(debug) if build_id and not path.endswith('.debug') and os.path.exists(debug) else None
        self.has_dwarf = '.debug_info' in self.section_names or bool(self.debug and self.debug.has_dwarf)
        self.ends = {}

    def build_id(self):
        at = self.bytes.find(b'\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0')
        if at >= 0 and at < self.notes_end:
            return self.bytes[at + 16:at + 36].hex()
        for s, name in zip(self.sections, self.section_names):
            if name == '.note.gnu.build-id':
                return self.bytes[s[5] + 16:s[5] + s[6]].hex()
        return ''

    def vaddr(self, offset):
        """The address of a byte at OFFSET of the file, in a segment of code if there is one."""
        for start, vaddr, size, _ in sorted(self.segments, key=lambda s: not s[3] & 1):
            if start <= offset < start + size:
                return offset - start + vaddr
        return None

    def code(self, vaddr, before, after):
        for start, base, size, _ in self.segments:
            if base <= vaddr < base + size:
                at = start + vaddr - base
                return self.bytes[max(start, at - before):at], self.bytes[at:at + after]
        return b'', b''

    def after_call(self, vaddr):
        return call_ends_here(self.code(vaddr, 8, 0)[0])

    def is_trampoline(self, vaddr):
        return any(self.code(vaddr - k, 0, len(t))[1] == t for t in TRAMPOLINES for k in (0, 1))

    def symbols(self):
        """(address, size, name, kind), sorted; of code only; also those of .gnu_debugdata and of the debug file."""
        if self._symbols is None:
            found = self.table(self.bytes, self.sections)
            if self.debug:
                found |= self.table(self.debug.bytes, self.debug.sections)
            for s, name in zip(self.sections, self.section_names):
                if name == '.gnu_debugdata':
                    found |= Program(self.path, lzma.decompress(self.bytes[s[5]:s[5] + s[6]])).symbols_of_table()
            self._symbols = sorted(found)
        return self._symbols

    def symbols_of_table(self):
        return self.table(self.bytes, self.sections)

    def table(self, b, sections):
        found = set()
        for s in sections:
            if s[2] not in (2, 11):
                continue
            strings = sections[s[7]][5]
            step = 24 if self.wide else 16
            for at in range(s[5], s[5] + s[6], step):
                if self.wide:
                    name, info, _, section, value, size = struct.unpack_from('<IBBHQQ', b, at)
                else:
                    name, value, size, info, _, section = struct.unpack_from('<IIIBBH', b, at)
                kind = TYPES.get(info & 15)
                if kind in (None, 'object') or section == 0 or section >= len(sections) or name == 0 \
                        or not sections[section][3] & 4:
                    continue
                text = b[strings + name:b.index(0, strings + name)].decode('utf-8', 'replace')
                found.add((value, size, text.split('@')[0], kind))
        return found

    def entries(self):
        """[start, end) of the functions that unwind information knows, sorted."""
        if self._entries is None:
            text = ''.join(subprocess.run(['llvm-dwarfdump', table, self.path], capture_output=True, errors='replace',
                                          check=False).stdout for table in ('--eh-frame', '--debug-frame'))
            self._entries = sorted({(int(a, 16), int(z, 16)) for a, z in
                                    re.findall(r'FDE cie=[0-9a-f]+ pc=([0-9a-f]+)\.\.\.([0-9a-f]+)', text)})
        return self._entries

    def entry_of(self, vaddr):
        entries = self.entries()
        k = bisect.bisect_right(entries, (vaddr, 1 << 64)) - 1
        return entries[k] if k >= 0 and entries[k][0] <= vaddr < entries[k][1] else None

    def names_at(self, start):
        symbols = self.symbols()
        k = bisect.bisect_left(symbols, (start,))
        names = []
        while k < len(symbols) and symbols[k][0] == start:
            names.append(symbols[k][2])
            k += 1
        return names

    def covering(self, vaddr):
        """The symbols with a size that VADDR lies in."""
        symbols = self.symbols()
        k = bisect.bisect_right(symbols, (vaddr, 1 << 64))
        found = []
        for s in symbols[max(0, k - 400):k]:
            if s[0] <= vaddr < s[0] + s[1]:
                found.append(s)
        return found

    def label_end(self, start, far):
        """Where the code of a label ends that has no size: behind an instruction that does not go on comes padding,
        and no jump leads over it. Beyond FAR is not looked."""
        end, sure = self.ends.get(start, (start, False))
        if sure or end > far:
            return end
        text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', f'--start-address={start:#x}',
                               f'--stop-address={far + 1:#x}', self.path], capture_output=True, errors='replace',
                              check=False).stdout
        ended, end, reached = False, far + 1, 0
        for line in text.splitlines():
            m = re.match(r'^\s*([0-9a-f]+):\t(.*)$', line)
            if not m:
                continue
            instruction = m.group(2).strip()
            if ended and PADDING.match(instruction) and reached <= int(m.group(1), 16):
                end, sure = int(m.group(1), 16), True
                break
            ended = bool(ENDS.match(instruction))
            target = JUMP.match(instruction)
            if target and int(target.group(1), 16) <= far:
                reached = max(reached, int(target.group(1), 16))
        self.ends[start] = (end, sure)
        return end

    def plt_names(self, vaddr):
        """What objdump calls the entry of a procedure linkage table that VADDR is in."""
        if self.plt is None:
            text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', '-j.plt', '-j.plt.sec', '-j.plt.got', self.path], capture_output=True, errors='replace', check=False).stdout
            self.plt, name = {}, None
            for line in text.splitlines():
                m = re.match(r'^([0-9a-f]+) <(.*)>:$', line)
                name = m.group(2) if m else name
                m = re.match(r'^\s*([0-9a-f]+):\t', line)
                if m and name:
                    self.plt[int(m.group(1), 16)] = re.sub(r'@.*@plt|@plt', '@plt', name)
        name = self.plt.get(vaddr, '')
        resolver = re.match(r'^\*ABS\*\+0x([0-9a-f]+)@plt$', name)
        return [n + '@plt' for n in self.names_at(int(resolver.group(1), 16))] if resolver else [name]

    def write_nameless(self, path):
        """The same file without tables of names: perfold unwinds with it, and shows addresses."""
        b = bytearray(self.bytes)
        for s, name in zip(self.sections, self.section_names):
            if name in NAMES_OF_SECTIONS:
                struct.pack_into('<II', b, s[0], 0, 1)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(b)
