#!/usr/bin/env python3
"""scale.py DIR ROWS.json.gz...: how long queries take on 44 million rows.

The rows of some recordings are repeated until there are as many as DIR is to have (ROWS=44300000),
over 14 days, four services and six versions, as two tables of Parquet: costs, which has all columns
but the stacks, and stacks by stack_id. Then each engine that is installed (duckdb, chdb, pyspark)
answers the three questions of a day's work, with two threads; prints the seconds of the fastest of
three runs, and fails where the engines do not agree. Takes 4 GB of memory and 2 GB below DIR.
"""
import os
import sys
import time

import duckdb

DAY_US = 86_400_000_000
START_US = 1_760_000_000_000_000 // DAY_US * DAY_US
DAYS, RUNS = 14, 3
ROWS = int(os.environ.get("ROWS", 44_300_000))

QUESTIONS = {
    "top": """
        select service, leaf, sum(weight) as weight from costs
        where time_us >= {week} and unit = 'nanoseconds'
        group by service, leaf order by weight desc, service, leaf limit 10""",
    "share": """
        select version, sum(case when hit.stack_id is null then 0 else weight end) / sum(weight) as share
        from costs left join (select stack_id from stacks where {contains}) hit
        on costs.stack_id = hit.stack_id
        where unit = 'nanoseconds' group by version order by version""",
    "folded": """
        select comm, {join} as line, sums.weight from
        (select comm, stack_id, sum(weight) as weight from costs where service = 'web'
         and time_us >= {day} and time_us < {day_end} and unit = 'nanoseconds'
         group by comm, stack_id) sums
        join stacks on sums.stack_id = stacks.stack_id order by line, comm, weight""",
}


def make_tables(folder, inputs):
    """costs/DAY.parquet and stacks.parquet below the folder."""
    db = duckdb.connect()
    db.execute("set threads = 2; set memory_limit = '4GB'")
    db.execute("create table perf as select * from read_json($1, union_by_name = true)", [inputs])
    here = db.execute("select count(*) from perf").fetchone()[0]
    repeats = -(-ROWS // here)
    db.execute(f"""copy (select stack_id, any_value(stack) as stack, any_value(module) as module
        from perf group by stack_id) to '{folder}/stacks.parquet'
        (format parquet, compression zstd)""")
    os.makedirs(f"{folder}/costs", exist_ok=True)
    for day in range(DAYS):
        first, last = repeats * day // DAYS, repeats * (day + 1) // DAYS
        db.execute(f"""copy (
            select md5(recording || n) as recording,
                ['web', 'db', 'queue', 'mail'][(n + ascii(recording)) % 4 + 1] as service,
                ((n // 4) % 6)::varchar as version,
                {START_US} + {day} * {DAY_US} + (n * 7919 % 86400) * 1000000 as time_us,
                host, process, comm, pid, tid, event, unit, period, samples,
                weight + n % 16 * period as weight, leaf, stack_id
            from perf, range({first}, {last}) t(n) order by service, time_us, recording)
            to '{folder}/costs/{day:02}.parquet' (format parquet, compression zstd)""")
    return db.execute(f"select count(*), count(distinct recording) from '{folder}/costs/*.parquet'").fetchone()


def question(name, contains, join):
    day = START_US + 9 * DAY_US
    return QUESTIONS[name].format(week=START_US + 7 * DAY_US, day=day, day_end=day + DAY_US,
                                  contains=contains, join=join)


def ask_duckdb(folder):
    db = duckdb.connect()
    db.execute("set threads = 2")
    db.execute(f"create view costs as select * from '{folder}/costs/*.parquet'")
    db.execute(f"create view stacks as select * from '{folder}/stacks.parquet'")
    return lambda name: db.execute(question(
        name, f"list_contains(stack, '{FUNCTION}')", "array_to_string(stack, ';')")).fetchall()


def ask_clickhouse(folder):
    from chdb import session
    db = session.Session()
    db.query("create database perfold; use perfold; set max_threads = 2")
    db.query(f"create view costs as select * from file('{folder}/costs/*.parquet')")
    db.query(f"create view stacks as select * from file('{folder}/stacks.parquet')")
    settings = " settings max_threads = 2, join_use_nulls = 1"
    clean = "arrayStringConcat(arrayMap(f -> ifNull(f, ''), stack), ';')"

    def ask(name):
        out = db.query(question(name, f"has(stack, '{FUNCTION}')", clean) + settings,
                       "JSONCompactEachRow")
        import json
        return [tuple(int(v) if str(v).isdigit() and i else v for i, v in enumerate(json.loads(line)))
                for line in str(out).splitlines()]
    return ask


def ask_spark(folder):
    from pyspark.sql import SparkSession
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.driver.memory", "4g").config("spark.sql.shuffle.partitions", "4").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    spark.read.parquet(f"{folder}/costs").createOrReplaceTempView("costs")
    spark.read.parquet(f"{folder}/stacks.parquet").createOrReplaceTempView("stacks")
    return lambda name: [tuple(row) for row in spark.sql(question(
        name, f"array_contains(stack, '{FUNCTION}')", "concat_ws(';', stack)")).collect()]


def comparable(answer):
    """Numbers of engines differ in type and, divided, in the last bits."""
    return [tuple(round(float(v), 6) if i and not isinstance(v, str) else str(v)
                  for i, v in enumerate(row)) for row in answer]


def main():
    global FUNCTION
    folder = os.path.realpath(sys.argv[1])
    if not os.path.exists(f"{folder}/stacks.parquet"):
        rows, recordings = make_tables(folder, sys.argv[2:])
        print(f"# {rows:,} rows of {recordings:,} recordings")
    FUNCTION = duckdb.execute(f"""select f from (select unnest(stack) as f from '{folder}/stacks.parquet')
        group by f order by count(*) desc, f limit 1 offset 20""").fetchone()[0].replace("'", "''")
    expected = {}
    failed = False
    for engine, connect in (("DuckDB", ask_duckdb), ("ClickHouse", ask_clickhouse), ("Spark", ask_spark)):
        try:
            ask = connect(folder)
        except ImportError:
            print(f"# {engine}: not installed")
            continue
        for name in QUESTIONS:
            times = []
            for _ in range(RUNS):
                start = time.monotonic()
                answer = ask(name)
                times.append(time.monotonic() - start)
            same = comparable(answer) == expected.setdefault(name, comparable(answer))
            failed |= not same
            print(f"{engine:10} {name:6} {min(times):6.2f} s {len(answer):7} rows{'' if same else '  DIFFERS'}", flush=True)
    return failed


sys.exit(main())
