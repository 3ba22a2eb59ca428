#!/bin/sh
# run.sh [PERFOLD] [SCRIPT]: queries.py, the queries of man perfold-rows(5), as they are printed, on rows
# that perfold writes, and the same answers from each engine; or partitions.py, sums by Spark.
#
# Engines are Python packages in build/fleet, put there only where FLEET=1 is set (this needs a
# network, and 1 GB). Spark needs java as well. What is not there is skipped.
set -eu
here=$(dirname "$0")
perfold=${1:-build/release/perfold}
script=${2:-queries.py}
store=build/fleet

install_packages() {
	python3 -m venv "$store"
	timeout 600 "$store/bin/pip" install -q duckdb==2.0.0 chdb==4.4.0 polars==2.1.0
	if command -v java; then
		timeout 600 "$store/bin/pip" install -q pyspark==3.5.6
	fi
}

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP fleet: needs python3"
	exit 0
fi
if [ "${FLEET-}" = 1 ] && [ ! -x "$store/bin/python3" ]; then
	install_packages >&2 || echo "not all packages from PyPI" >&2
fi
python=python3
[ -x "$store/bin/python3" ] && python=$store/bin/python3
exec "$python" "$here/$script" "$perfold"
