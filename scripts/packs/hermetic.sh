#!/bin/sh
# hermetic.sh PROGRAM: does --hermetic give the same bytes wherever it runs?
#
# Records a program here, so that without --hermetic this machine's own files would be used, and asks for
# outputs under another HOME, another host name (unshare -u), and without /usr/lib/debug, /proc and what else
# belongs to this machine (unshare -m). Each place also tries to mislead: by a filter, and a perf map, of its own.
# Needs perf, and root or user namespaces.
set -u
export LC_ALL=C
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh

mkdir -p "$work/user/.config/perfold/filters" "$work/empty" "$work/in"
echo 'drop /./' >"$work/user/.config/perfold/filters/nodejs.rules"
if ! command -v perf >/dev/null || ! (cd "$work/in" && perf record -q -e cpu-clock -F 2000 -g -o perf.data \
	find /usr/include /usr/share/doc -name 'no*' >/dev/null 2>&1); then
	skip_all "perf cannot record here"
fi

write() { # NAME [OPTION...]: outputs below the directory NAME
	mkdir -p "$work/$1"
	out=$work/$1
	shift
	"$program" "$work/in/perf.data" --filter nodejs -q "$@" -o "$out/x.folded" -o "$out/x.pb" -o "$out/x.svg" \
		-o "$out/x.cpuprofile" -o "$out/x.html" -o "summary:$out/x.json" 2>"$out.error"
}

same() { # NAME
	if diff -rq "$work/base" "$work/$1" >"$work/difference"; then
		pass "$1"
	else
		fail "$1: $(cat "$work/difference" "$work/$1.error")"
	fi
}

# Another place: by root, or in a namespace of users.
elsewhere() { # FLAGS SCRIPT
	flags=$1
	[ "$(id -u)" = 0 ] || flags="$flags -r"
	# shellcheck disable=SC2086 # several flags
	unshare $flags env PROGRAM="$program" WORK="$work" sh -c "$2"
}

write base --hermetic || fail "--hermetic: $(cat "$work/base.error")"
write usual
if cmp -s "$work/base/x.folded" "$work/usual/x.folded"; then
	fail "without --hermetic the outputs are the same: this proves nothing"
else
	pass "this machine's own files make a difference without --hermetic"
fi

HOME=$work/user XDG_CONFIG_HOME='' write home --hermetic
same home

again='exec "$PROGRAM" "$WORK/in/perf.data" --filter nodejs -q --hermetic -o "$O/x.folded" -o "$O/x.pb"
	-o "$O/x.svg" -o "$O/x.cpuprofile" -o "$O/x.html" -o "summary:$O/x.json" 2>"$O.error"'
again=$(echo "$again" | tr '\n' ' ')
mkdir "$work/host" "$work/files"
if elsewhere -u 'hostname elsewhere' 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	elsewhere -u 'hostname elsewhere; O=$WORK/host; '"$again"
	same host
else
	skip host "the host name cannot be changed here"
fi
# shellcheck disable=SC2016 # the inner shell's
hide='for dir in /usr/lib/debug /root /boot /lib/modules /sys; do
	[ ! -d $dir ] || mount --bind "$WORK/empty" $dir || exit 1; done'
if elsewhere -m "$hide" 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	elsewhere -m "$hide"'; O=$WORK/files; '"$again"
	same files
else
	skip files "nothing can be mounted here"
fi
done_testing
