#!/bin/sh
# check-hardened.sh PROGRAM: what the compiler and the linker do against attacks is in the program.
#
# Read from the file, not from the flags: a position-independent executable, all relocations done at
# the start and then read-only, no executable stack; the stack protector, the checked functions of
# FORTIFY (not at -O0), and in our own code landing pads for indirect calls on x86-64, these and signed
# return addresses on 64-bit Arm.
set -u
program=$1
build=$(dirname "$program")
bad=0

expect() { # WHAT IT LACKS OTHERWISE, PATTERN, READELF'S OPTION, FILE
	readelf "$3" -W "$4" 2>/dev/null | grep -qE "$2" && return
	echo "$program: $1"
	bad=1
}

command -v readelf >/dev/null || { echo "no readelf"; exit 77; }
grep -q -- -fsanitize= "$build/flags" && { echo "sanitizers have checks of their own"; exit 77; }
expect "no position-independent executable" 'Type: *DYN' -h "$program"
expect "relocations are not done at the start" '\((FLAGS|FLAGS_1)\).*NOW' -d "$program"
expect "no part is read-only after relocation" GNU_RELRO -l "$program"
expect "the stack can be executed" 'GNU_STACK.* RW +0x' -l "$program"
expect "no stack protector" __stack_chk_fail -s "$build/libperfold.a"
if grep -q -- ' -D_FORTIFY_SOURCE=' "$build/flags"; then
	expect "no checked functions" '__(memcpy|s?n?printf|vsnprintf|fprintf|read)_chk$' -s "$build/libperfold.a"
fi
if readelf -hW "$program" | grep -q X86-64; then
	expect "no landing pads for indirect calls" 'IBT, SHSTK' -n "$build/src/main.o"
fi
if readelf -hW "$program" | grep -q AArch64; then
	expect "no landing pads, or no signed return addresses" 'BTI, PAC' -n "$build/src/main.o"
fi
exit $bad
