#!/bin/sh
# duckdb.sh DIR SERVICE: day.parquet of all *.rows.json.gz in DIR, and SERVICE.svg, a flame graph of one
# service. Needs the command duckdb.
set -eu
cd "$1"
service=$2

duckdb -c "
copy (select * from read_json('*.rows.json.gz', union_by_name = true)
	order by service, time_us, recording)
to 'day.parquet' (format parquet, compression zstd)"

# The columns that perfold needs of rows; weights are added up where all else is the same.
duckdb -c "
copy (select 1 as perfold_rows, comm, event, unit, stack, module, kind,
		sum(samples)::bigint as samples, sum(weight)::bigint as weight
	from 'day.parquet' where service = '$service' and unit = 'nanoseconds' group by all)
to '$service.rows.json' (format json)"
perfold -q "$service.rows.json" -o "$service.svg"
