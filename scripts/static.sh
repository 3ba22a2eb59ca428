#!/bin/sh
# static.sh BUILD: the rules of the house, one check-NAME.sh each. Status 77: cannot be checked here.
set -u
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
build=$1

run() { # NAME ARGUMENT...
	name=$1
	shift
	output=$("scripts/check-$name.sh" "$@" 2>&1)
	case $? in
	0) pass "$name" ;;
	77) skip "$name" "$output" ;;
	*)
		fail "$name"
		echo "$output"
		;;
	esac
}

run top
run layers
run names "$build"
run heads
run size
run globals "$build"
run man "$build/perfold"
run examples "$build/perfold"
run picture "$build/perfold"
run completion "$build/perfold"
run packages
run oss-fuzz
run hardened "$build/perfold"
run pitfalls
run format
run checks
done_testing
