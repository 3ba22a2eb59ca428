# shellcheck shell=sh
# tap.sh: . tap.sh; then pass, fail or skip for each test, and done_testing at the end. Or skip_all.
tests=0 failures=0

pass() { # NAME
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

fail() { # NAME
	tests=$((tests + 1))
	failures=$((failures + 1))
	echo "not ok $tests - $1"
}

skip() { # NAME REASON
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

skip_all() { # REASON
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing() {
	echo "1..$tests"
	[ "$failures" = 0 ]
}
