# texts.sh: perf script texts against stackcollapse-perf.pl's recorded results; sourced by run.sh.
# FIXTURES/flamegraph: the test data of brendangregg/FlameGraph, results/NAME-collapsed-OPTION.txt.

our_options() { # OPTION of stackcollapse-perf.pl: ours
	case $1 in
	pid) echo --root comm-pid ;;
	tid) echo --root comm-pid/tid ;;
	kernel) echo --annotate kernel ;;
	jit) echo --annotate jit ;;
	all) echo --annotate all ;;
	addrs) echo --addresses ;;
	esac
}

# Folded stacks, sorted; what is equal but for the listed faults becomes equal, and is added up again.
without_faults() {
	LC_ALL=C sed -E -f "$here/faults.sed" | LC_ALL=C awk '
		{
			weight = $NF
			sub(/ [0-9]+$/, "")
			sum[$0] += weight
		}
		END {
			for (stack in sum)
				print stack, sum[stack]
		}' | LC_ALL=C sort
}

check_text() { # INPUT OPTION EXPECTED
	name=$(basename "$1" .txt)
	# stackcollapse-perf.pl demangles nothing.
	# shellcheck disable=SC2046 # options, one a word
	if ! "$perfold" "$1" --no-demangle --tiers $(our_options "$2") -q -o folded:- > "$store/text.ours"; then
		fail "$name --$2: perfold failed"
		return
	fi
	LC_ALL=C sort "$3" > "$store/text.base"
	as_they_are=$(LC_ALL=C sort "$store/text.ours" | diff "$store/text.base" - | grep -c '^[<>]')
	without_faults < "$store/text.base" > "$store/text.base.clean"
	without_faults < "$store/text.ours" | diff "$store/text.base.clean" - | grep '^[<>]' > "$store/$name-$2.differs"
	if [ -s "$store/$name-$2.differs" ]; then
		fail "$name --$2: $(grep -c . "$store/$name-$2.differs") lines differ"
		head -n 4 "$store/$name-$2.differs" | cut -c 1-300 | sed 's/^/    /'
	else
		pass "$name --$2: equal ($as_they_are lines differ by its faults)"
	fi
}

check_texts() {
	if [ -z "${FIXTURES-}" ] || [ ! -d "$FIXTURES/flamegraph" ]; then
		skip "texts" "FIXTURES=DIR names no folder with flamegraph/"
		return
	fi
	for input in "$FIXTURES"/flamegraph/perf-*.txt; do
		for option in pid tid kernel jit all addrs; do
			expected=$FIXTURES/flamegraph/results/$(basename "$input" .txt)-collapsed-$option.txt
			[ ! -e "$expected" ] || check_text "$input" $option "$expected"
		done
	done
}
