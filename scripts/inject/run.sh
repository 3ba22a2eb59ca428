#!/bin/sh
# run.sh PROGRAM [EVERY]: every step of some runs fails once (inject.c): does the program keep its word?
#
# A run is first counted, then repeated for each step of each kind, or each EVERY-th, twice: only this
# step fails; and it and all after it. Each time:
#	status 0	the outputs are the same, or standard error is not, or a source has another note: what
#			is missing is said
#	status 1, 6	standard error says what failed; each output is whole or not there; what was to
#			be replaced is as it was
#	always		no signal, no endless loop, no other file in the outputs' directory or $TMPDIR
# Calls that transfer only a byte, or are interrupted, change nothing at all.
#
# Where a call of a library fails, the library may end the process in its own way (libdw and libarchive
# do where memory runs out), or find less, of which the program learns nothing: that is listed and
# no failure. LIBRARIES=1: these are tried, too; CASE=NAME: one run of those in runs.sh.
set -u
export LC_ALL=C PERFOLD_NO_SYSTEM=1
program=$(realpath "$1") every=${2-1}
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
# shellcheck source=scripts/runs.sh
. scripts/runs.sh
command -v zstd >/dev/null || skip_all 'no zstd'
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -g -fPIC -shared -o "$work/inject.so" scripts/inject/inject.c ||
	skip_all 'no compiler, or no glibc'
mkdir "$work/in" "$work/tmp" "$work/home"
export TMPDIR="$work/tmp" HOME="$work/home" XDG_CONFIG_HOME="$work/home"
out=$work/out

# Runs the command with its outputs in $out, which starts as a copy of $before. $1: what fails.
run() { # INJECT COMMAND...
	what=$1
	shift
	rm -rf "$out"
	cp -r "$before" "$out"
	(
		ulimit -t 20 # a machine may be busy: of a CPU
		exec timeout 300 env INJECT="$what" LD_PRELOAD="$work/inject.so" "$@"
	) <"$input" >"$work/stdout" 2>"$work/stderr"
	status=$?
}

# What is said of sources: by annotate, in both of its forms, and in the page, which has it deflated, as zlib does.
notes() { # STDOUT DIRECTORY
	{
		cat "$1"
		[ ! -f "$2/x.html" ] || {
			printf '\037\213\010\0\0\0\0\0\0\0'
			sed -n 's|.*id="source">\(.*\)</script>|\1|p' "$2/x.html" | base64 -d | tail -c +3
		} | gzip -dc 2>/dev/null
	} | grep -aoE '^warning: .*|"note": ?"[^"]+"'
}

# Did the last run say something that the whole one did not?
has_said() {
	! cmp -s "$work/stderr" "$work/whole.err" ||
		[ "$(notes "$work/stdout" "$out")" != "$(notes "$work/whole.out" "$work/whole")" ]
}

# Prints what is wrong about the last run; nothing if all is well.
verdict() { # KIND LASTING
	[ -z "$(ls -A "$TMPDIR")" ] || {
		# Without any descriptor a directory cannot be emptied.
		[ "${1#library-}$2" = open+ ] || echo "left in TMPDIR: $(ls -A "$TMPDIR")"
		rm -rf "${TMPDIR:?}"/*
	}
	if [ "$status" = 0 ]; then
		diff -rq "$work/whole" "$out" >"$work/differences" && cmp -s "$work/stdout" "$work/whole.out" && return
		case $1 in *short | *interrupted) echo "differs: $(cat "$work/differences")" ;; esac
		has_said || echo "differs, without a word: $(cat "$work/differences")"
	elif [ "$status" != 1 ] && [ "$status" != 6 ]; then
		echo "status $status: $(head -c 200 "$work/stderr")"
	else
		case $1 in *short | *interrupted) echo "fails: $(cat "$work/stderr")" ;; esac
		grep -Eq '^perfold: (out of memory|.*[:/].)' "$work/stderr" || echo "says: $(cat "$work/stderr")"
	fi
	for file in "$out"/* "$out"/.[!.]*; do
		[ -e "$file" ] || continue
		name=${file##*/}
		if [ ! -f "$work/whole/$name" ]; then
			echo "left: $name"
		elif [ "$status" != 0 ] && ! cmp -s "$file" "$work/whole/$name" && ! cmp -s "$file" "$before/$name"; then
			echo "partial: $name"
		fi
	done
}

# All steps of one kind.
fail_each() { # NAME KIND COUNT COMMAND...
	name=$1 kind=$2 count=$3 n=1 bad=
	shift 3
	while [ "$n" -le "$count" ]; do
		for lasting in '' +; do
			case $kind$lasting in *interrupted+) continue ;; esac # who repeats the call never ends
			run "$kind:$n$lasting" "$@"
			why=$(verdict "$kind" "$lasting")
			[ -z "${INJECT_LOG-}" ] || echo "$name $kind:$n$lasting $status $(tail -n 1 "$work/stderr")" >>"$INJECT_LOG"
			[ -z "$why" ] || bad="$bad
#   $kind:$n$lasting: $(echo "$why" | tr '\n' ' ')"
		done
		n=$((n + every))
	done
	case $bad:$kind in
	:* | *:library-*) pass "$name: $kind ($count)$bad" ;;
	*) fail "$name: $kind ($count)$bad" ;;
	esac
}

check() { # NAME COMMAND...
	title=$1
	shift
	rm -rf "$work/whole"
	run none "$@"
	[ "$status" = 0 ] || { fail "$title: status $status: $(cat "$work/stderr")"; return; }
	cp -r "$out" "$work/whole"
	cp "$work/stderr" "$work/whole.err"
	cp "$work/stdout" "$work/whole.out"
	INJECT_COUNT=9 run none "$@" 9>"$work/count"
	while read -r kind count <&3; do
		case ${LIBRARIES-}$kind in library-*) continue ;; esac
		[ "$count" = 0 ] || fail_each "$title" "$kind" "$count" "$@"
	done 3<"$work/count"
}

runs_prepare "$work/in"
mkdir "$work/empty" "$work/old"
for name in x.folded x.svg x.html x.pb.gz; do echo old >"$work/old/$name"; done
jobs=1

check_wanted() { # NAME INPUT COMMAND...
	[ -z "${CASE-}" ] || [ "$CASE" = "$1" ] || return
	input=$2 before=$work/empty
	[ "$1" != replaced ] || before=$work/old
	title=$1
	shift 2
	check "$title" "$@"
}

runs_each check_wanted
cd "$here" || exit 2
done_testing
