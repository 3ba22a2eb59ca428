#!/bin/sh
# gate.sh: compares a recording with those of an earlier build, for a CI job. What it is to do comes
# from the environment, so that no shell reads it twice:
#
#	PERFOLD_BEFORE   recordings or folded stacks of the earlier build, one in a line; may match
#	                 several files ("base/*.folded"). Where there is none, nothing is judged.
#	PERFOLD_AFTER    that of this build
#	PERFOLD_FAIL_IF  rules (man perfold-gates), "default" unless set
#	PERFOLD_REQUIRE  what recordings must be like, "samples>1000, lost<5%" unless set
#	PERFOLD_FOLDER   where verdict.md, verdict.json and diff.svg go, "perfold" unless set
#	PERFOLD          the program, "perfold" unless set
#
# The exit status is that of perfold: 3 where a rule holds, 4 where a recording is not good enough.
set -eu
perfold=${PERFOLD:-perfold}
folder=${PERFOLD_FOLDER:-perfold}

# A pattern that matches nothing is not a file.
set --
newline='
'
IFS=$newline
for pattern in ${PERFOLD_BEFORE-}; do
	[ ! -e "$pattern" ] || set -- "$@" --base "$pattern"
done
unset IFS
mkdir -p "$folder"
if [ $# -eq 0 ]; then
	echo "perfold: nothing to compare ${PERFOLD_AFTER:?} with"
	[ -z "${GITHUB_STEP_SUMMARY-}" ] ||
		printf '### Profile: nothing to compare with\n' >>"$GITHUB_STEP_SUMMARY"
	exit 0
fi
[ -z "${GITHUB_STEP_SUMMARY-}" ] || set -- "$@" --summary "$GITHUB_STEP_SUMMARY"
exec "$perfold" diff "$@" --fail-if "${PERFOLD_FAIL_IF:-default}" \
	--require "${PERFOLD_REQUIRE:-samples>1000, lost<5%}" \
	--verdict "$folder/verdict.md" --verdict "$folder/verdict.json" \
	-o "$folder/diff.svg" -- "${PERFOLD_AFTER:?}"
