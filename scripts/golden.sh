#!/bin/sh
# golden.sh [--bless | --modes MODES] PROGRAM [CASE...]
#
# Runs the cases below testdata/ (their form: scripts/case.sh) and compares with expected.*, byte
# by byte: with one thread, and with small blocks on one and on two threads, so that every case
# crosses blocks. --modes: otherwise; "4:4096 1:" is four threads with such blocks, then one with usual ones.
# --bless writes the expectations instead; stderr only where it is expected already.
set -u
# shellcheck source=scripts/case.sh
. "$(dirname "$0")/case.sh"

same() { # NAME EXPECTED ACTUAL
	cmp -s "$2" "$3" && return 0
	if [ ! -e "$3" ]; then
		echo "# $label: $1 was not written"
		return 1
	fi
	echo "# $label: $1 differs"
	diff -u -a "$2" "$3" | cut -c 1-300 | head -n 40
	return 1
}

# A compressed file is compared unpacked, where that is what is expected.
unpack_outputs() { # EXPECTED_PREFIX DIR
	for file in "$2"/*.gz "$2"/*.zst; do
		plain=${file%.*}
		if [ -f "$file" ] && [ -f "$1.${plain##*/}" ] && [ ! -f "$1.${file##*/}" ]; then
			case $file in
			*.gz) gzip -dc "$file" >"$plain" && rm "$file" ;;
			*.zst) zstd -dq --rm "$file" ;;
			esac
		fi
	done
}

# Of a picture the drawing is compared: script and style are files of src/output/assets, and how the
# data are deflated depends on the version of libdeflate.
keep_drawings() { # DIR
	for file in "$1"/*.svg; do
		[ ! -f "$file" ] || sed -i -e '/^<script>/,/^]]>/d' -e '/^<style>/,/^]]>/d' \
			-e 's|^\(<metadata id="data">\).*|\1...</metadata>|' "$file"
	done
}

# A release changes no expectation.
hide_version() { # DIR
	for file in "$1/stdout" "$1"/out/*.json; do
		[ ! -f "$file" ] || sed -i 's/"perfold":"[^"]*"/"perfold":"VERSION"/' "$file"
	done
}

compare() { # EXPECTED_PREFIX DIR STATUS
	ok=0
	expected_exit=0
	[ ! -f "$1.exit" ] || read -r expected_exit <"$1.exit"
	if [ "$3" != "$expected_exit" ]; then
		echo "# $label: exit status $3, expected $expected_exit"
		tail -n 30 "$2/stderr"
		return 1
	fi
	unpack_outputs "$1" "$2/out"
	keep_drawings "$2/out"
	hide_version "$2"
	expected_stdout=$1.stdout
	[ -f "$expected_stdout" ] || expected_stdout=/dev/null
	same stdout "$expected_stdout" "$2/stdout" || ok=1
	[ ! -f "$1.stderr" ] || same stderr "$1.stderr" "$2/stderr" || ok=1
	for file in "$1".*; do
		name=${file#"$1".}
		case $name in
		stdout | stderr | exit | '*') ;;
		*) same "$name" "$file" "$2/out/$name" || ok=1 ;;
		esac
	done
	for file in "$2"/out/*; do
		if [ -e "$file" ] && [ ! -e "$1.${file##*/}" ]; then
			echo "# $label: ${file##*/} was written and is not expected"
			ok=1
		fi
	done
	return $ok
}

run_ways() { # CASE DIR
	ways=$(case_count_ways "$1")
	[ "$ways" -gt 0 ] || echo "# $1: cmd is empty"
	way=1
	while [ "$way" -le "$ways" ]; do
		for mode in $modes; do
			jobs=${mode%:*} block=${mode#*:}
			label="$1 (way $way, -j$jobs, blocks of ${block:-default} bytes)"
			case_run "$(case_commands "$1" "$way")" "$jobs" "$block" "$2/run"
			compare "testdata/$1/expected" "$2/run" $? || return 1
		done
		way=$((way + 1))
	done
	[ "$ways" -gt 0 ]
}

check_case() { # CASE DIR
	missing=$(case_missing "$1")
	if [ -n "$missing" ]; then
		echo "ok - $1 # SKIP $missing"
		return
	fi
	case_directory "$1" "$2/cwd"
	if run_ways "$1" "$2"; then
		echo "ok - $1"
	else
		echo "not ok - $1"
	fi
}

bless_case() { # CASE DIR
	expected=testdata/$1/expected
	case_directory "$1" "$2/cwd"
	case_run "$(case_commands "$1" 1)" 1 "" "$2/run"
	status=$?
	unpack_outputs "$expected" "$2/run/out"
	keep_drawings "$2/run/out"
	hide_version "$2/run"
	for file in "$expected".*; do
		case $file in
		*.stderr) cp "$2/run/stderr" "$file" ;;
		*) rm -f "$file" ;;
		esac
	done
	[ "$status" = 0 ] || echo "$status" >"$expected.exit"
	[ ! -s "$2/run/stdout" ] || cp "$2/run/stdout" "$expected.stdout"
	for file in "$2"/run/out/*; do
		[ ! -e "$file" ] || cp "$file" "$expected.${file##*/}"
	done
	ls -l "$expected".*
}

action=check_case modes='1: 1:4096 2:4096'
case ${1-} in
--bless)
	action=bless_case
	shift
	;;
--modes)
	modes=$2
	shift 2
	;;
esac
case_setup "$1"
shift
case_each "$action" "$@"
[ "$action" = bless_case ] || case_done
