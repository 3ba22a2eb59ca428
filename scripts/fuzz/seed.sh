#!/bin/sh
# seed.sh FUZZER NAME [INPUT]: what a fuzzer found becomes testdata/fuzz/FUZZER/NAME, as small as libFuzzer
# makes it in 30 seconds and still the same. Without INPUT: the newest in build/fuzz/found/.
set -eu
short=$(basename "$1" _fuzz)
program=build/fuzz/$1
seed=testdata/fuzz/$short/$2
input=${3:-}
if [ -z "$input" ]; then
	# shellcheck disable=SC2012 # names are libFuzzer's: crash-SHA1, oom-SHA1, ...
	input=$(ls -t "build/fuzz/found/$short" 2>/dev/null | head -n 1)
	[ -n "$input" ] || { echo "nothing is in build/fuzz/found/$short" >&2; exit 1; }
	input=build/fuzz/found/$short/$input
fi
[ ! -e "$seed" ] || { echo "$seed exists" >&2; exit 1; }
mkdir -p "testdata/fuzz/$short"
small=$(mktemp)
trap 'rm -f "$small"' EXIT
cp "$input" "$small"
# It says no if the input ends the program no longer, and leaves the file alone if it cannot be smaller.
"$program" -minimize_crash=1 -max_total_time=30 -timeout=10 -rss_limit_mb=2048 \
	-exact_artifact_path="$small" "$input" >/dev/null 2>&1 || true
cp "$small" "$seed"
chmod 644 "$seed"
echo "$seed: $(wc -c <"$seed") bytes, of $(wc -c <"$input")"
