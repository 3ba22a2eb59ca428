# cpuprofile.sh: .cpuprofile files that we write, against those of cpuprofilify; sourced by run.sh

# What cpuprofilify leaves out: V8's own frames, code that is no function, the ways in.
cpuprofile_rules='drop /^(?:void )?v8::internal::|^v8::Function::(?:Call|NewInstance)\b|^String\)$/
drop /^(?:Builtin|Stub|Handler):|IC:/
drop /^__libc_start|^node::Start\b/'

check_cpuprofile() {
	if [ -z "${FIXTURES-}" ] || [ ! -d "$FIXTURES/cpuprofilify" ]; then
		skip "cpuprofile" "FIXTURES=DIR names no folder with cpuprofilify/"
		return
	fi
	printf '%s\n' "$cpuprofile_rules" > "$store/cpuprofile.rules"
	if "$perfold" -q "$FIXTURES/cpuprofilify/perf-script.txt" --full-names --tiers --weight samples \
		--filter "$store/cpuprofile.rules" -o "$store/cpuprofile.cpuprofile" &&
		python3 "$here/cpuprofile.py" "$FIXTURES/cpuprofilify/perf-script.cpuprofile" \
			"$store/cpuprofile.cpuprofile" > "$store/cpuprofile.differs"; then
		pass "cpuprofile: the same tree and counts"
	else
		fail "cpuprofile: $(grep -c . "$store/cpuprofile.differs") stacks differ"
		head -n 4 "$store/cpuprofile.differs" | cut -c 1-300 | sed 's/^/    /'
	fi
}
