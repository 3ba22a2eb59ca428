#!/bin/sh
# blocked-server.sh PERFOLD DIR [PICTURES]
#
# The tutorial of man/perfold-off-cpu.7.scd as a script: starts a Node.js server that writes a file
# synchronously (server.js), asks it for something all the time, records it, and walks from the symptom
# to the cause. Each step where perfold finds what is there is a test. DIR gets the recording;
# with PICTURES the pictures of the man page are made anew there.
#
# Needs root, perf, node and a tracefs with uprobes; is skipped without. Takes about 10 s. It records
# the server alone, and takes away the probes that it made.
set -u
perfold=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
pictures=${3:+$(realpath "$3")}
here=$(cd "$(dirname "$0")" && pwd)
seconds=4
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"
server='' client=''

for tool in perf node readelf; do
	command -v "$tool" >/dev/null || skip_all "needs $tool"
done
tracing=/sys/kernel/tracing
[ -w $tracing/uprobe_events ] || mount -t tracefs none $tracing 2>/dev/null
[ -w $tracing/uprobe_events ] || skip_all "needs a tracefs that can be written"
[ -d $tracing/events/syscalls ] || skip_all "needs the events of system calls"
node=$(readlink -f "$(command -v node)")
group=perfold_$$

cleanup() {
	[ -z "$client" ] || kill "$client" 2>/dev/null
	[ -z "$server" ] || kill "$server" 2>/dev/null
	wait 2>/dev/null
	[ -z "$server" ] || rm -f "/tmp/perf-$server.map"
	for event in "$tracing/events/$group"/*/; do
		[ -d "$event" ] && echo "-:$group/$(basename "$event")" >> $tracing/uprobe_events
	done
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# Where in a file a function is: uprobes take offsets.
offset_of() { # FILE FUNCTION
	address=$(readelf -sW "$1" | awk -v f="$2" \
		'$4 == "FUNC" && ($8 == f || index($8, f "@@") == 1) { print $2; exit }')
	[ -n "$address" ] || return 1
	readelf -lW "$1" | awk '$1 == "LOAD" { print $2, $3, $5 }' | while read -r at virtual size; do
		if [ $((0x$address)) -ge $((virtual)) ] && [ $((0x$address)) -lt $((virtual + size)) ]; then
			printf '0x%x\n' $((0x$address - virtual + at))
		fi
	done
}

probe_functions() {
	for function in uv__run_timers uv__run_idle uv__run_prepare uv__io_poll uv__run_check \
		uv__run_pending uv__run_closing_handles; do
		at=$(offset_of "$node" "$function") || continue
		[ -n "$at" ] || continue
		echo "p:$group/$function $node:$at" >> $tracing/uprobe_events
		echo "r:$group/${function}_ret $node:$at" >> $tracing/uprobe_events
	done
	[ -d "$tracing/events/$group" ]
}

# The path is in memory of the process: only a probe can read it.
probe_open() {
	libc=$(ldd "$node" | awk '$1 ~ /^libc\.so/ { print $3 }')
	at=$(offset_of "$libc" open64)
	[ -n "$at" ] && [ "$(uname -m)" = x86_64 ] || return 0
	echo "p:$group/open64 $libc:$at path=+0(%di):string" >> $tracing/uprobe_events
	echo "r:$group/open64_ret $libc:$at fd=\$retval:s32" >> $tracing/uprobe_events
}

start_server() {
	rm -f "$folder/port"
	# Some versions of Node.js leave a log where they run.
	(cd "$folder" && exec "$node" --perf-basic-prof --interpreted-frames-native-stack \
		"$here/server.js" "$folder/port") &
	server=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$folder/port" ] && break
		sleep 0.2
	done
	[ -s "$folder/port" ] || skip_all "the server did not start"
	"$node" "$here/client.js" "$(cat "$folder/port")" $((seconds + 3)) > "$folder/client.txt" &
	client=$!
	sleep 1
}

record() {
	calls=
	for call in read write fsync openat close epoll_pwait epoll_wait; do
		[ -d "$tracing/events/syscalls/sys_enter_$call" ] || continue
		calls="$calls -e syscalls:sys_enter_$call -e syscalls:sys_exit_$call"
	done
	ls -l /proc/"$server"/fd > "$folder/fds.txt"
	# shellcheck disable=SC2086 # one word for each event
	perf record -q -o "$folder/perf.data" -m 4M -e cpu-clock/freq=499/ -e "$group:*" $calls \
		-e sched:sched_switch --switch-events -g -p "$server" -- sleep $seconds \
		> "$folder/record.log" 2>&1
	cp "/tmp/perf-$server.map" "$folder/"
}

# A step passes where a pattern is in what perfold says.
step() { # NAME PATTERN COMMAND...
	name=$1 pattern=$2
	shift 2
	"$@" > "$folder/$name.txt" 2> "$folder/$name.log"
	if grep -qE "$pattern" "$folder/$name.txt"; then
		pass "$name"
	else
		fail "$name: no /$pattern/ in $folder/$name.txt"
		head -20 "$folder/$name.txt" "$folder/$name.log"
	fi
}

probe_functions || skip_all "uprobes cannot be made here"
probe_open
start_server
record || skip_all "perf record failed: $(tail -1 "$folder/record.log")"
wait "$client"
client=
cd "$folder" || exit 1

# 1. The symptom: some answers take long.
step symptom 'slowest [0-9.]+ ms' cat client.txt
# 2. The CPU is not what they wait for: blocked, though not idle.
step blocked 'writeAudit.* [0-9]+$' "$perfold" perf.data --off-cpu --root state --tid "$server" \
	--filter nodejs -e 'drop-stack /^\[idle\]$/' -o -
# 3. The event loop: an iteration that takes that long, and what ran in it.
step loop 'iteration without the wait' "$perfold" spans event-loop perf.data --slower 5ms \
	--heatmap loop-heat.svg -o loop.svg
# 4. The cause: the slowest call on a file, and who makes it. Which of the audit's calls that is, is a
# matter of the disk: fsync() where it is slow, open() where emptying the file is, write() in memory.
# A file without a path is one whose open could not be probed.
audit='^ *#[0-9]+ [0-9.]+ .* (openat|open64|write|fsync|close) +[A-Z-] .*(/audit\.log|fd/[0-9]+)$'
step cause "$audit" "$perfold" spans file-io perf.data --fds fds.txt --slower 100us \
	--rows 1 --heatmap file-heat.svg -o file-io.svg -o file-io.trace.json
step caller 'writeAudit' cat cause.txt

if [ -n "$pictures" ]; then
	"$perfold" perf.data --off-cpu --root state --tid "$server" --filter nodejs \
		-e 'drop-stack /^\[idle\]$/' -q -o "$pictures/off-cpu.svg" \
		--title "Blocked time of the server's thread"
	cp file-heat.svg "$pictures/file-io.svg"
fi
done_testing
