#!/bin/sh
# stand-in.sh: what an example runs beside perfold, under each of their names in $EXAMPLE_BIN.
#
# Notes the command and its arguments in $EXAMPLE_CALLS, one call a line, so that shells can be compared,
# and what is wrong with them in $EXAMPLE_FAULTS. perfold itself runs where $EXAMPLE_RUN is set.
set -u
name=${0##*/}

fault() {
	echo "$name: $*" >>"$EXAMPLE_FAULTS"
	exit 2
}

# Arguments that are neither options nor their values are the program that perf record starts.
check_record() {
	while [ $# -gt 0 ]; do
		case $1 in
		--) shift; break ;;
		-e | -F | -p | -t | -k | -m | -o | -c | -j | --call-graph)
			[ $# -gt 1 ] && [ -n "$2" ] || fault "record: $1 has no value"
			case $2 in -* | ,* | *,) fault "record: $1 $2" ;; esac
			shift
			;;
		-g | -a | -b | -z | --switch-events | --all-cgroups | --sample-cpu) ;;
		-*) fault "record: $1 is not an option that is known here" ;;
		*) break ;;
		esac
		shift
	done
	[ $# = 0 ] || command -v "$1" >/dev/null || fault "record: $1 is not a program: an option is missing before it"
}

# In a terminal, where somebody quits at once.
look() {
	command=$(printf "'%s' " "$EXAMPLE_PERFOLD" "$@")
	echo q | TERM=xterm script -qec "$command" /dev/null
}

run_perfold() {
	if [ -n "$EXAMPLE_RUN" ]; then
		if [ "${1-}" = view ]; then
			look "$@" >"$EXAMPLE_FAULTS.err" 2>&1
		else
			"$EXAMPLE_PERFOLD" "$@" 2>"$EXAMPLE_FAULTS.err"
		fi
		status=$?
		cat "$EXAMPLE_FAULTS.err" >&2
		case $status in 0 | 3 | 4) ;; *) fault "exit status $status: $(head -n 3 "$EXAMPLE_FAULTS.err")" ;; esac
		! grep 'never matched' "$EXAMPLE_FAULTS.err" >&2 || fault "$(grep 'never matched' "$EXAMPLE_FAULTS.err")"
		exit $status
	fi
	exit 0
}

# One write for a line: the programs of a pipeline note their calls at the same time.
call=$name$([ $# = 0 ] || printf ' <%s>' "$@")
printf '%s\n' "$call" >>"$EXAMPLE_CALLS"

case $name in
perfold) run_perfold "$@" ;;
perf)
	case ${1-} in
	record) shift; check_record "$@" ;;
	script) zstd -dcq "$EXAMPLE_ROOT/testdata/text/classic/input.txt.zst" ;;
	esac
	;;
sudo | npx) exec "$@" ;;
scp | cp)
	while [ $# -gt 1 ]; do
		[ -e "$1" ] || fault "$1 does not exist"
		shift
	done
	;;
make)
	for word; do
		case $word in
		*=*) grep -q "(${word%%=*})" "$EXAMPLE_ROOT/Makefile" || fault "no variable ${word%%=*}" ;;
		*) grep -q "^$word:" "$EXAMPLE_ROOT/Makefile" || fault "no target $word" ;;
		esac
	done
	;;
node)
	case "$*" in *--prof-process*) cat "$EXAMPLE_ROOT/testdata/stacks/node-prof/input.json" ;; esac
	;;
jq) cat >/dev/null ;;
esac
