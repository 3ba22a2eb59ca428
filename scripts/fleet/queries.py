#!/usr/bin/env python3
"""queries.py PERFOLD: the queries of man perfold-rows(5) in each engine that is installed.

Four recordings of testdata/ get labels and become rows. Each engine makes its table and answers the
four questions by the text of the page; answers must be those computed here from the rows, and the
folded stacks those that perfold itself writes. Prints TAP.
"""
import collections
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = "man/perfold-rows.5.scd"
INPUTS = [  # recording, service, version
    ("merge/recordings/input.c.perf.data.zst", "web", "1"),
    ("merge/recordings/input.java.perf.data.zst", "web", "2"),
    ("output/all-formats/input.perf.data", "web", "2"),
    ("fleet/rows/input.one.txt", "db", "1"),
]
TESTED = "level2"  # in place of the page's "parse", which no test program has


def blocks(engine):
    """The text of an engine's section, as a reader of the page sees it."""
    text = open(PAGE, encoding="utf-8").read()
    section = text.split(f"## {engine}\n", 1)[1]
    block = section.split("```\n", 2)[1]
    return block.replace("\\\\", "\\").replace("'parse'", f"'{TESTED}'")


def statements(engine):
    return [s.strip() for s in blocks(engine).split(";\n") if s.strip()]


def make_rows(perfold):
    for n, (path, service, version) in enumerate(INPUTS):
        labels = ["--label", f"service={service}", "--label", f"version={version}"]
        root = os.path.dirname("testdata/" + path) + "/root"
        symfs = ["--symfs", root] if os.path.isdir(root) else []
        command = [perfold, "-q", "testdata/" + path, *symfs, *labels, "-o"]
        subprocess.run([*command, f"{work}/{n}.rows.json.gz"], check=True)
        if service == "web":
            subprocess.run([*command, f"{work}/{n}.folded"], check=True)
    folded = subprocess.run(
        [perfold, "merge", "-q", *sorted(glob.glob(f"{work}/*.folded")), "--to", "folded"],
        check=True, capture_output=True, encoding="utf-8")
    return sorted(folded.stdout.splitlines())


