#!/usr/bin/env python3
"""evidence.py PERFOLD RECORDING WORK [--vdso FILE]... [--map PID=FILE]... [--go FILE]... [-v]

Holds every frame that PERFOLD names in a recording against other programs: llvm-symbolizer and
addr2line for the functions at an address, the symbols and unwind entries of the file, the mappings
that perf recorded, and the bytes before a return address. perfold's own code is used for one thing:
it runs a second time with copies of the files that name nothing (Program.write_nameless), and shows
the addresses of the same stacks. Both runs hold the same samples in the same order, so frame stands
against frame.

The address at which a name is looked up: where samples, signals and system calls interrupt, the
address itself; a caller's is a byte less if a call instruction ends there, and else the address.

  equal     the names, with those of inlined functions, are those of llvm-symbolizer or addr2line
  alias     another name of the same function: debug information has it, or there is none
  nameless  [module], though the file has a name there ("missing"), or there is none ("bare")
  range     [module+0xADDRESS], which must be where an unwind entry that holds the address begins
  label     a label without size or unwind entry whose code has ended before, by disassembly, in the same 4 KB:
            perfold does not disassemble, and lets such labels reach that far
  wrong     another function; a label whose code has ended before; an address where no code was mapped
  early     stacks whose outermost function does not begin a thread, and that are not marked as cut off

Prints one row for the table: recording, samples, stacks, frames by class, early; with -v each
difference, heaviest first.
"""
import argparse
import bisect
import collections
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tracks import pairs, tracks
from program import Program
from witness import Witness

STARTS = re.compile(r'^(_start|__libc_start_.*|_dlstart.*|_dl_start.*|(__)?clone3?|__GI___clone.*|start_thread|'
                    r'__start_context|ret_from_fork.*|runtime\.(goexit|mstart|rt0_go|mcall|morestack|systemstack|'
                    r'asmcgocall|gogo|sigreturn).*|_rt0_.*|crosscall.*|__thread_start|make_fcontext|'
                    r'boost::context::.*|_ZN5boost7context.*|erts_beamasm:normal_exit/0(_\[j\])?)$')
# Begun by an address that was put on the stack, not by a call.
PAGE = 4096
RANGE = re.compile(r'^\[.*\+0x([0-9a-f]+)\]$')
BEGINS = re.compile(r'^(runtime\.goexit|__start_context|make_fcontext|__kernel_(rt_)?sigreturn)')
CUT = ('[truncated]', '[lost]')
FRAME = re.compile(r'^\[(.*) <([0-9a-f]+)>\](_\[[kj]\])?$')


def run(*argv, **env):
    p = subprocess.run(argv, capture_output=True, errors='replace', env={**os.environ, **env}, check=False)
    if p.returncode:
        sys.exit(f'{" ".join(argv)}: {p.stderr}')
    return p.stdout


class World:
    """The files of a recording by build-id, and which addresses of a process were mapped as code."""

    def __init__(self, recording, work, vdsos):
        self.programs, self.code = {}, collections.defaultdict(list)
        self.root = os.path.join(work, 'root')
        shutil.rmtree(self.root, ignore_errors=True)
        known = {p.build_id(): p for p in map(Program, vdsos)}
        ids = {}
        for line in run('perf', 'buildid-list', '-i', recording).splitlines():
            build_id, path = line.split(' ', 1)
            ids[path] = build_id
            if path.startswith('['):
                if build_id in known:
                    self.programs['[vdso]'] = known[build_id]
                    self.write_vdso(known[build_id])
        self.read_maps(recording)
        for path in self.paths:
            if path.startswith('/') and os.path.isfile(path):
                self.add(path, ids.get(path))

    def write_vdso(self, program):
        build_id = program.build_id()
        name = f'{self.root}/cache/[vdso]/{build_id}'
        program.write_nameless(f'{name}/vdso')
        link = f'{self.root}/cache/.build-id/{build_id[:2]}'
        os.makedirs(link)
        os.symlink(f'../../[vdso]/{build_id}', f'{link}/{build_id[2:]}')

    def read_maps(self, recording):
        self.paths = set()
        text = run('perf', 'script', '-i', recording, '--show-mmap-events', '--show-task-events', '-F', 'comm,pid')
        for line in text.splitlines():
            m = re.search(r'PERF_RECORD_MMAP2? (-?\d+)/\d+: \[0x([0-9a-f]+)\(0x([0-9a-f]+)\) @ .*\]: (\S+) (.*)$', line)
            if m and int(m.group(1)) >= 0:
                start, size = int(m.group(2), 16), int(m.group(3), 16)
                if 'x' in m.group(4):
                    self.code[int(m.group(1))].append((start, start + size))
                    self.paths.add(m.group(5))
            m = re.search(r'PERF_RECORD_FORK\((\d+):\d+\):\((\d+):', line)
            if m and m.group(1) != m.group(2):
                self.code[int(m.group(1))] += self.code[int(m.group(2))]

    def add(self, path, build_id):
        try:
            program = Program(path)
        except (ValueError, OSError):
            return
        if build_id and program.build_id() and program.build_id() != build_id:
            return
        self.programs[os.path.basename(path)] = program
        program.write_nameless(self.root + path)

    def is_code(self, pid, address):
        return any(start <= address < end for start, end in self.code.get(pid, ()))


