#!/usr/bin/env python3
"""stage.py VERSION FOLDER ARCH...: what packages of the static program hold, in FOLDER/ARCH

FOLDER/installed is what "make install" put there, of this machine; all but the program is the same for
all machines. FOLDER/ARCH gets the program of each, stripped, and in share/doc/perfold the licences of
all that is linked in, and the list of it in SPDX.
"""
import os
import pathlib
import shutil
import subprocess
import sys

import archive
import spdx


def program_of(arch):
    for folder in (f"static-{arch}", "static"):
        program = archive.TOP / "build" / folder / "perfold"
        if program.exists() and machine_of(program) == arch:
            return program
    sys.exit(f"stage.py: no static program for {arch}")


def machine_of(program):
    """Debian's name for e_machine of an ELF file."""
    with open(program, "rb") as file:
        header = file.read(20)
    return {62: "amd64", 183: "arm64"}.get(int.from_bytes(header[18:20], "little"))


def strip(program, target):
    tool = {"arm64": "aarch64-linux-gnu-strip", "amd64": "x86_64-linux-gnu-strip"}[machine_of(program)]
    if not shutil.which(tool):
        tool = "strip"
    subprocess.run([tool, "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", "-o", target,
                    program], check=True)


def stage(version, folder, arch):
    root = folder / arch
    program = program_of(arch)
    shutil.copytree(folder / "installed" / "usr/local", root)
    strip(program, root / "bin/perfold")
    doc = root / "share/doc/perfold"
    doc.mkdir(parents=True)
    for name in ("LICENSE", "README.md"):
        shutil.copyfile(archive.TOP / name, doc / name)
    linked = spdx.packages_in(program)
    for package in linked:
        (doc / "copyright").mkdir(exist_ok=True)
        shutil.copyfile(package.copyright, doc / "copyright" / package.name)
    (doc / "perfold.spdx.json").write_bytes(spdx.document(version, arch, root / "bin/perfold", linked))


def main():
    version, folder, arches = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    os.umask(0o022)
    for arch in arches:
        if arch not in archive.MACHINES:
            sys.exit(f"stage.py: no packages for {arch}, only for {', '.join(archive.MACHINES)}")
        stage(version, folder, arch)


main()
