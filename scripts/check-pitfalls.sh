#!/bin/sh
# check-pitfalls.sh [TABLE]: every known way to go wrong has a test that exists and runs.
#
# TABLE, scripts/pitfalls.txt, has a line for each, with tabs between:
#
#	GROUP.NUMBER	what	PLACE...
#
# A place is src/FILE_test.c:FUNCTION, which must be defined there and listed in main(); or
# testdata/GROUP/CASE, with its cmd; or scripts/FILE. "later: WORD, reason" is for what cannot be
# tested yet. Groups, and the numbers in them, count up from 1 without a gap.
set -u
awk -F '\t' '
	function complain(what) {
		printf "%s:%d: %s: %s\n", FILENAME, FNR, $1, what
		bad = 1
	}
	function is_there(file,   line, found) {
		found = (getline line <file) >= 0
		close(file)
		return found
	}
	# Each file is read once: what it defines, and what it names followed by "," or ")".
	function read_test(file,   line, name) {
		if (file in seen)
			return
		seen[file] = is_there(file)
		while (seen[file] && (getline line <file) > 0) {
			if (match(line, /^static void [a-z0-9_]+\(/))
				defined[file, substr(line, 13, RLENGTH - 13)] = 1
			else if (match(line, /^[A-Z_]+\([a-z0-9_]+,/)) { # made by a macro
				name = substr(line, index(line, "(") + 1)
				sub(/,.*/, "", name)
				defined[file, name] = 1
				continue
			}
			while (match(line, /[a-z0-9_]+[,)]/)) {
				name = substr(line, RSTART, RLENGTH - 1)
				listed[file, name] = 1
				line = substr(line, RSTART + RLENGTH)
			}
		}
		close(file)
	}
	function check_test(place,   part) {
		split(place, part, ":")
		read_test(part[1])
		if (!seen[part[1]])
			complain("no file " part[1])
		else if (!((part[1], part[2]) in defined))
			complain(part[1] " has no test " part[2])
		else if (!((part[1], part[2]) in listed))
			complain(part[1] " does not run " part[2])
	}
	function check_place(place) {
		if (place ~ /^src\/[a-z0-9_\/]+_test\.c:[a-z0-9_]+$/)
			check_test(place)
		else if (place ~ /^testdata\/[a-z0-9-]+\/[a-z0-9-]+$/)
			is_there(place "/cmd") || complain("no case " place)
		else if (place ~ /^scripts\/[a-z.-]+$/)
			is_there(place) || complain("no file " place)
		else
			complain("no place of a test: " place)
	}
	function check_number(   part) {
		split($1, part, ".")
		if (part[1] == group + 1 && part[2] == 1)
			group++
		else if (part[1] != group || part[2] != number + 1)
			complain("out of order, after " group "." number)
		number = part[2]
	}
	/^(#|$)/ { next }
	NF != 3 || $1 !~ /^[0-9]+\.[0-9]+$/ || $2 == "" || $3 == "" {
		complain("not three columns: number, what, places")
		next
	}
	{
		check_number()
		items++
		if ($3 ~ /^later: [a-z]+, ./)
			next
		n = split($3, places, " ")
		for (i = 1; i <= n; i++)
			check_place(places[i])
	}
	END {
		if (!items)
			print "no items"
		exit bad || !items
	}
' "${1:-scripts/pitfalls.txt}"
