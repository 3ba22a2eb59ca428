# copies.sh: one program recorded by frame pointers and by copied stacks has one distribution of functions;
# sourced by run.sh. CORPUS: cpp-fp and cpp-dwarf, which are built of the same sources with and without frame
# pointers, and run the same time.
#
# The innermost function of a stack is right in both. Its callers are not, by frame pointers, where code on the
# way keeps none: the system's libraries, and functions that call nothing, whose caller is then left out. So the
# totals are of stacks within the program, from work() on, that have no such function.

# Functions of a program that set up no frame, as the inside of an expression.
frameless() { # BINARY...
	objdump -d --no-show-raw-insn "$@" | awk '
		/^[0-9a-f]+ <.*>:$/ {
			name = substr($2, 2, length($2) - 3)
			functions[name]
		}
		/mov +%rsp,%rbp/ { framed[name] }
		END {
			for (name in functions)
				if (!(name in framed))
					print name
		}' | grep -E '^[A-Za-z0-9_]+$' | paste -s -d '|'
}

fold_user_stacks() { # fp|dwarf OPTION...
	recording=$CORPUS/cpp-$1
	shift
	"$perfold" -q "$recording/perf.data" --symfs "$store/roots/fs" --symfs "$recording/root" \
		--kallsyms "$store/kallsyms" --weight samples --no-demangle -e 'drop kind /^kernel$/' "$@" -o folded:-
}

compare_copies() { # NAME AWK-OPTION...
	name=$1
	shift
	if awk -v name="$name" -v top=20 "$@" -f "$here/../truth/same.awk" "$store/$name-fp.folded" \
		"$store/$name-dwarf.folded" > "$store/$name.compared"; then
		pass "$(tail -n 1 "$store/$name.compared")"
	else
		fail "$(tail -n 1 "$store/$name.compared")"
	fi
	sed '$d' "$store/$name.compared" | c++filt | cut -c 1-120
}

check_copies() {
	if [ -z "${CORPUS-}" ] || [ ! -d "$CORPUS/cpp-fp" ] || [ ! -d "$CORPUS/cpp-dwarf" ]; then
		skip "copied stacks against frame pointers" "CORPUS=DIR has no cpp-fp and cpp-dwarf"
		return
	elif ! command -v objdump > /dev/null; then
		skip "copied stacks against frame pointers" "needs objdump"
		return
	fi
	unpack_corpus
	programs=$CORPUS/cpp-fp/root/tmp/corpus/_build/cpp
	without=$(frameless "$programs/shapes-fp" "$programs/plugin-fp.so")
	for graph in fp dwarf; do
		fold_user_stacks $graph > "$store/self-$graph.folded"
		fold_user_stacks $graph -e 'keep-stack /^_ZL4workd/' -e 'root /^_ZL4workd/' \
			-e 'drop-stack module m{^(?!.*/(shapes|plugin)-)}' -e "drop-stack /^(.*@plt|$without)\$/" \
			> "$store/total-$graph.folded"
	done
	compare_copies self -v of=self
	compare_copies total
}
