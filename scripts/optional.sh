#!/bin/sh
# optional.sh SCRIPT ARGUMENT...: run a script that a source tree need not have.
if [ -x "$1" ]; then
	exec "$@"
fi
echo "SKIP $1: not in this tree"
echo "0 passed, 0 failed, 1 skipped"
