#!/bin/sh
# check.sh [--bless] PROGRAM: what is said of a file that an option names and that is not what it
# should be?
#
# Each option that names a file or directory to read is given, in turn, what is wrong in ten ways. A
# line of table.txt says what came of it:
#
#	OPTION	WHAT IS WRONG	EXIT STATUS	what is said of the file on standard error
#
# Of directories, the file in them that has the recorded name is wrong; "missing" and "kind" are about
# the directory itself. Status 0 is right where the file is what it should be but belongs to something
# else, and where only a file in a directory is wrong: it must be said then, or be no worse. A text that
# is cut off between two lines, or a dump between two records, cannot be told from a whole one: it is
# what a program that was killed leaves.
set -u
export LC_ALL=C PERFOLD_NO_SYSTEM=1
bless=
[ "$1" != --bless ] || { bless=1; shift; }
program=$(realpath "$1")
tree=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh

data=$tree/testdata
libc=usr/lib/x86_64-linux-gnu/libc.so.6
mkdir "$work/rec"
zstd -dqo "$work/rec/native.data" "$data/node/v24/input.perf.data.zst" &&
	zstd -dqo "$work/rec/dump.data" "$data/jit/dump/input.perf.data.zst" &&
	zstd -dqo "$work/node.map" "$data/node/v24/perf-22244.map.zst" || exit 2
cp "$data/kernel/vmlinux/input.perf.data" "$work/rec/kernel.data"
cp "$data/names/lines/input.perf.data" "$work/rec/tower.data"
mkdir -p "$work/root/tmp/perfold/bin"
cp "$data/names/lines/root/tmp/perfold/bin/tower" "$work/root/tmp/perfold/bin"
touch -d 2001-01-01 "$work/root/tmp/perfold/bin/tower" # older than any source
cp "$data/names/source-maps/input.folded" "$work/rec/script.folded"
cp "$data/resolve/native/input.txt" "$work/rec/addresses.txt"
cp "$data/events/several/README" "$work/text"
tail -c +60 "$data/jit/dump/input.perf.data.zst" >"$work/binary"
# cet for AArch64 (183): e_machine is at 18.
{ head -c 18 "$data/elf/cet"; printf '\267\000'; tail -c +21 "$data/elf/cet"; } >"$work/machine"

# The row of an option: its good file, the genuine one of something else, where it is in a directory,
# and the command. @ stands for the file or directory.
rows="
symfs       | $data/node/v24/root/$libc             | $data/elf/cet                    | $libc             | rec/native.data --symfs @
debug-dir   | $data/node/v24/root/$libc             | $data/elf/cet                    | $libc             | rec/native.data --debug-dir @
container   | $data/node/v24/root/$libc             | $data/elf/cet                    | $libc             | rec/native.data --container 22244=@
map-dir     | $work/node.map                        | $data/jit/odd-map/perf-21778.map | perf-22244.map    | rec/native.data --map-dir @
source-maps | $data/names/source-maps/project/dist/bundle.js.map | -                   | bundle.js.map     | rec/script.folded --source-maps @
source-dir  | $data/names/lines/tower.cpp           | $data/elf/README                 | src/tower.cpp     | pack rec/tower.data --symfs root --sources -o x.perfpack --source-dir @
source-prefix | $data/names/lines/tower.cpp         | $data/elf/README                 | tower.cpp         | pack rec/tower.data --symfs root --sources -o x.perfpack --source-prefix /src=@
archive     | -                                     | $data/elf/cet                    |                   | rec/native.data --debug-dir @
kallsyms    | $data/node/v24/kallsyms               | -                                |                   | rec/native.data --kallsyms @
vmlinux     | $data/kernel/vmlinux/vmlinux          | $data/elf/cet                    |                   | rec/kernel.data --vmlinux @
perf-map    | $work/node.map                        | $data/jit/odd-map/perf-21778.map |                   | rec/native.data --perf-map @
perf-map-pid | $work/node.map                       | $data/jit/odd-map/perf-21778.map |                   | rec/native.data --perf-map 22244=@
jitdump     | $data/jit/dump/jit-6049.dump          | $work/other.dump                 |                   | rec/dump.data --jitdump @
jitdump-pid | $data/jit/dump/jit-6049.dump          | $work/other.dump                 |                   | rec/dump.data --jitdump 6049=@
proc-maps   | $data/resolve/native/input.maps       | -                                |                   | resolve rec/addresses.txt --symfs $data/resolve/native/root --proc-maps @
filter      | $work/rules                           | -                                |                   | rec/native.data -F @
input       | $work/rec/native.data                 | -                                |                   | @
base        | $work/rec/native.data                 | -                                |                   | diff rec/native.data --base @
"
printf 'drop /a/\ndrop /bcdefgh/\n' >"$work/rules"
# A dump of a process that the recording does not have.
{ head -c 20 "$data/jit/dump/jit-6049.dump"; printf '\001\002\003\000'; tail -c +25 "$data/jit/dump/jit-6049.dump"; } >"$work/other.dump"

