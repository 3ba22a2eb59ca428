# latency.sh: --weight latency against a count from perf script's switches; sourced by run.sh.
# The recording is made here: a program of two threads, alone and beside itself, then gzip and sort side by
# side.

record_latency() { # DIR
	${CC:-cc} -O1 -o "$1/two" testdata/trace/latency/two.c -lpthread &&
		cat > "$1/load.sh" <<-E &&
			"$1/two"
			"$1/two" & "$1/two"; wait
			seq 400000 > "$1/numbers"
			gzip -9 < "$1/numbers" > /dev/null & sort -r "$1/numbers" > /dev/null & gzip -c "$1/numbers" > /dev/null
			wait
		E
		perf record -q -F 997 -e cpu-clock -g --switch-events -o "$1/perf.data" -- sh "$1/load.sh" > /dev/null 2>&1
}

check_latency() {
	for tool in perf python3 "${CC:-cc}"; do
		command -v "$tool" > /dev/null || { skip latency "needs $tool"; return; }
	done
	folder=$store/latency
	mkdir -p "$folder"
	if ! record_latency "$folder"; then
		skip latency "perf record with cpu-clock and --switch-events does not work here"
		return
	fi
	perf script -i "$folder/perf.data" --ns -F comm,pid,tid,time,period,event -G \
		--show-switch-events --show-task-events > "$folder/script.txt" 2> /dev/null
	cpus=$(perf script -i "$folder/perf.data" --header-only 2> /dev/null | sed -n 's/^# nrcpus online : //p')
	for of in process recording; do
		if "$perfold" -q "$folder/perf.data" --weight latency --parallelism $of --root comm \
			-o "folded:$folder/$of.folded" &&
			result=$("$here/latency.py" "$cpus" "$folder/script.txt" "$folder/$of.folded" $of); then
			pass "latency, by $of: $result"
		else
			fail "latency, by $of: ${result-}"
		fi
	done
}
