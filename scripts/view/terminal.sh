# shellcheck shell=bash
# terminal.sh: . terminal.sh; a terminal for tests, which is a pane of tmux with a shell in it.
#
# begin 80x24 TERM       a new terminal, where the shell waits for a command
# run COMMAND            types it; when it has ended, the shell says "ended STATUS"
# press KEY...           as tmux send-keys names them
# expect NAME PATTERN    passes once the screen has a line that matches, fails after the deadline
# expect_gone NAME PATTERN
#
# Nothing waits for a fixed time: only for what the screen shows.
. scripts/tap.sh
command -v tmux >/dev/null || skip_all "no tmux"
unset TMUX NO_COLOR COLUMNS LINES TERMINFO TERMINFO_DIRS
export LC_ALL=C.UTF-8 PERFOLD_NO_SYSTEM=1
deadline_s=30
work=$(mktemp -d)
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

tm() { # COMMAND...
	tmux -u -S "$work/tmux" -f /dev/null "$@"
}

screen() {
	tm capture-pane -p -t view
}

# Polls until COMMAND... succeeds; false after the deadline.
until_true() { # COMMAND...
	local end=$((SECONDS + deadline_s))
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.02
	done
}

shows() { # PATTERN
	screen | grep -qE -- "$1"
}

shows_not() { # PATTERN
	! shows "$1"
}

judge() { # NAME COMMAND...
	local name=$1
	shift
	if until_true "$@"; then
		pass "$name"
	else
		fail "$name"
		echo "after $deadline_s s not: $*"
		screen | sed 's/^/    |/'
		# Each further one would wait as long.
		[ "$failures" -lt 5 ] || { done_testing; exit 1; }
	fi
}

expect() { # NAME PATTERN
	judge "$1" shows "$2"
}

expect_gone() { # NAME PATTERN
	judge "$1" shows_not "$2"
}

# What tmux knows of the terminal: alternate_on, cursor_flag, mouse_any_flag, ...
is_state() { # FORMAT WANTED
	[ "$(tm display-message -p -t view "$1")" = "$2" ]
}

begin() { # COLUMNSxROWS TERM
	tm kill-session -t view 2>/dev/null
	tm new-session -d -s view -x "${1%x*}" -y "${1#*x}" "env TERM=$2 PS1='\$ ' bash --norc --noprofile"
	until_true shows '^\$' || echo 'no shell'
}

run() { # COMMAND
	press "$1; echo ended \$?" Enter
}

press() { # KEY...
	tm send-keys -t view "$@"
}

# The process that the shell waits for.
child() {
	local shell
	shell=$(tm display-message -p -t view '#{pane_pid}')
	cat "/proc/$shell/task/$shell/children"
}

# A server without a session ends.
tm new-session -d -s keep 'sleep 100000' || skip_all "tmux does not run"
