"""What all packages are made of: files of a folder, in archives that do not depend on when and where.

Entries are in the order of their paths, owned by 0:0, of one time (epoch()), with modes 755 or 644: the
bytes of an archive depend on its contents alone.
"""
import base64
import collections
import gzip
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import time
import zipfile

TOP = pathlib.Path(__file__).resolve().parents[2]
SUMMARY = "Recordings of Linux perf to flame graphs and CPU profiles"

# What each package format calls a machine, by Debian's name of it.
Machine = collections.namedtuple("Machine", "tarball npm wheel image")
MACHINES = {
    "amd64": Machine("x86_64", "x64", "x86_64", "amd64"),
    "arm64": Machine("aarch64", "arm64", "aarch64", "arm64"),
}

File = collections.namedtuple("File", "path data mode")


def epoch():
    return int(subprocess.run(["scripts/release/epoch.sh"], cwd=TOP, check=True, stdout=subprocess.PIPE).stdout)


def timestamp():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch()))


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def to_json(value):
    return (json.dumps(value, indent=2) + "\n").encode()


def read_tree(folder, prefix=""):
    """All files below a folder, as File with the path below it, after the prefix."""
    found = []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.is_file():
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            found.append(File(prefix + str(path.relative_to(folder)), path.read_bytes(), mode))
    return found


def tar(files, folders={}):
    """folders: those to be entries of their own, with their modes."""
    out = io.BytesIO()
    when = epoch()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, mode in sorted(folders.items()):
            entry = tarfile.TarInfo(path)
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, mode, when
            archive.addfile(entry)
        for file in sorted(files):
            entry = tarfile.TarInfo(file.path)
            entry.mode, entry.mtime, entry.size = file.mode, when, len(file.data)
            archive.addfile(entry, io.BytesIO(file.data))
    return out.getvalue()


def compress(data):
    return gzip.compress(data, 9, mtime=0)


def zipped(files):
    """In the given order: RECORD is the last entry of a wheel."""
    out = io.BytesIO()
    when = time.gmtime(epoch())[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, when)
            entry.create_system = 3  # Unix: the mode is in external_attr
            entry.external_attr = (0o100000 | file.mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.data)
    return out.getvalue()


def urlsafe_sha256(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def stages():
    """The command line of a packer, VERSION STAGE OUT ARCH...: (the version, OUT, {arch: its folder})."""
    version, stage, out, arches = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4:]
    return version, out, {arch: stage / arch for arch in arches}


def write(path, data):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    new.rename(path)
    print(f"  PACK  {os.path.relpath(path)}", file=sys.stderr)
