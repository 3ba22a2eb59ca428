#!/bin/sh
# go.sh PROGRAM [TOOLCHAIN...]
#
# Programs of Go: each is recorded, then named and, where stacks were copied, unwound by its debug information alone, the
# table of its runtime being hidden, and by a stripped copy, which has only that table. The stacks must be equal, inlined
# functions and lines included; so must those of the whole program, of which perfold prefers the table for names.
# TOOLCHAINs as for GOTOOLCHAIN ("go1.18.10"; they may be downloaded); without any, the go that is here. Go 1.17 and
# older leave functions that are inlined into generated methods out of their debug information: up to 5 % of the stacks
# may differ there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"
program=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export GOENV=off GOFLAGS= GO111MODULE=off

folded() { # OPTION...
	HOME=$work "$program" --hermetic --weight samples -q --symfs "$work/$1" "$work/data" --lines |
		sed 's/crosscall1:[^;]*/[busy]/' | sort # of C: a stripped copy does not have its name
}

compare() { # NAME
	folded debug >"$work/expected"
	folded bare >"$work/actual"
	folded whole >"$work/whole.folded"
	all=$(wc -l <"$work/expected")
	named=$(grep -c 'main[.].*busy[.]go' "$work/actual")
	differ=$(diff "$work/expected" "$work/actual" | grep -c '^<')
	echo "# $1: $all stacks, $named of the program, $differ differ"
	case $1 in
	go1.1[67]*) allowed=$((all / 20)) ;;
	*) allowed=0 ;;
	esac
	if [ "$named" -gt 0 ] && [ "$differ" -le "$allowed" ]; then pass "$1"; else fail "$1"; fi
	if cmp -s "$work/whole.folded" "$work/actual"; then pass "$1, whole"; else fail "$1, whole"; fi
}

try() { # TOOLCHAIN OPTION...
	toolchain=$1
	shift
	mkdir -p "$work/whole$work" "$work/bare$work" "$work/debug$work"
	GOTOOLCHAIN=$toolchain go build "$@" -o "$work/busy" "$here/src/busy.go" 2>"$work/complaints" ||
		{ skip "$toolchain $*" "is not built: $(tail -n 1 "$work/complaints")"; return; }
	for stacks in fp dwarf; do
		(cd "$work" && perf record -q -N -e cpu-clock:u -F 997 --call-graph $stacks -o $stacks ./busy 2>complaints) ||
			{ skip "$toolchain $*" "perf does not record here"; return; }
	done
	mv "$work/busy" "$work/whole$work/"
	strip -p -o "$work/bare$work/busy" "$work/whole$work/busy"
	objcopy --rename-section .gopclntab=.hidden1 --rename-section .data.rel.ro.gopclntab=.hidden2 \
		--rename-section .go.buildinfo=.hidden3 "$work/whole$work/busy" "$work/debug$work/busy"
	for stacks in fp dwarf; do
		mv "$work/$stacks" "$work/data"
		compare "$toolchain $* $stacks"
	done
	rm -rf "$work/whole" "$work/bare" "$work/debug"
}

for tool in go perf strip objcopy; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done
[ $# -gt 0 ] || set -- local
for toolchain; do
	try "$toolchain" -buildmode=exe
	try "$toolchain" -buildmode=pie
	try "$toolchain" -buildmode=pie -ldflags=-linkmode=external
done
done_testing