def read_rows():
    rows = []
    for path in sorted(glob.glob(f"{work}/*.rows.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as f:
            rows += [json.loads(line) for line in f]
    return rows


def expected_answers(rows, folded):
    rows = [r for r in rows if r["unit"] == "nanoseconds"]
    top, whole, part = (collections.Counter() for _ in range(3))
    leaf, web = collections.Counter(), collections.Counter()
    for r in rows:
        top[r["service"], r["leaf"]] += r["weight"]
        whole[r["version"]] += r["weight"]
        part[r["version"]] += r["weight"] if TESTED in r["stack"] else 0
        if r["service"] == "web":
            web[r["version"]] += r["weight"]
            leaf[r["leaf"], r["version"]] += r["weight"]
    change = collections.Counter()
    for (name, version), weight in leaf.items():
        change[name] += (1 if version == "2" else -1) * weight / web[version]
    return {
        "top": sorted(((s, f, w) for (s, f), w in top.items()), key=lambda t: (-t[2], t[:2]))[:10],
        "share": [(v, round(part[v] / whole[v], 9)) for v in sorted(whole)],
        "folded": folded,
        "change": sorted(round(c, 9) for c in change.values())[-10:][::-1],
        "count": (len(rows), sum(r["weight"] for r in rows)),
    }


def answers(run, texts):
    """run: of the text of a query to its rows."""
    top, share, folded, change = texts
    count = "select count(*), sum(weight) from perf where unit = 'nanoseconds'"
    return {
        "top": [tuple(r) for r in run(top)],
        "share": [(str(v), round(s, 9)) for v, s in run(share)],
        "folded": sorted(merge_lines(r[0] for r in run(folded))),
        "change": [round(r[1], 9) for r in run(change)],
        "count": tuple(int(n) for n in run(count)[0]),
    }


def merge_lines(lines):
    """Stacks that differ in their modules only are one line of perfold."""
    sums = collections.Counter()
    for line in lines:
        stack, weight = line.rsplit(" ", 1)
        sums[stack] += int(weight)
    return [f"{stack} {weight}" for stack, weight in sums.items()]


def duckdb_answers():
    import duckdb
    db = duckdb.connect()
    view, *texts, parquet = statements("DuckDB")
    db.execute(view)
    db.execute(parquet)
    got = answers(lambda q: db.execute(q).fetchall(), texts)
    db.execute("create or replace view perf as select * from 'day.parquet'")
    again = answers(lambda q: db.execute(q).fetchall(), texts)
    return got if again == got else {"parquet": again}


def duckdb_answers_of_two_tables():
    import duckdb
    db = duckdb.connect()
    view, stacks, costs, *texts = statements("DuckDB with two tables")
    change = statements("DuckDB")[4]
    for statement in (view, stacks, costs):
        db.execute(statement)
    db.execute("create or replace view perf as select * from 'costs.parquet'")
    return answers(lambda q: db.execute(q).fetchall(), [*texts, change])


def chdb_answers():
    from chdb import session
    db = session.Session()
    view, *texts = statements("ClickHouse")
    # which reads files of its own directory only
    db.query(view.replace("'*.rows", f"'{work}/*.rows"))

    def run(query):
        text = str(db.query(query, "JSONCompactEachRow"))
        return [json.loads(line) for line in text.splitlines()]

    def numbers(query):
        return [[int(v) if isinstance(v, str) and v.isdigit() and i else v
                 for i, v in enumerate(row)] for row in run(query)]

    return answers(lambda q: numbers(q) if "share" not in q else run(q), texts)


def spark_answers():
    from pyspark.sql import SparkSession
    if not shutil.which("java"):
        raise ImportError("java")
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.ui.showConsoleProgress", "false")
             .config("spark.sql.shuffle.partitions", "4").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    view, *texts = statements("Spark SQL")
    spark.sql(view)
    got = answers(lambda q: [tuple(r) for r in spark.sql(q).collect()], texts)
    spark.stop()
    return got


def polars_answers():
    import polars as pl
    space = {}
    exec(blocks("Polars"), space)
    count = space["perf"].select(pl.len(), space["weight"]).collect().row(0)
    frames = {name: space[name].collect().rows() for name in ("top", "share", "folded", "change")}
    return {
        "top": frames["top"],
        "share": [(str(v), round(s, 9)) for v, s in frames["share"]],
        "folded": sorted(merge_lines(r[0] for r in frames["folded"])),
        "change": [round(r[1], 9) for r in frames["change"]],
        "count": count,
    }


def compare(name, got, expected):
    wrong = [key for key in expected if got.get(key) != expected[key]]
    for key in wrong:
        print(f"# {name}: {key}\n#  got      {str(got.get(key))[:600]}\n"
              f"#  expected {str(expected[key])[:600]}")
    return not wrong


def main():
    perfold = os.path.realpath(sys.argv[1])
    global work
    engines = [("DuckDB", duckdb_answers), ("DuckDB with two tables", duckdb_answers_of_two_tables),
               ("ClickHouse", chdb_answers),
               ("Polars", polars_answers), ("Spark SQL", spark_answers)]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        folded = make_rows(perfold)
        expected = expected_answers(read_rows(), folded)
        global PAGE
        PAGE = os.path.realpath(PAGE)
        os.chdir(work)
        for n, (name, run) in enumerate(engines, 1):
            try:
                ok = compare(name, run(), expected)
                print(f"{'ok' if ok else 'not ok'} {n} - queries in {name}")
                failed += not ok
            except ImportError as missing:
                print(f"ok {n} - queries in {name} # SKIP no {missing.name or missing}")
            sys.stdout.flush()
    print(f"1..{len(engines)}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
