# programs.sh: the programs whose functions and lines are compared, by lines.sh; sourced by run.sh.

# llvm-symbolizer looks for a .dwo where it was made: the programs are made here.
build_split() { # DIR: paths of programs on standard output
	sources="$PWD/testdata/elf/inlines/inlines.cpp $PWD/testdata/elf/inlines/other.cpp"
	for compiler in g++ clang++; do
		command -v $compiler > /dev/null || continue
		for version in 4 5; do
			folder=$1/$compiler-$version
			mkdir -p "$folder"
			# shellcheck disable=SC2086 # two words
			(cd "$folder" && $compiler -O2 -g -gdwarf-$version -gsplit-dwarf $sources \
				-o "split-$version-$compiler") && echo "$folder/split-$version-$compiler"
		done
	done
}

# The programs of the recordings, each once: those of equal names in several cases are the same.
recorded_programs() {
	[ -n "${CORPUS-}" ] || return 0
	for program in cpp-fp:cpp/shapes-fp cpp-fp:cpp/plugin-fp.so cpp-dwarf:cpp/shapes-nofp \
		cpp-dwarf:cpp/plugin-nofp.so cpp-link:cpp/.debug/shapes-link.debug elf-pie:c/spin-pie \
		elf-noid:c/spin-noid elf-nopie:c/spin-nopie elf-static:c/spin-static elf-32:c/spin-32 \
		rust-dwarf:rust/work-v0; do
		path=$CORPUS/${program%%:*}/root/tmp/corpus/_build/${program#*:}
		[ ! -e "$path" ] || echo "$path"
	done
}

check_lines() {
	library=$(dirname "$perfold")/libperfold.a
	inlines=testdata/elf/inlines/inlines
	for binary in $inlines-gcc-2 $inlines-gcc-3 $inlines-gcc-4 $inlines-gcc-5 $inlines-clang $inlines-zlib \
		$inlines-zlib-gnu $inlines-zstd $inlines-dwz $(build_split "$store/split") $(recorded_programs); do
		if ! result=$(PEERS_DIR=$store "$here/lines.sh" "$library" "$binary"); then
			fail "lines: $result"
		elif [ "${result#SKIP }" != "$result" ]; then
			skip lines "${result#SKIP }"
		else
			pass "lines: $result"
		fi
	done
}

# Of a library that chooses its instructions at run time, of one that has data between functions, and perfold.
check_instructions() {
	library=$(dirname "$perfold")/libperfold.a
	for binary in $(ldconfig -p | awk '$1 == "libc.so.6" || $1 == "libm.so.6" { print $NF }') \
		"$perfold" testdata/elf/cet testdata/truth/aarch64/root/tmp/perfold/truth/aarch64/aarch64; do
		if ! result=$(PEERS_DIR=$store "$here/instructions.sh" "$library" "$binary"); then
			fail "instructions: $result"
		elif [ "${result#SKIP }" != "$result" ]; then
			skip instructions "${result#SKIP }"
		else
			pass "instructions: $result"
		fi
	done
}
