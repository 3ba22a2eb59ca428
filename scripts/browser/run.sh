#!/bin/sh
# run.sh [PERFOLD]: pictures in a real browser. Skips, with a count, where there is no Chromium or
# no Node.js. CHROME names another browser, KEEP a directory that keeps the pictures.
set -eu
here=$(dirname "$0")
perfold=${1:-build/release/perfold}

chrome=${CHROME:-}
for name in chromium chromium-browser google-chrome chrome; do
	[ -n "$chrome" ] || chrome=$(command -v "$name" || true)
done
if [ -z "$chrome" ] || ! command -v node >/dev/null; then
	echo "1..0 # SKIP pictures in a browser: needs node and chromium"
	exit 0
fi
exec node "$here/run.mjs" "$perfold" "$chrome" "$here"/*_test.mjs
