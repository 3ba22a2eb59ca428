#!/bin/sh
# check-heads.sh: a .c file of more than 150 lines opens with a comment that says how it works.
#
# Tests, fuzz entries and tables (*.def) say what they are by their names.
set -u
find src -name '*.c' ! -name '*_test.c' ! -name '*_fuzz.c' | sort | xargs awk '
	function judge() {
		if (file != "" && lines > 150 && !has_head) {
			printf "%s: %d lines, and no comment at the top\n", file, lines
			bad = 1
		}
	}
	FNR == 1 { judge(); file = FILENAME; has_head = /^\/\*/ }
	{ lines = FNR }
	END { judge(); exit bad }
'
