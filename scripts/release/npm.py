#!/usr/bin/env python3
"""npm.py VERSION STAGE OUT ARCH...: OUT/perfold-VERSION.tgz and OUT/perfold-linux-ARCH-VERSION.tgz, for npm

perfold is perfold.js and the man pages; the program is in a package for each machine, @perfold/linux-x64
and the like, of which npm installs the one that the machine can run: they are optional dependencies, with
"os" and "cpu". Nothing is downloaded or run when they are installed.
"""
import archive

PROGRAM = ("bin/", "share/perfold/", "share/doc/")


def packed(manifest, files):
    """As npm pack does it: all is below package/."""
    files = files + [archive.File("package.json", archive.to_json(manifest), 0o644)]
    return archive.compress(archive.tar([file._replace(path=f"package/{file.path}") for file in files]))


def common(version, name, description):
    return {"name": name, "version": version, "description": description, "license": "MIT",
            "keywords": ["perf", "flamegraph", "profiling", "linux", "cpuprofile"]}


def platform_package(version, machine, folder):
    tree = archive.read_tree(folder)
    manifest = common(version, f"@perfold/linux-{machine}", f"The program of perfold for Linux on {machine}")
    manifest.update({"os": ["linux"], "cpu": [machine], "preferUnplugged": True})
    readme = f"# @perfold/linux-{machine}\n\nThe program of [perfold](https://www.npmjs.com/package/perfold) for " \
        f"Linux on {machine}. It needs no library. Install `perfold`, which depends on it.\n"
    return packed(manifest, [file for file in tree if file.path.startswith(PROGRAM) and "README" not in file.path] + [
        archive.File("README.md", readme.encode(), 0o644),
        archive.File("LICENSE", (folder / "share/doc/perfold/LICENSE").read_bytes(), 0o644)])


def main_package(version, machines, folder):
    pages = [file._replace(path=file.path.replace("share/", "")) for file in archive.read_tree(folder)
             if file.path.startswith("share/man/")]
    manifest = common(version, "perfold", archive.SUMMARY)
    manifest.update({
        "bin": {"perfold": "bin/perfold.js"},
        "man": [f"./{page.path}" for page in pages],
        "engines": {"node": ">=14"},
        "optionalDependencies": {f"@perfold/linux-{machine}": version for machine in machines},
    })
    sources = {"bin/perfold.js": "scripts/release/perfold.js", "README.md": "README.md", "LICENSE": "LICENSE"}
    return packed(manifest, pages + [
        archive.File(path, (archive.TOP / source).read_bytes(), 0o755 if path.endswith(".js") else 0o644)
        for path, source in sources.items()])


def main():
    version, out, folders = archive.stages()
    machines = {archive.MACHINES[arch].npm: folder for arch, folder in folders.items()}
    for machine, folder in machines.items():
        archive.write(out / f"perfold-linux-{machine}-{version}.tgz", platform_package(version, machine, folder))
    any_folder = next(iter(folders.values()))
    archive.write(out / f"perfold-{version}.tgz", main_package(version, machines, any_folder))


main()