def physical(names):
    """Frames with those inlined into them: [outermost, ..., innermost] for each."""
    frames = []
    for name in names:
        if name.endswith('_[i]') and frames:
            frames[-1].append(name[:-4])
        else:
            frames.append([name])
    return frames


class Judge:
    def __init__(self, world, maps, go):
        self.world, self.maps, self.witness = world, maps, Witness(go)
        self.kallsyms = Kallsyms()
        self.cache = {}
        self.count = collections.Counter()
        self.findings = collections.defaultdict(int)

    def note(self, kind, text, weight):
        self.count[kind] += weight
        if kind not in ('equal', 'kernel', 'range'):
            self.findings[kind, text] += weight

    def stack(self, pid, named, addresses, weight):
        named, self.count['samples'] = physical(named), self.count['samples'] + weight
        if len(named) != len(addresses):
            self.note('unpaired', f'{len(named)} frames, {len(addresses)} addresses: {named} {addresses}', weight)
            return
        places = [self.place(a) for a in addresses]
        for k, (names, (module, offset)) in enumerate(zip(named, places)):
            below = places[k + 1] if k + 1 < len(places) else None
            self.count['frames'] += weight
            self.note(*self.frame(pid, names, module, offset, below), weight)
        self.begins(named, places, weight)

    def place(self, address):
        m = FRAME.match(address)
        if not m:
            return address, None
        return '[vdso]' if m.group(1) in ('vdso', 'vdso32') else m.group(1), int(m.group(2), 16)

    def begins(self, named, places, weight):
        root, (module, offset) = named[0][0], places[0]
        if root in CUT or root.startswith('[truncated'):
            self.count['cut'] += weight
            return
        program = self.world.programs.get(module)
        if STARTS.match(root) or root.endswith('_[k]') or self.holds_entry(program, offset):
            return
        self.note('early', root, weight)

    def holds_entry(self, program, offset):
        """Whether this is the code at which the program is entered: _start of a stripped one."""
        vaddr = program and offset is not None and program.vaddr(offset)
        return bool(vaddr) and program.entry <= vaddr < program.entry + 64

    def frame(self, pid, names, module, offset, below):
        key = (pid, tuple(names), module, offset, below)
        if key not in self.cache:
            self.cache[key] = self.judge(pid, names, module, offset, below)
        return self.cache[key]

    def judge(self, pid, names, module, offset, below):
        name = names[0]
        if offset is None:
            return ('marks' if name == module or name.startswith('[') else 'wrong'), f'{name}: {module}'
        if name.endswith('_[k]') or offset >= 1 << 63:
            return self.kernel(name, offset)
        program = self.world.programs.get(module)
        if program is None:
            return self.outside(pid, name, module, offset)
        vaddr = program.vaddr(offset)
        if vaddr is None:
            return 'wrong', f'{name}: {offset:#x} of {module} is in no segment'
        interrupted = below is None or below[1] is not None and below[1] >= 1 << 63 or self.is_signal(below)
        if not interrupted and program.after_call(vaddr):
            vaddr -= 1
        elif not interrupted and not program.is_trampoline(vaddr) and not BEGINS.match(names[0]):
            self.count['no call'] += 1
            self.findings['no call', f'{name}: {module} {vaddr:#x}'] += 1
        return self.function(program, module, vaddr, names)

    def kernel(self, name, address):
        name = name.removesuffix('_[k]')
        names = self.kallsyms.at(address) + self.kallsyms.at(address - 1)
        if name in names or not names:
            return 'kernel', name
        return ('bare' if name.startswith('[') else 'wrong'), f'{name}: kallsyms has {names[0]} at {address:#x}'

    def is_signal(self, place):
        program = self.world.programs.get(place[0])
        vaddr = program and place[1] is not None and program.vaddr(place[1])
        return bool(vaddr) and program.is_trampoline(vaddr)

    def outside(self, pid, name, module, address):
        """Generated code, or nothing that could be called."""
        name = name.removesuffix('_[j]')
        if pid in self.maps:
            known = self.maps[pid].at(address)
            if known:
                if name.startswith('['):
                    return 'missing', f'{known[0]} at {address:#x}: {name}'
                if name == known[0]:
                    return 'equal', ''
                return ('alias' if name in known else 'wrong'), f'{name}: the map has {known[0]} at {address:#x}'
        if not name.startswith('['):
            return 'wrong', f'{name}: {module} {address:#x} has no name'
        if not self.world.is_code(pid, address):
            return ('marks' if name.startswith('[unknown') else 'wrong'), f'{name}: no code at such an address'
        return 'bare', name

    def function(self, program, module, vaddr, names):
        where = f'{module} {vaddr:#x}'
        covering = program.covering(vaddr)
        said = self.witness.chains(program, vaddr)
        if names[0].startswith('[') and len(names) == 1:
            entry = program.entry_of(vaddr)
            best = program.names_at(vaddr) or [s[2] for s in covering] or (entry and program.names_at(entry[0])) or [c[-1] for c in said.go]
            if best:
                return 'missing', f'{best[0]}: {where}'
            start = RANGE.match(names[0])
            if start and (not entry or entry[0] != int(start.group(1), 16)):
                return 'wrong', f'{names[0]}: {where}: {entry and hex(entry[0])}'
            return ('range' if start else 'bare'), where
        if self.ended_label(program, vaddr, names[0], covering):
            near = not program.is_trampoline(vaddr) and vaddr - self.label_start(program, vaddr, names[0]) < PAGE
            return ('label' if near else 'wrong'), f'{names[0]}: {where}, whose code has ended'
        if names[0] in program.plt_names(vaddr):
            return 'equal', ''
        text = f'{"; ".join(names)}: {where}: {"; ".join(reversed(said.chains[0])) if said.chains else "?"}'
        best = 'wrong'
        for chain in said.chains:
            chain = chain[::-1]
            if not same(names[1:], chain[1:]):
                continue
            if same(names[:1], chain[:1]):
                return 'equal', ''
            if self.is_alias(program, vaddr, names[0], chain[0], covering, said.has_debug):
                best = 'alias'
        return best, text

    def is_alias(self, program, vaddr, ours, theirs, covering, has_debug):
        aliases = {n for s in covering for n in program.names_at(s[0])}
        entry = program.entry_of(vaddr)
        if entry:
            aliases.update(program.names_at(entry[0]))
        if ours not in aliases:
            return False
        return not has_debug or not self.witness.differ(ours, theirs) or self.witness.describes(program, ours, vaddr)

    def label_start(self, program, vaddr, name):
        return max((s[0] for s in program.symbols() if s[2] == name and s[1] == 0 and s[0] <= vaddr), default=None)

    def ended_label(self, program, vaddr, name, covering):
        """Whether NAME is a label without size, and its code ends before VADDR."""
        start = self.label_start(program, vaddr, name)
        if start is None or any(s[2] == name for s in covering):
            return False
        if program.is_trampoline(vaddr) and start != vaddr:
            return 'restore' not in name and 'sigreturn' not in name
        entry = program.entry_of(vaddr)
        if entry:
            return start < entry[0]
        return program.label_end(start, vaddr) <= vaddr


