# run_queue.sh: perfold spans runqueue against the delays of perf sched timehist; sourced by run.sh.
# The recording is made here, of run_queue.c. What is compared are the sums of threads that waited at least
# 20 times, and the sum of these: each within 1 %. Where the kernel lets another program run in between, perf
# takes its time for that of the thread before, as it knows only the recorded ones: three recordings are made.

record_run_queue() { # DIR
	${CC:-cc} -O1 -o "$1/run_queue" "$here/run_queue.c" -lpthread &&
		perf record -q -m 4M -e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new --switch-events -g \
			-o "$1/perf.data" -- "$1/run_queue" > /dev/null 2>&1
}

# Of each thread the number of waits and their sum in ns, from lines of "TID NS".
sum_waits() {
	awk '{ n[$1]++; ns[$1] += $2 } END { for (t in n) print t, n[t], int(ns[t]) }' | sort
}

# perf cuts delays to microseconds: half of one is added.
their_waits() { # RECORDING
	perf sched timehist -i "$1" 2> /dev/null | awk '
		match($3, /\[[0-9]+[]\/]/) && $5 > 0 { print substr($3, RSTART + 1, RLENGTH - 2), $5 * 1000000 + 500 }'
}

our_waits() { # RECORDING
	"$perfold" spans runqueue "$1" -q --json - | python3 -c '
import json, sys
spans = json.load(sys.stdin)
for s in spans["spans"]:
    if spans["kinds"][s["kind"]]["name"] == "woken":
        print(spans["threads"][s["thread"]]["tid"], s["duration_ns"])'
}

compare_run_queue() { # DIR
	their_waits "$1/perf.data" | sum_waits > "$1/theirs"
	our_waits "$1/perf.data" | sum_waits > "$1/ours"
	join "$1/theirs" "$1/ours" | awk '
		function off(a, b) { return (b > a ? b - a : a - b) / a * 100 }
		$2 >= 20 { n++; theirs += $3; ours += $5; if (off($3, $5) > worst) worst = off($3, $5) }
		END {
			if (n) printf "%d threads, %.1f and %.1f ms, %.2f %% apart, at most %.2f %% of a thread", n,
				theirs / 1e6, ours / 1e6, off(theirs, ours), worst
			exit !(n >= 4 && worst <= 1)
		}'
}

check_run_queue() {
	for tool in perf python3 "${CC:-cc}"; do
		command -v "$tool" > /dev/null || { skip "run queue" "needs $tool"; return; }
	done
	mkdir -p "$store/run_queue"
	for try in 1 2 3; do
		if ! record_run_queue "$store/run_queue"; then
			skip "run queue" "perf record of the scheduler does not work here, or no real-time priority"
			return
		fi
		if result=$(compare_run_queue "$store/run_queue"); then
			pass "run queue: $result"
			return
		fi
	done
	fail "run queue, try $try: $result"
}
