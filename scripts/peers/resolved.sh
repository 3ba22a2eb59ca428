# resolved.sh: texts with addresses, against resolve-jit-symbols' recorded results; sourced by run.sh.
# FIXTURES/resolve-jit-symbols: the test data of thlorenz/resolve-jit-symbols.

# Byte by byte: all that is not an address is to stay.
check_resolving() { # NAME MAP INPUT EXPECTED [OPTION]
	if ! "$perfold" resolve -q ${5:+"$5"} --perf-map "$2" < "$3" > "$store/resolved.ours"; then
		fail "$1: perfold failed"
	elif diff "$4" "$store/resolved.ours" > "$store/$1.differs"; then
		pass "$1: equal"
	else
		fail "$1: $(grep -c '^[<>]' "$store/$1.differs") lines differ"
		head -n 4 "$store/$1.differs" | cut -c 1-300 | sed 's/^/    /'
	fi
}

check_resolved() {
	folder=${FIXTURES-}/resolve-jit-symbols
	if [ -z "${FIXTURES-}" ] || [ ! -d "$folder" ]; then
		skip "resolved" "FIXTURES=DIR names no folder with resolve-jit-symbols/"
		return
	fi
	traces=$folder/fixtures-backtraces
	graph=$folder/fixtures
	check_resolving resolve-backtrace "$traces/jit.map" "$traces/stack.txt" "$traces/resolved.txt"
	check_resolving resolve-instruments "$graph/jit.map" "$graph/callgraph.csv" \
		"$graph/callgraph-resolved.csv" --in-place
}
