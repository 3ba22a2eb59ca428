#!/bin/sh
# check-examples.sh PROGRAM: the calls of perfold in the man pages and in README.md run.
#
# An example is a line of a literal block, or an indented one, that begins with "perfold" or "$ perfold".
# Files that it reads and that no example before it wrote are made of golden recordings. What it prints is
# not compared: a user must be able to copy it. Fails where one fails, or has a rule that never matches.
set -u
program=$(realpath "$1")
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0
server=testdata/node/server/input.perf.data

mkdir "$work/bin"
ln -s "$program" "$work/bin/perfold"
export PATH="$work/bin:$PATH" HOME="$work" PERFOLD_NO_SYSTEM=1

examples() { # PAGE: one a line; in scdoc "\\" is a backslash
	case $1 in *.scd) unescape='s/\\\\/\\/g' ;; *) unescape= ;; esac
	sed "$unescape" "$1" | awk '
		/^```/ { literal = !literal; next }
		literal || /^[ \t]/ {
			sub(/^[ \t]*(\$ )?/, "")
			line = line $0
			if (sub(/\\$/, "", line))
				next
			if (line ~ /^perfold /)
				print line
		}
		{ line = "" }'
}

recording_for() { # EXAMPLE: the golden recording that has what it asks for
	case $1 in
	*"spans event-loop"*) echo testdata/spans/loop/input.txt ;;
	*"spans file-io"*) echo testdata/spans/calls/input.perf.data.zst ;;
	*--off-cpu*) echo testdata/trace/off-cpu/input.perf.data.zst ;;
	*) echo $server ;;
	esac
}

make_inputs() { # EXAMPLE
	recording=$root/$(recording_for "$1")
	cp "$recording" perf.data
	[ ! -d "${recording%/*}/root" ] || cp -R "${recording%/*}/root/." .
	mkdir -p "$HOME/project" rec/root
	cp "$root/testdata/kernel/stacks/kallsyms" rec/kallsyms
	for file in $(echo "$1" | tr ' ' '\n' | sed -n 's/\*/1/; /^[a-z][a-z0-9/.-]*\.[a-z.]*[a-z]$/p'); do
		[ ! -e "$file" ] || continue
		mkdir -p "$(dirname "$file")"
		case $file in
		*.md) ;; # is written
		*.data) cp "$recording" "$file" ;;
		*.perfpack) perfold pack perf.data -q -o "$file" ;;
		fds.txt) cp "$root/testdata/spans/calls/fds.txt" . ;;
		ticks.json) cp "$root/testdata/stacks/node-prof/input.json" "$file" ;;
		*) perfold perf.data -q -o "$file" ;;
		esac
	done
}

check_page() { # PAGE
	mkdir -p "$work/page" && cd "$work/page" || exit 1
	examples "$root/$1" >"$work/examples"
	while read -r example <&3; do
		example=$(echo "$example" | sed 's/ --tid PID//; s/ | .*//')
		make_inputs "$example"
		n=$((n + 1))
		(eval "$example") </dev/null >out.txt 2>err.txt
		status=$?
		case $status in
		0 | 3 | 4) ! grep 'never matched' err.txt || status=unused ;;
		esac
		case $status in 0 | 3 | 4) continue ;; esac
		echo "$1: exit status $status: $example"
		head -n 5 err.txt
		bad=1
	done 3<"$work/examples"
	cd "$root" && rm -rf "$work/page"
}

for page in README.md man/*.scd; do
	check_page "$page"
done
if [ $n -lt 20 ]; then
	echo "only $n examples were found"
	bad=1
fi
exit $bad
