#!/usr/bin/env python3
"""wheel.py VERSION STAGE OUT ARCH...: OUT/perfold-VERSION-py3-none-PLATFORMS.whl, for pip, of each folder STAGE/ARCH

pip puts the program itself into bin/ and what is in share/ beside it, where the program finds its filters.
The program needs no C library: it is true that it runs wherever glibc is 2.17 (manylinux2014) or musl 1.1
or newer, and the kernel 3.2. The format: packaging.python.org, "Binary distribution format".
"""
import archive

METADATA = """Metadata-Version: 2.1
Name: perfold
Version: {version}
Summary: {summary}
License: MIT
Keywords: perf,flamegraph,profiling,linux
Classifier: Environment :: Console
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Topic :: Software Development :: Debuggers
Requires-Python: >=3.6
Description-Content-Type: text/markdown

"""


def platforms(machine):
    return [f"manylinux_2_17_{machine}", f"manylinux2014_{machine}", f"musllinux_1_1_{machine}"]


def wheel_file(tags):
    return "Wheel-Version: 1.0\nGenerator: perfold\nRoot-Is-Purelib: false\n" + "".join(f"Tag: {tag}\n" for tag in tags)


def place(file, data):
    """Where pip takes a file of the tree from; completions are of no use below a venv."""
    if file.path == "bin/perfold":
        return [file._replace(path=f"{data}/scripts/perfold")]
    if file.path.startswith(("share/perfold/", "share/man/", "share/doc/")):
        return [file._replace(path=f"{data}/data/{file.path}")]
    return []


def record(files, path):
    lines = [f"{file.path},sha256={archive.urlsafe_sha256(file.data)},{len(file.data)}\n" for file in files]
    return archive.File(path, "".join(lines + [f"{path},,\n"]).encode(), 0o644)


def wheel(version, machine, folder):
    info = f"perfold-{version}.dist-info"
    tree = archive.read_tree(folder)
    files = [placed for file in tree for placed in place(file, f"perfold-{version}.data")]
    metadata = METADATA.format(version=version, summary=archive.SUMMARY) + (archive.TOP / "README.md").read_text()
    tags = [f"py3-none-{platform}" for platform in platforms(machine)]
    for path, text in (("LICENSE", (archive.TOP / "LICENSE").read_text()), ("METADATA", metadata),
                       ("WHEEL", wheel_file(tags))):
        files.append(archive.File(f"{info}/{path}", text.encode(), 0o644))
    return archive.zipped(files + [record(files, f"{info}/RECORD")])


def main():
    version, out, folders = archive.stages()
    for arch, folder in folders.items():
        machine = archive.MACHINES[arch].wheel
        name = f"perfold-{version}-py3-none-{'.'.join(platforms(machine))}.whl"
        archive.write(out / name, wheel(version, machine, folder))


main()
