#!/bin/sh
# recipes.sh NAME [SECONDS]: makes the recording NAME in the current directory, with what it needs beside it.
# The names are those of the functions below. Needs perf, node, gcc, g++, rustc and cargo. Every recording
# is of one command, so that no more is needed than leave to record one's own programs.
set -eu
scripts=$(cd "$(dirname "$0")/.." && pwd)
rate=20000

programs() {
	[ -e bin/work-v0 ] || sh "$scripts/record/build.sh" bin
	[ -e node ] || cp -r "$scripts/record/src/node" node
}

# perf record of a script that is on standard input, until it ends or the file has SIZE: then perf ends the
# shell, which notices between two commands, so what runs long is in the background
record() { # OUT SIZE OPTION...
	out=$1 size=$2
	shift 2
	{
		# dash knows of no jobs in "$(jobs -p)"
		echo "trap 'jobs -p > left; xargs -r kill < left 2> /dev/null; rm left' EXIT; trap exit TERM"
		cat
	} > load.sh
	touch started
	perf record -N -q -k mono -e cpu-clock -m 16M --max-size="$size" "$@" -o "$out.part" -- sh load.sh > /dev/null 2>&1 || true
	# maps stay in /tmp, where perf looks for them, and a copy is kept beside the recording
	find /tmp -maxdepth 1 -name 'perf-[0-9]*.map' -newer started -exec cp -p {} . \;
	rm -f isolate-*.log started
	test -s "$out.part"
	chmod 644 "$out.part"
	mv "$out.part" "$out"
}

# Frame pointers: Node.js, C++, Rust, and a stream of processes that live for some milliseconds.
fp() {
	programs
	record fp.data 1000M -F $rate -g <<-E
		node --perf-basic-prof --stack-size=4000 node/deep.js 400 50 &
		node --perf-basic-prof node/compute.js 400 &
		bin/shapes 400 bin/plugin.so 2 &
		bin/work-v0 400 &
		while true; do
			seq 2000 | sort -r | awk '{ n += \$1 } END { print n }' | gzip
			find node -name '*.js' -exec md5sum {} +
			g++ -fsyntax-only bin/src/plugin.cpp
		done
	E
}

# Deep stacks of JavaScript and C++, some 15 MB a second.
deep() {
	programs
	record "${2:-deep}.data" 4G -F $rate -g <<-E
		node --perf-basic-prof --stack-size=4000 node/deep.js $(($1 + 5)) 75 &
		bin/shapes $1 bin/plugin.so 2 &
		wait \$!
	E
}
deep_tenth() {
	deep 4 deep_tenth
}

# Copied stacks of 8 KB: parse/, the front half of a compiler, with all debug information: generic Rust,
# inlined many deep, on the sources of the parser itself.
dwarf() {
	CARGO_TARGET_DIR=$PWD/target cargo build -q --release --manifest-path "$scripts/bench/parse/Cargo.toml"
	record dwarf.data 1040M -F 4000 --call-graph dwarf,8192 <<-E
		target/release/parse ${CARGO_HOME:-$HOME/.cargo}/registry/src/*/syn-2.*/src/*.rs &
		wait
	E
}

# g++ at work on compile/library.cpp. COMPILER: a cc1plus with all of its debug information, beside it or in
# /usr/lib/debug (gcc-12-dbgsym); `recipes.sh compiler` builds one. It has no frame pointers: by them stacks are
# short.
compile_fp() {
	compile gxx-fp.data -F 4000 --call-graph fp
}
compile_dwarf() {
	compile gxx-dwarf.data -F 1000 --call-graph dwarf,16384
}
compile() { # OUT OPTION...
	out=$1
	shift
	compiler=${COMPILER:-$(g++ -print-prog-name=cc1plus)}
	id=$(readelf -n "$compiler" | sed -n 's/.*Build ID: \(..\)/\1\//p')
	if ! readelf -SW "$compiler" | grep -q '\.debug_info' && [ ! -e "/usr/lib/debug/.build-id/$id.debug" ]; then
		echo "recipes.sh: $compiler has no debug information: COMPILER=CC1PLUS" >&2
		return 1
	fi
	g++ -std=c++20 -E "$scripts/bench/compile/library.cpp" -o library.ii
	record "$out" 4G "$@" <<-E
		"$compiler" -std=c++20 -O2 -quiet -fpreprocessed library.ii -o /dev/null &
		wait
	E
}

# The C++ compiler of Debian's sources, as Debian has it but for --disable-bootstrap, with debug information of
# some 300 MB: gcc/gcc/cc1plus. Takes an hour of a CPU.
compiler() {
	mkdir -p gcc
	cd gcc
	apt-get source -q --download-only gcc-12
	tar -xf gcc-12_*.orig.tar.*
	tar -xf gcc-12-12.*/gcc-12.*.tar.xz
	gcc-12.*/configure --disable-bootstrap --enable-languages=c++ --disable-multilib --disable-nls \
		--disable-werror --enable-checking=release --without-isl --disable-libsanitizer \
		CFLAGS='-O2 -g' CXXFLAGS='-O2 -g'
	make all-gcc MAKEINFO=true
}

