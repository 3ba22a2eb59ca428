#!/bin/sh
# record.sh: records planted.c, built by clang and by gcc, into testdata/pgo/.
#
# The recordings are committed, so nobody but their author needs this. Needs clang-22, gcc and ptrace(2). The
# addresses are the same each time; process numbers and times are not. no-dwo of the case clang is made by hand.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
build=/tmp/perfold/pgo

record() { # CASE OPTIONS CC [FLAG...]
	case=$tree/testdata/pgo/$1 bin=$build/$1 options=$2
	name=$1
	shift 2
	"$here/build.sh" "$bin" "$@"
	rm -rf "$case/root" "$case"/input.* "$case/branches.log.zst"
	mkdir -p "$case/root$bin"
	# shellcheck disable=SC2086 # options, one a word
	"$bin/branches" $options -o "$case/input.perf.data" -l "$case/branches.log" -- "$bin/app" > /dev/null
	zstd -q -19 --rm "$case/input.perf.data" "$case/branches.log"
	cp "$bin/app" "$bin/libplanted.so" "$case/root$bin/"
	cat > "$case/README" <<-END
	Branch stacks: scripts/pgo/src/planted.c

	Recorded one instruction at a time by scripts/pgo/branches.c, without a CPU that has branch records.
	branches.log has what was recorded, not read from the recording: scripts/pgo/truth.py makes of it what
	llvm-profgen and perf2bolt find in the recording.

	    scripts/pgo/build.sh $build/$name $*
	    branches $options -o input.perf.data -l branches.log -- $bin/app
	END
}

record clang "-c 499" clang-22 -fdebug-info-for-profiling
record gcc "-c 499 -i -t -B" gcc
