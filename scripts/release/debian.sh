#!/bin/bash
# debian.sh SUITE [TARGET]: what README.md says runs on a new Debian: its first command, then make TARGET (check)
#
# In a root file system of its own (root.sh), which gets a copy of this tree. Prints what make says
# after it has run the tests. Needs root and debootstrap.
set -u
suite=$1
target=${2:-check}
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
[ "$(id -u)" = 0 ] || skip_all "needs root"
command -v debootstrap >/dev/null || skip_all "no debootstrap"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM
root=$work/root

# /proc and what is mounted below it go with the namespace. A directory for temporary files, and what this make was
# called with, are of here.
run_there() { # COMMAND
	# shellcheck disable=SC2016 # the inner shell's
	env -u TMPDIR -u MAKEFLAGS -u MFLAGS -u MAKELEVEL DEBIAN_FRONTEND=noninteractive \
		unshare --mount --propagation private sh -c '
		mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" &&
		mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts" && exec chroot "$1" sh -c "$2"' \
		- "$root" "cd /perfold; sudo() { \"\$@\"; }; $1" </dev/null >"$work/log" 2>&1
}

judge() { # STATUS NAME
	if [ "$1" = 0 ]; then
		pass "$2"
		return
	fi
	fail "$2"
	grep -vE '^  [A-Z]+  |^(Get|Selecting|Preparing|Unpacking|Setting up|Processing)' "$work/log" | tail -n 60
}

scripts/release/root.sh "$suite" "$root" || { fail "debootstrap of $suite"; done_testing; exit 1; }
mkdir -p "$root/perfold" "$root/dev/shm" "$root/dev/pts"
tar --exclude=./build --exclude=./.git -cf - . | tar -C "$root/perfold" -xf -
command=$(sed -n 's/^    \(sudo apt-get update.*\)/\1/p' README.md)
run_there "$command"
judge $? "$suite: $(echo "$command" | cut -c 1-40)..."
grep -q ' warning: ' "$work/log" && { fail "$suite: no warnings"; grep ' warning: ' "$work/log"; }
if grep -q '</svg>' "$root/perfold/flame.svg"; then
	pass "$suite: flame.svg is drawn ($(chroot "$root" gcc --version | head -n 1))"
else
	fail "$suite: flame.svg is drawn"
fi
run_there "make $target"
judge $? "$suite: make $target: $(tail -n 1 "$work/log")"
echo "# $suite: make $target: $(grep -E '^[0-9]+ passed' "$work/log" | tail -n 1)"
done_testing
