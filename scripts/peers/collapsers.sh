# collapsers.sh: stacks of other tools against the scripts of FlameGraph that collapse them, and cpuprofilify's recorded
# results; sourced by run.sh. What both are held to be equal in, and why the rest differs, is said at each.
# FLAMEGRAPH: the scripts. FIXTURES/cpuprofilify: texts with the profiles made of them.

# Folded stacks with a sed script's changes, equal ones added up, in order.
same_names() { # SED-SCRIPT
	LC_ALL=C sed -E "$1" | LC_ALL=C awk '
		{
			weight = $NF
			sub(/ [0-9]+$/, "")
			sum[$0] += weight
		}
		END {
			for (stack in sum)
				if (sum[stack] && stack != "")
					print stack, sum[stack]
		}' | LC_ALL=C sort
}

hold_against() { # NAME: $store/collapser.base and .ours
	if [ -s "$store/collapser.base" ] && diff "$store/collapser.base" "$store/collapser.ours" > "$store/$1.differs"; then
		pass "$1: equal ($(grep -c . "$store/collapser.ours") stacks)"
		rm -f "$store/$1.differs"
	else
		fail "$1: $(grep -c '^[<>]' "$store/$1.differs") lines differ"
		head -n 4 "$store/$1.differs" | cut -c 1-300 | sed 's/^/    /'
	fi
}

ours_of() { # INPUT OPTION...
	"$perfold" "$@" -q -o folded:-
}

# stackcollapse.pl keeps "module`" in names, an address for a name where there is none, and cuts names at "<" after "::".
check_dtrace() {
	"$FLAMEGRAPH/stackcollapse.pl" "$FLAMEGRAPH/example-dtrace-stacks.txt" |
		same_names 's/(^|;)([^;` ]*)`0x[0-9a-f]+/\1[\2]/g; s/(^|;)[^;` ]*`/\1/g' > "$store/collapser.base"
	ours_of "$FLAMEGRAPH/example-dtrace-stacks.txt" | same_names '' > "$store/collapser.ours"
	hold_against dtrace
}

# stackcollapse-bpftrace.pl keeps offsets, takes a comma between stacks for a frame, all keys for one, and knows maps without
# a name only.
check_bpftrace() {
	grep -v '^@x\[' testdata/stacks/bpftrace/input.txt > "$store/bpftrace.txt"
	"$FLAMEGRAPH/stackcollapse-bpftrace.pl" "$store/bpftrace.txt" |
		same_names 's/\+[0-9]+(;| )/\1/g; s/;, ;/;/g; s/^([^;,]*), [0-9]+;/\1;/' > "$store/collapser.base"
	ours_of "$store/bpftrace.txt" | same_names '' > "$store/collapser.ours"
	hold_against bpftrace
}

# stackcollapse-sample.awk has the module in names, joins the first two words of a thread's and of a method's, and prints lines
# that have nothing of their own.
check_sample() {
	awk -f "$FLAMEGRAPH/stackcollapse-sample.awk" testdata/stacks/macos-sample/input.txt |
		same_names 's/^[^;]*//; s/;([^;` ]*)`\?\?\?/;[\1]/g; s/;[^;` ]*`/;/g; s/(\[NSX)\./\1 /g; s/^;//; s/^ [0-9]+$//' \
			> "$store/collapser.base"
	ours_of testdata/stacks/macos-sample/input.txt --root none | same_names '' > "$store/collapser.ours"
	hold_against macos-sample
}

# stackcollapse-jstack.pl counts threads of the machine, which have no frames; Java's module was in front of no name when it
# was written.
check_jstack() {
	"$FLAMEGRAPH/stackcollapse-jstack.pl" testdata/stacks/jstack/input.txt 2>/dev/null |
		same_names '/;/!d; s/;[^;/@]*@[^;/]*\//;/g; s/^([^;]*) ([^;]*);/\1_\2;/' > "$store/collapser.base"
	ours_of testdata/stacks/jstack/input.txt | same_names '' > "$store/collapser.ours"
	hold_against jstack
}

# What cpuprofilify leaves out: trace-filter-internals, and stacks of one frame.
cpuprofilify_rules='drop /v8::internal::(?!Heap::Scavenge)|^(node::Start\b|start$|v8::Function::(Call|NewInstance)|Builtin:|Stub:|(Store|Load|LoadPolymorphic|KeyedLoad)IC:|_platform_\w+\$VARIANT\$|__libc_start|<Unknown Address>)/'

# It keeps the place in the name but for the line, has "~*" for any tier, "[unknown]" for all unresolved frames. perfold
# takes the arrow in the name of a stub ("String*String->String)") for one of Java's.
cpuprofilify_names='s/~\*//g; s/  +/ /g; s/(^|;)(\(anonymous\))? /\1/g; s/[^;` ]*`//g; s/:[0-9]+(:[0-9]+)?(;| [0-9]+$)/\2/g
	s/;String\)//g; s/;\[[^];]*\]/;[unknown]/g; /^[^;]*(;[^;]*)?$/d'

check_cpuprofilify() { # TEXT PROFILE RULE...
	text=$FIXTURES/cpuprofilify/$1
	profile=$FIXTURES/cpuprofilify/$2
	shift 2
	ours_of "$profile" | same_names "$cpuprofilify_names" > "$store/collapser.base"
	ours_of "$text" --weight samples -e "$cpuprofilify_rules" "$@" | same_names "$cpuprofilify_names" > "$store/collapser.ours"
	hold_against "cpuprofilify-$(basename "$text")"
}

check_collapsers() {
	if [ -z "${FLAMEGRAPH-}" ]; then
		skip "other tools' stacks" "FLAMEGRAPH=DIR is needed"
	else
		check_dtrace
		check_bpftrace
		check_sample
		check_jstack
	fi
	if [ ! -d "${FIXTURES-}/cpuprofilify" ]; then
		skip "cpuprofilify" "FIXTURES=DIR names no folder with cpuprofilify/"
	else
		check_cpuprofilify dtrace.resolved.stack dtrace.resolved.cpuprofile -e 'drop kind /unknown/'
		check_cpuprofilify perf-script.txt perf-script.cpuprofile
	fi
}
