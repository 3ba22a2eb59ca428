# pictures.sh: flame graphs against those of flamegraph.pl, as sets of {name and weight, depth, start,
# width}, on folded stacks; sourced by run.sh. Our boxes for what is too narrow have no counterpart.

# Lines "DEPTH START WIDTH NAME (WEIGHT, SHARE)" of a picture; the root is the lowest box.
boxes() {
	sed -n -e '/^<g class="small"/d' -e '/^<rect class="small"/d' \
		-e 's|^<rect \(x=.*\)><title>\(.*\)</title></rect>|<title>\2</title><rect \1/>|' \
		-e 's|.*<title>\(.*\)</title><rect x="\([0-9.]*\)" y="\([0-9.]*\)" width="\([0-9.]*\)".*|\3 \2 \4 \1|p' |
		sed -e "s/&#39;/'/g" -e 's/&apos;/'"'"'/g' |
		LC_ALL=C awk '
			{ y[NR] = $1; line[NR] = $0; if ($1 > lowest) lowest = $1 }
			END {
				for (i = 1; i <= NR; i++) {
					sub(/^[^ ]*/, (lowest - y[i]) / 16, line[i])
					print line[i]
				}
			}' | LC_ALL=C sort
}

check_picture() { # FOLDED
	name=$(basename "$1" .txt)
	sed 's/; *\( [0-9]*\)$/\1/' "$1" > "$store/picture.folded" # a frame without a name is none here
	set -- "$store/picture.folded"
	for options in "" "--reverse" "--inverted"; do
		# shellcheck disable=SC2086 # none or one
		"$FLAMEGRAPH/flamegraph.pl" $options "$1" 2> /dev/null | boxes > "$store/picture.base"
		# shellcheck disable=SC2086
		"$perfold" -q --from folded --no-demangle --tiers "$1" --width 1200 --count-name samples $options -o svg:- | boxes > "$store/picture.ours"
		if cmp -s "$store/picture.base" "$store/picture.ours"; then
			pass "picture $name $options: equal, $(grep -c . "$store/picture.ours") boxes"
		else
			fail "picture $name $options: $(diff "$store/picture.base" "$store/picture.ours" | grep -c '^[<>]') boxes differ"
			diff "$store/picture.base" "$store/picture.ours" | grep '^[<>]' | head -n 4 | cut -c 1-200 | sed 's/^/    /'
		fi
	done
}

check_pictures() {
	if [ -z "${FLAMEGRAPH-}" ] || [ -z "${FIXTURES-}" ] || [ ! -d "$FIXTURES/flamegraph/results" ]; then
		skip "pictures" "needs FLAMEGRAPH=DIR and FIXTURES=DIR with flamegraph/"
		return
	fi
	for folded in "$FIXTURES"/flamegraph/results/perf-*-collapsed-all.txt; do
		check_picture "$folded"
	done
}
