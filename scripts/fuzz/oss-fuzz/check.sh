#!/bin/sh
# check.sh [SANITIZER...]: build.sh makes fuzzers that run, as OSS-Fuzz calls it (address, undefined)
#
# A copy of the tree is built with the variables of OSS-Fuzz, for their libFuzzer, with the clang of this
# machine. What comes out is moved elsewhere, and each fuzzer runs there for a second, from its seeds and with
# its dictionary, in an empty directory: the tree must not be needed any more.
set -u
export LC_ALL=C
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
for tool in clang clang++ zip unzip; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
[ $# -gt 0 ] || set -- address undefined

sanitize() { # SANITIZER
	checks=array-bounds,bool,builtin,enum,integer-divide-by-zero,null,object-size,return
	checks=$checks,returns-nonnull-attribute,shift,signed-integer-overflow,unreachable,vla-bound
	case $1 in
	address) echo '-fsanitize=address -fsanitize-address-use-after-scope' ;;
	undefined) echo "-fsanitize=$checks,unsigned-integer-overflow -fno-sanitize-recover=$checks" ;;
	esac
}

build() { # SANITIZER
	flags="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
	flags="$flags $(sanitize "$1") -fsanitize=fuzzer-no-link"
	rm -rf "$work/src" "$work/out" "$work/work" "$work/moved"
	mkdir -p "$work/src/perfold" "$work/out" "$work/work"
	tar cf - --exclude=./build --exclude=./.git . | tar xf - -C "$work/src/perfold"
	(cd "$work/src/perfold" && env -i PATH="$PATH" HOME="$work" SRC="$work/src" OUT="$work/out" \
		WORK="$work/work" CC=clang CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" \
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer FUZZING_ENGINE=libfuzzer SANITIZER="$1" \
		ARCHITECTURE="$(uname -m)" bash -eu scripts/fuzz/oss-fuzz/build.sh) >"$work/log" 2>&1
}

run() { # SANITIZER FUZZER
	name=$(basename "$2")
	rm -rf "$work/run"
	mkdir -p "$work/run/empty" "$work/run/seeds" "$work/run/tmp"
	words=
	[ ! -f "$2.dict" ] || words=-dict=$2.dict
	if ! unzip -q "${2}_seed_corpus.zip" -d "$work/run/seeds"; then
		fail "$1: $name has no seeds"
	elif (cd "$work/run/empty" && env -i PATH="$PATH" TMPDIR="$work/run/tmp" timeout 120 "$2" \
		-max_total_time=1 -rss_limit_mb=2560 -timeout=25 ${words:+"$words"} "$work/run/seeds") >"$work/log" 2>&1; then
		pass "$1: $name runs from $(find "$work/run/seeds" -type f | wc -l) files"
	else
		fail "$1: $name"
		tail -n 30 "$work/log"
	fi
}

for sanitizer; do
	if ! build "$sanitizer"; then
		fail "build.sh for $sanitizer"
		tail -n 30 "$work/log"
		continue
	fi
	pass "build.sh for $sanitizer"
	mv "$work/out" "$work/moved"
	rm -rf "$work/src"
	sources=$(find src -name '*_fuzz.c' | wc -l) programs=0
	for fuzzer in "$work"/moved/*_fuzz; do
		run "$sanitizer" "$fuzzer"
		programs=$((programs + 1))
	done
	[ "$programs" = "$sources" ] || fail "$sanitizer: $programs programs, of $sources fuzzers"
done
done_testing
