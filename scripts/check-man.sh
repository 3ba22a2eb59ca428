#!/bin/sh
# check-man.sh PROGRAM: the man pages and the program name the same options, commands and actions.
#
# man/perfold.1.scd belongs to `perfold --help`, man/perfold-COMMAND.1.scd to `perfold COMMAND
# --help`. Options are the lines of the page's section OPTIONS that begin with "*-". Actions are the
# rows of the table in src/filter/filter_action.c and, in the page, lines that begin with "*" and the name.
# Literal blocks are shown as they are. scdoc, where it is installed, can read every page: a line of a
# paragraph must not begin like a list or a heading.
set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

differ() { # PAGE WHAT: compares $work/page (the page) with $work/there (the program)
	sort -u "$work/page" -o "$work/page"
	sort -u "$work/there" -o "$work/there"
	if [ ! -s "$work/there" ]; then
		echo "$1: the program names no $2"
		bad=1
	fi
	comm -23 "$work/there" "$work/page" | sed "s|^|$1: lacks $2 |" >"$work/wrong"
	comm -13 "$work/there" "$work/page" | sed "s|^|$1: has, and the program has not, $2 |" >>"$work/wrong"
	cat "$work/wrong"
	[ ! -s "$work/wrong" ] || bad=1
}

option_names() { # from lines that begin with options and go on with something else
	sed 's/^[ *]*//; s/  .*//' | tr ' ,=*[' '\n' | grep -E '^(-[A-Za-z]|--[a-z][a-z-]*)$'
}

for page in man/perfold.1.scd man/perfold-*.1.scd; do
	[ "$page" != "man/perfold-*.1.scd" ] || continue # no command has a page
	command=${page#man/perfold}
	command=${command%.1.scd}
	# shellcheck disable=SC2086 # no word for perfold.1
	"$program" ${command#-} --help | grep -E '^ +-' | option_names >"$work/there"
	awk '/^# / { on = /^# OPTIONS/ } on && /^\*-/' "$page" | option_names >"$work/page"
	differ "$page" "option"
done

sed -n '/^static const struct filter_action actions/,/^};/s/^\t{ *"\([a-z-]*\)".*/\1/p' src/filter/filter_action.c \
	>"$work/there"
sed -n 's/^\*\([a-z][a-z-]*\)[* ].*/\1/p' man/perfold-filter.5.scd >"$work/page"
differ man/perfold-filter.5.scd "action"

# scdoc takes a single backslash away, in literal blocks too: a line that goes on would end.
for page in man/*.scd; do
	awk '/^```/ { on = !on }
		on { line = $0; gsub(/\\\\/, "", line) }
		on && line ~ /\\/ { print FILENAME ":" FNR ": a single backslash: " $0; bad = 1 }
		END { exit bad }' "$page" || bad=1
done
if command -v scdoc >/dev/null; then
	for page in man/*.scd; do
		scdoc <"$page" >/dev/null 2>"$work/wrong" && continue
		sed "s|^|$page: |" "$work/wrong"
		bad=1
	done
fi
exit $bad
