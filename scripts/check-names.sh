#!/bin/sh
# check-names.sh BUILD: a name says where its thing is, and is used.
#
# - Basenames are unique in src/ (x.c, x.h and x_test.c are x), as are the tags of structs, unions and
#   enums outside of tests: a breakpoint, a backtrace and ctags have one answer.
# - An exported function begins with the basename of its .c file or of a header that declares it.
#   The exception is base/mem.h: xmalloc() and the like.
# - What is exported is used by another .c file of the program; a test is none. (libiberty calls
#   xrealloc(), too.)
#
# BUILD/members lists the objects of libperfold.a.
set -u
export LC_ALL=C
build=$1
bad=0

find src -name '*.[ch]' -o -name '*.js' -o -name '*.css' | sort | awk '
	{
		path = name = $0
		sub(/.*\//, "", name)
		sub(/\.[a-z]+$/, "", name)
		sub(/_(test|fuzz|for_test)$/, "", name)
		stem = path
		sub(/\.[a-z]+$/, "", stem)
		sub(/_(test|fuzz|for_test)$/, "", stem)
		if (name in first && first[name] != stem) {
			printf "%s: %s has the same basename\n", path, first[name]
			bad = 1
		}
		first[name] = stem
	}
	END { exit bad }
' || bad=1

find src -name '*.[ch]' ! -name '*_test.c' ! -name '*_fuzz.c' | sort | xargs awk '
	match($0, /^[ \t]*((static|typedef|const) )*(struct|union|enum) [a-z0-9_]+ \{/) {
		tag = substr($0, RSTART, RLENGTH - 2)
		sub(/.* /, "", tag)
		if (tag in first) {
			printf "%s:%d: the tag %s is in %s too\n", FILENAME, FNR, tag, first[tag]
			bad = 1
		}
		first[tag] = FILENAME
	}
	END { exit bad }
' || bad=1

# Lines of three kinds: "declare NAME HEADER", "define NAME SOURCE KIND", "use NAME SOURCE".
{
	find src -name '*.h' | sort | xargs awk '
		{
			line = $0
			while (match(line, /[a-z_][a-z0-9_]*\(/)) {
				print "declare", substr(line, RSTART, RLENGTH - 1), FILENAME
				line = substr(line, RSTART + RLENGTH)
			}
		}'
	tr ' ' '\n' <"$build/members" | sed "\$a $build/src/main.o" | xargs nm -A -P | awk -v build="$build/" '
		{
			source = $1
			sub(/:$/, "", source)
			sub(build, "", source)
			sub(/\.o$/, ".c", source)
		}
		$3 == "U" { print "use", $2, source }
		$3 ~ /^[TRDB]$/ { print "define", $2, source, $3 }'
} | awk '
	function base_of(path) { sub(/.*\//, "", path); sub(/\.[a-z]+$/, "", path); return path }
	function begins_with(name, base) { return name == base || index(name, base "_") == 1 }
	$1 == "declare" { declared[$2] = declared[$2] " " $3; next }
	$1 == "use" { used[$2] = 1; next }
	$4 == "T" || $3 ~ /^src\// { source[$2] = $3; kind[$2] = $4; n++ }
	END {
		for (name in source) {
			if (name == "main" || source[name] !~ /^src\// ||
				(source[name] == "src/base/mem.c" && name ~ /^x/))
				continue
			if (!(name in used)) {
				printf "%s: %s is exported, and no other file of the program uses it\n",
					source[name], name
				bad = 1
			}
			if (kind[name] != "T" || begins_with(name, base_of(source[name])))
				continue
			good = 0
			count = split(declared[name], header, " ")
			for (i = 1; i <= count; i++)
				if (begins_with(name, base_of(header[i])))
					good = 1
			if (!good) {
				printf "%s: %s begins neither with %s nor with a header that declares it\n",
					source[name], name, base_of(source[name])
				bad = 1
			}
		}
		if (!n)
			print "no objects found"
		exit bad || !n
	}
' || bad=1
exit $bad
