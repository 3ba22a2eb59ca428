#!/bin/sh
# check-size.sh: files of at most 800 lines, functions of 60, lines of 100 columns, statements
# nested 4 deep. What has grown beyond that holds two concepts.
set -u
export LC_ALL=C # bytes: characters are counted below
# shellcheck disable=SC2016 # $ is awk's
find src \( -name '*.[ch]' -o -name '*.js' -o -name '*.css' -o -name '*.html' \) | sort | xargs awk '
	function complain(line, what) {
		printf "%s:%d: %s\n", FILENAME, line, what
		bad = 1
	}
	function columns(text,   n, i, parts) {
		gsub(/[\200-\277]/, "", text) # the inner bytes of UTF-8
		n = split(text, parts, "\t")
		columns_so_far = 0
		for (i = 1; i <= n; i++) {
			columns_so_far += length(parts[i])
			if (i < n)
				columns_so_far += 8 - columns_so_far % 8
		}
		return columns_so_far
	}
	FNR == 1 { start = 0; is_c = FILENAME ~ /\.[ch]$/ }
	FNR == 801 { complain(FNR, "more than 800 lines") }
	columns($0) > 100 { complain(FNR, columns($0) " columns") }
	is_c && /^{$/ { start = FNR }
	is_c && /^}$/ {
		if (start && FNR - start - 1 > 60)
			complain(start, "a function of " FNR - start - 1 " lines")
		start = 0
	}
	# A tab for each level: the format says so. Continued lines begin with no such word.
	start && /^\t\t\t\t\t+(if|for|while|do|switch|else)[^A-Za-z0-9_]/ {
		complain(FNR, "nested deeper than 4")
	}
	END { exit bad }
'
