#!/bin/sh
# run.sh FUZZER SECONDS: libFuzzer on build/fuzz/FUZZER, starting from testdata/fuzz/NAME/.
#
# New inputs stay in build/fuzz/corpus/NAME/. An input that ends the program goes to build/fuzz/found/NAME/,
# from where seed.sh takes it. Line coverage of the parser under test is reported at the end.
set -eu
name=$(basename "$1" _fuzz)
corpus=build/fuzz/corpus/$name
found=build/fuzz/found/$name
program=build/fuzz/$1
words=$(scripts/fuzz/words.sh "$name")
mkdir -p "$corpus" "$found"
[ ! -d "testdata/fuzz/$name" ] || cp -n "testdata/fuzz/$name"/* "$corpus/"
export LLVM_PROFILE_FILE="build/fuzz/$name.profraw"
"$program" -max_total_time="$2" -timeout=10 -print_funcs=0 -rss_limit_mb=2048 -print_final_stats=1 \
	${words:+-dict="scripts/fuzz/dictionaries/$words"} -artifact_prefix="$found/" "$corpus"
for suffix in '' -14; do
	command -v "llvm-profdata$suffix" >/dev/null || continue
	"llvm-profdata$suffix" merge -o "build/fuzz/$name.profdata" "$LLVM_PROFILE_FILE"
	"llvm-cov$suffix" report "$program" -instr-profile="build/fuzz/$name.profdata" \
		"${1%_fuzz}.c"
	exit 0
done
echo "no llvm-profdata: coverage not reported"
