#!/bin/bash
# formats.sh PROGRAM [SAMPLES]: time and peak memory of each format for one recording with SAMPLES (10 million)
# samples in few distinct stacks, testdata/node-server multiplied, as the table of FORMATS.md on standard output.
# "an event" is what the peak is above that of folded stacks, for which no sample is kept, divided by SAMPLES.
# Works in FORMATS_DIR (build/formats).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
program=$(realpath "$1")
samples=${2:-10000000}
mkdir -p "${FORMATS_DIR:-$root/build/formats}"
cd "${FORMATS_DIR:-$root/build/formats}"

[ -x measure ] || cc -O2 -o measure "$here/measure.c"
case=$root/testdata/node-server
if [ ! -s "$samples.perf.data" ]; then
	"$here/multiply.py" "$case/input.perf.data" part "$samples"
	mv part "$samples.perf.data"
fi
cp "$case"/perf-*.map .

# FORMAT OPTION...: wall s, cpu s, peak KB, and the size of what is written
row() {
	name=$1
	shift
	: > out
	read -r wall user system _ peak status <<< "$(./measure 900 "$program -q $samples.perf.data \
		--symfs $case/root --kallsyms $case/kallsyms $* | tee >(wc -c > out) > /dev/null")"
	[ "$status" = 0 ] || { echo "$name: $status" >&2; exit 1; }
	sleep 0.2
	base=${base:-$peak}
	awk -v name="$name" -v wall="$wall" -v cpu="$user $system" -v kb="$peak" -v base="$base" -v n="$samples" \
		-v size="$(cat out)" 'BEGIN {
			split(cpu, c, " ")
			printf "| %s | %.1f | %.1f | %.0f | %.1f | %.0f |\n", name, wall, c[1] + c[2], kb / 1024,
				(kb - base) * 1024 / n, size / 1048576
		}'
}

echo "| output | wall s | CPU s | peak MB | bytes an event | size MB |"
echo "|---|---|---|---|---|---|"
for format in folded svg html cpuprofile trace speedscope firefox pprof callgrind summary; do
	row $format --to $format
done
