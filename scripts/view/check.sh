#!/bin/bash
# check.sh PROGRAM: perfold view in a terminal, driven as by a user (terminal.sh).
set -u
program=$(realpath "$1")
# shellcheck source=scripts/view/terminal.sh
. scripts/view/terminal.sh
server="$program view -q testdata/node/server/input.perf.data --symfs testdata/node/server/root"
small="$program view -q $work/small.folded"

cat >"$work/small.folded" <<END
app;main;run;parse 40
app;main;run;render;draw 25
app;main;run;render 5
app;main;idle 20
app;main;run;Parser::read<int> 9
app;worker;parse 1
END

# ---- keys ----------------------------------------------------------------------------------------

begin 80x24 tmux-256color
run "$small"
expect 'a flame graph is shown' '^▏main +99\.0%'
expect 'the line at the foot says what is chosen' '^100\.0% of all · 0\.0% self · 100 samples'
press Down Down
expect 'Down chooses the heaviest callee' '^99\.0% of all · 0\.0% self · 99 samples'
press Down
expect 'and the next one' '^79\.0% of all'
press Right
expect 'Right chooses the neighbour' '^20\.0% of all · 20\.0% self'
press Left
expect 'Left goes back' '^79\.0% of all'
press j
expect 'j is Down' '^40\.0% of all · 40\.0% self'
press k
expect 'k is Up' '^79\.0% of all'
press Enter
expect 'Enter zooms' '^all › app › main ›'
expect 'what is zoomed to has the whole width' '^▏run {60,}79\.0%'
press Down
expect 'shares are also of what is shown' '^40\.0% of all, 50\.6% of what is shown'
press Escape
expect_gone 'Escape zooms out' '^all › app'
press Enter BSpace
expect_gone 'so does Backspace' '^all › app'
press Enter Home
expect 'Home goes to all' '^100\.0% of all'
press /
expect '/ begins a search' '^/ *$'
press p a r s e
expect 'the search says how much has it' '^/parse +50\.0% matched'
press Enter
expect 'Enter goes to the first match' '1 of 3'
press n
expect 'n to the next' '2 of 3'
press N
expect 'N to the one before' '1 of 3'
press p p
expect 'so does p' '2 of 3'
press Escape
expect 'Escape ends the search' '^9\.0% of all'
press / P a r s e
expect 'with a capital, case matters' '^/Parse +9\.0% matched'
press C-u '['
expect 'what is no expression is said' 'not an expression'
press Escape
press 5
expect '5 shows functions' '^  self  total +function'
expect 'by self cost' '^ 41\.0%  41\.0% .*parse'
press o
expect 'o orders by total' '^  0\.0%  99\.0% .*main'
press o
expect 'o orders by name' '^  9\.0%   9\.0% .*Parser::read'
press Home Down Down
expect 'rows are chosen' '^25\.0% of all in total, 25\.0% by itself'
press '?'
expect '? shows the keys' 'Ctrl-C +quit'
press Escape
expect 'Escape ends the help' '^  self  total'
press c
expect 'c changes the colours' '^colours: '
press 1
expect '1 is the flame graph again' '^▏main'
press v
expect 'v turns it upside down' '^▏all +100'
press v Home
press Down Down Down Down s
expect 's shows callers and callees' '^of parse'
expect 'the callers, by weight' '^  40\.0%  97\.6%  ├ . run'
expect 'and the callees' '^ of all  of it  callees; below each, what it calls: none'
press Enter
expect 'Enter shows those of the row' '^of run'
expect 'of a function with callees' '^  30\.0%  38\.0%  ├ . render'
press Escape
expect 'Escape goes back to the function before' '^of parse'
press Escape
expect 'and to the page before' '^▏main'
press 3
expect '3 shows stacks from their other end' '^▏parse +41\.0%▏draw'
press 4
expect '4 shows callers and callees' '^no function is chosen'
press 5 Home Enter
expect 'Enter in the table shows them, too' '^of '
press Tab
expect 'Tab goes to the next page' '^  self  total'
press q
expect 'q quits' '^ended 0'

begin 80x24 tmux-256color
run "$server"
expect 'a recording with times' '^▏node '
press 2
expect '2 shows threads over time' '^node 22692 +[▅▆▇█]{60}$'
press Right Right
expect 'with the time of the cursor' '^0\.066 s to 0\.099 s: 32\.7 ms, 0\.98 at a time'
press Down
expect 'and the thread' '^node 22692$'
press Enter
expect 'Enter marks the start' 'Enter: the end of the interval'
press Right Right Right Enter
expect 'and then the end: the interval is shown alone' '^node: 0\.066 s to 0\.199 s · '
expect 'as a flame graph' '^100\.0% of all · 0\.0% self · 123 ms in 49 samples'
press Escape
expect 'Escape shows all of the time again' '^100\.0% of all · 0\.0% self · 1\.95 s in 776'
press q
expect 'q quits there, too' '^ended 0'

