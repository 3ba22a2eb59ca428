#!/usr/bin/env python3
"""cpuprofile.py THEIRS OURS: prints the stacks of two .cpuprofile files whose counts differ.

Theirs is a tree of heads and children (V8 of 2015), whose functions have marks of the tier: "~*fib native"
with lines from 1, which for native code are 0, and in which stacks of a single frame are left out. Ours is
a list of nodes with lines from 0; each sample counts as one hit.
"""
import collections
import json
import re
import sys


def place(frame, first):
    line = int(frame["lineNumber"]) - first
    url = re.sub("^file://", "", frame["url"])
    return f" {url}:{line}" if url and line else " " + url


def theirs(profile):
    counts = collections.Counter()

    def walk(node, path):
        name = re.sub(r"^[~*]+", "", node["functionName"])
        if re.search(" native$", name) and node["url"]:
            name, node["url"] = name[:-len(" native")], "native " + node["url"]
        path = path + [(name.strip() + place(node, 0)).strip()]
        counts[";".join(path)] += node["hitCount"]
        for child in node["children"]:
            walk(child, path)

    for child in profile["head"]["children"]:
        walk(child, [])
    return +counts


def ours(profile):
    counts, parents = collections.Counter(), {}
    nodes = {n["id"]: n for n in profile["nodes"]}
    for n in profile["nodes"]:
        for child in n.get("children", []):
            parents[child] = n["id"]

    for sample in profile["samples"]:
        path = []
        while sample in parents:
            frame = nodes[sample]["callFrame"]
            name = re.sub(r"^\[[^]]+\]$", "[unknown]", frame["functionName"])
            path.insert(0, (name + place(frame, -1)).strip())
            sample = parents[sample]
        if len(path) > 1:
            counts[";".join(path)] += 1
    return counts


def main():
    with open(sys.argv[1]) as a, open(sys.argv[2]) as b:
        left, right = theirs(json.load(a)), ours(json.load(b))
    for stack in sorted(left | right):
        if left[stack] != right[stack]:
            print(left[stack], right[stack], stack)
    sys.exit(left != right)


if __name__ == "__main__":
    main()
