#!/bin/sh
# check-examples.sh PROGRAM: commands that a user may paste run, in bash, dash and zsh.
#
# scripts/examples/extract.pl finds them: README.md, the man pages, --help, notes and advice. A recipe is a
# pattern, of which only the syntax is checked, if it has "..." or a word in CAPITALS other than PID.
# perf, node, sudo and the like are stand-ins (scripts/examples/stand-in.sh), which see what each shell makes
# of the command: all shells must make the same of it. perfold runs for the first one: files that it reads and
# that no example of the page before it wrote are made of golden recordings. What it prints is not compared.
# Fails where perfold fails, or has a rule that never matches. What is recorded by perf itself:
# scripts/examples/record.sh.
set -u
root=$(pwd)
work=$(mktemp -d)
server=testdata/node/server/input.perf.data
shells='' missing=''
bad=0 n=0 patterns=0

sleep 600 &
pid=$!
# An example copies the map of a process. No program writes one under the PID of sleep.
trap 'kill $pid; rm -rf "$work" /tmp/perf-$pid.map' EXIT
trap 'exit 130' INT TERM
echo '1000 10 f' >/tmp/perf-$pid.map

for shell in bash dash zsh; do
	if command -v $shell >/dev/null; then shells="$shells $shell"; else missing="$missing $shell"; fi
done

EXAMPLE_PERFOLD=$(realpath "$1")
EXAMPLE_ROOT=$root EXAMPLE_CALLS=$work/calls EXAMPLE_FAULTS=$work/faults
export EXAMPLE_PERFOLD EXAMPLE_ROOT EXAMPLE_CALLS EXAMPLE_FAULTS
mkdir "$work/bin" "$work/home"
for name in perfold perf node npx sudo unshare apt-get make scp cp gdb sysctl jq clang gcc go llvm-bolt llvm-profgen; do
	ln -s "$root/scripts/examples/stand-in.sh" "$work/bin/$name"
done
export HOME="$work/home" PERFOLD_NO_SYSTEM=1

recording_for() { # RECIPE: the golden recording that has what it asks for
	case $1 in
	*"spans event-loop"*) echo testdata/spans/loop/input.txt ;;
	*"annotate readCatalog"*) echo testdata/choose/slow-request/input.perf.data.zst ;;
	*"--during 'event-loop"*) echo testdata/choose/event-loop/input.perf.data.zst ;;
	*"spans file-io"*) echo testdata/spans/calls/input.perf.data.zst ;;
	*"perfold annotate"*) echo testdata/annotate/inlines/input.perf.data.zst ;;
	*"top --branches"*) echo testdata/branches/stacks/input.perf.data ;;
	*--off-cpu*) echo testdata/trace/off-cpu/input.perf.data.zst ;;
	*--binary*) echo testdata/pgo/clang/input.perf.data.zst ;;
	*) echo $server ;;
	esac
}

make_inputs() { # RECIPE
	recording=$root/$(recording_for "$1")
	cp "$recording" perf.data
	: >isolate0x1-v8.log
	ln -sf "$work/bin/node" app # a program that is recorded
	[ -e testdata ] || ln -s "$root/testdata" testdata
	mkdir -p build/release
	ln -sf "$work/bin/perfold" build/release
	[ ! -d "${recording%/*}/root" ] || cp -R "${recording%/*}/root/." .
	for map in "${recording%/*}"/perf-*.map.zst; do
		[ ! -e "$map" ] || zstd -dqf "$map" -o "$(basename "$map" .zst)"
	done
	mkdir -p "$HOME/project" rec/root
	cp "$root/testdata/kernel/stacks/kallsyms" rec/kallsyms
	for file in $(echo "$1" | grep perfold | tr ' ' '\n' | sed -n 's/\*/1/; /^[a-z][a-z0-9/.-]*\.[a-z.]*[a-z]$/p'); do
		[ ! -e "$file" ] || continue
		mkdir -p "$(dirname "$file")"
		case $file in
		*.md) ;; # is written
		*.data) cp "$recording" "$file" ;;
		*.perfpack) "$EXAMPLE_PERFOLD" pack perf.data -q -o "$file" ;;
		*.preagg) cp "$root/testdata/branches/merged/input.a.preagg" "$file" ;;
		fds.txt) cp "$root/testdata/spans/calls/fds.txt" . ;;
		ticks.json) cp "$root/testdata/stacks/node-prof/input.json" "$file" ;;
		*) "$EXAMPLE_PERFOLD" perf.data -q -o "$file" ;;
		esac
	done
}

