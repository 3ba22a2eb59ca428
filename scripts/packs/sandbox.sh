#!/bin/sh
# sandbox.sh PROGRAM: what a run gives up before it reads what a stranger wrote.
#
# The input is a FIFO, so that the program waits in it while its rights are looked at. Then, under strace, a
# pack is read with nothing of this machine: no socket, no other program, no file outside what is named.
set -u
export LC_ALL=C
program=$(realpath "$1")
tree=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
mkdir "$work/tmp" "$work/in" "$work/out"
export TMPDIR="$work/tmp"
mkfifo "$work/fifo"

# Prints FIELD of /proc/PID/status of a run with these options, once it waits for its input.
rights() { # FIELD OPTION...
	field=$1
	shift
	"$program" "$@" -q "$work/fifo" -o folded:/dev/null 2>/dev/null &
	pid=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -q fifo_open "/proc/$pid/wchan" 2>/dev/null && break
		grep -q '^Seccomp:.*2' "/proc/$pid/status" 2>/dev/null && break
		sleep 0.1
	done
	sed -n "s/^$field:[[:space:]]*//p" "/proc/$pid/status"
	sed -n "s/^$field  *\([^ ]*\).*/\1/p" "/proc/$pid/limits"
	: >"$work/fifo"
	wait "$pid"
}

expect() { # NAME GOT WANTED
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1: $2, not $3"
	fi
}

if [ "$(sed -n 's/^Seccomp:[[:space:]]*//p' /proc/self/status)" = "" ]; then
	skip_all "no seccomp in this kernel"
fi
expect 'a run has a filter for system calls' "$(rights Seccomp)" 2
expect 'no new privileges' "$(rights NoNewPrivs)" 1
expect '--sandbox off' "$(rights NoNewPrivs --sandbox off)" 0
expect 'the ceiling of memory' "$(rights 'Max data size' --max-memory 512M)" 536870912

awk 'BEGIN { for (i = 0; i < 200000; i++) printf "a%d;b%d;c%d;d 1\n", i % 7, i % 4999, i }' >"$work/in/many.folded"
"$program" --max-memory 24M -j1 -q "$work/in/many.folded" -o "$work/out/x.html" 2>"$work/error"
if [ $? -eq 1 ] && grep -q -- --max-memory "$work/error"; then
	pass 'memory that is out is an error which names the option'
else
	fail "memory that is out: $(cat "$work/error")"
fi

if ! command -v strace >/dev/null || ! strace -f true 2>/dev/null; then
	skip 'system calls' "no strace"
	done_testing
	exit
fi
cp -RP "$tree/testdata/elf/static" "$work/in/static"
find "$work/in" -name '*.zst' -exec zstd -dqf {} +
(cd "$work/in/static" && "$program" pack input.perf.data --symfs root -q -o "$work/in/x.perfpack")
strace -f -y -o "$work/trace" "$program" -q "$work/in/x.perfpack" -o "$work/out/x.html"
# The first execve is strace's own.
calls=$(sed -n '2,$p' "$work/trace" | grep -cE '^[0-9]+ +(execve|socket|connect|fork|vfork|ptrace)\(')
expect 'calls of other programs and of the network' "$calls" 0
# What was opened, by its real path (-y); and what was made or removed, by its name. O_PATH: nothing can be read
# by such a descriptor; the rules of Landlock are made of them, and files below a root are found by them.
outside=$({
	grep -E ' (open|openat|openat2)\(' "$work/trace" | grep -v O_PATH | sed -n 's/.* = [0-9]*<\(.*\)>$/\1/p'
	grep -E ' (mkdir|mkdirat|unlink|unlinkat|rename|linkat)\(' "$work/trace" | sed -n 's/.*"\(\/[^"]*\)".*/\1/p'
} | grep -vE "^($work|/lib|/usr/lib|/etc/ld.so.cache|/proc/[0-9]*/|/sys/devices/system/cpu)" | cut -c 1-160)
[ "$(grep -c ' openat2*(' "$work/trace")" -gt 5 ] || fail 'the trace shows opened files'
expect 'files outside of what is named' "$outside" ""

# Without Landlock the kernel does not know its version.
confined() { # OPTION... INPUT
	strace -f -e trace=landlock_create_ruleset,landlock_restrict_self -o "$work/confined" "$program" -q "$@" \
		-o "$work/out/y.folded"
	grep -q 'landlock_create_ruleset(.* = -1 [EN]*NOSYS\|landlock_create_ruleset(.* = -1 EOPNOTSUPP' "$work/confined" ||
		grep -c 'landlock_restrict_self(.* = 0' "$work/confined"
}
cd "$work/in/static" || exit 2
for options in "$work/in/x.perfpack" '--hermetic input.perf.data --symfs root'; do
	# shellcheck disable=SC2086 # words
	got=$(confined $options)
	expect "nothing of this machine is read: ${options##*/}" "${got:-1}" 1
done
expect 'files of this machine may be needed' "$(confined input.perf.data --symfs root)" 0
done_testing
