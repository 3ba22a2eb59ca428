# shellcheck shell=sh disable=SC2034 # the counts are for who reads this in
# tally.sh: . tally.sh; then a line for each thing that was tested, and their counts for the last line.
passed=0 failed=0 skipped=0

pass() {
	echo "ok   $1"
	passed=$((passed + 1))
}

fail() {
	echo "FAIL $1"
	failed=$((failed + 1))
}

skip() {
	echo "SKIP $1"
	skipped=$((skipped + 1))
}
