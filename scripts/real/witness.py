"""What llvm-symbolizer, addr2line and debug/gosym say about an address of a file."""
import collections
import re
import subprocess

Said = collections.namedtuple('Said', 'chains go has_debug')


def with_debug(program):
    return program.debug.path if program.debug else program.path


class Pipe:
    """A program that answers each line of input."""

    def __init__(self, *argv):
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, errors='replace')

    def say(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def hear(self):
        return self.process.stdout.readline().rstrip('\n')


class Witness:
    def __init__(self, go):
        self.go = dict(g.split('=', 1) for g in go)
        self.llvm = Pipe('llvm-symbolizer', '--no-demangle', '--inlines')
        self.filter = Pipe('c++filt', '-i')
        self.addr2line, self.gosym = {}, {}
        self.described = {}

    def chains(self, program, vaddr):
        """Chains of functions, innermost first, that hold VADDR."""
        names, has_debug = self.ask_llvm(program, vaddr)
        found = [names, self.ask_addr2line(program, vaddr)]
        go = self.ask_go(program, vaddr)
        return Said([c for c in found + go if c], go, has_debug)

    def ask_llvm(self, program, vaddr):
        self.llvm.say(f'CODE {program.path} {vaddr:#x}')
        names, has_debug = [], False
        while True:
            name = self.llvm.hear()
            if not name:
                break
            has_debug |= not self.llvm.hear().startswith('??')
            names.append(name.split('@')[0])
        return ([] if '??' in names else names), has_debug

    def ask_addr2line(self, program, vaddr):
        if program.path not in self.addr2line:
            self.addr2line[program.path] = Pipe('addr2line', '-afi', '-e', program.path)
        pipe, names = self.addr2line[program.path], []
        pipe.say(f'{vaddr:x}')
        pipe.say('0')        # its answer ends that of the address before
        pipe.hear()
        while True:
            line = pipe.hear()
            if re.match(r'^0x0+$', line):
                break
            pipe.hear()
            names.append(line)
        pipe.hear()
        pipe.hear()
        return [] if '??' in names else names

    def ask_go(self, program, vaddr):
        if not any(name == '.gopclntab' for name in program.section_names) or 'gosym' not in self.go:
            return []
        if program.path not in self.gosym:
            self.gosym[program.path] = Pipe(self.go['gosym'], program.path)
        self.gosym[program.path].say(f'{vaddr:#x}')
        name = self.gosym[program.path].hear()
        return [[name]] if name else []

    def differ(self, ours, theirs):
        """Whether two names of one address mean two functions: other than memmove and memcpy, mangled ones do, but
        for the constructors of a complete object and of a base."""
        if not ours.startswith(('_Z', '_R')) and not theirs.startswith(('_Z', '_R')):
            return False
        plain = []
        for name in (ours, theirs):
            self.filter.say(name)
            plain.append(self.filter.hear())
        return plain[0] != plain[1]

    def describes(self, program, name, vaddr):
        """Whether debug information has a function NAME that holds VADDR."""
        key = (program.path, name)
        if key not in self.described:
            text = subprocess.run(['llvm-dwarfdump', f'--name={name}', with_debug(program)], capture_output=True,
                                  errors='replace', check=False).stdout
            ranges = re.findall(r'DW_AT_low_pc\s+\((0x[0-9a-f]+)\)\s+DW_AT_high_pc\s+\((0x[0-9a-f]+)\)', text)
            self.described[key] = [(int(a, 16), int(b, 16)) for a, b in ranges]
        return any(a <= vaddr < b for a, b in self.described[key])
