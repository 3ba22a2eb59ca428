#!/usr/bin/env python3
"""measure.py PROGRAM [RUNTIME...]: how much of each runtime's programs perfold names; perf and samply beside it.

Each runtime that is here runs a program while perf records it as perfold-languages(7) says, whose table was made with
this. A row has, in percent: the weight of user frames that have a name, apart from those in binaries whose symbols are
not here (the weight of these is in brackets), and the weight of stacks that reach their start. Where a program has
measured the shares of its functions by the clock of the CPU, the largest difference to these, in percentage points.
RUNTIMEs: words that their names begin with; without any, all.

In the environment:
ROOT        a directory with another system, whose runtimes are recorded, too (as root, by chroot)
BUN, DENO, DOTNET, SAMPLY, LUAJIT    programs; LuaJIT must be built with -DLUAJIT_USE_PERFTOOLS
WASMTIME    a Python that has the package wasmtime
SECONDS     how long each program runs; 4 if it is not set
KEEP        a directory in which recordings and maps are kept
VERBOSE     any word: prints what programs print, and the heaviest frames without a name
"""
import collections
import contextlib
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'src')
SECONDS = os.environ.get('SECONDS', '4')
ROOT = os.environ.get('ROOT', '')
FP, DWARF = 'fp', 'dwarf,32768'
PHP = ('php -d opcache.enable_cli=1 -d opcache.jit=%s -d opcache.jit_buffer_size=64M -d opcache.jit_debug=%s '
       'busy.php SECONDS')
PYTHON = 'python3 -c "import sys; assert sys.version_info >= (%s); print(sys.version)"'
# Where programs and threads begin.
STARTS = re.compile(r'_start$|_start_main|^__libc_start|^start_thread$|^(__)?clone3?$|^thread_start$|^_dl_start|'
                    r'^runtime\.(goexit|mstart|rt0_go|main)|_rt0_amd64|^erts_beamasm:normal_exit/0$')
# Frames without a name, in a binary that has no symbol for them; all others without a name.
STRIPPED = re.compile(r'\[(?!unknown\]|perf-\d+\.map|JIT\]|//anon|anon|memfd|vdso|heap|stack)[^\]]+\]$|'
                      r'\[unknown\] \(/(?!/|memfd|dev/zero|SYSV|tmp/perf-)')
UNNAMED = re.compile(r'\[(?!truncated\]|vdso\]|JIT\] \S)|0x[0-9a-f]+$')

# Name, command that prints the version, command that builds, stacks, command that is recorded.
Runtime = collections.namedtuple('Runtime', 'name version build stacks command')
RUNTIMES = [
    Runtime('Node.js perf-basic-prof', 'node --version', '', FP,
            'node --perf-basic-prof --interpreted-frames-native-stack busy.js SECONDS'),
    Runtime('Node.js perf-prof', 'node --version', '', FP,
            'node --perf-prof --no-write-protect-code-memory busy.js SECONDS'),
    Runtime('Java', 'java -version', 'javac -d . Busy.java', FP,
            'java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Busy SECONDS'),
    Runtime('PHP function', 'php --version', '', DWARF, PHP % ('function', 16)),
    Runtime('PHP tracing', 'php --version', '', DWARF, PHP % ('tracing', 16)),
    Runtime('PHP tracing jitdump', 'php --version', '', DWARF, PHP % ('tracing', 32)),
    Runtime('Ruby YJIT', 'ruby --yjit -e "print RubyVM::YJIT.enabled? && RUBY_VERSION"', '', DWARF,
            'ruby --yjit --yjit-perf busy.rb SECONDS'),
    Runtime('.NET', '$DOTNET --list-runtimes', 'mcs -optimize+ -out:busy.dll busy.cs', DWARF,
            'env COMPlus_PerfMapEnabled=1 $DOTNET busy.dll SECONDS'),
    Runtime('Erlang', "erl -noshell -eval 'io:format(\"~s~n\",[erlang:system_info(otp_release)]),halt().'",
            'erlc busy.erl', FP, 'erl +JPperf true -noshell -run busy main SECONDS'),
    Runtime('LuaJIT', '$LUAJIT -v', '', DWARF, '$LUAJIT busy.lua SECONDS'),
    Runtime('Python perf', PYTHON % '3, 12', '', DWARF, 'python3 -X perf busy.py SECONDS'),
    Runtime('Python perf_jit', PYTHON % '3, 13', '', DWARF, 'python3 -X perf_jit busy.py SECONDS'),
    Runtime('Go', 'go version', "go build -ldflags '-s -w' -o busy-go busy.go", FP, './busy-go SECONDS'),
    Runtime('Rust', 'rustc --version', 'rustc -O -g -C force-frame-pointers=yes -o busy-rust busy.rs', DWARF,
            './busy-rust SECONDS'),
    Runtime('C++', 'g++ --version', 'g++ -O2 -g -o busy-cpp busy.cpp', DWARF, './busy-cpp SECONDS'),
    Runtime('QEMU perfmap', 'qemu-x86_64 --version', 'g++ -O2 -static -o busy-cpp busy.cpp', DWARF,
            'qemu-x86_64 -perfmap ./busy-cpp SECONDS'),
    Runtime('QEMU jitdump', 'qemu-x86_64 --version', 'g++ -O2 -static -o busy-cpp busy.cpp', DWARF,
            'qemu-x86_64 -jitdump ./busy-cpp SECONDS'),
    Runtime('Wasmtime perfmap', '$WASMTIME -m pip list', '', DWARF, '$WASMTIME wasm.py perfmap SECONDS'),
    Runtime('Wasmtime jitdump', '$WASMTIME -m pip list', '', DWARF, '$WASMTIME wasm.py jitdump SECONDS'),
    Runtime('Bun', '$BUN --version', '', FP, 'env BUN_JSC_useJITDump=1 BUN_JSC_jitDumpDirectory=. $BUN busy.js SECONDS'),
    Runtime('Deno', '$DENO --version', '', FP, '$DENO run --v8-flags=--perf-basic-prof busy.js SECONDS'),
    Runtime('Chromium', 'chromium --version', '', DWARF,
            "chromium --headless --no-sandbox --disable-gpu --js-flags=--perf-basic-prof --virtual-time-budget=1000 "
            "--dump-dom busy.html"),
]