report() { # WHAT
	echo "$where: $1:"
	sed 's/^/    /' recipe
	bad=1
}

is_pattern() { # FILE
	grep -q '\.\.\.' "$1" || sed 's/[A-Z]*=//g; s/\$[A-Z]*//g' "$1" | grep -qE "(^|[ /=])[A-Z]{2,}([ ./]|\$)"
}

# What only an interactive shell does not understand.
check_paste() {
	! grep -qE '[^ ] +# ' recipe || report "zsh takes a comment after a command for arguments"
}

run_in() { # SHELL
	: >"$EXAMPLE_CALLS"
	: >"$EXAMPLE_FAULTS"
	# What runs in the background is to be seen as well.
	printf '%s\n' '. ./recipe' 'result=$?' wait 'exit $result' >whole
	PATH="$work/bin:$PATH" "$1" whole </dev/null >out.txt 2>err.txt
	status=$?
	# 1 may be grep's: it found nothing.
	if [ -s "$EXAMPLE_FAULTS" ] || [ $status -gt 4 ] || [ $status = 2 ]; then
		report "$1: exit status $status"
		cat "$EXAMPLE_FAULTS"
		head -n 5 err.txt
	fi
	# Programs of a pipeline and those in the background begin in any order, with any PID.
	sed 's/<-p> <[0-9]*>/<-p> <PID>/' "$EXAMPLE_CALLS" | sort >"$work/calls.$1"
}

run_recipe() {
	EXAMPLE_RUN=1
	export EXAMPLE_RUN
	first=
	make_inputs "$(cat recipe)"
	for shell in $shells; do
		run_in "$shell"
		EXAMPLE_RUN=
		: "${first:=$shell}"
		cmp -s "$work/calls.$first" "$work/calls.$shell" && continue
		report "$first and $shell call different things"
		diff "$work/calls.$first" "$work/calls.$shell"
	done
}

check_recipe() {
	[ -s recipe ] || return
	for shell in $shells; do
		$shell -n recipe 2>err.txt || { report "$shell"; cat err.txt; return; }
	done
	check_paste
	if is_pattern recipe; then
		patterns=$((patterns + 1))
		return
	fi
	n=$((n + 1))
	run_recipe
}

"$root/scripts/examples/extract.pl" "$EXAMPLE_PERFOLD" >"$work/recipes" || exit 1
echo '@@ end' >>"$work/recipes"
where=
while IFS= read -r line <&3; do
	case $line in
	"@@ "*)
		[ -z "$where" ] || check_recipe
		if [ "$where" != "${line#@@ }" ]; then
			where=${line#@@ }
			cd "$root" && rm -rf "$work/page" && mkdir "$work/page" && cd "$work/page" || exit 1
		fi
		: >recipe
		;;
	*) printf '%s\n' "$line" | sed "s/ --tid PID//; s/PID/$pid/g" >>recipe ;;
	esac
done 3<"$work/recipes"
cd "$root" || exit 1

if [ $n -lt 60 ]; then
	echo "only $n examples were found"
	bad=1
fi
[ $bad = 0 ] || exit 1
echo "$n examples run in$shells, $patterns are patterns${missing:+; not in$missing: not installed}"
[ -z "$missing" ] || exit 77
