# run_queue.sh: perfold spans runqueue against the delays of perf sched timehist, wait by wait (run_queue.py); sourced
# by run.sh. The recording is made here, of run_queue.c. Where other programs take so much of the CPUs that few waits
# can be compared, another one is made.

record_run_queue() { # DIR
	${CC:-cc} -O1 -o "$1/run_queue" "$here/run_queue.c" -lpthread &&
		perf record -q -m 4M -e sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new --switch-events -g \
			-o "$1/perf.data" -- "$1/run_queue" > /dev/null 2>&1
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
		status=0
		result=$("$here/run_queue.py" "$perfold" "$store/run_queue/perf.data") || status=$?
		[ $status = 2 ] || break
	done
	if [ $status = 0 ]; then
		pass "run queue: $result"
		return
	fi
	fail "run queue, try $try: $result"
}
