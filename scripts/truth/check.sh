#!/bin/sh
# check.sh PROGRAM [CASE...]
#
# Holds the default mode against the truth recordings (testdata/truth/*): programs that say under
# which thread name which functions run (scripts/truth/src). Each stack is judged by check.awk; a
# case passes where at least 99.9 % of the samples are right. Recordings of one program by frame
# pointers and by copied stacks (testdata/truth/same-*) must agree with each other, by same.awk.
set -u
. "$(dirname "$0")/../case.sh"
# shellcheck source=scripts/tap.sh
. "$(dirname "$0")/../tap.sh"
case_setup "$1"
shift
[ $# -gt 0 ] || set -- $(cd testdata && echo truth/*)

judge() { # CASE DIR
	case $1 in
	truth/same-*) awk -v name="$1" -f scripts/truth/same.awk "$2/fp.folded" "$2/dwarf.folded" ;;
	*) awk -v name="$1" -f scripts/truth/check.awk "testdata/$1/truth.txt" "$2/out.folded" ;;
	esac
}

for case; do
	case_directory "$case" "$work/cwd"
	case_run "$(case_commands "$case" 1)" 1 "" "$work/run"
	status=$?
	if [ $status = 0 ] && judge "$case" "$work/run/out"; then
		pass "$case"
	else
		fail "$case"
		[ $status = 0 ] || tail -n 5 "$work/run/stderr"
	fi
done
done_testing
