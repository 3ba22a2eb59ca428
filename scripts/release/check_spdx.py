#!/usr/bin/env python3
"""check_spdx.py FOLDER: the list of what is linked in, of an unpacked archive, is of its program and complete

Complete: each library that perfold --version names as linked in is in the list, and for each package
of the list the text of its licence is there.
"""
import hashlib
import json
import pathlib
import subprocess
import sys

# What perfold --version -v calls a library, where its package has another name.
PACKAGES = {"glibc": "libc6", "elfutils": "libdw", "pcre2": "libpcre2", "yajl": "libyajl", "zlib": "zlib1g",
            "zstd": "libzstd", "capstone": "libcapstone", "ncurses": "libncurses"}


def main():
    folder = pathlib.Path(sys.argv[1])
    program, doc = folder / "bin/perfold", folder / "share/doc/perfold"
    listed = json.loads((doc / "perfold.spdx.json").read_text())
    perfold, libraries = listed["packages"][0], listed["packages"][1:]
    assert perfold["checksums"][0]["checksumValue"] == hashlib.sha256(program.read_bytes()).hexdigest()
    names = [package["name"] for package in libraries]
    linked = [edge["relatedSpdxElement"] for edge in listed["relationships"]
              if edge["relationshipType"] == "STATIC_LINK"]
    assert linked == [package["SPDXID"] for package in libraries]
    assert sorted(names) == sorted(path.name for path in (doc / "copyright").iterdir())
    said = subprocess.run([program, "--version", "-v"], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split() for line in said.splitlines()[2:]]
    for name in [line[0] for line in lines if line[0] not in ("others", "libarchive")] + ["libarchive", "libiberty"]:
        wanted = PACKAGES.get(name, name)
        assert any(package.startswith(wanted) for package in names), f"{name} is not in the list"


main()