zstd -dq testdata/annotate/inlines/input.perf.data.zst -o "$work/inlines.data"
begin 80x24 tmux-256color
run "$program view -q $work/inlines.data --symfs testdata/annotate/inlines/root --source-dir testdata/annotate/inlines/src"
expect 'a recording with lines' '^▏all '
press 5
expect 'its functions' 'heavy'
press a
expect 'a shows the source' '^/src/spin.c'
expect 'with costs' '^  35\.6%  35\.6%      7 +sink \+= i;'
expect 'the hottest line is chosen' '^35\.6% of all in total, 35\.6% by itself'
press h
expect 'h goes to the next hottest line' '^25\.1% of all in total'
press H
expect 'H back' '^35\.6% of all in total'
press Right
expect 'Right shows instructions' 'inlined: its instructions are in work'
press Escape
expect 'Escape goes back to the table' '^  self  total +function'
press / ^ w o r k Enter Escape a
expect 'instructions of the next function' '^  self  total +address'
expect 'with their lines' 'spin.c:7 +sink \+= i;'
press Left
expect 'Left shows its source' '^/src/spin.c'
press 6
expect '6 stays there' '^/src/spin.c'
press q
expect 'quits' '^ended 0'

# ---- names of strangers, and the mouse --------------------------------------------------------------

printf 'app;main;\033[31mred\033]0;title\007 30\napp;main;a\342\200\256b 20\napp;main;中文字 20\napp;main;e\314\201t 20\napp;main;\377\233x 10\n' \
	>"$work/hostile.folded"
begin 100x24 tmux-256color
tm select-pane -t view -T untouched
run "$program view -q $work/hostile.folded"
expect 'names that would turn text around are escaped' 'a\\u\{202e\}b'
expect 'wide characters take two columns' '▏中文字 {8,}20\.0%▏'
expect 'marks take none' '▏e.?t {10,}20\.0%▏'
expect 'what is after them is where it should be' '^▏main {80,}100\.0%$'
judge 'the title of the window is as it was' is_state '#{pane_title}' untouched
press 5
expect 'in the table, too' '^ 20\.0%  20\.0% .*a\\u\{202e\}b$'
press q
expect 'quits with them' '^ended 0'

