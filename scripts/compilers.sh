#!/bin/bash
# compilers.sh BUILD: no compiler that is installed warns of a source file, by C11 or by C23
#
# COMPILERS are those to be asked, else each gcc-N and clang-N of /usr/bin from 11 on. They read and check, and write
# nothing (-fsyntax-only): what only an optimizer finds, a build finds. BUILD has the flags and the headers.
set -u
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
build=$1
compilers=${COMPILERS:-$(find /usr/bin -regextype posix-extended -regex '.*/(gcc|clang)-(1[1-9]|[2-9][0-9])' -printf '%f\n' |
	sort -V)}
[ -n "$compilers" ] || skip_all "no gcc-N or clang-N"
# What does not choose a compiler's target or the form of its code; defines are quoted as for a shell.
flags=$(tr ' ' '\n' <"$build/flags" | grep -E '^-(D|I|W[a-km-z]|pthread)' | tr '\n' ' ')$(cat "$build/defines")
sources=$(mktemp)
trap 'rm -f "$sources"' EXIT
find src -name '*.c' | sort >"$sources"

# C23 was called c2x before.
newest_standard() { # COMPILER
	if echo 'int x;' | "$1" -std=gnu23 -fsyntax-only -x c - 2>/dev/null; then echo gnu23; else echo gnu2x; fi
}

for compiler in $compilers; do
	for standard in gnu11 "$(newest_standard "$compiler")"; do
		found=$(xargs -P 2 -n 20 sh -c "$compiler $flags -std=$standard -fsyntax-only \"\$@\"" - <"$sources" 2>&1)
		if [ -z "$found" ]; then
			pass "$compiler -std=$standard: $(wc -l <"$sources") files"
		else
			fail "$compiler -std=$standard"
			echo "$found" | grep -E '(warning|error): ' | sort -u | head -n 20
		fi
	done
done
done_testing
