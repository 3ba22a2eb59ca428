#!/bin/sh
# peers.sh DIR: installs in DIR what perfold is measured against, as far as it is not there, and prints
# the environment for make bench:
#
#	eval "$(scripts/bench/peers.sh build/peers-bench)"; make bench
#
# perf itself comes from the system. hotspot's perfparser is taken out of Debian's package, with the
# libraries of Qt that it needs: the program alone has no window.
set -eu
mkdir -p "$1"
dir=$(cd "$1" && pwd)

[ -e "$dir/FlameGraph" ] || git clone -q --depth 1 https://github.com/brendangregg/FlameGraph "$dir/FlameGraph" >&2
for crate in inferno samply; do
	[ -n "$(ls "$dir/cargo/bin/$crate"* 2> /dev/null)" ] ||
		cargo install -q --locked --root "$dir/cargo" "$crate" >&2
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
echo "export FLAMEGRAPH=$dir/FlameGraph PERFPARSER=$dir/hotspot-perfparser PATH=$dir/cargo/bin:\$PATH"
