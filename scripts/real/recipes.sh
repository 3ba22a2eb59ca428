# shellcheck shell=sh
# recipes.sh: how each program is built and recorded; sourced by check.sh, whose functions these use.
# "whole": unwinding must reach the start of the thread, since all files have call frame information.
# shellcheck disable=SC2154 # here, bin, store, recipe: check.sh

# The vDSO of this kernel, for 64 and 32 bits, and the reader of Go's tables.
prepare() {
	for bits in 64 32; do
		gcc -m$bits -o "$bin/vdso-$bits" "$here/src/vdso.c" 2> "$bin/log" &&
			"$bin/vdso-$bits" > "$bin/vdso-$bits.so" && vdsos="$vdsos --vdso $bin/vdso-$bits.so"
	done
	command -v go > /dev/null && go build -o "$bin/gosym" "$here/src/gosym.go" 2> "$bin/log" &&
		gosym="--go gosym=$bin/gosym"
}

recipe_stacks() {
	need gcc || return
	build gcc -O2 -g -o "$bin/stacks" "$here/src/stacks.c" || return
	record stacks-copied dwarf,16384 whole -- "$bin/stacks" 200
	record stacks-no-pointers fp -- "$bin/stacks" 200
	build gcc -O2 -g -fno-omit-frame-pointer -o "$bin/stacks-fp" "$here/src/stacks.c" || return
	record stacks-fp fp -- "$bin/stacks-fp" 200
	build gcc -O2 -g -static-pie -o "$bin/stacks-static" "$here/src/stacks.c" || return
	record stacks-static dwarf,16384 whole -- "$bin/stacks-static" 200
}

recipe_32bit() {
	need gcc || return
	build gcc -m32 -O2 -g -o "$bin/stacks-32" "$here/src/stacks.c" || return
	record 32bit-copied dwarf,16384 -- "$bin/stacks-32" 200
	build gcc -m32 -O2 -g -fno-omit-frame-pointer -o "$bin/stacks-32fp" "$here/src/stacks.c" || return
	record 32bit-fp fp -- "$bin/stacks-32fp" 200
}

# musl has labels without size, and no call frame information.
recipe_musl() {
	need musl-gcc || return
	build musl-gcc -O2 -g -static -DNO_CONTEXT -o "$bin/stacks-musl" "$here/src/stacks.c" || return
	record musl-static dwarf,16384 -- "$bin/stacks-musl" 200
	record musl-static-fp fp -- "$bin/stacks-musl" 200
	build musl-gcc -O2 -g -DNO_CONTEXT -o "$bin/stacks-musl" "$here/src/stacks.c" || return
	record musl-copied dwarf,16384 -- "$bin/stacks-musl" 200
	record musl-fp fp -- "$bin/stacks-musl" 200
}

# Several functions at one address: by the linker, and by LLVM, whose debug information keeps one of them.
recipe_folded() {
	if need g++ ld.lld && build g++ -O2 -g -ffunction-sections -fuse-ld=lld -Wl,--icf=all -o "$bin/twins" \
		"$here/src/twins.cpp"; then
		record twins-copied dwarf,8192 whole -- "$bin/twins" 0.7
		record twins-fp fp -- "$bin/twins" 0.7
	fi
	need rustc || return
	build rustc -O -g -o "$bin/folded" "$here/src/folded.rs" || return
	record rust-copied dwarf,8192 whole -- "$bin/folded" 1
	record rust-fp fp -- "$bin/folded" 1
}

recipe_tokio() {
	need cargo || return
	build cargo build -q --release --manifest-path "$here/src/tokio/Cargo.toml" --target-dir "$bin/tokio" || return
	record tokio-copied dwarf,8192 whole -- "$bin/tokio/release/server" 1.5
	record tokio-fp fp -- "$bin/tokio/release/server" 1
}

recipe_fibers() {
	need g++ || return
	build g++ -O2 -g -o "$bin/fibers" "$here/src/fibers.cpp" -lboost_fiber -lboost_context -pthread || return
	record fibers-copied dwarf,16384 whole -- "$bin/fibers" 1
	record fibers-fp fp -- "$bin/fibers" 1
}

recipe_go() {
	need go || return
	build go build -o "$bin/pure" "$here/src/pure.go" || return
	record go-fp fp -- "$bin/pure" 1
	record go-copied dwarf,8192 -- "$bin/pure" 1
	build go build -ldflags '-s -w' -o "$bin/pure-stripped" "$here/src/pure.go" || return
	record go-stripped-fp fp -- "$bin/pure-stripped" 1
	record go-stripped-copied dwarf,8192 -- "$bin/pure-stripped" 1
}

