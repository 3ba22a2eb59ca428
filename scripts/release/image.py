#!/usr/bin/env python3
"""image.py VERSION STAGE OUT ARCH...: OUT/perfold-VERSION-oci.tar, an image for containers of each folder STAGE/ARCH

An archive of an OCI image layout, for "podman load", "docker load" (25 and newer) and skopeo; one index for all
machines. The image has one layer: the program, its filters and licences, the terminals that Debian's base knows
(ncurses-base, for perfold view), /tmp, and /work, where it starts.
Made without a daemon: https://github.com/opencontainers/image-spec
"""
import json

import archive

FOLDERS = {"tmp": 0o1777, "work": 0o755}
TERMINALS = "lib/terminfo"
KIND = "application/vnd.oci.image."


class Layout:
    """Files of the layout: each blob is named by its hash."""

    def __init__(self):
        self.files = [archive.File("oci-layout", json.dumps({"imageLayoutVersion": "1.0.0"}).encode(), 0o644)]

    def add(self, kind, data):
        digest = archive.sha256(data)
        self.files.append(archive.File(f"blobs/sha256/{digest}", data, 0o644))
        return {"mediaType": KIND + kind, "digest": f"sha256:{digest}", "size": len(data)}

    def add_json(self, kind, value):
        return self.add(kind, archive.to_json(value))


def labels(version):
    title = "org.opencontainers.image."
    return {f"{title}created": archive.timestamp(), f"{title}description": archive.SUMMARY,
            f"{title}licenses": "MIT", f"{title}title": "perfold", f"{title}version": version}


def add_image(layout, version, machine, folder):
    kept = ("bin/", "share/perfold/", "share/doc/")
    files = [file._replace(path=f"usr/local/{file.path}") for file in archive.read_tree(folder)
             if file.path.startswith(kept)] + archive.read_tree(f"/{TERMINALS}", f"{TERMINALS}/")
    tar = archive.tar(files, FOLDERS)
    layer = layout.add("layer.v1.tar+gzip", archive.compress(tar))
    config = layout.add_json("config.v1+json", {
        "created": archive.timestamp(),
        "architecture": machine,
        "os": "linux",
        "config": {
            "Entrypoint": ["/usr/local/bin/perfold"],
            "Env": ["PATH=/usr/local/bin"],
            "WorkingDir": "/work",
            "Labels": labels(version),
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{archive.sha256(tar)}"]},
        "history": [{"created": archive.timestamp(), "created_by": "make image"}],
    })
    manifest = layout.add_json("manifest.v1+json", {
        "schemaVersion": 2,
        "mediaType": KIND + "manifest.v1+json",
        "config": config,
        "layers": [layer],
        "annotations": labels(version),
    })
    return {**manifest, "platform": {"architecture": machine, "os": "linux"}}


def main():
    version, out, folders = archive.stages()
    layout = Layout()
    manifests = [add_image(layout, version, archive.MACHINES[arch].image, folder) for arch, folder in folders.items()]
    index = layout.add_json("index.v1+json", {"schemaVersion": 2, "mediaType": KIND + "index.v1+json",
                                              "manifests": manifests})
    named = {**index, "annotations": {"org.opencontainers.image.ref.name": version,
                                      "io.containerd.image.name": f"docker.io/library/perfold:{version}"}}
    if len(manifests) == 1:
        named = {**manifests[0], "annotations": named["annotations"]}
    top = {"schemaVersion": 2, "mediaType": KIND + "index.v1+json", "manifests": [named]}
    layout.files.append(archive.File("index.json", archive.to_json(top), 0o644))
    archive.write(out / f"perfold-{version}-oci.tar", archive.tar(layout.files))


main()
