#!/bin/sh
# check.sh PROGRAM [RECORDINGS [PLANTED]]: do gates fail where something has changed, and only there?
#
# Records one program (work.c) 15 times and compares every two of these under the default rules of
# --fail-if: none may fail. Then records it 20 times with a regression, 5 % of the whole added to a
# small function drawn at random, and compares each with one and with five of the first: all must
# fail, and name that function. Last, half as often, the function that costs most grows by as much
# as the verdict says that it takes to fail 8 of 10 times: half of them at least must fail. Needs a C
# compiler and perf; the recordings take 1.5 s of a CPU each. SEED, FREQUENCY and MILLISECONDS change what is drawn and recorded.
set -eu
export LC_ALL=C
perfold=$(realpath "$1")
recordings=${2:-15} planted=${3:-20}
seed=${SEED:-1} frequency=${FREQUENCY:-4000} milliseconds=${MILLISECONDS:-1500}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"

for tool in perf "${CC:=cc}"; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done
"$CC" -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o work "$here/work.c"

record() { # NAME [FUNCTION UNITS]
	name=$1
	shift
	perf record -q -e cpu-clock:u -F "$frequency" -g -o "$name.data" ./work "$milliseconds" "$@" \
		>/dev/null 2>"$name.log" ||
		{ cat "$name.log"; skip_all "perf cannot record here"; }
	"$perfold" -q "$name.data" -o "$name.folded"
}

samples() { # NAME
	awk '{ n += $NF } END { printf "%d", n * '"$frequency"' / 1e9 }' "$1.folded"
}

# Verdict of --fail-if default over the arguments; the exit status is left in $status.
judge() {
	status=0
	"$perfold" diff -q --fail-if default --verdict verdict.txt "$@" >/dev/null || status=$?
}

i=1
least=1000000
while [ "$i" -le "$recordings" ]; do
	record "same$i"
	n=$(samples "same$i")
	[ "$n" -ge "$least" ] || least=$n
	i=$((i + 1))
done

pairs=0 false=0 i=1
while [ "$i" -le "$recordings" ]; do
	k=$((i + 1))
	while [ "$k" -le "$recordings" ]; do
		judge "same$i.data" "same$k.data"
		pairs=$((pairs + 1))
		if [ "$status" -eq 0 ]; then
			pass "two recordings of the same, $i and $k"
		else
			false=$((false + 1))
			fail "two recordings of the same, $i and $k: exit status $status"
			cat verdict.txt
		fi
		k=$((k + 1))
	done
	i=$((i + 1))
done
echo "# $recordings recordings of at least $least samples: $false of $pairs pairs failed"

# f22 does 161 units of arithmetic, which gives the number in all; 5 / 95 of them are added.
units=$(cat same*.folded | awk '{ all += $NF } $1 ~ /;f22$/ { one += $NF } END {
	printf "%d", 161 * all / one * 5 / 95 + 0.5 }')
# f11, f14 and f22 are not small.
functions=$(awk -v n="$planted" -v seed="$seed" 'BEGIN {
	srand(seed)
	while (n) {
		f = int(rand() * 30)
		if (f != 11 && f != 14 && f != 22) {
			print f
			n--
		}
	}
}')
found=0 found5=0 planted=0
for f in $functions; do
	planted=$((planted + 1))
	record planted "$f" "$units"
	judge same1.data planted.data
	if [ "$status" -eq 3 ] && grep -q "^  f$f (.*[^e]\$" verdict.txt; then
		found=$((found + 1))
		pass "5 % in f$f against one recording"
	else
		fail "5 % in f$f against one recording: exit status $status"
		cat verdict.txt
	fi
	judge --base same1.data --base same2.data --base same3.data --base same4.data \
		--base same5.data planted.data
	if [ "$status" -eq 3 ] && grep -q "^  f$f (.*[^e]\$" verdict.txt; then
		found5=$((found5 + 1))
		pass "5 % in f$f against five recordings"
	else
		fail "5 % in f$f against five recordings: exit status $status"
		cat verdict.txt
	fi
done
echo "# 5 % planted in a function: found in $found of $planted against one recording," \
	"in $found5 of $planted against five"

# f11, which does 223 units, has the share s; with that part of the whole more it has s + growth.
judge same1.data same2.data
stated=$(sed -n 's/.*comparisons: f11 at \([0-9.]*\)% from +\([0-9.]*\)pp.*/\1 \2/p' verdict.txt)
units=$(echo "$stated" | awk '{
	s = $1 / 100; growth = $2 / 100; printf "%d", 223 / s * growth / (1 - s - growth) + 0.5 }')
found=0 stated_trials=$((planted / 2)) i=1
while [ "$i" -le "$stated_trials" ]; do
	record planted 11 "$units"
	judge "same$((i % recordings + 1)).data" planted.data
	! grep -q "^  f11 (.*[^e]\$" verdict.txt || found=$((found + 1))
	i=$((i + 1))
done
echo "# f11 at ${stated% *}% grown by ${stated#* }pp as stated: found in $found of $stated_trials"
if [ -n "$stated" ] && [ $((2 * found)) -ge "$stated_trials" ]; then
	pass "growth of the stated size is found"
else
	fail "growth of the stated size, found in $found of $stated_trials"
fi
done_testing
