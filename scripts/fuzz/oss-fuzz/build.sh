#!/bin/bash -eu
# Builds all fuzzers into $OUT, each with its seeds and its dictionary. Where they run no library is
# installed: those that they need lie in lib/ beside them. testdata/ has the files that some of them read.
make -j"$(nproc)" CONFIG=fuzz CC="$CC" FUZZ_ENGINE="$LIB_FUZZING_ENGINE" FUZZ_LINK="$CXX $CXXFLAGS" \
	CFLAGS="$CFLAGS -U_FORTIFY_SOURCE -DPERFOLD_SANITIZED" LDFLAGS="-Wl,-rpath,'\$\$ORIGIN/lib'" fuzzers

mkdir -p "$OUT/lib" "$OUT/testdata"
for program in $(find build/fuzz/src -name '*_fuzz'); do
	name=$(basename "$program" _fuzz)
	cp "$program" "$OUT/"
	(cd "testdata/fuzz/$name" && zip -q -r "$OUT/${name}_fuzz_seed_corpus.zip" .)
	words=$(scripts/fuzz/words.sh "$name")
	[ -z "$words" ] || cp "scripts/fuzz/dictionaries/$words" "$OUT/${name}_fuzz.dict"
done
# These are loaded when a pack is read, and when code is disassembled.
loaded=$(echo /usr/lib/*/libarchive.so.13 /usr/lib/*/libcapstone.so.[0-9])
# shellcheck disable=SC2086 # several
for library in $(ldd "$OUT"/*_fuzz $loaded | awk '$2 == "=>" { print $3 }' | sort -u) $loaded; do
	case $library in
	*/libc.so.* | */libm.so.* | */libpthread.so.*) ;;
	*) cp "$library" "$OUT/lib/" ;;
	esac
done
for case in names/lines unwind/ends jit/odd-map elf/unsized branches/stacks; do
	mkdir -p "$OUT/testdata/$case"
	cp -r "testdata/$case/." "$OUT/testdata/$case/"
done
cp testdata/elf/program* "$OUT/testdata/elf/"