def same(ours, theirs):
    """Whether chains, outermost first, agree; a name without linkage is the last part of ours, and perfold shows a
    semicolon as a colon."""
    theirs = [b.replace(';', ':') for b in theirs]
    return len(ours) == len(theirs) and \
        all(a == b or a.endswith('::' + b) or clean(a) == clean(b) for a, b in zip(ours, theirs))


def clean(name):
    """Without what the compiler adds to the name of a copy."""
    return re.sub(r'(\.(part|constprop|isra|cold|lto_priv|llvm|localalias)(\.\d+)?)+$', '', name.split('@')[0])


class Kallsyms:
    def __init__(self):
        names = collections.defaultdict(list)
        for line in open('/proc/kallsyms', errors='replace'):
            address, kind, name = line.split()[:3]
            if kind in 'tTwW' and int(address, 16):
                names[int(address, 16)].append(name)
        self.names, self.starts = names, sorted(names)

    def at(self, address):
        k = bisect.bisect_right(self.starts, address) - 1
        return self.names[self.starts[k]] if k >= 0 else []


class PerfMap:
    def __init__(self, path):
        self.entries = []
        for line in open(path, errors='replace'):
            start, size, name = line.rstrip('\n').split(' ', 2)
            # As perfold reads Erlang's maps: $ is what the emulator puts before code.
            self.entries.append((int(start, 16), int(start, 16) + int(size, 16), name.removeprefix('$')))

    def at(self, address):
        """An entry that begins there is meant: it is where a stack is begun; else the call lies before."""
        for n in (0, 1):
            found = [e[2] for e in self.entries if (e[0] == address if n == 0 else e[0] <= address - 1 < e[1])]
            if found:
                return found
        return []


