#!/bin/bash
# run.sh PROGRAM [SECONDS-OF-RECORDING]
#
# Measures perfold against its peers on recordings made here, one command after the other in turn, and
# writes RESULTS.md beside this script. What is recorded stays in BENCH_DIR (build/bench) and is used
# again. Peers: perf, FLAMEGRAPH=DIR for stackcollapse-perf.pl and flamegraph.pl, inferno-collapse-perf
# where it is in PATH; what is missing is left out. ROUNDS (5) runs of each, but one of a peer that
# takes longer than 30 s. Needs perf, node, gcc, g++ and rustc where nothing is recorded yet.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
perfold=$(realpath "$1")
seconds=${2:-40}
dir=${BENCH_DIR:-build/bench}
mkdir -p "$dir"
dir=$(realpath "$dir")
rounds=${ROUNDS:-5}
text_bytes_max=620000000
cd "$dir"

have() { command -v "$1" > /dev/null; }

# Deep stacks of JavaScript and C++ at 20 kHz, some 15 MB a second.
record() {
	sh "$here/../record/build.sh" "$dir/bin"
	cp -r "$here/../record/src/node" "$dir"
	cat > load.sh <<-E
		node --perf-basic-prof --stack-size=4000 $dir/node/deep.js $((seconds + 5)) 75 > /dev/null &
		echo \$! > $dir/node.pid
		$dir/bin/shapes $seconds $dir/bin/plugin.so 2 > /dev/null &
		wait
	E
	perf record -N -q -e cpu-clock -F 20000 -g -m 16M -o fp.part -- sh load.sh
	mv "/tmp/perf-$(cat node.pid).map" .
	rm -f isolate-*.log
	mv fp.part fp.data
}

print_text() { # whole samples of the text, up to the limit
	perf script -i fp.data --no-inline 2> /dev/null | awk -v max=$text_bytes_max '
		{ print; n += length($0) + 1 }
		n > max && $0 == "" { exit }' > fp.part || true
	mv fp.part fp.script.txt
}

# The status files of what a process started, two generations down.
descendants() { # PID
	local children
	children=$(pgrep -P "$1" | tr '\n' ',')
	pgrep -P "$1,${children%,}" 2> /dev/null | sed 's|.*|/proc/&/status|' || true
}

# Wall and processor time, peak resident memory, and peak anonymous memory, looked at every 10 ms: the
# rest of the resident memory is pages of files, which the kernel can drop.
measure() { # NAME COMMAND
	local name=$1 command=$2 pid anon max=0
	/usr/bin/time -q -f '%e %U %S %M' -o time.log bash -c "exec $command" > /dev/null 2> stderr.log &
	pid=$!
	while kill -0 $pid 2> /dev/null; do
		anon=$(cat $(descendants $pid) 2> /dev/null | awk '/^RssAnon/ && $2 > n { n = $2 } END { print n + 0 }')
		[ "$anon" -le $max ] || max=$anon
		sleep 0.01
	done
	if ! wait $pid; then
		echo "failed: $command" >&2
		tail -n 3 stderr.log >&2
		return
	fi
	echo "$name $(cat time.log) $max" | tee -a runs
}

# The table of what is run: NAME <tab> GROUP <tab> COMMAND. The first of a group is what it is compared with.
commands() {
	printf '%s\t%s\t%s\n' \
		perfold recording "$perfold -q fp.data -o fp.folded" \
		perfold-j1 recording "$perfold -q -j1 fp.data -o fp.folded" \
		perfold-svg recording "$perfold -q fp.data -o fp.svg" \
		perfold-text text "$perfold -q fp.script.txt -o text.folded" \
		perfold-text-j1 text "$perfold -q -j1 fp.script.txt -o text.folded"
	if have inferno-collapse-perf; then
		printf '%s\t%s\t%s\n' \
			inferno-text text "inferno-collapse-perf -q fp.script.txt" \
			inferno-text-n1 text "inferno-collapse-perf -q -n 1 fp.script.txt" \
			perf+inferno recording "perf script -i fp.data --no-inline | inferno-collapse-perf -q"
	fi
	if [ -n "${FLAMEGRAPH-}" ]; then
		printf '%s\t%s\t%s\n' \
			stackcollapse-text text "$FLAMEGRAPH/stackcollapse-perf.pl fp.script.txt" \
			perf+stackcollapse recording "perf script -i fp.data --no-inline | $FLAMEGRAPH/stackcollapse-perf.pl"
	fi
}

