#!/bin/bash
# check.sh DIST VERSION PROGRAM [deb]: each package of build/dist draws a recording where nothing else of perfold is
#
# The archive, and the image, in a root file system of their own (chroot); those for npm and pip offline, in an
# empty prefix and an empty virtual environment. All must write what PROGRAM, the one of make static, writes
# from the source tree. deb: the .deb, too, in a new Debian of this machine's release (root.sh). Needs root, or
# user namespaces.
set -u
export LC_ALL=C
dist=$(realpath "$1")
version=$2
program=$(realpath "$3")
tree=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
case $(uname -m) in
x86_64) machine=x86_64 node=x64 ;;
aarch64) machine=aarch64 node=arm64 ;;
*) skip_all "no packages for $(uname -m)" ;;
esac

enter=chroot
[ "$(id -u)" = 0 ] || enter='unshare -r chroot'

# The command, in a place where the recording is, as DIR/in, and OUT: the files that it is to write.
draw() { # OUT DIR COMMAND...
	local out=$1 dir=$2
	shift 2
	"$@" "$dir/in/input.perf.data" --symfs "$dir/in/root" --filter nodejs --hermetic -q -o "$out/x.svg" \
		-o "$out/x.folded" -o "$out/x.cpuprofile" 2>&1
}

drawn() { # NAME DIR
	if [ -s "$work/expected/x.svg" ] && diff -r "$work/expected" "$2" >"$work/diff"; then
		pass "$1 draws"
	else
		fail "$1 draws"
		head -n 5 "$work/diff" | cut -c 1-300
	fi
}

succeeds() { # NAME COMMAND...
	local name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		pass "$name"
	else
		fail "$name"
		head -n 10 "$work/log"
	fi
}

says() { # NAME STATUS PATTERN COMMAND...
	local name=$1 wanted=$2 pattern=$3
	shift 3
	"$@" >"$work/log" 2>&1
	local status=$?
	if [ $status = "$wanted" ] && { [ -z "$pattern" ] || grep -q "$pattern" "$work/log"; }; then
		pass "$name"
	else
		fail "$name: status $status"
		head -n 10 "$work/log"
	fi
}

place() { # DIR: the recording, and a directory for what is drawn
	mkdir -p "$1/out"
	cp -R "$work/in" "$1"
}

check_tarball() {
	local listed name=perfold-$version-linux-$machine
	[ -e "$dist/$name.tar.gz" ] || { skip tarball "make tarball has not run"; return; }
	place "$work/any"
	tar -C "$work/any" -xf "$dist/$name.tar.gz"
	draw "$work/any/out" "$work/any" "$work/any/$name/bin/perfold"
	drawn 'the archive, unpacked anywhere,' "$work/any/out"
	succeeds 'the checksums in the archive' sh -c "cd '$work/any/$name' && sha256sum --quiet -c share/doc/perfold/SHA256SUMS"
	listed=$(wc -l <"$work/any/$name/share/doc/perfold/SHA256SUMS")
	[ "$(find "$work/any/$name" -type f | wc -l)" = $((listed + 1)) ] || fail 'the checksums are of all files'
	succeeds 'the list of what is linked in' scripts/release/check_spdx.py "$work/any/$name"

	place "$work/root"
	mkdir -p "$work/root/usr/local"
	tar -C "$work/root/usr/local" --strip-components=1 -xf "$dist/$name.tar.gz"
	draw /out / $enter "$work/root" /usr/local/bin/perfold
	drawn 'the archive, alone in a root file system,' "$work/root/out"
	succeeds 'the pages of the archive' man -M "$work/root/usr/local/share/man" -w perfold perfold-pack perfold-filter
}

