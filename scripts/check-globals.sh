#!/bin/sh
# check-globals.sh BUILD: no variables that outlive a call, but in cli/ and main.
#
# A table of pointers is constant and in .data.rel.ro, which nm would call data: so sections
# are looked at. BUILD/members lists the objects of libperfold.a.
set -u
build=$1
tr ' ' '\n' <"$build/members" | grep -v /src/cli/ | xargs objdump -t | awk '
	/file format/ { file = $1; objects++ }
	# address, flags, section, size, name; the section itself is listed too
	NF >= 5 && $(NF - 2) ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)(\.|$)/ && $NF != $(NF - 2) &&
		$(NF - 2) !~ /^\.data\.rel\.ro/ {
		sub(/:$/, "", file)
		printf "%s: %s can be written to (%s)\n", file, $NF, $(NF - 2)
		bad = 1
	}
	END {
		if (!objects)
			print "no objects found"
		exit bad || !objects
	}
'
