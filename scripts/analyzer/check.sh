#!/bin/sh
# check.sh BUILD [TABLE]: what gcc -fanalyzer finds in src/, but for the tests, is what argued.txt answers.
#
# BUILD has the flags and the headers that the Makefile makes. The table has for each finding that is no fault
#
#	FILE	FUNCTION	WARNING	MESSAGE	why it is none
#
# with tabs between: no line numbers, so that an entry survives changes elsewhere in its file. What is found
# and not answered is a failure, as is an answer to what is not found any more. Another compiler finds
# other things: the table names the one that it is of.
set -u
export LC_ALL=C
# shellcheck source=scripts/tap.sh
. "$(dirname "$0")/../tap.sh"
# What is found depends on how much is optimized.
compile="$(cat "$1/flags") $(cat "$1/defines") -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2"
table=${2:-$(dirname "$0")/argued.txt}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
compiler="gcc $(${compile%% *} -dumpfullversion 2>/dev/null)"
grep -qxF "# $compiler" "$table" || skip_all "the table is not of $compiler"

find src -name '*.c' ! -name '*_test.c' ! -name '*_fuzz.c' | sort | xargs -P "$(nproc)" -I FILE sh -c "
	$compile -fanalyzer -fdiagnostics-plain-output -fdiagnostics-path-format=none -S -o /dev/null FILE \
		2>\"\$(mktemp $work/log.XXXXXX)\" || echo 'FILE is not compiled'" >"$work/bad"
cat "$work"/log.* | awk -v OFS='\t' '
	# "In function", "In function, inlined from": the first is where it is found.
	/^[^ ]*: In function / {
		name = $0
		sub(/^[^ ]*: In function ./, "", name)
		sub(/.[:,].*$/, "", name)
	}
	/\[-Wanalyzer-/ && match($0, /:[0-9]+:[0-9]+: warning: /) {
		file = substr($0, 1, RSTART - 1)
		text = substr($0, RSTART + RLENGTH)
		warning = text
		sub(/.*\[-Wanalyzer-/, "", warning)
		sub(/\]$/, "", warning)
		sub(/ \[(CWE|-W).*/, "", text)
		print file, name, warning, text
	}' | sort -u >"$work/found"
grep -v '^#' "$table" | sort >"$work/argued"
cut -f 1-4 "$work/argued" | sort -u >"$work/answered"

tell() { # NAME FILE: its lines say what is wrong
	if [ -s "$2" ]; then
		fail "$1"
		cat "$2"
	else
		pass "$1"
	fi
}

comm -23 "$work/found" "$work/answered" >"$work/new"
comm -13 "$work/found" "$work/answered" >"$work/gone"
awk -F '\t' 'NF != 5 || $5 == ""' "$work/argued" >"$work/unreasoned"
tell 'all files are compiled' "$work/bad"
tell 'no finding that argued.txt does not answer' "$work/new"
tell 'no answer to what is not found' "$work/gone"
tell 'each answer gives its reason' "$work/unreasoned"
echo "# $(comm -12 "$work/found" "$work/answered" | wc -l) findings are answered"
done_testing
