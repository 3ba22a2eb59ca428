#!/usr/bin/env python3
"""tarball.py VERSION STAGE OUT ARCH...: OUT/perfold-VERSION-linux-MACHINE.tar.gz, of each folder STAGE/ARCH

It works wherever it is unpacked, over /usr/local, too (tar --strip-components=1): all is in bin/ and share/.
share/doc/perfold/SHA256SUMS, for sha256sum -c in the folder above, has all other files.
"""
import archive


def sums(files):
    lines = "".join(f"{archive.sha256(file.data)}  {file.path}\n" for file in files)
    return archive.File("share/doc/perfold/SHA256SUMS", lines.encode(), 0o644)


def main():
    version, out, folders = archive.stages()
    for arch, folder in folders.items():
        name = f"perfold-{version}-linux-{archive.MACHINES[arch].tarball}"
        files = archive.read_tree(folder)
        files.append(sums(files))
        files = [file._replace(path=f"{name}/{file.path}") for file in files]
        archive.write(out / f"{name}.tar.gz", archive.compress(archive.tar(files)))


main()
