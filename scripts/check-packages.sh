#!/bin/sh
# check-packages.sh: the first "apt-get install" of README.md names the packages of packages.txt.
set -u
wanted=$(awk '$1 == "build" { printf "%s ", $2 }' scripts/packages.txt)
listed=$(awk '
	!found && /apt(-get)? install/ { found = 1; sub(/.*apt(-get)? install/, "") }
	found == 1 {
		more = sub(/\\$/, "")
		sub(/[;&|].*/, "")
		for (i = 1; i <= NF; i++)
			if ($i !~ /^-/)
				printf "%s ", $i
		if (!more)
			exit
	}' README.md)
if [ "$wanted" != "$listed" ]; then
	echo "scripts/packages.txt: $wanted"
	echo "README.md:            $listed"
	exit 1
fi
