#!/bin/sh
# check.sh PROGRAM [STATIC]: does a pack give elsewhere what the recording gives here?
#
# Packs recordings of testdata/, with --debug, --light, and both, and opens each in a root file system
# that holds nothing but the pack, the program and its libraries, by chroot(1): the folded stacks must
# be those of the recording and its files here, of --light without --debug but for what is inlined.
# STATIC, where it is there, is the program of make static: it gets no libraries. Needs root, or user
# namespaces.
set -u
export LC_ALL=C PERFOLD_NO_SYSTEM=1
program=$(realpath "$1")
static=${2-}
[ -z "$static" ] || [ ! -x "$static" ] || static=$(realpath "$static")
cases="unwind/cpp-dwarf unwind/cpp-fp names/rust-v0 names/rust-legacy node/v24 node/server kernel/stacks truth/unwind elf/minidebug
	elf/static jit/dump"
tree=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh

enter() { # DIR COMMAND...
	if [ "$(id -u)" = 0 ]; then chroot "$@"; else unshare -r chroot "$@"; fi
}

# The libraries that PROGRAM is linked with, and those that it loads for packs and instructions, with theirs.
libraries() { # PROGRAM
	{
		ldd "$1"
		for loaded in $(ldconfig -p 2>/dev/null | awk '$1 ~ /^lib(archive|capstone)\.so\.[0-9]+$/ { print $NF }'); do
			echo "$loaded"
			ldd "$loaded"
		done
	} | grep -o '/[^ :]*' | sort -u
}

fill_root() { # DIR PROGRAM [with libraries]
	mkdir -p "$1/tmp"
	cp "$2" "$1/perfold"
	[ -n "${3-}" ] || return 0
	for library in $(libraries "$2"); do
		mkdir -p "$1$(dirname "$library")"
		cp -L "$library" "$1$library"
	done
}

judge() { # NAME EXPECTED ACTUAL
	if [ -s "$2" ] && cmp -s "$2" "$3"; then
		pass "$1"
	else
		fail "$1"
		diff "$2" "$3" | cut -c 1-300 | head -n 20
	fi
}

# The pack in each of the roots, with OPTIONS, against what EXPECTED holds.
open_there() { # NAME EXPECTED [OPTION...]
	name=$1 expected=$2
	shift 2
	for root in "$work"/root-*; do
		cp "$work/x.perfpack" "$root/"
		enter "$root" /perfold /x.perfpack -q "$@" >"$work/there" 2>"$work/err" </dev/null ||
			cat "$work/err"
		judge "$name in ${root##*/}" "$expected" "$work/there"
		[ -z "$(ls -A "$root/tmp")" ] || fail "$name: $(ls -A "$root/tmp") is left"
	done
}

check_case() { # CASE
	folder=$work/case
	rm -rf "$folder"
	cp -RP "$tree/testdata/$1" "$folder"
	find "$folder" -name '*.zst' ! -name 'expected.*' -exec zstd -dqf {} +
	cd "$folder" || exit 2
	set -- "$1" --symfs root
	[ ! -f kallsyms ] || set -- "$@" --kallsyms kallsyms
	case=$1
	shift
	"$program" input.perf.data "$@" -q >"$work/here" 2>/dev/null
	"$program" input.perf.data "$@" -q --no-inline >"$work/plain" 2>/dev/null
	for form in --debug '--light --debug' --light; do
		# shellcheck disable=SC2086 # one or two options
		"$program" pack input.perf.data "$@" -q $form -o "$work/x.perfpack" || fail "$case is packed with $form"
		case $form in
		--light) open_there "$case packed with --light" "$work/plain" --no-inline ;;
		*) open_there "$case packed with $form" "$work/here" ;;
		esac
	done
	cd "$tree" || exit 2
}

command -v zstd >/dev/null || skip_all "no zstd"
mkdir "$work/empty"
fill_root "$work/root-with-libraries" "$program" libraries
if [ -n "$static" ] && [ -x "$static" ]; then
	fill_root "$work/root-static" "$static"
else
	skip "the static program" "it is not built here (make static)"
fi
enter "$work/root-with-libraries" /perfold --version >/dev/null 2>"$work/err" || skip_all "$(cat "$work/err")"
for each in $cases; do
	check_case "$each"
done
done_testing
