#!/bin/sh
# static.sh BUILD: the rules of the house, one check-NAME.sh each. Status 77: cannot be checked here.
set -u
build=$1
passed=0 failed=0 skipped=0

run() { # NAME ARGUMENT...
	name=$1
	shift
	said=$("scripts/check-$name.sh" "$@" 2>&1)
	case $? in
	0) passed=$((passed + 1)) ;;
	77)
		echo "SKIP $name: $said"
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL $name"
		echo "$said"
		failed=$((failed + 1))
		;;
	esac
}

run top
run layers
run size
run globals "$build"
run man "$build/perfold"
run examples "$build/perfold"
run completion "$build/perfold"
run packages
run pitfalls
run format
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
