#!/bin/sh
# check.sh PROGRAM [SECONDS]: generated code, against perf inject --jit, and without a file of its own
#
# Records Node.js with a jitdump. perf inject --jit writes an ELF file for each function, thousands,
# and perf script names frames by them; perfold names the same frames, each as often, and strace must
# see it write nothing but its output. Builtins of V8 are left out of the comparison: they are in the
# program's file, and perfold names them by its symbols. Needs node and perf; strace for the last part.
set -eu
export LC_ALL=C
perfold=$(realpath "$1")
seconds=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"

# NAME and how many frames have it, of lines "COUNT NAME" in any number.
count_names() {
	awk '{ n = $1; sub(/^ *[0-9]+ /, ""); count[$0] += n } END { for (f in count) print f "\t" count[f] }' | sort
}

theirs() {
	perf script --no-inline -i injected.data -F ip,sym,dso 2> /dev/null |
		sed -n -E 's/^[[:space:]]*[0-9a-f]+ (.*) \([^()]*jitted-[0-9-]*\.so\)$/1 \1/p' |
		grep -v -E '^1 (Builtin|BytecodeHandler):' | count_names
}

ours() {
	"$perfold" perf.data --jitdump "$dump" --tiers --weight samples --annotate jit -q -o folded:- |
		awk '{
			n = $NF
			sub(/ [0-9]+$/, "")
			k = split($0, frame, ";")
			for (i = 1; i <= k; i++)
				if (sub(/_\[j\]$/, "", frame[i]))
					print n, frame[i]
		}' | count_names
}

for tool in node perf; do
	command -v $tool > /dev/null || { skip "generated code" "no $tool"; done_testing; exit; }
done
perf record -q -k mono -e cpu-clock:u -F 997 -g -o perf.data -- \
	node --perf-prof "$here/app.js" "$seconds" > record.log 2>&1 ||
	{ cat record.log; skip "generated code" "perf cannot record here"; done_testing; exit; }
dump=$(echo jit-*.dump)

mkdir inject
(cd inject && perf inject --jit -i ../perf.data -o ../injected.data) > inject.log 2>&1 ||
	{ cat inject.log; skip "generated code" "perf inject cannot read it"; done_testing; exit; }
theirs > theirs
ours > ours
frames=$(awk -F '\t' '{ n += $2 } END { print n + 0 }' theirs)
if [ "$frames" -gt 0 ] && cmp -s theirs ours; then
	pass "generated code: $frames frames of $(grep -c . theirs) functions as perf inject --jit names them"
else
	fail "generated code: not as perf inject --jit names it"
	diff theirs ours | head -n 20
fi

command -v strace > /dev/null || { skip "files that are written" "no strace"; done_testing; exit; }
mkdir out
strace -f -qq -o calls -e trace=file,ftruncate \
	"$perfold" perf.data --jitdump "$dump" -q -o out/folded.folded > strace.log 2>&1 ||
	{ cat strace.log; skip "files that are written" "strace cannot trace here"; done_testing; exit; }
# What writes, makes or removes; of the output there is a temporary file that gets its name in the end.
grep -E 'O_(WRONLY|RDWR|CREAT|TRUNC)|^[0-9]+ +(creat|mk(dir|nod)|rename|(sym)?link|unlink|rmdir|f?truncate)' calls |
	grep -v -E '"/dev/null"|ENOENT|"out/' > written || true
if [ -s written ]; then
	fail "files are written beside the output"
	head -n 5 written
elif ! grep -q '"out/' calls; then
	fail "strace does not see the output"
else
	pass "nothing is written but the output ($(find . -name 'jitted-*.so' | grep -c .) files by perf inject)"
fi
done_testing