def rows(args):
    world = World(args.recording, args.work, args.vdso)
    maps = {int(pid): PerfMap(path) for pid, path in (m.split('=', 1) for m in args.map)}
    # Away from its folder: maps of generated code may lie there.
    recording = os.path.join(args.work, 'perf.data')
    shutil.copy(args.recording, recording)
    common = [args.perfold, recording, '--weight', 'samples', '-q', '--annotate', 'kernel,jit,inline']
    given = [o for m in args.map for o in ('--perf-map', m)]
    run(*common, *given, '--no-demangle', '--full-names', '-o', f'speedscope:{args.work}/named.json')
    run(*common, '--no-inline', '--addresses', '--symfs', world.root, '--debug-dir', f'{world.root}/cache',
        '-o', f'speedscope:{args.work}/bare.json', PERFOLD_NO_SYSTEM='1')
    named, bare = tracks(f'{args.work}/named.json'), tracks(f'{args.work}/bare.json')
    judge = Judge(world, maps, args.go)
    for thread in named:
        pid = int(re.search(r'\((\d+)/\d+\)$', thread).group(1))
        for a, b, weight in pairs(named[thread], bare.get(thread, [])):
            judge.stack(pid, a, b, weight)
    return judge


COLUMNS = ('samples', 'frames', 'kernel', 'equal', 'alias', 'missing', 'range', 'bare', 'marks', 'label', 'wrong', 'no call',
           'cut', 'early', 'unpaired')


def main():
    if sys.argv[1:] == ['--columns']:
        print('\t'.join(('recording',) + COLUMNS))
        return
    p = argparse.ArgumentParser()
    for name in ('perfold', 'recording', 'work'):
        p.add_argument(name)
    for name in ('--vdso', '--map', '--go'):
        p.add_argument(name, action='append', default=[])
    p.add_argument('-v', action='store_true')
    args = p.parse_args()
    os.makedirs(args.work, exist_ok=True)
    judge = rows(args)
    print('\t'.join([os.path.basename(args.recording)] + [str(judge.count[c]) for c in COLUMNS]))
    if args.v:
        for (kind, text), n in sorted(judge.findings.items(), key=lambda f: -f[1]):
            print(f'    {n}\t{kind}\t{text[:400]}')


if __name__ == '__main__':
    main()