run_all() {
	local round name group command
	: > runs
	commands > commands
	for round in $(seq "$rounds"); do
		while IFS=$'\t' read -r name group command <&3; do
			# a slow peer runs once
			if awk -v name="$name" '$1 == name && $2 > 30 { found = 1 } END { exit !found }' runs; then
				continue
			fi
			measure "$name" "$command"
		done 3< commands
	done
}

table() { # GROUP
	echo "| command | runs | wall s | cpu s | peak memory MB | of it anonymous MB | wall, relative |"
	echo "|---|---|---|---|---|---|---|"
	awk -F '\t' -v group="$1" '
		NR == FNR { if ($2 == group) order[++n] = $1; next }
		{ split($0, f, " "); k = ++runs[f[1]]; wall[f[1], k] = f[2]; cpu[f[1], k] = f[3] + f[4]; rss[f[1], k] = f[5]; anon[f[1], k] = f[6] }
		function median(a, name,    i, j, t, m, v) {
			m = runs[name]
			for (i = 1; i <= m; i++)
				v[i] = a[name, i] + 0
			for (i = 2; i <= m; i++)
				for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
			return m % 2 ? v[(m + 1) / 2] : (v[m / 2] + v[m / 2 + 1]) / 2
		}
		END {
			for (i = 1; i <= n; i++) {
				name = order[i]
				if (!runs[name])
					continue
				w = median(wall, name)
				if (!first)
					first = w > 0 ? w : 0.01
				printf "| %s | %d | %.2f | %.2f | %.0f | %.0f | %.2f |\n", name, runs[name], w, median(cpu, name), median(rss, name) / 1024, median(anon, name) / 1024, w / first
			}
		}' commands runs
}

version() { # COMMAND...
	"$@" 2>&1 | head -n 1
}

results() {
	echo "# Measurements"
	echo
	echo "Written by scripts/bench/run.sh: medians of runs in turn, one program at a time. Peak memory is that of"
	echo "the largest process of a pipeline (maximum resident set); the anonymous part, without the pages of files, was"
	echo "looked at every 10 ms."
	echo
	echo "Machine: $(awk -F ': ' '/model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) processors, Linux $(uname -r)."
	echo
	echo "## From a recording"
	echo
	echo "$(stat -c %s fp.data) bytes, sha256 $(sha256sum fp.data | cut -c 1-16): $(perf report -i fp.data --stats 2> /dev/null |
		awk '/SAMPLE events/ { print $3; exit }') samples at 20 kHz of Node.js and C++ (run.sh says how)."
	echo
	table recording
	echo
	echo "## From text"
	echo
	echo "$(stat -c %s fp.script.txt) bytes of perf script, sha256 $(sha256sum fp.script.txt | cut -c 1-16): $(grep -c ' cpu-clock: $' fp.script.txt) samples."
	echo
	table text
	echo
	echo "## Commands and versions"
	echo
	awk -F '\t' '{ printf "- %s: `%s`\n", $1, $3 }' commands | sed "s|$(dirname "$perfold")/||; s|${FLAMEGRAPH:-/nowhere}/||g"
	echo
	echo "- $(version "$perfold" --version)"
	echo "- $(version perf --version)"
	! have inferno-collapse-perf || echo "- inferno-collapse-perf, sha256 $(sha256sum "$(command -v inferno-collapse-perf)" | cut -c 1-16)"
	[ -z "${FLAMEGRAPH-}" ] || echo "- FlameGraph $(git -C "$FLAMEGRAPH" rev-parse --short HEAD 2> /dev/null || echo of unknown version)"
}

[ -e fp.data ] || record
[ -e fp.script.txt ] || print_text
run_all
results > "$here/RESULTS.md"
cat "$here/RESULTS.md"