def run(command, directory, root, **more):
    """Runs a command of a shell, in the system below root."""
    if root:
        inside = 'export HOME=/root LC_ALL=C; cd %s && exec %s' % (directory[len(root):], command)
        outside = 'mount -t proc proc "$0/proc" && exec chroot "$0" sh -c "$1"'
        arguments = ['unshare', '-m', 'sh', '-c', outside, root, inside]
    else:
        arguments = ['sh', '-c', 'exec ' + command]
    return subprocess.run(more.pop('before', []) + arguments, cwd=directory, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace', timeout=180, check=False, **more)


def version_of(runtime, directory, root):
    """None: the runtime is not there."""
    if any(not os.environ.get(name) for name in re.findall(r'\$([A-Z]+)', runtime.version)):
        return None
    ran = run(runtime.version, directory, root)
    found = re.search(r'(?<=wasmtime) +\S+', ran.stdout) or re.search(r'\d+(\.\d+)+\S*|(?<=^)\d+', ran.stdout)
    return found.group(0).strip(' ",)') if ran.returncode == 0 and found else None


def measured_shares(text):
    return {m.group(1): float(m.group(2)) for m in re.finditer(r'^(\w+)[ \t]+([\d.]+)$', text, re.M)}


@functools.lru_cache(maxsize=None)
def entry_of(name, root):
    """The frame of a program's entry point, as perfold shows it where the program has no symbols."""
    directories = [root + d for d in ('/usr/bin', '/usr/local/bin', '/bin')] if root else None
    path = shutil.which(name, path=':'.join(directories) if root else None)
    header = subprocess.run(['readelf', '-h', path or '/'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            check=False).stdout
    entry = re.search(r'Entry point address: *(0x[0-9a-f]+)', header)
    return '[%s+%s]' % (name, entry.group(1)) if entry else None


def is_start(frame, root):
    unnamed = re.match(r'\[([^+\]]+)\+0x', frame)
    return bool(STARTS.search(frame)) or (unnamed and frame == entry_of(unnamed.group(1), root))


def judge(stacks, measured=(), root=''):
    """stacks: (frames, outermost first, weight). The shares in percent, and the largest difference."""
    frames = named = stripped = all_stacks = started = 0
    inside = collections.Counter()
    unnamed = collections.Counter()
    for stack, weight in stacks:
        for frame in stack:
            if frame == '[truncated]':
                continue
            frames += weight
            if STRIPPED.match(frame):
                stripped += weight
            elif not UNNAMED.match(frame):
                named += weight
                continue
            unnamed[frame] += weight
        all_stacks += weight
        started += weight if stack and is_start(stack[0], root) else 0
        for frame in reversed(stack):
            found = [name for name in measured if re.search(r'(?<![a-zA-Z])%s(?![a-zA-Z])' % name, frame)]
            if found:
                inside[found[0]] += weight
                break
    if os.environ.get('VERBOSE'):
        print(unnamed.most_common(12), file=sys.stderr)
    sum_inside = sum(inside.values())
    worst = max((abs(100 * inside[name] / sum_inside - share) for name, share in dict(measured).items()), default=0) \
        if sum_inside else None
    return {'stacks': all_stacks, 'frames': frames, 'named': 100 * named / max(frames, 1),
            'stripped': 100 * stripped / max(frames, 1), 'started': 100 * started / max(all_stacks, 1), 'apart': worst}


def perfold_stacks(program, directory, root):
    more = ['--symfs', root, '--map-dir', root + '/tmp'] if root else []
    ran = subprocess.run([program, '--weight', 'samples', '-q', 'data', '-o', 'out.folded'] + more, cwd=directory,
                         stderr=subprocess.PIPE, text=True, check=False)
    if ran.returncode:
        print(ran.stderr, file=sys.stderr)
        return
    with open(os.path.join(directory, 'out.folded'), errors='replace') as lines:
        for line in lines:
            stack, weight = line.rstrip('\n').rsplit(' ', 1)
            yield stack.split(';')[1:], int(weight)


def perf_stacks(directory, root):
    """perf reads jitdumps in a pass of its own."""
    data = 'data'
    if glob.glob('/tmp/jit-*.dump') or glob.glob(directory + '/**/jit-*.dump', recursive=True):
        subprocess.run(['perf', 'inject', '-f', '-j', '-i', 'data', '-o', 'data.jit'], cwd=directory,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        data = 'data.jit' if os.path.exists(directory + '/data.jit') else data
    ran = subprocess.run(['perf', 'script', '-f', '-i', data, '-F', 'comm,tid,time,ip,sym,dso'] +
                         (['--symfs', root] if root else []), cwd=directory, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True, errors='replace', timeout=300, check=False)
    stack = []
    for line in ran.stdout.splitlines():
        if not line.strip():
            if stack:
                yield stack[::-1], 1
            stack = []
        elif line[0] in ' \t' and re.match(r'\s+[0-9a-f]+ \S', line) and not re.search(r' +\d+\.\d+: *$', line):
            frame = line.split(None, 1)[1].strip()
            stack.append(frame if frame.startswith('[') else re.sub(r' \([^()]*\)$', '', frame))
    if stack:
        yield stack[::-1], 1


@functools.lru_cache(maxsize=None)
def entry_range(path):
    """The addresses of _start, relative to where the file begins."""
    header = subprocess.run(['readelf', '-hlW', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            check=False).stdout
    entry = re.search(r'Entry point address: *0x([0-9a-f]+)', header)
    base = re.search(r'LOAD +0x0+ 0x([0-9a-f]+)', header)
    start = int(entry.group(1), 16) - (int(base.group(1), 16) if base else 0) if entry else 0
    return range(start, start + 64 if start else 0)


def samply_stacks(directory, root):
    """samply leaves the names of code in files to its viewer: such frames are left out here but for starts."""
    program = os.environ['SAMPLY']
    ran = subprocess.run([program, 'import', '--save-only', '-o', 'samply.json', 'data'], cwd=directory,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180, check=False)
    if ran.returncode:
        return
    with open(os.path.join(directory, 'samply.json'), errors='replace') as text:
        profile = json.load(text)
    for thread in profile['threads']:
        strings = thread['stringArray']
        frames, functions, stacks = thread['frameTable'], thread['funcTable'], thread['stackTable']

        def name_of(frame):
            function = frames['func'][frame]
            name, resource = strings[functions['name'][function]], functions['resource'][function]
            if not re.match(r'0x[0-9a-f]+$', name) or resource is None or resource < 0:
                return name
            library = profile['libs'][thread['resourceTable']['lib'][resource]]
            path = library['path'] if os.path.exists(library['path']) else root + library['path']
            if not os.path.isfile(path):  # /dev/zero and the like
                return name
            return '_start' if frames['address'][frame] in entry_range(path) else '[truncated]'

        known = {}
        for stack, weight in collections.Counter(s for s in thread['samples']['stack'] if s is not None).items():
            found = []
            while stack is not None:
                frame = stacks['frame'][stack]
                if frame not in known:
                    known[frame] = name_of(frame)
                found.append(known[frame])
                stack = stacks['prefix'][stack]
            yield found[::-1], weight


def text_of(r, all_stacks):
    if r['stacks'] < all_stacks / 2:
        return 'reads %d stacks' % r['stacks']
    return '%.1f %% (%.1f %% stripped), %.1f %%%s' % (
        100 * r['named'] / max(100 - r['stripped'], 0.01), r['stripped'], r['started'],
        '' if r['apart'] is None else ', %.1f pp' % r['apart'])


def maps_of(root):
    return set(glob.glob(root + '/tmp/perf-*.map') + glob.glob(root + '/tmp/jit-*.dump'))


@contextlib.contextmanager
def maps_in_tmp(root):
    """perf and samply look for maps and dumps in /tmp alone."""
    copies = [shutil.copy(name, '/tmp') for name in maps_of(root)] if root else []
    try:
        yield
    finally:
        for name in copies:
            os.remove(name)


def samply_text(directory, root, stacks_kind):
    """Of generated code alone. Where chains were recorded, their starts lie in libraries."""
    stacks = list(samply_stacks(directory, root))
    r = judge(([f for f in stack if f not in ('_start', '[truncated]')], weight) for stack, weight in stacks) \
        if stacks else None
    if not r:
        return 'nothing'
    return '%s, %s' % ('%.1f %%' % r['named'] if 100 * r['frames'] > r['stacks'] else '-',
                       '-' if stacks_kind == FP else '%.1f %%' % judge(stacks)['started'])


def prepare(directory):
    """Sources for a runtime, not as new as they are: PHP compiles no file that was written just now."""
    for name in os.listdir(SRC):
        copy = shutil.copy(os.path.join(SRC, name), directory)
        os.utime(copy, (10 ** 9, 10 ** 9))


def record(runtime, directory, root):
    command = runtime.command.replace('SECONDS', SECONDS)
    before = 'perf record -q -N --buildid-mmap -k mono -e cpu-clock:u -F 997 --call-graph'.split()
    return run(command, directory, root, before=before + [runtime.stacks, '-o', directory + '/data'])


def report(program, runtime, version, directory, root, printed):
    measured = measured_shares(printed)
    own = judge(perfold_stacks(program, directory, root), measured, root)
    with maps_in_tmp(root):
        perf = text_of(judge(perf_stacks(directory, root), measured, root), own['stacks'])
        samply = samply_text(directory, root, runtime.stacks) if os.environ.get('SAMPLY') else 'not here'
    print('| %s %s | %s | `%s` | %d | perfold: %s | perf: %s | samply: %s |' % (
        runtime.name, version, runtime.stacks, runtime.command, own['stacks'], text_of(own, own['stacks']), perf,
        samply), flush=True)


def clean_up(runtime, directory, root, maps):
    """Maps that were not there before go, too."""
    keep = os.environ.get('KEEP') and os.path.join(
        os.environ['KEEP'], runtime.name.replace(' ', '-') + ('-root' if root else ''))
    for name in maps_of(root) - maps:
        shutil.move(name, os.path.join(directory, os.path.basename(name)))
    if keep:
        shutil.copytree(directory, keep, dirs_exist_ok=True)
    shutil.rmtree(directory)


def measure(program, runtime, root):
    maps = maps_of(root)
    directory = tempfile.mkdtemp(dir=root + '/tmp' if root else None)
    try:
        prepare(directory)
        version = version_of(runtime, directory, root)
        # What compilers of C++ make runs anywhere.
        if not version or (runtime.build and
                           run(runtime.build, directory, '' if 'g++' in runtime.build else root).returncode):
            return
        ran = record(runtime, directory, root)
        if os.environ.get('VERBOSE'):
            print(ran.stdout, file=sys.stderr)
        if ran.returncode:
            print('# %s %s: not recorded: %s' % (runtime.name, version, ran.stdout.strip()[-200:]))
        else:
            report(program, runtime, version, directory, root, ran.stdout)
    finally:
        clean_up(runtime, directory, root, maps)


def main():
    program = os.path.abspath(sys.argv[1])
    for runtime in RUNTIMES:
        if len(sys.argv) > 2 and not any(runtime.name.startswith(word) for word in sys.argv[2:]):
            continue
        for root in ['', ROOT] if ROOT else ['']:
            measure(program, runtime, root)


if __name__ == '__main__':
    main()
