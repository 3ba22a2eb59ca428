#!/bin/sh
# unit.sh BUILD
#
# Runs every unit test of a build folder, and every fuzz entry on its files in testdata/fuzz/NAME/,
# two at a time; prints what failed and "N passed, N failed, N skipped".
set -u
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=exitcode=99:detect_leaks=1 \
	UBSAN_OPTIONS=exitcode=99:print_stacktrace=1

# One program; its report goes to a file of its own. $1: source, $2: folder of reports.
# shellcheck disable=SC2016 # expanded by the inner shell
run_one='
	name=$(basename "$1" .c)
	log=$2/$(echo "$1" | tr / _)
	program=$3/${1%.c}
	set --
	case $name in *_fuzz) set -- "testdata/fuzz/${name%_fuzz}" ;; esac
	timeout 300 "$program" "$@" >"$log" 2>&1 </dev/null
	echo "status $?" >>"$log"
'
find src \( -name '*_test.c' -o -name '*_fuzz.c' \) | sort |
	xargs -P "$(nproc)" -I{} sh -c "$run_one" sh {} "$work" "$build"

awk '
	function finish() {
		if (file == "")
			return
		if (bad || status != 0) {
			sub(/.*\//, "", file)
			printf "FAIL %s (status %d)\n%s", file, status, text
			if (!bad)
				failed++ # ended early, or a sanitizer spoke up
		}
	}
	FNR == 1 { finish(); file = FILENAME; text = ""; bad = 0; status = 1 }
	/^status [0-9]+$/ { status = $2; next }
	/^ok .*# SKIP/ || /^not ok .*# SKIP/ { skipped++; print "SKIP " $0; next }
	/^ok / { passed++; next }
	/^not ok / { failed++; bad = 1 }
	!/^1\.\.[0-9]+$/ { text = text $0 "\n" }
	END {
		finish()
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0
	}
' /dev/null "$work"/*
