#!/usr/bin/env python3
"""spark_merge.py INPUT OUTPUT: one profile of all recordings that match INPUT (file:///data/*.data,
s3a://bucket/day/*), written to the local file OUTPUT (.pb.gz, .folded, .svg).

Each task names what its recording holds; the profiles are merged in a tree. perfold has to be on
all workers. Recordings that cannot be read are listed, and left out.
"""
import os
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession

PERFOLD = os.environ.get("PERFOLD", "perfold")


def profile_of(item):
    """A recording's profile, or why there is none."""
    path, content = item
    done = subprocess.run([PERFOLD, "merge", "-q", "-j1", "--hermetic", "--to", "pprof", "-"],
                          input=bytes(content), capture_output=True, check=False)
    if done.returncode:
        return None, [f"{path}: {done.stderr.decode(errors='replace').strip()}"]
    return done.stdout, []


def merge(a, b):
    """The sum of two profiles; either may be None."""
    if a[0] is None or b[0] is None:
        return a[0] or b[0], a[1] + b[1]
    with tempfile.TemporaryDirectory() as work:
        for name, part in (("a", a), ("b", b)):
            with open(f"{work}/{name}.pb.gz", "wb") as f:
                f.write(part[0])
        done = subprocess.run([PERFOLD, "merge", "-q", "-j1", f"{work}/a.pb.gz", f"{work}/b.pb.gz",
                               "--to", "pprof"], capture_output=True, check=True)
    return done.stdout, a[1] + b[1]


def main():
    source, output = sys.argv[1:]
    spark = SparkSession.builder.appName("perfold").getOrCreate()
    files = spark.sparkContext.binaryFiles(source)
    profile, errors = files.map(profile_of).treeReduce(merge)
    spark.stop()
    for line in sorted(errors):
        print(line, file=sys.stderr)
    if profile is None:
        sys.exit("nothing could be read")
    subprocess.run([PERFOLD, "merge", "-q", "-", "-o", output], input=profile, check=True)


if __name__ == "__main__":
    main()
