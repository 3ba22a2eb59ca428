#!/bin/sh
# check-format.sh: clang-format would change nothing, and no line of a comment begins with "*word",
# which is what it makes of one that is too long. Status 77: not installed.
set -u
for tool in clang-format-14 clang-format; do
	if command -v "$tool" >/dev/null; then
		{
			find src scripts -name '*.[ch]' | sort | xargs "$tool" --dry-run --Werror 2>&1 |
				grep 'error:' | sort -u -t : -k 1,1 |
				sed 's/: error:.*/: clang-format would change this file (make format)/'
			find src scripts -name '*.[ch]' | sort | xargs grep -nE '^	* \*[^[:space:]/*]' |
				grep -vE '[;,]$' |
				sed 's/$/    (a comment broken by clang-format)/'
		} >"${TMPDIR:-/tmp}/check-format.$$"
		cat "${TMPDIR:-/tmp}/check-format.$$"
		test ! -s "${TMPDIR:-/tmp}/check-format.$$"
		status=$?
		rm -f "${TMPDIR:-/tmp}/check-format.$$"
		exit $status
	fi
done
echo "clang-format is not installed"
exit 77
