#!/bin/sh
# Builds the programs of this folder with gcc 12, binutils 2.40, clang 14 and dwz 0.15, and writes what
# llvm-symbolizer 14 says about every second address of their code to NAME.chains: address, then
# function:file:line, innermost first. What gcc makes is the same code in all files: one .chains.
set -eu
common="-O2 -g -nostartfiles -nostdlib -fcf-protection=none -fdebug-prefix-map=$PWD=/src
	-Wl,-e,main,-z,noseparate-code,-z,max-page-size=4096,--build-id=sha1"
for v in 2 3 4 5; do
	g++ $common -gdwarf-$v inlines.cpp other.cpp -o inlines-gcc-$v
done
clang++-14 $common -ffunction-sections -Wl,--gc-sections inlines.cpp other.cpp -o inlines-clang
objcopy --compress-debug-sections=zlib inlines-gcc-5 inlines-zlib
objcopy --compress-debug-sections=zlib-gnu inlines-gcc-4 inlines-zlib-gnu
objcopy --compress-debug-sections=zstd inlines-gcc-5 inlines-zstd
g++ $common -gdwarf-5 -gsplit-dwarf inlines.cpp other.cpp -o inlines-split-5
g++ $common -gdwarf-4 -gsplit-dwarf inlines.cpp other.cpp -o inlines-split-4
g++ $common -gdwarf-5 -gsplit-dwarf -fdebug-types-section inlines.cpp other.cpp -o inlines-types
compile="-O2 -g -gsplit-dwarf -ffunction-sections -fcf-protection=none -fdebug-prefix-map=$PWD=/src -c"
for v in 4 5; do
	for f in inlines other; do
		clang++-14 $compile -gdwarf-$v $f.cpp -o inlines-clang-split-$v-$f.o
	done
	clang++-14 -nostartfiles -nostdlib -Wl,--gc-sections,-e,main,-z,noseparate-code \
		-Wl,-z,max-page-size=4096,--build-id=sha1 inlines-clang-split-$v-*.o -o inlines-clang-split-$v
done
for f in inlines-split-4 inlines-split-5 inlines-clang-split-4 inlines-clang-split-5; do
	llvm-dwp-14 $f-*.dwo -o $f.llvm-dwp
done
# That of binutils 2.40 does not know DWARF 5.
for f in inlines-split-4 inlines-clang-split-4; do
	dwp $f-*.dwo -o $f.gnu-dwp
done
objcopy --compress-debug-sections=zlib inlines-split-5.llvm-dwp inlines-split-5.zlib-dwp
rm inlines-clang-split-*.o inlines-clang-split-*.dwo
cp inlines-gcc-5 inlines-dwz
cp inlines-gcc-5 inlines-dwz-2
dwz -m inlines-common.debug inlines-dwz inlines-dwz-2
rm inlines-dwz-2
g++ $common -gdwarf-5 scopes.cpp -o scopes
g++ $common -gdwarf-5 -gsplit-dwarf scopes.cpp -o scopes-split
llvm-dwp-14 scopes-split-scopes.dwo -o scopes-split.llvm-dwp
cp scopes scopes-dwz
cp scopes scopes-dwz-2
dwz -m scopes-common.debug scopes-dwz scopes-dwz-2
rm scopes-dwz-2
gcc $common -gdwarf-5 -Iparts relative.c -o relative
# As kernel modules are: the code of inlines-gcc-5, and that of another processor.
compile="-O2 -g -gdwarf-5 -fcf-protection=none -fdebug-prefix-map=$PWD=/src -c"
for f in inlines other; do
	g++ $compile $f.cpp -o $f.o
done
ld -r --build-id=sha1 inlines.o other.o -o inlines-gcc-5.ko
objcopy --compress-debug-sections=zlib inlines-gcc-5.ko inlines-zlib.ko
rm inlines.o other.o
clang++-14 --target=aarch64-linux-gnu -O2 -g -gdwarf-5 -fdebug-prefix-map=$PWD=/src -c inlines.cpp \
	-o inlines-aarch64.ko
gcc -g -nostdlib -fcf-protection=none -Wa,--debug-prefix-map=$PWD=/src \
	-Wl,-e,label,-z,noseparate-code,-z,max-page-size=4096,--build-id=sha1 label.S -o label
for f in inlines-gcc-5 inlines-clang inlines-aarch64.ko; do
	nm -S $f | awk '$3 ~ /^[tTwW]$/ { print $1, $2 }' | while read -r start size; do
		at=$((0x$start)) end=$((0x$start + 0x$size))
		while [ $at -lt $end ]; do
			printf '0x%x\n' $at
			at=$((at + 2))
		done
	done | llvm-symbolizer -e $f --no-demangle --output-style=GNU -a -f -i | awk '
		/^0x/ { if (line) print line; line = $0; name = ""; next }
		!name { name = $0; next }
		{ sub(/.*\//, ""); line = line " " name (/:[?0]$/ ? "" : ":" $0); name = "" }
		END { print line }' | sed 's/^0x0*\([^ ]\)/0x\1/' >${f%-gcc-5}.chains
done