# As `deep`, compressed by perf while it recorded.
packed() {
	programs
	record packed.data 4G -F $rate -g -z <<-E
		node --perf-basic-prof --stack-size=4000 node/deep.js $(($1 + 5)) 75 &
		bin/shapes $1 bin/plugin.so 2 &
		wait \$!
	E
}

# Generated code with times: a dump of what V8 compiled in 60 seconds.
jitdump() {
	programs
	rm -rf jit-*.dump jitted-*.so
	record jitdump.data 4G -F 5000 -g <<-E
		node --perf-prof --perf-prof-unwinding-info node/compute.js 60
	E
}

# What perf script prints of `deep`: whole samples, up to 500 MB.
script() {
	perf script -i deep.data --no-inline 2> /dev/null | awk '
		{ print; n += length($0) + 1 }
		n > 500000000 && $0 == "" { exit }' > script.part || true
	mv script.part script.txt
}

# 500,000 stacks, 40 frames deep in the mean, sorted as stackcollapse-perf.pl leaves them: each leaves
# the one before some frames (6 in the mean) from its end, and goes on for as many.
folded() {
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 500000; i++) {
			from = depth - int(-6 * log(1 - rand())) + 1
			if (from < 1)
				from = 1
			depth = from + int(-6 * log(1 - rand()))
			if (depth > 56)
				depth = 56
			for (k = from; k <= depth; k++)
				f[k] = "module" int(40 * rand()) "::function_" int(900 * rand() * rand())
			line = "program"
			for (k = 1; k <= depth; k++)
				line = line ";" f[k]
			print line, 1 + int(1000 * rand() * rand() * rand())
		}
	}' > folded.part
	mv folded.part folded.txt
}

# A second of threads and processes that wake one another through pipes and sockets.
wakers() {
	cat > load.sh <<-E
		perf bench sched pipe -l 8000 &
		perf bench sched messaging -t -g 1 -l 40
		perf bench sched messaging -g 1 -l 40
		wait
	E
}

# Ten million switches with stacks of up to 8 frames: those of wakers, again and again. On one CPU nearly all
# that follows one of them is another, so that both ends of a wait are recorded, as perf sched record has them,
# and of no other program.
sched() {
	wakers
	taskset -c 0 perf record -N -q -k mono -c 1 -e sched:sched_switch/call-graph=fp,max-stack=8/ -m 4M \
		-o sched.part -- sh load.sh > /dev/null 2>&1 || true
	"$scripts/bench/multiply.py" sched.part sched.many 10000000
	mv sched.many sched.data
	rm -f sched.part
}

# The same, with two of the system calls that these programs wait in: poll(), which each makes once.
spans() {
	wakers
	taskset -c 0 perf record -N -q -k mono -c 1 -e sched:sched_switch/call-graph=fp,max-stack=8/ \
		-e syscalls:sys_enter_poll,syscalls:sys_exit_poll -m 4M -o spans.part -- sh load.sh > /dev/null 2>&1 || true
	"$scripts/bench/multiply.py" spans.part spans.many 10000000
	mv spans.many spans.data
	rm -f spans.part
}

# Branch stacks of 1.3 million samples: some thousand, recorded without a CPU that has branch records, again and again.
branches() {
	"$scripts/pgo/build.sh" "$PWD/pgo" gcc
	cp pgo/app pgo/libplanted.so .
	pgo/branches -c 499 -o branches.part -- ./app > /dev/null
	"$scripts/bench/multiply.py" branches.part branches.many 1300000
	mv branches.many branches.data
	rm -rf branches.part pgo
}

# Ten million PERF_RECORD_SWITCH beside some 80,000 samples: on each of two CPUs a pair of threads that wake one
# another through pipes.
switches() {
	cat > load.sh <<-E
		taskset -c 0 perf bench sched pipe -T -l 1300000 &
		taskset -c 1 perf bench sched pipe -T -l 1300000 &
		wait
	E
	perf record -N -q -k mono -e cpu-clock -F 4000 -g --switch-events -m 32M -o switches.part -- sh load.sh \
		> /dev/null 2>&1 || true
	mv switches.part switches.data
}