# What a terminal reports of the mouse: that a button is pressed at a column and a row, and let go. Two ways
# to write it.
report_x10() { # BUTTON COLUMN ROW
	local at
	at=\\$(printf %o $(($2 + 32)))\\$(printf %o $(($3 + 32)))
	press -l "$(printf "\033[M\\$(printf %o $(($1 + 32)))$at\033[M#$at")"
}

report_sgr() { # BUTTON COLUMN ROW
	press -l "$(printf '\033[<%d;%d;%dM\033[<%d;%d;%dm' "$@" "$@")"
}

for way in tmux-256color:x10 xterm-256color:sgr; do
	begin 80x24 ${way%:*}
	run "$small"
	expect "mouse, $way: a flame graph" '^▏run '
	report_${way#*:} 0 10 6
	expect "mouse, $way: a click chooses" '^79\.0% of all'
	report_${way#*:} 0 11 6
	expect "mouse, $way: and zooms" '^all › app › main ›'
	report_${way#*:} 0 53 2
	expect "mouse, $way: a click at a tab shows its page" '^  self  total'
	report_${way#*:} 64 5 8
	expect "mouse, $way: the wheel moves" '^30\.0% of all in total, 5\.0% by itself'
	press q
	expect "mouse, $way: quits" '^ended 0'
done

# ---- sizes ---------------------------------------------------------------------------------------

for size in 80x24 40x10 32x7 200x60; do
	begin $size tmux-256color
	run "$server"
	expect "$size: a flame graph" '^▏node( |$)'
	press 2
	expect "$size: threads over time" '^node 22692 '
	press 3
	expect "$size: reversed" '^▏größe|^▏g'
	press 5
	expect "$size: a table" 'größe'
	press s
	expect "$size: callers" '^of '
	press '?'
	expect "$size: keys" 'arrows'
	press Escape q
	expect "$size: quits" '^ended 0'
done
begin 80x24 tmux-256color
run "$server"
expect 'before it gets smaller' '^▏node '
tm resize-window -t view -x 31 -y 10
expect 'too small is said' '^too small: 32x7 is the least$'
tm resize-window -t view -x 100 -y 30
expect 'it grows again' '^▏node {80,}100\.0%'
tm resize-window -t view -x 3 -y 1
expect 'three columns' '^to…'
tm resize-window -t view -x 60 -y 20
expect 'and again' '^▏node {40,}100\.0%'
press q
expect 'quits after all that' '^ended 0'

# ---- terminals -----------------------------------------------------------------------------------

for term in vt100 xterm xterm-256color screen linux; do
	begin 80x24 $term
	run "$small"
	expect "TERM=$term" '^.main +99\.0%'
	press 5 q
	expect "TERM=$term quits" 'ended 0'
done
begin 80x24 vt100
run "$small"
expect 'without colours' 'main +99\.0%'
if tm capture-pane -p -e -t view | grep -qE '\[([0-9]+;)*[34][0-7]m'; then
	fail 'a terminal without colours gets none'
else
	pass 'a terminal without colours gets none'
fi
begin 80x24 tmux-256color
run "NO_COLOR=1 $small"
expect 'NO_COLOR' 'main +99\.0%'
if tm capture-pane -p -e -t view | grep -qE '\[[0-9;]*([34]8;5)'; then
	fail 'NO_COLOR is honoured'
else
	pass 'NO_COLOR is honoured'
fi
begin 80x24 tmux-256color
run "$small"
expect 'with colours' 'main +99\.0%'
if tm capture-pane -p -e -t view | grep -qE '48;5;[0-9]+m'; then
	pass 'a terminal with colours gets them'
else
	fail 'a terminal with colours gets them'
fi
begin 80x24 tmux-256color
run "TERM=dumb $small"
expect 'a dumb terminal is refused' '^perfold: TERM=dumb: this terminal cannot draw; perfold top'
expect 'with status 2' '^ended 2'
run "clear; TERM=none-such $small"
expect 'an unknown one is refused' '^perfold: TERM=none-such: no such terminal in terminfo'
expect 'with status 2, too' '^ended 2'
run "clear; env -u TERM $small"
expect 'TERM must be set' '^perfold: TERM is not set'
run "clear; $small | cat; echo pipe \${PIPESTATUS[0]}"
expect 'standard output must be a terminal' '^perfold: standard output is no terminal'
expect 'else status 2' '^pipe 2'
run "clear; echo | $small"
expect 'so must standard input' '^perfold: standard input is no terminal'
expect 'else status 2, too' '^ended 2'
run "clear; $program view -"
expect 'keys come from standard input, no recording' '^perfold: -: keys come from standard input'
run "clear; $program view $work/none.data"
expect 'a file that is missing' '^perfold: .*none.data'
expect 'has status 1' '^ended 1'
run "clear; $program view -q --hermetic $work/small.folded"
expect 'with nothing of this machine' 'main +99\.0%'
press q
expect 'quits there, too' '^ended 0'
run "clear; $program view --sandbox off $work/small.folded"
expect 'without the sandbox' 'main +99\.0%'
press q
expect 'the summary comes when the screen is as before' '^perfold: 6 '

# ---- the terminal is given back ------------------------------------------------------------------

before_and_after() { # NAME
	run 'clear; stty -g >after; cmp before after && echo same modes'
	expect "$1: the modes are as before" '^same modes'
	judge "$1: the alternate screen has gone" is_state '#{alternate_on}' 0
	judge "$1: the mouse is free" is_state '#{mouse_any_flag}' 0
	judge "$1: the cursor is in sight" is_state '#{cursor_flag}' 1
}

for signal in TERM INT HUP QUIT SEGV ABRT USR1; do
	begin 80x24 tmux-256color
	run "cd $work; ulimit -c 0; stty -g >before"
	expect "$signal: a shell" '^ended 0'
	press clear Enter
	run "$small"
	expect "$signal: is shown" '^▏main'
	judge "$signal: on the alternate screen" is_state '#{alternate_on}' 1
	kill -$signal "$(child)"
	# After SIGINT bash does not go on with what was typed.
	[ $signal != INT ] || { until_true is_state '#{alternate_on}' 0; press "echo ended \$?" Enter; }
	expect "$signal ends it" "^ended $((128 + $(kill -l $signal)))"
	before_and_after "$signal"
done
begin 80x24 tmux-256color
run "cd $work; stty -g >before"
expect 'Ctrl-C: a shell' '^ended 0'
press clear Enter
run "$small"
expect 'Ctrl-C: is shown' '^▏main'
press C-c
judge 'Ctrl-C ends it' is_state '#{alternate_on}' 0
before_and_after 'Ctrl-C'
press clear Enter
run "$small"
expect 'Ctrl-Z: is shown' '^▏main'
press C-z
expect 'Ctrl-Z stops it' 'Stopped'
before_and_after 'Ctrl-Z'
tm resize-window -t view -x 100 -y 30
press fg Enter
expect 'fg: goes on, in the new size' '^▏main {80,}99\.0%'
press Down
expect 'fg: takes keys' '^100\.0% of all'
press q
judge 'fg: quits' is_state '#{alternate_on}' 0
begin 80x24 tmux-256color
run "(trap '' HUP; exec $small)"
expect 'without HUP: is shown' '^▏main'
viewer=$(cat "/proc/$(child | tr -d ' ')/task/$(child | tr -d ' ')/children")
viewer=${viewer:-$(child)}
viewer=${viewer% }
tm kill-session -t view
judge 'without HUP: it ends when the terminal is gone' eval "! kill -0 $viewer 2>/dev/null"

begin 80x24 tmux-256color
run "$small"
expect 'KILL: is shown' '^▏main'
kill -KILL "$(child)"
judge 'KILL: it is gone' is_state '#{pane_current_command}' bash
press Enter
press 'reset; tput rmcup' Enter
judge 'KILL: after reset and tput rmcup, the screen is the usual one' is_state '#{alternate_on}' 0
judge 'KILL: and the mouse is free' is_state '#{mouse_any_flag}' 0
run 'clear; echo it works'
expect 'KILL: and the shell can be used' '^it works'
done_testing
