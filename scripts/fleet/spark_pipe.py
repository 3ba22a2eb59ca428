#!/usr/bin/env python3
"""spark_pipe.py INPUT OUTPUT: the sum of folded stacks in all files that match INPUT, in the directory
OUTPUT.

Lines of folded stacks may be cut into partitions anywhere, so RDD.pipe() will do: each partition is
added up, then the sums in one.
"""
import os
import sys

from pyspark.sql import SparkSession

PERFOLD = os.environ.get("PERFOLD", "perfold")
MERGE = f"{PERFOLD} merge -q -j1 --from folded - --to folded"


def main():
    source, output = sys.argv[1:]
    spark = SparkSession.builder.appName("perfold").getOrCreate()
    lines = spark.sparkContext.textFile(source)
    lines.pipe(MERGE, checkCode=True).coalesce(1).pipe(MERGE, checkCode=True).saveAsTextFile(output)
    spark.stop()


if __name__ == "__main__":
    main()
