#!/bin/sh
# record.sh PROGRAM [PLACES]: the commands in README.md, the man pages, --help and messages that record run, with
# perf itself, in bash, dash and zsh: each must leave a recording, and flame.svg if it writes one. PLACES: only those
# of places that match this extended regular expression, such as "spans lock".
#
# The process that they record is a Node.js program that reads, writes and looks up names all the time. Recordings
# last 0.3 s. Needs root, perf, node and a tracefs with the events of system calls. Never records the whole machine.
set -u
root=$(pwd)
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
program=$(realpath "$1")
places=${2:-}
EXAMPLE_PERF=$(command -v perf) || skip_all "needs perf"
EXAMPLE_NODE=$(command -v node) || skip_all "needs node"
tracing=/sys/kernel/tracing
[ -w $tracing/uprobe_events ] || mount -t tracefs none $tracing 2>/dev/null
[ -w $tracing/uprobe_events ] || skip_all "needs a tracefs that can be written"
[ -d $tracing/events/syscalls ] || skip_all "needs the events of system calls"
export EXAMPLE_PERF EXAMPLE_NODE

work=$(mktemp -d)
pid=
delete_probes() {
	for group in uv dns v8 file net http pthread; do
		[ ! -d $tracing/events/$group ] || perf probe -q -d "$group:*" 2>/dev/null
	done
}
delete_maps() {
	while read -r number; do
		rm -f "/tmp/perf-$number.map"
	done <"$work/run/pids"
}
trap '[ -z "$pid" ] || kill "$pid"; delete_probes; delete_maps; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

mkdir "$work/bin" "$work/run"
ln -s "$program" "$work/bin/perfold"
cat >"$work/bin/perf" <<'END'
#!/bin/sh
# perf record for 0.3 s; a probe of a function that is inlined here is no failure of the example.
[ "$1" = record ] || { "$EXAMPLE_PERF" "$@"; exit 0; }
program=
for argument; do
	case $argument in --) program=yes ;; esac
	shift
	case $program$argument in yes[0-9]*) argument=0.3 ;; esac
	set -- "$@" "$argument"
done
[ -n "$program" ] || set -- "$@" -- sleep 0.3
"$EXAMPLE_PERF" "$@" || echo "perf record: exit status $?" >>faults
END
cat >"$work/bin/node" <<'END'
#!/bin/sh
# Its map in /tmp is deleted in the end.
echo $$ >>pids
exec "$EXAMPLE_NODE" "$@"
END
for name in scp unshare; do
	echo '#!/bin/sh' >"$work/bin/$name"
done
cat >"$work/bin/sudo" <<'END'
#!/bin/sh
exec "$@"
END
cat >"$work/bin/npx" <<'END'
#!/bin/sh
exec "$@"
END
chmod +x "$work"/bin/*
# npx itself, where its packages are (make npm).
if command -v npm >/dev/null && ls "$root"/build/dist/perfold-*.tgz >/dev/null 2>&1 &&
	npm install -O --offline --cache "$work/npm" --prefix "$work/run" "$root"/build/dist/perfold-*.tgz >"$work/log" 2>&1
then
	rm "$work/bin/npx"
fi
cat >"$work/run/app.js" <<'END'
const fs = require('fs'), dns = require('dns');
setInterval(() => { fs.writeFileSync('x', fs.readFileSync('app.js')); dns.lookup('localhost', () => {}); }, 2);
setTimeout(() => process.exit(), +process.env.APP_MS || 30000);
END
cd "$work/run" || exit 2
: >pids
APP_MS=600000 "$work/bin/node" --perf-basic-prof app.js &
pid=$!

# Those that a recipe left running.
stop_programs() {
	while read -r started; do
		[ "$started" = "$pid" ] || kill "$started" 2>/dev/null
	done <pids
}

run_recipe() { # SHELL
	rm -f perf.data faults flame.svg
	PATH="$work/bin:$PATH" "$1" recipe >out.txt 2>&1 </dev/null
	stop_programs
	delete_probes
	if [ -s perf.data ] && [ ! -s faults ] && { ! grep -q 'flame\.svg' recipe || [ -s flame.svg ]; }; then
		pass "$where, recipe $number, in $1"
	elif grep -q 'support branch stack sampling' out.txt && grep -qE 'perf record.* (-b|-j) ?' recipe; then
		skip "$where, recipe $number, in $1" "this machine has no branch records"
	else
		fail "$where, recipe $number, in $1"
		cat recipe out.txt faults 2>/dev/null
	fi
}

check_recipe() {
	if ! grep -q 'perf record' recipe; then
		# What follows on the page may record these.
		! grep -q 'perf probe' recipe || cat recipe >>probes
		return
	fi
	number=$((number + 1))
	echo "$where" | grep -qE -e "$places" || return
	# Of several ways, those that record one process.
	if grep 'perf record' recipe | grep -qvE ' -a( |$)'; then
		grep -vE 'perf record.* -a( |$)' recipe >whole
		mv whole recipe
	fi
	if grep -qE '\.\.\.| -a( |$)' recipe; then
		skip "$where, recipe $number" "records the whole machine, or is a pattern"
		return
	fi
	# A call with options only is part of one.
	grep -qE 'perf record.* (-p|--) ' recipe || grep -q '\\$' recipe || sed -i 's/$/ -- sleep 1/' recipe
	cat probes recipe >whole
	mv whole recipe
	for shell in bash dash zsh; do
		if command -v $shell >/dev/null; then
			run_recipe $shell
		else
			skip "$where, recipe $number, in $shell" "needs $shell"
		fi
	done
}

(cd "$root" && scripts/examples/extract.pl "$program") >"$work/recipes" || exit 1
echo '@@ end' >>"$work/recipes"
where='' number=0
: >recipe >probes
while IFS= read -r line <&3; do
	case $line in
	"@@ "*)
		check_recipe
		[ "$where" = "${line#@@ }" ] || { number=0; : >probes; }
		where=${line#@@ }
		: >recipe
		;;
	*) printf '%s\n' "$line" | sed "s/PID/$pid/g" >>recipe ;;
	esac
done 3<"$work/recipes"
done_testing
