#!/bin/sh
# peers.sh DIR: installs in DIR what perfold is measured against, as far as it is not there, and prints
# the environment for make bench:
#
#	eval "$(scripts/bench/peers.sh build/peers-bench)"; make bench
#
# perf itself and LLVM's tools (bolt-22, llvm-22) come from the system; a newer one, with an addr2line as new, is run out of a tree of Debian
# unstable (needs root and debootstrap; without, its rows say that it is absent). hotspot's perfparser is
# taken out of Debian's package, with the libraries of Qt that it needs: the program alone has no window.
set -eu
mkdir -p "$1"
dir=$(cd "$1" && pwd)

[ -e "$dir/FlameGraph" ] || git clone -q --depth 1 https://github.com/brendangregg/FlameGraph "$dir/FlameGraph" >&2
for crate in inferno samply; do
	[ -n "$(ls "$dir/cargo/bin/$crate"* 2> /dev/null)" ] ||
		cargo install -q --locked --root "$dir/cargo" "$crate" >&2
done
# For lookups.py, and apart from PATH: this addr2line is not the one that perf calls.
for crate in "addr2line --features bin" blazecli; do
	# shellcheck disable=SC2086 # two words
	[ -e "$dir/lookups/bin/${crate%% *}" ] || cargo install -q --root "$dir/lookups" $crate >&2
done
if [ ! -e "$dir/hotspot-perfparser" ]; then
	mkdir -p "$dir/hotspot"
	cd "$dir/hotspot"
	apt-get download -q hotspot libqt5core5a libqt5network5 libdouble-conversion3 libpcre2-16-0 libmd4c0 >&2
	for package in *.deb; do
		dpkg-deb -x "$package" .
	done
	cat > "$dir/hotspot-perfparser" <<-E
		#!/bin/sh
		LD_LIBRARY_PATH=$dir/hotspot/usr/lib/$(uname -m)-linux-gnu \\
			exec $dir/hotspot/usr/lib/$(uname -m)-linux-gnu/libexec/hotspot-perfparser "\$@"
	E
	chmod +x "$dir/hotspot-perfparser"
fi
# Puts a script in place of PROGRAM of the tree, which starts FILE there with the libraries there.
in_tree() { # FILE PROGRAM
	rm -f "$2"
	cat > "$2" <<-E
		#!/bin/sh
		lib=$dir/unstable/usr/lib/$(uname -m)-linux-gnu
		exec \$lib/ld-linux-*.so.* --library-path \$lib $dir/unstable/$1 "\$@"
	E
	chmod +x "$2"
}
new_perf=
if [ "$(id -u)" = 0 ] && command -v debootstrap > /dev/null; then
	new_perf=$dir/new-perf
	if [ ! -e "$new_perf" ]; then
		debootstrap --variant=minbase --include=linux-perf,binutils unstable "$dir/unstable" >&2
		# perf looks for addr2line beside itself first.
		in_tree "usr/bin/$(uname -m)-linux-gnu-addr2line" "$dir/unstable/usr/bin/addr2line"
		in_tree usr/bin/perf "$new_perf"
	fi
fi
echo "export NEW_PERF=$new_perf"
echo "export CRATE_ADDR2LINE=$dir/lookups/bin/addr2line BLAZECLI=$dir/lookups/bin/blazecli"
# Debian has LLVM's tools in a directory for each release: the newest one that has perf2bolt.
llvm=$(ls -d /usr/lib/llvm-*/bin/perf2bolt 2> /dev/null | sort -V | tail -n 1)
path=$dir/cargo/bin${llvm:+:${llvm%/*}}
echo "export FLAMEGRAPH=$dir/FlameGraph PERFPARSER=$dir/hotspot-perfparser PATH=$path:\$PATH"
