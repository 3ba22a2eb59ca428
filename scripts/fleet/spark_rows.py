#!/usr/bin/env python3
"""spark_rows.py INPUT OUTPUT: Parquet of all recordings that match INPUT, in the directory OUTPUT.

Each partition runs perfold for its recordings, one after the other, and hands on their rows. Where rows
were made beside the recordings, spark.read.json("*.rows.json.gz") is all that is needed.
"""
import os
import subprocess
import sys

from pyspark.sql import SparkSession

PERFOLD = os.environ.get("PERFOLD", "perfold")


def rows_of(items):
    """The lines of all recordings of a partition."""
    for path, content in items:
        # the path is known wherever the task runs, and to whoever asks for a recording later
        command = [PERFOLD, "-q", "-j1", "--hermetic", "--event", "all", "--label",
                   f"recording={path}", "--to", "rows", "-"]
        done = subprocess.run(command, input=bytes(content), capture_output=True, check=False)
        if done.returncode:
            print(f"{path}: {done.stderr.decode(errors='replace')}", file=sys.stderr)
        else:
            yield from done.stdout.decode().splitlines()


def main():
    source, output = sys.argv[1:]
    spark = SparkSession.builder.appName("perfold").getOrCreate()
    lines = spark.sparkContext.binaryFiles(source).mapPartitions(rows_of)
    rows = spark.read.json(lines)
    rows.sort("time_us", "recording").write.mode("overwrite").parquet(output)
    spark.stop()


if __name__ == "__main__":
    main()
