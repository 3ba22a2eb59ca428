#!/bin/bash
# check-completion.sh PROGRAM: the shells take what --completion prints, and bash completes by it.
set -u
program=$1
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
	echo "completion: $*"
	bad=1
}

completed() { # WORD...: what bash makes of the last one
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_perfold 2>/dev/null # compopt has nothing to act on here
	echo "${COMPREPLY[*]}"
}

expect() { # WANTED WORD...
	local wanted=$1 got
	shift
	got=$(completed "$@")
	[ "$got" = "$wanted" ] || complain "'$*' gives '$got', not '$wanted'"
}

eval "$("$program" --completion bash)"
expect "--weight" perfold --wei
expect "period" perfold --weight pe
expect "cpuprofile" perfold --to cpu
expect "--tree" perfold top --tre
expect "" perfold info --tre
expect "top" perfold to
expect "" perfold x.data to
expect "nodejs-app-only nodejs" "$program" --filter nodej
expect "nodejs-app-only nodejs" "$program" top -F nodej
expect "python" "$program" filters pyt
expect "event-loop" perfold spans e
if command -v fish >/dev/null; then
	ln -s "$(realpath "$program")" "$work/perfold"
	got=$(PATH="$work:$PATH" HOME="$work" fish -c "perfold --completion fish | source; complete -C 'perfold top -F nodej'" |
		cut -f 1 | tr '\n' ' ')
	[ "$got" = "nodejs nodejs-app-only " ] || complain "fish: -F nodej gives '$got'"
fi
missing=
for shell in bash zsh fish; do
	command -v $shell >/dev/null || missing="$missing $shell"
	"$program" --completion $shell >/dev/null || complain "$shell: fails"
	! command -v $shell >/dev/null || "$program" --completion $shell | $shell -n /dev/stdin ||
		complain "$shell does not take it"
	commands=$("$program" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
	for command in $commands; do
		"$program" --completion $shell | grep -qw -- "$command" || complain "$shell: lacks $command"
	done
done
if [ $bad = 0 ] && [ -n "$missing" ]; then
	echo "not tried in$missing: not installed"
	exit 77
fi
exit $bad
