# recordings.sh: perf.data against perf + stackcollapse-perf.pl; sourced by run.sh.
# CORPUS: recordings with baselines, one directory each, and what perf needed for them: roots.tar.zst (fs/),
# kallsyms.zst and vdso.so.

unpack_corpus() {
	mkdir -p "$store/roots"
	if [ ! -e "$store/roots/done" ]; then
		zstd -dc "$CORPUS/roots.tar.zst" | tar -x -S -C "$store/roots"
		zstd -dcq "$CORPUS/kallsyms.zst" > "$store/kallsyms"
		cp "$CORPUS/vdso.so" "$store/roots/fs/"
		touch "$store/roots/done"
	fi
}

baseline() { # CASE BASELINE: folded stacks on standard output
	their_stacks "$1" "$2" | LC_ALL=C sed -E -f "$here/baseline.sed"
}

their_stacks() { # CASE BASELINE
	case $2 in
	event:*)
		zstd -dcq "$CORPUS/$1/script.txt.zst" | awk -v event="${2#event:}" -f "$here/one-event.awk" |
			"$FLAMEGRAPH/stackcollapse-perf.pl" 2> /dev/null
		;;
	*) cat "$CORPUS/$1/$2" ;;
	esac
}

fold_recording() { # CASE RECORDING OPTION...: folded stacks on standard output
	symbols="--symfs $store/roots/fs --kallsyms $store/kallsyms"
	[ ! -d "$CORPUS/$1/root" ] || symbols="$symbols --symfs $CORPUS/$1/root"
	recording=$CORPUS/$1/$2
	shift 2
	# shellcheck disable=SC2086 # options, one a word
	"$perfold" "$recording" $symbols --compat perf "$@" -q -o folded:-
}

check_recording() { # CASE RECORDING BASELINE OPTIONS
	case=$1 label="$1 $2 ${3#event:}" key=$1
	case $3 in
	event:*) key=$1:${3#event:} ;;
	folded-inline.txt) key=$1:inline label="$label with inlined functions" ;;
	esac
	file=$(echo "$key-$2" | tr '/:' '__')
	baseline "$1" "$3" > "$store/$file.base"
	# shellcheck disable=SC2046 # options, one a word
	if ! fold_recording "$1" "$2" $(echo "$4" | sed "s|%c|$CORPUS/$1|g") > "$store/$file.all"; then
		fail "$label: perfold failed"
		return
	fi
	LC_ALL=C awk -f "$here/theirs.awk" "$store/$file.all" > "$store/$file.ours"
	rm -f "$store/$file.differs"
	result=$(awk -v differs="$store/$file.differs" -f "$here/compare.awk" "$store/$file.base" "$store/$file.ours")
	judge "$label" "$key" "$file" $result
}

judge() { # LABEL KEY FILE SHARE BASELINE OURS COMMON FRAMES
	text="$1: $4 % ($7 of $5 in the baseline, $6 here), frames $8 %"
	why=$(awk -F '\t' -v key="$2" '$1 == key { print $2 }' "$here/argued.txt")
	if awk -v share="$4" 'BEGIN { exit share < 99.9 }'; then
		pass "$text"
	elif [ -n "$why" ]; then
		pass "$text; argued: $why"
	else
		fail "$text"
		[ ! -e "$store/$3.differs" ] ||
			sort -rn "$store/$3.differs" | head -n 3 | cut -c 1-300 | sed 's/^/    /'
	fi
}

check_recordings() {
	if [ -z "${CORPUS-}" ] || [ ! -d "$CORPUS" ]; then
		skip "recordings" "CORPUS=DIR names no folder"
		return
	fi
	unpack_corpus
	while read -r case recording base options <&3; do
		case $case in '#'* | '') continue ;; esac
		if [ "$recording" = - ]; then
			left_out="${left_out-}  $case: $base $options$newline"
		elif [ ! -e "$CORPUS/$case/$recording" ]; then
			skip "$case" "not in CORPUS"
		elif [ -z "${FLAMEGRAPH-}" ] && [ "${base#event:}" != "$base" ]; then
			skip "$case ${base#event:}" "FLAMEGRAPH=DIR is not set"
		else
			check_recording "$case" "$recording" "$base" "$options"
		fi
	done 3< "$here/cases.txt"
	printf 'left out:\n%s' "${left_out-}"
}
