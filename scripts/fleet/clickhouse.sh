#!/bin/sh
# clickhouse.sh FILE.rows.json.gz...: into the table perf of a ClickHouse server, by HTTP.
# CLICKHOUSE: its address, http://127.0.0.1:8123 by default.
set -eu
server=${CLICKHOUSE:-http://127.0.0.1:8123}

curl -sSf "$server" --data-binary "
create table if not exists perf (
	recording LowCardinality(String), service LowCardinality(String), version LowCardinality(String),
	time_us Nullable(Int64), duration_us Nullable(Int64), host LowCardinality(String),
	process LowCardinality(String), comm LowCardinality(String), pid Int32, tid Int32,
	event LowCardinality(String), unit LowCardinality(String), period Nullable(Int64),
	samples Int64, weight Int64, stack Array(LowCardinality(String)),
	module Array(LowCardinality(Nullable(String))), kind String, leaf LowCardinality(String),
	stack_id Int64)
engine = MergeTree order by (service, version, recording)"

# Columns that the table lacks are left out; null becomes the default.
settings='input_format_skip_unknown_fields=1&input_format_null_as_default=1'
for file in "$@"; do
	curl -sSf -H 'Content-Encoding: gzip' --data-binary "@$file" \
		"$server?query=insert%20into%20perf%20format%20JSONEachRow&$settings"
done