# Recordings as they come: nothing in perfold was made faster with these in view. Goals are the same for all.

# Many different programs, whose stacks hardly repeat.
mixed() { # [SIZE]
	programs
	export GOCACHE="$PWD/go-cache"
	record mixed.data "${1:-600M}" -F 15000 -g <<-E
		while true; do
			rm -rf go-cache
			go build -o go-vet cmd/vet
			for source in bin/src/*.cpp; do
				g++ -std=c++17 -O2 -c \$source -o object.o
			done
			rustc --crate-type lib --emit metadata -o library.rmeta bin/src/*.rs
			python3 -c 'import compileall, sysconfig; compileall.compile_dir(sysconfig.get_path("stdlib") + "/email", force=True, quiet=2, legacy=False)'
			python3 -c 'import json, random, re; d = [{"k%d" % i: str(random.random())} for i in range(30000)]; re.findall("1.2", json.dumps(d))'
			perl -e 'for (1..200000) { \$h{\$_ % 977} .= chr(65 + \$_ % 26) } print length(join(",", sort values %h))'
			node --perf-basic-prof --max-lazy node/compute.js 2
			tar -cf - bin node | xz -T1 -3 > archive.xz
			find / -xdev -maxdepth 5 -name '*.h' 2> /dev/null | sort | awk -F/ '{ n[\$NF]++ } END { print length(n) }'
		done
	E
	rm -rf go-cache go-vet object.o library.rmeta archive.xz
}

# 10,000 processes that live for a millisecond.
processes() { # [PROCESSES]
	record processes.data 4G -F $rate -g <<-E
		i=0
		while [ \$i -lt $((${1:-10000} / 5)) ]; do
			i=\$((i + 1))
			date > /dev/null
			expr \$i + 1 > /dev/null
			basename /usr/bin/program > /dev/null
			ls / | sed s/a/b/ > /dev/null
		done
	E
}

# A server in Node.js and its client, for an hour.
service() { # [SECONDS]
	programs
	record service.data 4G -F 999 -g <<-E
		rm -f port
		node --perf-basic-prof node/server.js 0 port &
		while [ ! -s port ]; do sleep 0.1; done
		node --perf-basic-prof node/client.js "\$(cat port)" ${1:-3600} \
			"\$(node -p 'Object.keys(require("./node/work.js").units).join()'),async" 8 quit &
		wait
	E
}

# Held: the same kinds of recordings, of other programs, which are measured for RESULTS.md and looked at for
# nothing else.
held_mixed() { # [SIZE]
	programs
	record held_mixed.data "${1:-600M}" -F 15000 -g <<-E
		while true; do
			for source in bin/src/*.cpp; do
				clang++ -std=c++17 -O2 -c \$source -o object.o
			done
			php -r 'for (\$i = 0; \$i < 300000; \$i++) @\$a[md5("\$i")[0]] .= strrev("\$i"); ksort(\$a); echo strlen(serialize(\$a));'
			ruby -e 'h = Hash.new(0); 300000.times { |i| h[i.to_s.reverse[0, 3]] += 1 }; p h.sort_by { |k, v| [-v, k] }[0, 3]'
			java -XX:+UnlockDiagnosticVMOptions -XX:+PreserveFramePointer -XX:+DumpPerfMapAtExit "$scripts/bench/service/Service.java" 2
			sqlite3 :memory: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000)
				select count(distinct substr(hex(i * 7919), 2, 4)), group_concat(i % 7) from n' | wc -c
			tar -cf - bin node | bzip2 | openssl enc -aes-256-ctr -pbkdf2 -pass pass:x | sha256sum
			seq 200000 | shuf | sort -n | tac | bc | tail -n 1
			git -C "$scripts" log --stat -50 | wc -l
		done
	E
	rm -f object.o
}

held_processes() { # [PROCESSES]
	record held_processes.data 4G -F $rate -g <<-E
		find /usr/include /usr/share/doc -type f | head -n $((${1:-10000} / 2)) > files
		xargs -n 1 wc -c < files > /dev/null
		xargs -n 1 od -N 64 < files > /dev/null
	E
	rm -f files
}

# A server and its clients in Java.
held_service() { # [SECONDS]
	record held_service.data 4G -F 999 -g <<-E
		java -XX:+UnlockDiagnosticVMOptions -XX:+PreserveFramePointer -XX:+DumpPerfMapAtExit "$scripts/bench/service/Service.java" ${1:-3600} &
		wait
	E
}

# Some 100 KB, for what a start costs: 700 ms of Node.js.
small() {
	rm -rf start
	cp -r "$scripts/../testdata/node/classic" start
	find start -name '*.zst' -exec zstd -dq --rm {} +
}

"$@"
