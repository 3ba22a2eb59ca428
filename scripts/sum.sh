#!/bin/sh
# sum.sh COMMAND...
#
# Runs each command, shows what it prints, and adds up their closing lines "N passed, N failed,
# N skipped". A command without that line counts as a failure, as does one that ends badly with no
# failure in it.
set -u
log=$(mktemp)
trap 'rm -f "$log" "$log.status"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

for command; do
	{
		sh -c "$command" 2>&1
		echo $? >"$log.status"
	} | tee "$log"
	line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
	status=$(cat "$log.status")
	# shellcheck disable=SC2086 # split into words: N passed, N failed, N skipped
	set -- ${line:-0 passed, 0 failed, 0 skipped}
	f=$3
	if [ -z "$line" ] || { [ "$status" != 0 ] && [ "$f" = 0 ]; }; then
		echo "FAIL $command: ended with status $status, ${line:-without counts}"
		f=1
	fi
	passed=$((passed + $1)) failed=$((failed + f)) skipped=$((skipped + $5))
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
