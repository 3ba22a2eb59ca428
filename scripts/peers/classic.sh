# classic.sh: --filter classic-node --tiers against the pipeline that it replaces (perf script | egrep -v | sed |
# stackcollapse-perf.pl) on Node.js recordings, from perf.data and from text; sourced by run.sh.
#
# One difference is intended: JIT code without a name stays as [JIT], so the pipeline here gets it by that name.

classic_pipeline() {
	sed 's,\[unknown\] (\([^ ]*perf-[0-9]*\.map\))$,[JIT] (\1),' |
		grep -E -v "( __libc_start| LazyCompile | v8::internal::| Builtin:| Stub:| LoadIC:|\[unknown\]| LoadPolymorphicIC:)" |
		sed 's/ LazyCompile:[*~]\?/ /' | "$FLAMEGRAPH/stackcollapse-perf.pl" 2> /dev/null
}

compare_classic() { # CASE WHAT
	result=$(awk -v differs="$store/classic.differs" -f "$here/compare.awk" "$store/classic.base" "$store/classic.ours")
	judge "$1, classic pipeline, from $2" "$1:classic" classic $result
	rm -f "$store/classic.differs"
}

check_classic() {
	if [ -z "${CORPUS-}" ] || [ -z "${FLAMEGRAPH-}" ]; then
		skip "classic pipeline" "needs CORPUS=DIR and FLAMEGRAPH=DIR"
		return
	fi
	for case in node-basic fmt-plain fmt-alluser node-wasm; do
		[ -e "$CORPUS/$case/script.txt.zst" ] || continue
		zstd -dcq "$CORPUS/$case/script.txt.zst" > "$store/script.txt"
		classic_pipeline < "$store/script.txt" > "$store/classic.base"
		"$perfold" "$store/script.txt" --filter classic-node --tiers -q -o folded:- > "$store/classic.ours"
		compare_classic "$case" text
		fold_recording "$case" perf.data --filter classic-node --tiers > "$store/classic.ours"
		compare_classic "$case" perf.data
	done
}
