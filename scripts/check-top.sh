#!/bin/sh
# check-top.sh: nothing is at the top of the tree but what src/README.md knows, and nowhere in it what
# an editor or patch left. flame.svg is what README.md's first command draws there.
set -u
allowed="Makefile README.md LICENSE src filters testdata scripts man build flame.svg"
bad=0
for path in *; do
	case " $allowed " in
	*" $path "*) ;;
	*)
		echo "$path: does not belong at the top of the tree ($allowed)"
		bad=1
		;;
	esac
done
for path in Makefile README.md LICENSE src filters testdata scripts man; do
	[ -e "$path" ] || { echo "$path: is missing"; bad=1; }
done
left=$(find src filters testdata scripts man -name '*.orig' -o -name '*.rej' -o -name '*~')
[ -z "$left" ] || { echo "left over: $left"; bad=1; }
exit "$bad"
