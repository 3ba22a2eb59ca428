#!/bin/sh
# instructions.sh LIBPERFOLD.A FILE...
#
# Disassembles each file with GNU objdump, or with llvm-objdump where that does not know the machine, and
# takes from perfold the functions that have one of its instructions: these must begin and end where objdump
# says. Prints how many do, how many capstone does not know, and how many differ, by reason (instructions.awk);
# fails where one has no reason. Objdump's and perfold's are left in PEERS_DIR (build/peers), objdump.NAME and
# instructions.NAME.
set -u
here=$(cd "$(dirname "$0")" && pwd)
library=$1
shift
store=${PEERS_DIR:-build/peers}
mkdir -p "$store"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
status=0

for tool in objdump "${CC:-cc}"; do
	command -v "$tool" >/dev/null || { echo "SKIP instructions: needs $tool"; exit 0; }
done

${CC:-cc} -std=gnu11 -Werror -D_GNU_SOURCE -Isrc -O1 "$here/instructions.c" "$library" \
	-ldw -lelf -lpcre2-8 -lyajl -lz -ldeflate -lzstd -llzma -liberty -ltraceevent -lm -lpthread \
	-o "$work/instructions" || exit 2

# objdump knows machines that it was built for.
disassemble() { # FILE
	objdump -d -w -z "$1" 2>"$work/complaints" || llvm-objdump -d "$1"
}

for file; do
	file=$(realpath "$file")
	name=$(basename "$file")
	disassemble "$file" >"$store/objdump.$name" || exit 2
	sed -n 's/^ *\([0-9a-f]\{1,\}\):[ \t].*/\1/p' "$store/objdump.$name" |
		"$work/instructions" "$file" >"$store/instructions.$name" || exit 2
	awk -v name="$name" -f "$here/instructions.awk" "$store/objdump.$name" "$store/instructions.$name" || status=1
done
exit $status
