#!/bin/sh
# epoch.sh: SOURCE_DATE_EPOCH, the time that packages say their files are of.
#
# The variable where it is set; else the time of the last commit, or, outside of git, of the newest file: two
# copies of one source then give the same bytes. See https://reproducible-builds.org/specs/source-date-epoch/
set -eu
if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
	echo "$SOURCE_DATE_EPOCH"
elif [ -e .git ]; then
	git log -1 --format=%ct
else
	find src filters man scripts Makefile LICENSE -type f -printf '%T@\n' | sort -n | tail -n 1 | cut -d . -f 1
fi
