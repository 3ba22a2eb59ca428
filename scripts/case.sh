# case.sh: how a golden case is run; sourced by golden.sh and chop.sh.
#
# testdata/GROUP/CASE/
#	cmd         what to run, in sh, one command a line (set -e). A blank line begins another way to
#	            get the same output. A line with "#" is a comment. $OUT is a directory for output
#	            files, $ROOTS the system files that cases share.
#	input.*     what it reads; FILE.zst, here or below, is unpacked beside it before the run
#	expected.*  stdout, stderr (not compared where it is missing), exit (0 where it is missing),
#	            and one for each file in $OUT
#	needs       names of programs; where one is missing, the case is skipped
#	README      how the case was made
# testdata/roots/ is shared; its FILE.zst are unpacked too.
#
# A case runs in its directory, in a copy where something was to be unpacked. HOME is empty, the
# environment is clean, and what belongs to this machine (/usr/lib/debug, /proc/kallsyms) is not used.

# The caller's environment must not reach a case.
if [ -z "${PERFOLD_CASE_ENV-}" ]; then
	exec env -i PERFOLD_CASE_ENV=1 PATH="$PATH" TMPDIR="${TMPDIR:-/tmp}" LC_ALL=C sh "$0" "$@"
fi
export PERFOLD_NO_SYSTEM=1
# 99 cannot be taken for an exit status of perfold.
export ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1 LSAN_OPTIONS=exitcode=99 \
	UBSAN_OPTIONS=exitcode=99:print_stacktrace=1 TSAN_OPTIONS=exitcode=99

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

case_setup() { # PROGRAM
	root=$(pwd)
	program=$(realpath "$1")
	[ -x "$program" ] || { echo "$1: no such program" >&2; exit 2; }
	mkdir -p "$work/bin" "$work/home" "$work/config"
	ln -s "$program" "$work/bin/perfold"
	export PATH="$work/bin:$PATH" HOME="$work/home" XDG_CONFIG_HOME="$work/config"
	export ROOTS="$root/testdata/roots"
	if has_packed "$ROOTS"; then
		cp -RP "$ROOTS" "$work/roots"
		unpack "$work/roots"
		ROOTS=$work/roots
	fi
}

has_packed() { # DIR
	[ -n "$(find "$1" -name '*.zst' ! -name 'expected.*' -print -quit 2>/dev/null)" ]
}

unpack() { # DIR
	find "$1" -name '*.zst' ! -name 'expected.*' -exec zstd -dqf {} +
}

# Why a case cannot run here; nothing where it can.
case_missing() { # CASE
	[ -f "testdata/$1/needs" ] || return 0
	while read -r tool; do
		command -v "$tool" >/dev/null || printf 'needs %s ' "$tool"
	done <"testdata/$1/needs"
}

# Sets cwd. $2: a directory for the copy. $3: "copy" where the caller is going to change files. A checkout
# gives files the time it takes; source code in src/ that is newer than the program in root/ would be told.
case_directory() { # CASE DIR [copy]
	cwd=$root/testdata/$1
	if [ -n "${3-}" ] || [ -d "$cwd/src" ] || has_packed "$cwd"; then
		rm -rf "$2"
		cp -RP "$cwd" "$2"
		unpack "$2"
		[ ! -d "$2/src" ] || find "$2/src" -type f -exec touch -d 2000-01-01 {} +
		cwd=$2
	fi
}

# How many ways to get the expected output cmd has.
case_count_ways() { # CASE
	awk -v RS= 'END { print NR }' "testdata/$1/cmd"
}

# The commands of one way, counted from 1.
case_commands() { # CASE WAY
	awk -v RS= -v way="$2" 'NR == way' "testdata/$1/cmd" | grep -v '^#'
}

# Runs commands in cwd; stdout, stderr and files go to DIR.
case_run() { # COMMANDS JOBS BLOCK_SIZE DIR
	rm -rf "$4"
	mkdir -p "$4/out"
	(
		cd "$cwd" || exit 98
		jobs=$2
		export OUT="$4/out" TMPDIR="$4"
		[ -z "$3" ] || export PERFOLD_BLOCK_SIZE="$3"
		# shellcheck disable=SC2317 # called by the commands
		perfold() {
			timeout "${LIMIT_S:-60}" perfold "$@" "-j$jobs"
		}
		set -e
		eval "$1"
	) >"$4/stdout" 2>"$4/stderr" </dev/null
}

# Calls FUNCTION CASE DIR for every case, or for those that are named, on all CPUs. It prints TAP,
# one test or more for each case.
case_each() { # FUNCTION [CASE...]
	function=$1
	shift
	if [ $# -gt 0 ]; then
		printf '%s\n' "$@"
	else
		find testdata -mindepth 3 -maxdepth 3 -name cmd | sort | cut -d / -f 2,3
	fi >"$work/cases"
	workers=$(nproc)
	i=0
	while [ "$i" -lt "$workers" ]; do
		case_worker "$i" &
		i=$((i + 1))
	done
	wait
	cat "$work"/worker*/log
}

case_worker() { # NUMBER
	folder=$work/worker$1
	mkdir "$folder"
	awk -v n="$workers" -v i="$1" 'NR % n == i' "$work/cases" >"$folder/cases"
	while read -r current <&3; do
		if [ ! -f "testdata/$current/cmd" ]; then
			echo "not ok - testdata/$current: no such case"
			continue
		fi
		"$function" "$current" "$folder"
		echo "$current" >>"$folder/done"
	done 3<"$folder/cases" >"$folder/log" 2>&1
}

# The last test: that no case was left out. Then the plan.
case_done() {
	unfinished=$(cat /dev/null "$work"/worker*/done 2>/dev/null |
		sort - "$work/cases" | uniq -u | tr '\n' ' ')
	[ -z "$unfinished" ] || echo "not ok - finished, but for $unfinished" | tee -a "$work/worker0/log"
	cat "$work"/worker*/log | awk '/^ok / { n++ } /^not ok / { n++; bad = 1 } END { print "1.." n + 0; exit bad }'
}