recipe_cgo() {
	need go gcc || return
	build go build -o "$bin/cgo" "$here/src/cgo.go" || return
	record cgo-copied dwarf,8192 -- "$bin/cgo" 1
	record cgo-fp fp -- "$bin/cgo" 1
}

# The map of generated code is that of the process with the most samples.
recipe_erlang() {
	need erl erlc || return
	build erlc -o "$bin" "$here/src/burn.erl" || return
	for kind in fp dwarf,8192; do
		name=erlang-${kind%,*} whole=
		perf record -q -N -e cpu-clock -F 499 --call-graph $kind -o "$store/$name.data" -- \
			erl +JPperf true -noshell -pa "$bin" -eval 'burn:run(1000), halt().' > "$store/$name.log" 2>&1 ||
			{ skip "$name" "perf: $(tail -n 1 "$store/$name.log")" && continue; }
		pid=$(perf script -i "$store/$name.data" -F pid 2> /dev/null | awk 'NF == 1 { print $1 }' | sort -n |
			uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
		[ -e "/tmp/perf-$pid.map" ] || { skip "$name" "no map of generated code" && continue; }
		mv "/tmp/perf-$pid.map" "$store/$name.map"
		judge --map "$pid=$store/$name.map"
	done
}

# Assembler whose labels have no size.
recipe_x264() {
	need ffmpeg || return
	set -- ffmpeg -v error -f lavfi -i testsrc=duration=3:size=640x360:rate=25 \
		-c:v libx264 -preset slower -threads 2 -f null -
	record x264-fp fp -- "$@"
	record x264-copied dwarf,8192 -- "$@"
}

recipe_sqlite() {
	need sqlite3 || return
	set -- sqlite3 :memory: "create table t(a, b);
		with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000)
			insert into t select x, x * 7919 % 100003 from c;
		create index i on t(b);
		select count(*), sum(a) from t where b % 7 = 3; select count(*) from t a join t b on a.b = b.a"
	record sqlite-copied dwarf,16384 whole -- "$@"
	record sqlite-fp fp -- "$@"
}

# PostgreSQL refuses to run as root, and is to find its folder from any user.
as_postgres() { # COMMAND...
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=postgres --regid=postgres --clear-groups env PGHOST="$data" HOME="$data" "$@"
	else
		env PGHOST="$data" "$@"
	fi
}

recipe_postgres() {
	server=$(find /usr/lib/postgresql/*/bin/postgres 2> /dev/null | tail -n 1)
	[ -n "$server" ] || { skip "$recipe" "no postgres" && return; }
	need pgbench setpriv || return
	tools=${server%/postgres}
	data=$(mktemp -d /tmp/perfold-real.XXXXXX)
	[ "$(id -u)" != 0 ] || chown postgres "$data"
	if (cd "$data" && as_postgres "$tools/initdb" -D "$data/data" -A trust && as_postgres "$tools/pg_ctl" -D "$data/data" \
		-o "-k $data -c listen_addresses='' -c fsync=off" -l "$data/log" -w start) > "$store/postgres.log" 2>&1; then
		query_postgres >> "$store/postgres.log" 2>&1
		(cd "$data" && as_postgres "$tools/pg_ctl" -D "$data/data" -m fast -w stop) >> "$store/postgres.log" 2>&1
		name=postgres-fp whole= && judge
		name=postgres-copied whole=whole && judge
	else
		skip "$recipe" "$(tail -n 1 "$store/postgres.log")"
	fi
	rm -rf "$data"
}

query_postgres() {
	cat > "$data/queries" <<- END
		select sum(abalance * random()) from pgbench_accounts where aid % 7 = 3;
		select count(*) from (select bid, filler, md5(aid::text) m from pgbench_accounts order by m limit 100) q;
	END
	cd "$data" || return
	as_postgres "$tools/createdb" bench
	as_postgres pgbench -q -i -s 2 bench
	for kind in fp dwarf,8192; do
		name=postgres-copied
		[ $kind != fp ] || name=postgres-fp
		as_postgres pgbench -n -c 2 -T 3 -f queries bench &
		sleep 0.6
		backends=$(as_postgres "$tools/psql" -At -d bench -c \
			"select string_agg(pid::text, ',') from pg_stat_activity where application_name = 'pgbench'")
		perf record -q -N -e cpu-clock -F 499 --call-graph $kind -p "$backends" -o "$store/$name.data" -- sleep 1.2
		wait
	done
	cd "$OLDPWD" || return
}
