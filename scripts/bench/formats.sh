#!/bin/bash
# formats.sh PROGRAM [SAMPLES]: writes FORMATS.md, time and peak memory of each format for a recording with
# SAMPLES (10 million) samples in few distinct stacks: testdata/node/server multiplied. Bytes an event are
# what the peak grows from a tenth of them, divided by how many are more. Works in FORMATS_DIR
# (build/formats).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case=$here/../../testdata/node/server
program=$(realpath "$1")
many=${2:-10000000}
few=$((many / 10))
mkdir -p "${FORMATS_DIR:-build/formats}"
cd "${FORMATS_DIR:-build/formats}"

[ -x measure ] || cc -O2 -o measure "$here/measure.c"
for n in $few $many; do
	if [ ! -s $n.perf.data ]; then
		"$here/multiply.py" "$case/input.perf.data" part $n
		mv part $n.perf.data
	fi
done
cp "$case"/perf-*.map .

# Wall s, user s, system s, anonymous KB and bytes written for FORMAT and SAMPLES; the recording is in the page
# cache.
measure() {
	: > bytes
	cat $2.perf.data > /dev/null
	read -r wall user system _ peak status <<< "$(./measure 900 "$program -q $2.perf.data --to $1 \
		--symfs $case/root --kallsyms $case/kallsyms | wc -c > bytes")"
	[ "$status" = 0 ] || { echo "$1: $status" >&2; exit 1; }
	echo "$wall $user $system $peak $(cat bytes)"
}

row() {
	# Where nothing grows the peak differs by some pages, either way.
	echo "$1 $((many - few)) $(measure "$1" $few) $(measure "$1" $many)" | awk '{
		printf "| %s | %.1f | %.1f | %.0f | %.1f | %.0f |\n", $1, $8, $9 + $10, $11 / 1024,
			($11 > $6 ? ($11 - $6) * 1024 / $2 : 0), $12 / 1048576
	}'
}

{
	echo "# Formats of a large recording"
	echo
	echo "Written by scripts/bench/formats.sh: $many samples in the $(wc -l < "$case/expected.out.folded") stacks of"
	echo "testdata/node/server, $(($(stat -c %s $many.perf.data) / 1048576)) MB, one run each. Peak memory is what is"
	echo "resident and not a page of a file; bytes an event are what it grows by from $few samples on."
	echo
	echo "Machine: $(nproc) processors, Linux $(uname -r). $(date -u +%F); load average at the start: $(cut -d ' ' -f 1 /proc/loadavg)."
	echo
	echo "| format | wall s | CPU s | peak MB | bytes an event | size MB |"
	echo "|---|---|---|---|---|---|"
	for format in folded svg html cpuprofile trace speedscope firefox pprof callgrind summary; do
		row $format
	done
} | tee table
mv table "$here/FORMATS.md"