check_npm() {
	local main=$dist/perfold-$version.tgz platform=$dist/perfold-linux-$node-$version.tgz
	command -v npm >/dev/null || { skip npm "no npm"; return; }
	[ -e "$main" ] || { skip npm "make npm has not run"; return; }
	place "$work/npm"
	cd "$work/npm" || exit 2
	export npm_config_cache="$work/npm-cache" npm_config_offline=true npm_config_userconfig=/dev/null
	succeeds 'npm installs it' npm install "$main" "$platform"
	succeeds 'npm ls' npm ls
	draw "$work/npm/out" "$work/npm" npx perfold
	drawn 'npx perfold' "$work/npm/out"
	says 'the status is passed on' 1 'No such file' node_modules/.bin/perfold nosuch
	mkfifo fifo
	says 'a signal is passed on' 143 '' sh -c 'node_modules/.bin/perfold fifo & sleep 1; kill $!; wait $!'
	# It would still wait for a writer.
	says 'the program is gone' 124 '' timeout 1 sh -c ': >fifo'
	says 'another machine' 1 'this is linux-ia32' node -e \
		"Object.defineProperty(process, 'arch', { value: 'ia32' }); require('perfold/bin/perfold.js')"
	rm -r node_modules/@perfold
	says 'a platform that is not installed' 1 "npm install @perfold/linux-$node@$version" node_modules/.bin/perfold

	mkdir "$work/npm-all" && cd "$work/npm-all" || exit 2
	succeeds 'npm installs of all platforms the one that is served' npm install -O "$dist"/perfold-*.tgz
	says 'it runs' 0 "^perfold $version" npx perfold --version
	mkdir "$work/npm-global" && cd "$work/npm-global" || exit 2
	succeeds 'npm -g' npm install -g --prefix "$work/npm-global" "$main" "$platform"
	says 'perfold, installed by npm -g' 0 "^nodejs " bin/perfold filters
	succeeds 'its pages' man -M "$work/npm-global/share/man" -w perfold
	cd "$tree" || exit 2
}

check_wheel() {
	local wheel
	wheel=$(ls "$dist/perfold-$version"-py3-none-*"_$machine.whl" 2>/dev/null)
	[ -e "$wheel" ] || { skip wheel "make wheel has not run"; return; }
	python3 -m venv "$work/venv" >"$work/log" 2>&1 || { skip wheel "no venv for python3"; return; }
	place "$work/pip"
	succeeds 'pip installs it' "$work/venv/bin/pip" install --no-index --disable-pip-version-check "$wheel"
	succeeds 'pip check' "$work/venv/bin/pip" check
	draw "$work/pip/out" "$work/pip" "$work/venv/bin/perfold"
	drawn 'perfold, installed by pip,' "$work/pip/out"
	succeeds 'its pages' man -M "$work/venv/share/man" -w perfold
	succeeds 'pip uninstalls it' "$work/venv/bin/pip" uninstall -q -y perfold
	find "$work/venv" -type f -path '*perfold*' >"$work/log"
	[ ! -s "$work/log" ] || fail "pip leaves $(cat "$work/log")"
}

check_image() {
	local image=$dist/perfold-$version-oci.tar
	[ -e "$image" ] || { skip image "make image has not run"; return; }
	mkdir -p "$work/layout" "$work/image"
	tar -C "$work/layout" -xf "$image"
	(cd "$work/layout/blobs/sha256" && sha256sum -- * | awk '$1 != $2') >"$work/log"
	succeeds 'the names of blobs are their hashes' test ! -s "$work/log"
	if command -v skopeo >/dev/null; then
		says 'skopeo inspects it' 0 '"Architecture"' skopeo inspect "oci:$work/layout:$version"
		succeeds 'skopeo copies it, with all checks' skopeo copy --all --insecure-policy -q \
			"oci-archive:$image:$version" "oci:$work/copy:$version"
	else
		skip 'skopeo inspects it' "no skopeo"
	fi
	scripts/release/unpack_image.py "$work/layout" "$(dpkg --print-architecture)" "$work/image" >"$work/entry" ||
		fail 'the image is unpacked'
	place "$work/image"
	draw /out / $enter "$work/image" "$(cat "$work/entry")"
	drawn 'the image' "$work/image/out"
	if command -v script >/dev/null; then
		says 'perfold view in the image' 0 'Flame graph' sh -c "{ sleep 1; echo q; } | TERM=xterm-256color \
			script -qec '$enter $work/image /usr/local/bin/perfold view /out/x.folded' /dev/null"
	fi
}

check_deb() {
	# shellcheck source=/dev/null
	if ! (. /etc/os-release && scripts/release/root.sh "$VERSION_CODENAME" "$work/debian") 2>"$work/log"; then
		skip deb "no debootstrap: $(tail -n 1 "$work/log")"
		return
	fi
	cp "$dist"/perfold_*"_$(dpkg --print-architecture).deb" "$work/debian/perfold.deb"
	succeeds 'apt installs the .deb' chroot "$work/debian" sh -c \
		'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /perfold.deb'
	place "$work/debian"
	draw /out / chroot "$work/debian" perfold
	drawn 'perfold, installed by apt,' "$work/debian/out"
	succeeds 'apt removes it' chroot "$work/debian" apt-get purge -y perfold
}

[ -x "$program" ] || skip_all "make static has not run"
mkdir "$work/in" "$work/expected"
cp -R testdata/node/server/. "$work/in"
draw "$work/expected" "$work" "$program"
$enter / true 2>/dev/null || skip_all "no chroot here"
check_tarball
check_npm
check_wheel
check_image
[ -z "${4-}" ] || check_deb
done_testing
