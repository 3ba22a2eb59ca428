#!/bin/sh
# archives.sh COMPILER LIBRARY...: is there an archive (libNAME.a) of each library? Prints those that are missing.
set -u
compiler=$1
shift
missing=
for library; do
	case $($compiler -print-file-name="lib$library.a") in
	*/*) ;;
	*) missing="$missing lib$library.a" ;;
	esac
done
[ -z "$missing" ] || {
	echo "$missing"
	exit 1
}
