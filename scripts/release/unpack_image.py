#!/usr/bin/env python3
"""unpack_image.py LAYOUT ARCH FOLDER: the layers of an OCI image into FOLDER; prints its entry point"""
import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile


def blob(layout, descriptor):
    data = (layout / "blobs" / descriptor["digest"].replace(":", "/")).read_bytes()
    assert len(data) == descriptor["size"]
    return data


def find_manifest(layout, descriptors, arch):
    """Indexes may hold others."""
    for descriptor in descriptors:
        found = json.loads(blob(layout, descriptor))
        if "manifests" in found:
            return find_manifest(layout, found["manifests"], arch)
        if descriptor["platform"]["architecture"] == arch:
            return found
    sys.exit(f"unpack_image.py: no image for {arch}")


def main():
    layout, arch, folder = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    manifest = find_manifest(layout, json.loads((layout / "index.json").read_text())["manifests"], arch)
    config = json.loads(blob(layout, manifest["config"]))
    assert config["architecture"] == arch
    for layer, digest in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
        tar = gzip.decompress(blob(layout, layer))
        assert digest == "sha256:" + hashlib.sha256(tar).hexdigest()
        tarfile.open(fileobj=io.BytesIO(tar)).extractall(folder)
    print(" ".join(config["config"]["Entrypoint"]))


main()
