# shellcheck shell=sh
# runs.sh: the commands that inject/run.sh, limits.sh and soak.sh repeat; sourced.
#
# They read copies of a few golden cases, and write into the directory $out; $jobs is the number of threads.

# Unpacks the inputs into DIR, which becomes the current directory. Wants $program.
runs_prepare() { # DIR
	for case in unwind/cpp-dwarf elf/static text/plain compare/recordings merge/recordings annotate/inlines \
		choose/during; do
		mkdir -p "$1/$case"
		cp -RP "testdata/$case/." "$1/$case"
	done
	find "$1" -name '*.zst' -exec zstd -dqf --rm {} +
	cd "$1" || exit 2
	gzip -c text/plain/input.txt >text.gz
	"$program" pack elf/static/input.perf.data --symfs elf/static/root --kallsyms elf/static/kallsyms -q \
		-o x.perfpack || exit 1
}

# Calls FUNCTION NAME INPUT COMMAND... for each: INPUT is for standard input.
runs_each() { # FUNCTION
	static="elf/static/input.perf.data --symfs elf/static/root --kallsyms elf/static/kallsyms"
	"$1" recording /dev/null "$program" unwind/cpp-dwarf/input.perf.data --symfs unwind/cpp-dwarf/root \
		-o "$out/x.folded" -o "$out/x.svg" -o "$out/x.html" -o "$out/x.pb.gz" "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" replaced /dev/null "$program" $static -o "$out/x.folded" -o "$out/x.svg" -o "$out/x.html" \
		-o "$out/x.pb.gz" "-j$jobs"
	"$1" text /dev/null "$program" text/plain/input.txt -o "$out/x.folded" -o "$out/x.svg" "-j$jobs"
	"$1" stdin text.gz "$program" - -o "$out/x.folded" "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" pack /dev/null "$program" pack $static -o "$out/x.perfpack" "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" light /dev/null "$program" pack $static --light -o "$out/x.perfpack" "-j$jobs"
	"$1" unpack /dev/null "$program" x.perfpack -o "$out/x.folded" -o "$out/x.pb.gz" "-j$jobs"
	"$1" diff /dev/null "$program" diff compare/recordings/input.before.perf.data \
		compare/recordings/input.after.perf.data --symfs compare/recordings/root -o "$out/x.svg" \
		-o "$out/x.html" --fail-if 'new(/no such function/) > 99%' --verdict "$out/x.md" "-j$jobs"
	inlines="annotate/inlines/input.perf.data --symfs annotate/inlines/root --source-dir annotate/inlines/src"
	# shellcheck disable=SC2086 # words
	"$1" annotate /dev/null "$program" annotate '[a-z]' $inlines "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" asm /dev/null "$program" annotate '[a-z]' $inlines --asm --json "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" page /dev/null "$program" $inlines -o "$out/x.html" "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" sources /dev/null "$program" pack $inlines --sources -o "$out/x.perfpack" "-j$jobs"
	"$1" merge /dev/null "$program" merge merge/recordings/input.c.perf.data \
		merge/recordings/input.java.perf.data --symfs merge/recordings/root -o "$out/x.folded" \
		-o "$out/x.pb" "-j$jobs"
	waits="choose/during/input.perf.data --symfs choose/during/root"
	# shellcheck disable=SC2086 # words
	"$1" during /dev/null "$program" $waits --during 'job:begin..job:end > 5ms' --wall -o "$out/x.folded" \
		-o "$out/x.md" "-j$jobs"
	# shellcheck disable=SC2086 # words
	"$1" spans /dev/null "$program" spans --begin job:begin --end job:end $waits --slower 5ms --json "$out/x.json" \
		"-j$jobs"
}
