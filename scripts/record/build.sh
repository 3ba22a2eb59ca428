#!/bin/sh
# build.sh OUTDIR: builds the programs that testdata/ and the benchmarks record.
set -eu
mkdir -p "$1"
out=$(cd "$1" && pwd)
# compiled from a copy: the directory's name lands in the debug information
src=$out/src
mkdir -p "$src" && cp "$(dirname "$0")"/src/*.* "$(dirname "$0")"/../truth/src/jit.h "$src"
cd "$src"
cc="gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer -Wall"
$cc -o "$out/spin-pie" "$src/spin.c"
$cc -no-pie -o "$out/spin-nopie" "$src/spin.c"
$cc -static -no-pie -o "$out/spin-static" "$src/spin.c"
$cc -Wl,--build-id=none -o "$out/spin-noid" "$src/spin.c"
$cc -Wl,--strip-all -o "$out/spin-stripped" "$src/spin.c"
$cc -rdynamic -Wl,--strip-all -o "$out/unsized" "$src/unsized.c"
# the text segment's address is not its offset in the file
$cc -Wl,-z,separate-code -Wl,-Ttext-segment=0x10000000 -no-pie -o "$out/spin-highbase" "$src/spin.c"
$cc -m32 -nostdlib -static -fno-pic -no-pie -Wl,--build-id -o "$out/bare-32" "$src/bare.c"
$cc -nostdlib -static -Wl,--build-id,--eh-frame-hdr,-e,start -o "$out/stacks" "$src/stacks.c"
$cc -m32 -O2 -g0 -fomit-frame-pointer -fno-optimize-sibling-calls -ffreestanding -nostdlib -static -fno-pic -no-pie -Wl,--build-id \
	-o "$out/narrow" "$src/narrow.c"
$cc -o "$out/odd-map" "$src/odd-map.c"
$cc -fomit-frame-pointer -o "$out/clock" "$src/clock.c"
cxx="g++ -std=c++17 -O2 -g -fno-omit-frame-pointer -Wl,--build-id=sha1 -pthread"
$cxx -o "$out/shapes" "$src/shapes.cpp" -ldl
$cxx -shared -fPIC -o "$out/plugin.so" "$src/plugin.cpp"
$cxx -fomit-frame-pointer -o "$out/shapes-nofp" "$src/shapes.cpp" -ldl
$cxx -fomit-frame-pointer -shared -fPIC -o "$out/plugin-nofp.so" "$src/plugin.cpp"
g++ -std=c++17 -O1 -g -fno-omit-frame-pointer -Wl,--build-id=sha1 -o "$out/merged" "$src/merged.cpp"
# mini symbols in .gnu_debugdata (xz), the way Fedora makes them
nm -D "$out/shapes" --format=posix --defined-only | awk '{ print $1 }' | sort > "$out/dynamic"
nm "$out/shapes" --format=posix --defined-only | awk '$2 ~ /[TtW]/ { print $1 }' | sort |
	comm -13 "$out/dynamic" - > "$out/keep"
objcopy --only-keep-debug "$out/shapes" "$out/debug"
objcopy -S --keep-symbols="$out/keep" --remove-section .comment "$out/debug" "$out/mini"
xz -f "$out/mini"
cp "$out/shapes" "$out/shapes-mini"
strip --strip-all "$out/shapes-mini"
objcopy --add-section .gnu_debugdata="$out/mini.xz" "$out/shapes-mini"
rm -f "$out/dynamic" "$out/keep" "$out/debug" "$out/mini.xz"
for scheme in v0 legacy; do
	RUSTC_BOOTSTRAP=1 rustc -O -C debuginfo=1 -C force-frame-pointers=yes -Z unstable-options \
		-C symbol-mangling-version=$scheme -o "$out/work-$scheme" "$src/work.rs"
done
