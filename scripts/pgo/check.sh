#!/bin/sh
# check.sh PROGRAM: profiles for compilers, of recordings whose branches are known (testdata/pgo/).
#
# What perfold writes is compared with what branches.c logged, by truth.py; and where LLVM's tools and GCC are
# installed, with what these make of the same recording, of a release that is known to work (LLVM 19 or later).
# Compilers and llvm-bolt must take the profiles, and lay the code out as it ran.
set -u
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
here=$(cd "$(dirname "$0")" && pwd)
perfold=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
command -v python3 >/dev/null || skip_all "python3 is not installed"

# The newest LLVM, in which all tools are.
llvm=
for release in 19 20 21 22 23 24; do
	[ ! -x /usr/lib/llvm-$release/bin/llvm-profgen ] || llvm=/usr/lib/llvm-$release/bin
done
PATH=${llvm:+$llvm:}$PATH

has() { # NAME TOOL...
	name=$1
	shift
	for tool; do
		command -v "$tool" >/dev/null || { skip "$name" "$tool is not installed"; return 1; }
	done
}

# Runs a command; passes if it succeeds.
judge() { # NAME COMMAND...
	name=$1
	shift
	if "$@" >out 2>&1; then
		pass "$name"
	else
		fail "$name"
		head -20 out | sed 's/^/# /'
	fi
}

# Does the code of decide() that runs in 63 of 64 rounds come before the rest of it?
hot_first() { # FILE
	objdump -d --no-show-raw-insn "$1" | awk '
		/^$/ { on = 0 }
		/<decide(\.cold)?(\.0)?>:$/ { on = 1 }
		on && /shr .*\$0x3,/ { hot = 1 }
		on && /shl .*\$0x7,/ { exit !hot; }
		END { exit !hot }
	'
}

cold_first() { # FILE
	! hot_first "$1"
}

silent() { # COMMAND...
	"$@" 2>&1 | { ! grep .; }
}

has_symbol() { # FILE SECTION SYMBOL
	objdump -t "$1" | grep -q "$2.*$3\$"
}

same_fdata() { # BINARY
	perf2bolt -p "$1.preagg" -pa -o ours.fdata "$1" && perf2bolt -p perf.data -o theirs.fdata "$1" &&
		sort ours.fdata >ours && sort theirs.fdata >theirs && diff ours theirs
}

# For llvm-profgen code is what it disassembles: what is in a section with a symbol, and not in .plt. With
# --emit-relocs each section has a symbol of its own, and stubs in .plt.got are code. They are no functions of
# the source either way; perfold leaves out all stubs.
same_unsymbolized() { # BINARY
	llvm-profgen --perfdata=perf.data --binary="$1" --skip-symbolization --output=theirs &&
		"$here/truth.py" branches.log "$1" --drop-stubs theirs | diff "$1.unsymbolized" -
}

same_autofdo() { # BINARY
	llvm-profgen --perfdata=perf.data --binary="$1" --format=text --output=theirs &&
		diff "$1.afdo.txt" theirs
}

same_merged() { # BINARY
	"$perfold" -q perf.data perf.data --symfs root --binary "$1" -o twice.preagg -o twice.unsymbolized &&
		"$perfold" merge -q "$1.preagg" "$1.preagg" --to preagg | diff twice.preagg - &&
		"$perfold" merge -q "$1.unsymbolized" "$1.unsymbolized" --to unsymbolized | diff twice.unsymbolized -
}

same_text() { # BINARY
	for fields in ip,brstack pid,ip,brstack comm,pid,tid,time,event,ip,sym,brstack; do
		perf script -i perf.data -F $fields --show-mmap-events >text &&
			"$perfold" -q text --symfs root --binary "$1" -o text.preagg -o text.unsymbolized \
				-o text.afdo.txt -o text.afdo || return
		for suffix in preagg unsymbolized afdo.txt afdo; do cmp "$1.$suffix" text.$suffix || return; done
	done
}

truth_unsymbolized() { # BINARY
	"$here/truth.py" branches.log "$1" | diff "$1.unsymbolized" -
}

write_profiles() { # BINARY
	"$perfold" -q perf.data --symfs root --binary "$1" -o "$1.preagg" -o "$1.unsymbolized" -o "$1.afdo.txt" \
		-o "$1.afdo"
}

check_binary() { # CASE BINARY
	of="$1, $2"
	judge "$of: profiles are written" write_profiles "$2"
	judge "$of: ranges and branches are those of the log" truth_unsymbolized "$2"
	judge "$of: for BOLT, too" "$here/truth.py" branches.log "$2" --preagg "$2.preagg"
	if has "$of: as llvm-profgen, without symbols" perf llvm-profgen; then
		judge "$of: as llvm-profgen, without symbols" same_unsymbolized "$2"
		judge "$of: as llvm-profgen, by line" same_autofdo "$2"
	fi
	judge "$of: written profiles add up to that of all recordings" same_merged "$2"
	if has "$of: of the text of perf script" perf; then judge "$of: of the text of perf script" same_text "$2"; fi
	if has "$of: as perf2bolt" perf perf2bolt; then judge "$of: as perf2bolt" same_fdata "$2"; fi
}

check_clang() {
	has "clang" clang objdump || return
	judge "clang: without a profile, what seldom runs comes first" \
		sh -c 'clang -O2 -c planted.c -o plain.o'
	judge "clang: it does" cold_first plain.o
	judge "clang: takes the profile without a warning" silent \
		clang -O2 -g -Wall -Wextra -fprofile-sample-use=app.afdo.txt -fprofile-sample-accurate \
		-c planted.c -o clang.o
	judge "clang: what runs comes first" hot_first clang.o
	judge "clang: a function that never ran is moved away" has_symbol clang.o '\.text\.unlikely\.' never
}

check_bolt() {
	has "llvm-bolt" llvm-bolt objdump || return
	judge "llvm-bolt: in the program, what seldom runs comes first" cold_first app
	judge "llvm-bolt: takes the profile" llvm-bolt app -o app.bolt -p app.preagg -pa \
		-reorder-blocks=ext-tsp -reorder-functions=cdsort
	judge "llvm-bolt: what runs comes first" hot_first app.bolt
}

check_gcc() {
	has "gcc" gcc objdump || return
	[ "$(gcc -dumpversion)" -ge 12 ] || { skip "gcc" "needs GCC 12"; return; }
	judge "gcc: takes the profile without a warning" silent \
		gcc -O2 -g -Wall -Wextra -fauto-profile=app.afdo -c planted.c -o gcc.o
	judge "gcc: what runs comes first" hot_first gcc.o
	judge "gcc: it is known to be hot" has_symbol gcc.o '\.text\.hot' decide
}

for case in clang gcc; do
	mkdir "$work/$case"
	cp -R "testdata/pgo/$case/." "$here"/src/* "$work/$case/"
	cd "$work/$case" || exit 2
	zstd -dqf input.perf.data.zst -o perf.data
	zstd -dqf branches.log.zst -o branches.log
	cp root/tmp/perfold/pgo/"$case"/* .
	check_binary "$case" app
	check_binary "$case" libplanted.so
	if [ "$case" = clang ]; then
		check_clang
		check_bolt
	else
		check_gcc
	fi
	cd - >/dev/null || exit 2
done
done_testing
