#!/bin/sh
# build.sh OUTDIR: builds the truth programs and their libraries, each program in a directory of its own.
set -eu
out=$1
src=$(cd "$(dirname "$0")/src" && pwd)
cc="gcc -std=gnu11 -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Wl,--build-id"

library() { # PROGRAM NAME
	$cc -fPIC -shared -DLIB="$2" -o "$out/$1/lib$2.so" "$src/library.c"
}

for program in dlopen leader fork-jit noreturn jit-reuse jit-dump pid-reuse fork-maps same requests locks document; do
	mkdir -p "$out/$program"
	$cc -pthread -o "$out/$program/$program" "$src/$program.c"
done
for program in dlopen pid-reuse fork-maps; do
	for name in alpha beta gamma; do library "$program" "$name"; done
done
library leader gamma
for program in unwind deep jit-frames; do
	mkdir -p "$out/$program"
	${cc%%-fno-omit*} -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Wl,--build-id \
		-o "$out/$program/$program" "$src/$program.c"
done
# Needs no library of that CPU; the compiler is only here for who records it anew.
if command -v aarch64-linux-gnu-gcc > /dev/null; then
	arm64() { # PROGRAM OPTION...
		mkdir -p "$out/$1"
		program=$1
		shift
		aarch64-linux-gnu-gcc -std=gnu11 -O2 -Wall -Wextra -ffreestanding -nostdlib -static -fno-pie -no-pie \
			"$@" -fno-optimize-sibling-calls -fno-stack-protector \
			-fasynchronous-unwind-tables -mbranch-protection=standard -Wl,--build-id \
			-Wl,-z,max-page-size=4096 -o "$out/$program/$program" -I"$src" "$src/aarch64.c"
	}
	arm64 aarch64 -fomit-frame-pointer
	arm64 aarch64-fp -DFRAME_POINTERS -fno-omit-frame-pointer -momit-leaf-frame-pointer
fi
if command -v arm-linux-gnueabihf-gcc > /dev/null; then
	for mode in arm thumb; do
		case $mode in arm) program=arm ;; *) program=arm-$mode ;; esac
		mkdir -p "$out/$program"
		arm-linux-gnueabihf-gcc -std=gnu11 -O2 -Wall -Wextra -ffreestanding -nostdlib -static -fno-pie -no-pie \
			-m$mode -mcpu=cortex-a15 -mfpu=neon-vfpv4 -fomit-frame-pointer -fno-optimize-sibling-calls \
			-fno-stack-protector -funwind-tables -Wl,--build-id -Wl,-z,max-page-size=4096 \
			-o "$out/$program/$program" -I"$src" "$src/arm.c"
	done
fi
mkdir -p "$out/exec"
for name in one two three four; do
	$cc -no-pie -pthread -DSELF=$name -o "$out/exec/$name" "$src/exec.c"
done
