#!/bin/sh
# run.sh [PERFOLD]: pictures in real browsers. Skips, with a count, where there is no Chromium or
# no Node.js, and the tests of Firefox where there is none. CHROME and FIREFOX name others, KEEP a
# directory that keeps the pictures.
set -eu
here=$(dirname "$0")
perfold=${1:-build/release/perfold}

find() { # NAME...: the first that is here
	for name in "$@"; do
		command -v "$name" && return
	done
	return 0
}

chrome=${CHROME:-$(find chromium chromium-browser google-chrome chrome)}
firefox=${FIREFOX:-$(find firefox-esr firefox)}
if [ -z "$chrome" ] || ! command -v node >/dev/null; then
	echo "1..0 # SKIP pictures in a browser: needs node and chromium"
	exit 0
fi
exec node "$here/run.mjs" "$perfold" "$chrome" "$firefox" "$here"/*_test.mjs
