#!/bin/sh
# build.sh OUTDIR: builds the truth programs and their libraries, each program in a folder of its own.
set -eu
out=$1
src=$(cd "$(dirname "$0")/src" && pwd)
cc="gcc -std=gnu11 -D_GNU_SOURCE -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Wl,--build-id"

library() { # PROGRAM NAME
	$cc -fPIC -shared -DLIB="$2" -o "$out/$1/lib$2.so" "$src/library.c"
}

for program in dlopen leader fork-jit noreturn jit-reuse jit-dump pid-reuse fork-maps; do
	mkdir -p "$out/$program"
	$cc -pthread -o "$out/$program/$program" "$src/$program.c"
done
for program in dlopen pid-reuse fork-maps; do
	for name in alpha beta gamma; do library "$program" "$name"; done
done
library leader gamma
mkdir -p "$out/unwind"
${cc%%-fno-omit*} -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -Wall -Wextra -Wl,--build-id \
	-o "$out/unwind/unwind" "$src/unwind.c"
mkdir -p "$out/exec"
for name in one two three four; do
	$cc -no-pie -pthread -DSELF=$name -o "$out/exec/$name" "$src/exec.c"
done
