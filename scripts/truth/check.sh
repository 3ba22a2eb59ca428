#!/bin/sh
# check.sh PROGRAM [CASE...]
#
# Holds the default mode against the truth recordings (testdata/truth/*): programs that say under
# which thread name which functions run (scripts/truth/src). Each stack is judged by check.awk; a
# case passes where at least 99.9 % of the samples are right. Recordings of one program by frame
# pointers and by copied stacks (testdata/truth/same-*) must agree with each other, by same.awk. Where
# spans were recorded (testdata/truth/during-*), --during must find those that the program counted. Waits for
# locks (testdata/truth/locks) must add up to what it measured; where switches were recorded
# (testdata/truth/latency-*), --weight latency must share time as the program's clocks did.
set -u
. "$(dirname "$0")/../case.sh"
# shellcheck source=scripts/tap.sh
. "$(dirname "$0")/../tap.sh"
case_setup "$1"
shift
[ $# -gt 0 ] || set -- $(cd testdata && echo truth/*)

# Are there as many slow spans as the program counted, with nothing else inside and none of it outside?
judge_spans() { # CASE RUN
	slow=$(sed -n 's/^slow //p' "testdata/$1/truth.txt")
	all=$(sed -n 's/^requests //p' "testdata/$1/truth.txt")
	grep -q "by field:id > 10ms': $slow of $all spans" "$2/stderr" &&
		awk -v outside="$2/out/outside.folded" '
			FILENAME == outside { bad += /slow_request/ ? $NF : 0; other += $NF; next }
			{ all += $NF; bad += /slow_request/ ? 0 : $NF }
			END { exit !(all && other && bad <= (all + other) / 1000) }
		' "$2/out/inside.folded" "$2/out/outside.folded"
}

# Did the calls of the program, and what of them was a system call, take as long as it says, within 2 %?
judge_locks() { # CASE DIR
	awk '
		function near(a, b) { return a && (b > a ? b - a : a - b) / a <= 0.02 }
		FILENAME ~ /truth.txt$/ { said[$1] = $2; next }
		/^pthread_mutex_lock;.*;work;/ { calls += $NF }
		/^futex wait;.*;work;/ { waits += $NF }
		END { exit !(near(said["ns"], calls) && near(said["long-ns"], waits)) }
	' "testdata/$1/truth.txt" "$2/locks.folded"
}

# Is the share of the function that ran alone, of both, what the program measured, within a point? Of
# latency by the clock, of CPU time by that of its threads.
judge_latency() { # CASE DIR
	awk '
		function share(alone, together) { return 100 * alone / (alone + together) }
		function is_near(what, said, is) {
			if (said - is > 1 || is - said > 1) {
				printf "# alone() has %.2f %% of %s, the program says %.2f %%\n", is, what, said
				bad = 1
			}
		}
		FILENAME ~ /truth.txt/ { clock[$1] = $3; cpu[$1] = $5; next }
		{ sub(/.*;/, "", $1); found[FILENAME ~ /latency.folded/, $1] += $2 }
		END {
			is_near("CPU time", share(cpu["alone"], cpu["together"]),
				share(found[0, "alone"], found[0, "together"]))
			is_near("latency", share(clock["alone"], clock["together"]),
				share(found[1, "alone"], found[1, "together"]))
			exit bad
		}
	' "testdata/$1/truth.txt" "$2/period.folded" "$2/latency.folded"
}

judge() { # CASE DIR
	case $1 in
	truth/locks) judge_locks "$1" "$2" ;;
	truth/during-*) judge_spans "$1" "${2%/out}" ;;
	truth/latency-*) judge_latency "$1" "$2" ;;
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
