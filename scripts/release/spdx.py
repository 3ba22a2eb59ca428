"""What a static program is linked with, by the linker's map, as a list in SPDX 2.3.

Each archive and object file that the linker took something from belongs to a package of Debian, which has
a version. Of a program for another machine, they lie in build/sysroot/ARCH, whose packages and versions
are in the file "packages" there. Licences are in the table below, by source package: a library that is
not in it ends the build.
"""
import collections
import pathlib
import re
import subprocess
import sys
import uuid
from urllib.parse import quote

import archive

LICENCES = {
    "bzip2": "bzip2-1.0.6",
    "capstone": "BSD-3-Clause",
    "cross-toolchain-base": "LGPL-2.1-or-later",  # glibc
    "elfutils": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "libarchive": "BSD-2-Clause",
    "libdeflate": "MIT",
    "libiberty": "LGPL-2.1-or-later",
    "libtraceevent": "LGPL-2.1-only",
    "libzstd": "BSD-3-Clause OR GPL-2.0-only",
    "ncurses": "X11-distribute-modifications-variant",
    "pcre2": "BSD-3-Clause",
    "xxhash": "BSD-2-Clause",
    "xz-utils": "LicenseRef-public-domain",
    "yajl": "ISC",
    "zlib": "Zlib",
}
# Their headers hold the code.
HEADERS = ["/usr/include/xxhash.h"]

Package = collections.namedtuple("Package", "name version source files copyright")


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked_files(program):
    """Archives and object files outside of build/, but for those in build/sysroot."""
    text = program.with_name("perfold.map").read_text(errors="replace")
    members = text[:text.index("Memory Configuration")]
    found = set(re.findall(r"^(/\S+\.a)\(", members, re.M)) | set(re.findall(r"^LOAD (/\S+\.o)$", text, re.M))
    return {str(pathlib.Path(path).resolve()) for path in found}


def in_sysroot(path):
    """(The sysroot, the path below it)."""
    match = re.match(r"(.*/build/sysroot/[^/]+)(/.*)", path)
    return (match[1], match[2]) if match else (None, path)


def owner_of(path):
    """(Name, version) of the package that a file belongs to."""
    sysroot, below = in_sysroot(path)
    # The same package is here for this machine, too.
    pattern = re.sub(r"/[a-z0-9_]+-linux-gnu[a-z]*/", "/*/", below) if sysroot else below
    name = re.split(r"[:,]", output("dpkg", "-S", pattern))[0]
    if not sysroot:
        return name, output("dpkg-query", "-W", "-f", "${Version}\n", name).splitlines()[0]
    for line in pathlib.Path(sysroot, "packages").read_text().splitlines():
        if line.split("\t")[0].split(":")[0] == name:
            return name, line.split("\t")[1]
    sys.exit(f"spdx.py: {sysroot}/packages does not have {name}")


def source_of(name):
    """gcc-12 and gcc-12-cross are gcc."""
    source = output("dpkg-query", "-W", "-f", "${source:Package}\n", name).splitlines()[0]
    return re.sub(r"^gcc-.*", "gcc", re.sub(r"-[0-9]+$", "", source))


def packages_in(program):
    files = collections.defaultdict(list)
    for path in sorted(linked_files(program)) + HEADERS:
        files[owner_of(path)].append(pathlib.Path(path).name)
    found = []
    for (name, version), names in sorted(files.items()):
        source = source_of(name)
        if source not in LICENCES:
            sys.exit(f"spdx.py: no licence is known for {source} ({name}: {' '.join(names)})")
        found.append(Package(name, version, source, names, f"/usr/share/doc/{name}/copyright"))
    return found


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def library(package, arch):
    return {
        "SPDXID": identifier(package.name),
        "name": package.name,
        "versionInfo": package.version,
        "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": LICENCES[package.source],
        "copyrightText": "NOASSERTION",
        "comment": " ".join(package.files),
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{package.name}@{quote(package.version)}?arch={arch}",
        }],
    }


def document(version, arch, program, linked):
    digest = archive.sha256(program.read_bytes())
    name = f"perfold-{version}-linux-{archive.MACHINES[arch].tarball}"
    return archive.to_json({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{uuid.uuid5(uuid.NAMESPACE_URL, digest)}",
        "creationInfo": {"created": archive.timestamp(), "creators": ["Tool: perfold-scripts-release"]},
        "packages": [{
            "SPDXID": "SPDXRef-perfold",
            "name": "perfold",
            "versionInfo": version,
            "primaryPackagePurpose": "APPLICATION",
            "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION",
            "licenseDeclared": "MIT",
            "copyrightText": "NOASSERTION",
            "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
            "comment": "The checksum is that of bin/perfold.",
        }] + [library(package, arch) for package in linked],
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT",
            "relationshipType": "DESCRIBES",
            "relatedSpdxElement": "SPDXRef-perfold",
        }] + [{
            "spdxElementId": "SPDXRef-perfold",
            "relationshipType": "STATIC_LINK",
            "relatedSpdxElement": identifier(package.name),
        } for package in linked],
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-public-domain",
            "extractedText": "liblzma is in the public domain.",
        }],
    })
