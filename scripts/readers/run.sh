#!/bin/sh
# run.sh [PERFOLD]: what perfold writes, read by the programs it is written for, and compared with the
# folded stacks of the same run.
#
# Readers are npm packages in build/readers, put there only where READERS=1 is set (this needs a
# network), go (pprof), valgrind (callgrind_annotate), and chromium. What is not there is skipped.
set -eu
here=$(dirname "$0")
perfold=${1:-build/release/perfold}

if ! command -v node >/dev/null; then
	skipped=$(cat "$here"/*_test.mjs | grep -c '^test(')
	echo "0 passed, 0 failed, $skipped skipped (needs node)"
	exit 0
fi
if [ "${READERS-}" = 1 ]; then
	mkdir -p build/readers
	cp "$here/package.json" build/readers/
	npm install --prefix build/readers --no-audit --no-fund --ignore-scripts >&2
fi
exec node "$here/run.mjs" "$perfold" "$here"/*_test.mjs
