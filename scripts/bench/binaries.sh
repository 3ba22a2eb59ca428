#!/bin/sh
# binaries.sh NAME [ARGUMENT]: makes in the current directory the binary NAME that lookups.py looks up addresses in:
# one of the functions below. Needs cargo, go, gcc, clang with lld and llvm-objcopy (15 or newer), and Debian's
# sources (deb-src).
set -eu
scripts=$(cd "$(dirname "$0")/.." && pwd)

# parse/, the front half of a compiler: generic Rust, inlined many deep.
rust() {
	CARGO_TARGET_DIR=$PWD/target cargo build -q --release --manifest-path "$scripts/bench/parse/Cargo.toml"
	cp target/release/parse rust
}

# The compiler of the Go that is installed.
go() {
	command go build -o go cmd/compile
}

# git, some 500 files of C, of which link-time optimisation makes a single compile unit.
lto() {
	apt-get source -q --download-only git
	tar -xf git_*.orig.tar.xz
	make -C git-*/ -j"$(nproc)" NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 NO_OPENSSL=1 \
		NO_REGEX=YesPlease CFLAGS='-O2 -g -flto -flto-partition=one' git
	cp git-*/git lto
	rm -rf git-*/
}

# The C++ compiler, which `recipes.sh compiler` makes in an hour.
cc1plus() {
	[ -e gcc/gcc/cc1plus ] || "$scripts/bench/recipes.sh" compiler
	cp gcc/gcc/cc1plus cc1plus
}

# large [COPIES]: large/unit.cpp, much of the standard library in 3.9 MB of debug information, again and again: each
# copy is a compile unit of 1.65 MB when linked, with code and symbols of its own. 2610 (4 GiB) need 10 GB of
# disk, 6530 (10 GiB) 25 GB, in some minutes. Names that no copy defines stay undefined: it is never run.
large() {
	clang++ -std=c++20 -O2 -g -gdwarf-5 -fstandalone-debug -c "$scripts/bench/large/unit.cpp" -o unit.o
	mkdir -p copies
	seq "${1:-2610}" | xargs -P "$(nproc)" -I% \
		llvm-objcopy --prefix-symbols=unit%_ --compress-debug-sections=zstd unit.o copies/%.o
	find copies -name '*.o' > copies/list
	ld.lld -e 0 --noinhibit-exec --unresolved-symbols=ignore-all -o large @copies/list 2> large.log
	rm -rf copies unit.o
}

"$@"
