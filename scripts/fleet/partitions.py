#!/usr/bin/env python3
"""partitions.py PERFOLD: 300 recordings and 3 bad files, summed by Spark in 1, 8 and 64 partitions.

Profile and folded stacks must be those of one perfold merge of all, byte for byte, and the picture that
of its profile; the bad files must be reported, each by a line. (A picture of the recordings themselves
also says which machine they are from, and what was lost.) Prints TAP.
"""
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile

INPUTS = ["merge/recordings/input.c.perf.data.zst", "merge/recordings/input.java.perf.data.zst",
          "output/all-formats/input.perf.data", "fleet/rows/input.one.txt"]
RECORDINGS = 300
BAD = {"empty": b"", "unknown": b"\0no recording\0" * 9, "cut": b"PERFILE2" + b"\x68\0\0\0"}


def make_files(work):
    paths = []
    for n, source in zip(range(RECORDINGS), itertools.cycle(INPUTS)):
        paths.append(f"{work}/{n:03}.{os.path.basename(source)}")
        shutil.copyfile("testdata/" + source, paths[-1])
    for name, content in BAD.items():
        paths.append(f"{work}/{name}.data")
        with open(paths[-1], "wb") as f:
            f.write(content)
    return paths


def merge(perfold, paths, outputs):
    """Merges what can be read; returns the lines of errors."""
    with tempfile.TemporaryDirectory() as work:
        command = [perfold, "merge", "-q", "-j1", "--hermetic", "--weight", "samples",
                   "--keep-going", "--errors", f"{work}/errors", "--inputs-from", "-"]
        for output in outputs:
            command += ["-o", output]
        done = subprocess.run(command, input="\n".join(paths), encoding="utf-8", check=False,
                              capture_output=True)
        if done.returncode not in (0, 5):
            raise RuntimeError(done.stderr)
        with open(f"{work}/errors", encoding="utf-8") as f:
            return f.read().splitlines()


def sum_of(perfold, paths):
    """The profile of a partition, if anything in it can be read, and its errors."""
    if not paths:
        return []
    with tempfile.TemporaryDirectory() as work:
        output = f"{work}/sum.pb.gz"
        try:
            errors = merge(perfold, paths, [output])
        except RuntimeError:  # nothing could be read
            return [(None, [json.dumps({"path": p}) for p in paths])]
        with open(output, "rb") as f:
            return [(f.read(), errors)]


def add(perfold, a, b):
    """The sum of two partitions."""
    if a[0] is None or b[0] is None:
        return a[0] or b[0], a[1] + b[1]
    with tempfile.TemporaryDirectory() as work:
        paths = [f"{work}/a.pb.gz", f"{work}/b.pb.gz"]
        for path, part in zip(paths, (a, b)):
            with open(path, "wb") as f:
                f.write(part[0])
        subprocess.run([perfold, "merge", "-q", "-j1", *paths, "-o", f"{work}/ab.pb.gz"],
                       check=True)
        with open(f"{work}/ab.pb.gz", "rb") as f:
            return f.read(), a[1] + b[1]


def files_of(perfold, profile):
    """What users look at: the profile again, folded stacks, a picture."""
    files = {}
    with tempfile.TemporaryDirectory() as work:
        for suffix in ("pb.gz", "folded", "svg"):
            subprocess.run([perfold, "merge", "-q", "-", "-o", f"{work}/x.{suffix}"],
                           input=profile, check=True)
            with open(f"{work}/x.{suffix}", "rb") as f:
                files[suffix] = f.read()
    return files


def expect(perfold, work, paths):
    """The files of one machine, and why they are wrong."""
    errors = merge(perfold, paths, [f"{work}/one.pb.gz", f"{work}/one.folded"])
    wrong = [] if len(errors) == len(BAD) else [f"one machine: {len(errors)} lines of errors"]
    with open(f"{work}/one.pb.gz", "rb") as f:
        profile = f.read()
    expected = files_of(perfold, profile)
    with open(f"{work}/one.folded", "rb") as f:
        expected["folded"] = f.read()
    expected["pb.gz"] = profile
    return expected, wrong


def try_partitions(spark, perfold, paths, expected, n):
    whole, errors = (spark.sparkContext.parallelize(paths, n)
                     .mapPartitions(lambda part: sum_of(perfold, list(part)))
                     .treeReduce(lambda a, b: add(perfold, a, b)))
    wrong = [] if len(errors) == len(BAD) else [f"{len(errors)} lines of errors"]
    files = files_of(perfold, whole)
    wrong += [f"{suffix} differs" for suffix in files if files[suffix] != expected[suffix]]
    return wrong + (["the profile differs"] if whole != expected["pb.gz"] else [])


def main():
    perfold = os.path.realpath(sys.argv[1])
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        print("1..0 # SKIP no pyspark")
        return 0
    if not shutil.which("java"):
        print("1..0 # SKIP no java")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        paths = make_files(work)
        expected, doubts = expect(perfold, work, paths)
        spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
                 .config("spark.ui.showConsoleProgress", "false").getOrCreate())
        spark.sparkContext.setLogLevel("ERROR")
        for number, n in enumerate((1, 8, 64), 1):
            wrong = doubts + try_partitions(spark, perfold, paths, expected, n)
            for what in wrong:
                print(f"# {n} partitions: {what}")
            print(f"{'not ok' if wrong else 'ok'} {number} - {n} partitions")
            failed += bool(wrong)
        spark.stop()
    print("1..3")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
