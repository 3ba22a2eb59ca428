# pictures.sh: flame graphs against those of flamegraph.pl, as sets of {name and share, depth, start,
# width}, on folded stacks; sourced by run.sh. Our boxes for what is too narrow have no counterpart. Weights
# are scaled (12.3 M samples), what is tall has its root at the top, and of frames that all stacks have in
# common a long run may be one row of ours: of frames as wide as the picture only the root is compared.

# Lines "DEPTH START WIDTH NAME (SHARE)" of a picture; depths are distances from the root.
boxes() {
	sed -n -e '/<title>⋯/!{/^<g class="small"/d}' -e '/^<rect class="small"/d' \
		-e 's|^<rect \(x=.*\)><title>\(.*\)</title></rect>|<title>\2</title><rect \1/>|' \
		-e 's|.*<title>\(.*\)</title><rect x="\([0-9.]*\)" y="\([0-9.]*\)" width="\([0-9.]*\)".*|\3 \2 \4 \1|p' |
		sed -e "s/&#39;/'/g" -e 's/&apos;/'"'"'/g' -e 's/ ([0-9.,]* [A-Z ]*samples\{0,1\}, \([0-9.]*%)\)$/ (\1/' |
		LC_ALL=C awk '
			{ y[NR] = $1; line[NR] = $0; if ($4 == "all" && $5 == "(100%)") root = $1 }
			$4 == "⋯" { fold = $1; folded = $5 - 1 }
			END {
				for (i = 1; i <= NR; i++) {
					depth = (root - y[i]) / 16
					depth = depth < 0 ? -depth : depth
					if (depth && line[i] ~ /^[^ ]* [^ ]* 1180\.0 /)
						continue
					above = (root - fold) / 16
					if (folded && depth > (above < 0 ? -above : above))
						depth += folded
					sub(/^[^ ]*/, depth, line[i])
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
		"$perfold" -q --from folded --no-demangle --tiers "$1" --width 1200 --min-width 0.1 --count-name samples $options -o svg:- | boxes > "$store/picture.ours"
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
