#!/bin/sh
# chop.sh PROGRAM [N [CASE...]]
#
# Damages the inputs of the golden cases, N times each (40): cut off somewhere, or some bits
# turned over, always the same for the same case. Whatever they hold, the program, built with
# sanitizers, must end within 10 seconds with a status of 0 to 6. What fails is kept in build/chop/.
set -u
# shellcheck source=scripts/case.sh
. "$(dirname "$0")/case.sh"
LIMIT_S=10

# One line for each damage: FILE cut SIZE, or FILE flip OFFSET BIT OFFSET BIT ...
# Recordings get three in four; maps, lists of symbols and ELF files the rest. Half of the bits
# are in the first KiB, where headers are.
damage_plan() { # CASE NUMBER
	find . -type f ! -name cmd ! -name needs ! -name README ! -name 'expected.*' ! -name '*.zst' \
		-size +0 -exec wc -c {} + | awk '$2 != "total"' | sort -k 2 |
		awk -v name="$1" -v number="$2" '
		function pick(n) { return int(rand() * n) }
		BEGIN {
			for (i = 1; i <= length(name); i++)
				seed = (seed * 31 + index("abcdefghijklmnopqrstuvwxyz0123456789-", \
					substr(name, i, 1))) % 1000003
			srand(seed)
		}
		{
			if ($2 ~ /^\.\/input\./) {
				input[inputs++] = $2
			} else {
				other[others++] = $2
			}
			size[$2] = $1
		}
		END {
			for (k = 0; k < number && inputs + others > 0; k++) {
				if (inputs > 0 && (others == 0 || pick(4) > 0))
					file = input[pick(inputs)]
				else
					file = other[pick(others)]
				if (pick(2)) {
					print file, "cut", pick(size[file])
					continue
				}
				line = file " flip"
				for (flips = 1 + pick(4); flips > 0; flips--) {
					reach = pick(2) && size[file] > 1024 ? 1024 : size[file]
					line = line " " pick(reach) " " pick(8)
				}
				print line
			}
		}'
}

flip() { # FILE OFFSET BIT...
	file=$1
	shift
	while [ $# -gt 1 ]; do
		byte=$(od -An -tu1 -j "$1" -N 1 "$file")
		# shellcheck disable=SC2059 # the format is the byte
		printf "\\$(printf %03o $((byte ^ (1 << $2))))" |
			dd of="$file" bs=1 seek="$1" conv=notrunc status=none
		shift 2
	done
}

keep() { # CASE NUMBER FILE
	kept=$root/build/chop/$1-$2
	mkdir -p "$kept"
	cp "$3" "$kept/"
	cp "$run/stderr" "$kept/stderr"
}

# The program has read $file as damaged; say what is wrong with how it ended.
judge() { # CASE NUMBER STATUS HOW
	if [ "$3" -le 6 ] && ! grep -q -e 'Sanitizer' -e 'runtime error' "$run/stderr"; then
		echo "ok - $1 $2"
		return
	fi
	[ "$3" != 124 ] || echo "more than $LIMIT_S s"
	echo "not ok - $1 $2: $4: status $3; see build/chop/$1-$2"
	grep -m 3 -e Sanitizer -e 'runtime error' "$run/stderr"
	keep "$1" "$2" "$file"
}

chop_case() { # CASE DIR
	run=$2/run
	missing=$(case_missing "$1")
	if [ -n "$missing" ]; then
		echo "ok - $1 # SKIP $missing"
		return
	fi
	case_directory "$1" "$2/cwd" copy
	chmod -R u+w "$cwd"
	commands=$(case_commands "$1" 1)
	(cd "$cwd" && damage_plan "$1" "$number") >"$2/plan"
	k=0
	while read -r name how where; do
		k=$((k + 1))
		file=$cwd/$name
		cp "$file" "$2/whole"
		# shellcheck disable=SC2086 # $where: one number, or pairs
		case $how in
		cut) head -c $where "$2/whole" >"$file" ;;
		flip) flip "$file" $where ;;
		esac
		case_run "$commands" 2 4096 "$run"
		judge "$1" "$k" $? "$name $how $where"
		cp "$2/whole" "$file"
	done <"$2/plan"
}

case_setup "$1"
number=${2:-40}
shift
[ $# = 0 ] || shift
case_each chop_case "$@"
case_done