put() { # FAULT GOOD OTHER TARGET: what is wrong in that way, at TARGET
	case $1 in
	good) cp "$2" "$4" ;;
	missing) ;;
	empty) : >"$4" ;;
	text) cp "$work/text" "$4" ;;
	binary) cp "$work/binary" "$4" ;;
	machine) cp "$work/machine" "$4" ;;
	unreadable) ln -s "${4##*/}" "$4" ;; # a loop: even root cannot open it
	fifo) mkfifo "$4" ;;
	device) ln -s /dev/zero "$4" ;;
	cut) head -c "$(($(wc -c <"$2") * 2 / 3))" "$2" >"$4" ;;
	other) cp "$3" "$4" ;;
	esac
}

run() { # OPTION FAULT IN_DIR COMMAND
	command=$(printf '%s\n' "$4" | sed "s|@|it|g")
	rm -rf "$work/out"
	# shellcheck disable=SC2086
	(cd "$work" && timeout 20 "$program" $command) >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ "$2" != good ] || mv "$work/out" "$work/good"
	line=$(sed "s|^perfold: ||; s|$work/*||g; s|$tree/||g; s| (searched: .*||" "$work/err" |
		grep -e '^it[:/ ]' -e ': it[:/]' -e '`it`' -e "^--" -e 'cut short' -e 'source map' -e damaged | tr '\n' ' ' | cut -c 1-200 | sed 's/ $//')
	printf '%s\t%s\t%d\t%s\n' "$1" "$2" "$status" "${line:--}"
	# Nothing may be worse in silence.
	case $2/$1 in
	good/* | empty/filter | cut/*map* | cut/jitdump* | cut/input | cut/base) return ;;
	esac
	[ -n "$line" ] || cmp -s "$work/out" "$work/good" ||
		echo "# $1, $2: another result, and nothing is said" >&3
}

table() {
	printf '%s' "$rows" | grep '|' | sed 's/ *| */|/g' | while IFS='|' read -r option good other place command; do
		for fault in good missing kind empty text binary machine unreadable fifo device cut other; do
			rm -rf "$work/it"
			case $fault in
			good | cut) [ "$good" != - ] || continue ;;
			other) [ "$other" != - ] || continue ;;
			esac
			case $option/$fault in
			archive/kind) continue ;;              # a directory is as good
			input/fifo | base/fifo) continue ;;    # waits for a writer, and says so
			esac
			case $fault$place in
			kind | missing) [ $fault = missing ] || mkdir "$work/it" ;;
			kind*) cp "$work/text" "$work/it" ;;
			missing*) ;;
			*)
				[ -z "$place" ] || mkdir -p "$work/it/$(dirname "$place")"
				if [ -n "$place" ]; then put $fault "$good" "$other" "$work/it/$place"; else put $fault "$good" "$other" "$work/it"; fi
				;;
			esac
			run "$option" $fault "$place" "$command"
		done
	done
}

table >"$work/table" 3>"$work/silent"
if [ -n "$bless" ]; then cp "$work/table" scripts/named/table.txt; cat "$work/silent"; exit; fi
name="what is said of files that options name is what table.txt says"
if diff -u scripts/named/table.txt "$work/table" | sed 's/^/# /' >"$work/diff" && [ ! -s "$work/diff" ]; then
	pass "$name"
else
	cat "$work/diff"
	fail "$name"
fi
name="no result is worse in silence"
if [ ! -s "$work/silent" ]; then pass "$name"; else cat "$work/silent"; fail "$name"; fi
done_testing
