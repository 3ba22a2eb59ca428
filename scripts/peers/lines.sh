#!/bin/sh
# lines.sh LIBPERFOLD.A BINARY...
#
# Functions, inlined functions and lines at 2,000 random addresses of each binary: perfold's, those of GNU
# addr2line and those of llvm-symbolizer. Prints how often all three agree, and why another one differs
# from perfold (lines.awk has the reasons). What is left in PEERS_DIR (build/peers)/lines.NAME: the
# reasons, and perfold's, addr2line's and llvm-symbolizer's answers. Names are compared without suffixes that
# compilers add (".cold", ".part.0"). Fails where a difference has no reason.
set -u
here=$(cd "$(dirname "$0")" && pwd)
library=$1
shift
store=${PEERS_DIR:-build/peers}
mkdir -p "$store"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
count=${COUNT:-2000}
status=0

for tool in addr2line llvm-symbolizer "${CC:-cc}" nm; do
	command -v "$tool" >/dev/null || { echo "SKIP lines: needs $tool"; exit 0; }
done

${CC:-cc} -std=gnu11 -Werror -D_GNU_SOURCE -Isrc -O1 "$here/lines.c" "$library" \
	-ldw -lelf -lpcre2-8 -lyajl -lz -ldeflate -lzstd -llzma -liberty -ltraceevent -lm -lpthread -o "$work/lines" || exit 2

# Addresses inside functions: between them each tool has its own idea of what is near.
random_addresses() { # BINARY
	nm -S --defined-only "$1" | awk -v n="$count" '
		function hex(s,    i, v) {
			for (i = v = 0; i < length(s); )
				v = v * 16 + index("0123456789abcdef", substr(s, ++i, 1)) - 1
			return v
		}
		NF == 4 && $3 ~ /^[tTwW]$/ && (size = hex($2)) { from[k] = hex($1); upto[k++] = total += size }
		BEGIN {
			srand(1)
			k = 0
		}
		END {
			while (total && n--) {
				at = int(rand() * total)
				low = 0
				high = k - 1
				while (low < high) {
					middle = int((low + high) / 2)
					if (upto[middle] > at)
						high = middle
					else
						low = middle + 1
				}
				printf "0x%x\n", from[low] + at - (low ? upto[low - 1] : 0)
			}
		}'
}

# addr2line and llvm-symbolizer print a name, then a place; to one line for each address.
pairs() {
	awk '
		/^0x/ { if (line != "") print line; line = $0; name = ""; next }
		/^$/ { next }
		name == "" { name = $0; next }
		{
			sub(/ \(discriminator.*/, "")
			sub(/.*\//, "")
			sub(/^.*:[?0]$/, "")
			line = line "\t" name ":" $0
			name = ""
		}
		END { if (line != "") print line }' | tidy
}

# The outermost name is the symbol, or the function without what the compiler appended. Of
# symbols with one address, as the linker makes them of equal functions, each tool likes another.
tidy() {
	sed -e 's/:*$//' -e 's/:*\t/\t/g' |
		awk -F '\t' -v OFS='\t' -v symbols="$work/symbols" '
		BEGIN {
			FS = " "
			while ((getline <symbols) > 0) {
				if (!($1 in first))
					first[$1] = $NF
				address[$NF] = $1
			}
			FS = "\t"
		}
		{
			name = place = $NF
			sub(/:.*/, "", name)
			sub(/^[^:]*/, "", place)
			sub(/@.*/, "", name)
			if (name in address)
				name = first[address[name]]
			sub(/\..*/, "", name)
			while (match(name, /[CD]1E/))
				name = substr(name, 1, RSTART) "2" substr(name, RSTART + 2)
			$NF = name place
			print
		}'
}

ours() {
	awk '
		/^0x/ { if (line != "") print line; line = $0; next }
		{ line = line "\t" $0 }
		END { if (line != "") print line }' | tidy
}

# What the other tools cannot read. Abbreviations show most of it, and are short where the rest is not.
traits_of() { # BINARY
	readelf --debug-dump=abbrev -wN "$1" >"$work/abbreviations"
	if readelf -SWt "$1" | grep -q 'ZSTD'; then echo zstd; fi
	if readelf -SW "$1" | grep -q 'gnu_debugaltlink'; then echo alternate; fi
	if grep -q 'DW_AT_.*dwo_name' "$work/abbreviations"; then echo split; fi
	if grep -q 'DW_FORM_addrx' "$work/abbreviations" &&
		readelf --debug-dump=Ranges "$1" | grep -q -m 1 'base address index'; then echo addressx; fi
}

compare() { # BINARY
	nm --defined-only "$1" | sed 's/@.*//' >"$work/symbols"
	random_addresses "$1" >"$work/addresses"
	"$work/lines" "$1" <"$work/addresses" | ours >"$work/ours"
	addr2line -afi -e "$1" <"$work/addresses" | sed 's/^0x0*\(.\)/0x\1/' | pairs >"$work/gnu"
	llvm-symbolizer --no-demangle --output-style=GNU -a -f -i -e "$1" <"$work/addresses" \
		2>"$work/complaints" | pairs >"$work/llvm"
	paste -d '\n' "$work/ours" "$work/gnu" "$work/llvm" |
		awk -v name="$(basename "$1")" -v differs="$store/lines.$(basename "$1")" -v symbols="$work/symbols" \
			-v traits="$(traits_of "$1" 2>/dev/null | tr '\n' ' ')" -f "$here/lines.awk"
}

for binary; do
	: >"$store/lines.$(basename "$binary")"
	compare "$binary" || status=1
done
exit $status
