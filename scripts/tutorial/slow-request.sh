#!/bin/sh
# slow-request.sh PERFOLD DIR
#
# The second tutorial of man/perfold-off-cpu.7.scd as a script: starts a Node.js server that is fast but for one
# kind of request (orders.js), asks it for both, records it, and walks from the symptom to the line of source.
# Each step is a test: what is slow is below 2 % of all samples, above 90 % of those in slow iterations of the
# event loop, the first row of what is inside and not outside, and one line. DIR gets the recording.
#
# Needs root, perf, node and the tracepoints of system calls; is skipped without. Takes about 20 s. It records
# the server alone, which comes before other processes: an iteration that is kept from its CPU is slow, too.
set -u
perfold=$(realpath "$1")
mkdir -p "$2"
folder=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
seconds=16
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"
server='' client=''

for tool in perf node; do
	command -v "$tool" > /dev/null || skip_all "needs $tool"
done
tracing=/sys/kernel/tracing
[ -r $tracing/events ] || mount -t tracefs none $tracing 2> /dev/null
[ -d $tracing/events/syscalls ] || skip_all "needs the events of system calls"
# Not by real-time priority: a server that leaves no time to others is stopped for 50 ms in each second, sched(7).
first='nice -n -20'
$first true 2> /dev/null || first=

cleanup() {
	[ -z "$client" ] || kill "$client" 2> /dev/null
	[ -z "$server" ] || kill "$server" 2> /dev/null
	wait 2> /dev/null
	[ -z "$server" ] || rm -f "/tmp/perf-$server.map"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

start_server() {
	rm -f "$folder/port" "$folder"/jit-*.dump "$folder"/perf-*.map
	cp "$here/orders.js" "$folder/"
	# The dump, and the log of some versions of Node.js, are written where they run.
	(cd "$folder" && exec $first node --perf-basic-prof --perf-prof --interpreted-frames-native-stack \
		"$folder/orders.js" port 2> server.log) &
	server=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -s "$folder/port" ] && break
		sleep 0.5
	done
	[ -s "$folder/port" ] || skip_all "the server did not start"
	node "$here/orders-client.js" "$(cat "$folder/port")" $((seconds + 2)) \
		> "$folder/client.txt" 2> "$folder/client.log" &
	client=$!
	sleep 1
}

record() {
	perf record -q -o "$folder/perf.data" -k mono -m 4M -g -p "$server" -e cpu-clock/freq=999/ \
		-e 'syscalls:sys_*_epoll_*wait' -- sleep $seconds > "$folder/record.log" 2>&1
	cp "/tmp/perf-$server.map" "$folder/"
}

# A step passes where awk, of what perfold prints, says so.
step() { # NAME PROGRAM COMMAND...
	name=$1 program=$2
	shift 2
	"$@" > "$folder/$name.txt" 2> "$folder/$name.log"
	if awk "$program" "$folder/$name.txt"; then
		pass "$name"
	else
		fail "$name: see $folder/$name.txt"
		head -20 "$folder/$name.txt" "$folder/$name.log"
	fi
}

start_server
record || skip_all "perf record failed: $(tail -1 "$folder/record.log")"
wait "$client"
client=
cd "$folder" || exit 1
slow='event-loop > 20ms' own='--filter nodejs-app-only'

# shellcheck disable=SC2086 # words of $own
{
	# 1. The symptom: some answers take long.
	step symptom '/slowest [0-9.]+ ms/ { n++ } END { exit !n }' cat client.txt
	# 2. In the profile of everything it is lost.
	step rare '$3 == "readCatalog" { share = $2 + 0 } END { exit !(share > 0 && share < 5) }' \
		"$perfold" top perf.data --event cpu-clock --by total $own
	# 3. In slow iterations of the event loop there is nothing else.
	step inside '$3 == "readCatalog" { share = $2 + 0 } END { exit !(share > 90) }' \
		"$perfold" top perf.data --during "$slow" --by total $own
	# 4. It is the first of what is in them, and not in the others.
	step first '/ function, module$/ { getline; bad = !/ readCatalog /; n++ } END { exit bad || n != 1 }' \
		"$perfold" diff perf.data --during "$slow" --by total $own
	# 5. The line.
	step line '$1 + 0 > 90 && /return JSON.parse\(text\)/ { n++ } END { exit n != 1 }' \
		"$perfold" annotate readCatalog perf.data --during "$slow"
}

done_testing
