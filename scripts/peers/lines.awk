# lines.awk -v name=BINARY -v differs=FILE -v symbols=FILE -v traits=WORDS -v top=N
#
# Reads three lines for each address: perfold's answer, GNU addr2line's, llvm-symbolizer's, each
# "ADDRESS TAB NAME:PLACE TAB NAME:PLACE", innermost first. Prints how often they agree, and for each reason
# why one of the others differs from perfold, how often. symbols: of nm, to distinguish names of functions from
# those of symbols. traits: what the file has ("zstd", "alternate", "split", "addressx").
#
# The reasons, each of which says what must hold:
#   symbol	addr2line gives a function without a linkage name the name of a symbol when first asked, and
#		DW_AT_name to an outermost one: as many frames, places equal, every name that differs
#		is a symbol's here or there
#   no dwo	addr2line of binutils 2.40 reads no .dwo: one frame, the symbol
#   no zstd	llvm-symbolizer 14 inflates no zstd: one frame, the symbol, without a place
#   no dwz	llvm-symbolizer 14 follows no .gnu_debugaltlink: as many frames, places equal, names "??"
# An answer without a reason is printed as unexplained, and where both others say the same, as "perfold alone".

function place_of(frame) {
	return match(frame, /:[^:]*:[0-9]+$/) ? substr(frame, RSTART) : ""
}

function name_of(frame) {
	return substr(frame, 1, length(frame) - length(place_of(frame)))
}

function is_symbol(text) {
	sub(/\..*/, "", text)
	return text in symbol
}

# Frame by frame: are the places equal, and names too but where one is a symbol, or ("??") missing?
function only_names(a, b, missing,    x, y, n, i) {
	n = split(a, x, "\t")
	if (split(b, y, "\t") != n)
		return 0
	for (i = 2; i <= n; i++) {
		if (x[i] == y[i])
			continue
		if (place_of(x[i]) != place_of(y[i]))
			return 0
		if (missing ? name_of(y[i]) != "??" : !is_symbol(name_of(x[i])) && !is_symbol(name_of(y[i])))
			return 0
	}
	return 1
}

# One frame, by the same symbol.
function symbol_only(a, b,    x, y, n) {
	n = split(a, x, "\t")
	return split(b, y, "\t") == 2 && name_of(y[2]) == name_of(x[n])
}

# b is a without the innermost frames, whose place it has.
function outer_part(a, b,    x, y, n, m, i) {
	n = split(a, x, "\t")
	m = split(b, y, "\t")
	if (m >= n || name_of(y[2]) != name_of(x[n - m + 2]) || place_of(y[2]) != place_of(x[2]))
		return 0
	for (i = 3; i <= m; i++)
		if (y[i] != x[n - m + i])
			return 0
	return 1
}

function why_gnu(a, b) {
	if (traits ~ /addressx/ && a == llvm && outer_part(a, b))
		return "addr2line: no addressx"
	if (only_names(a, b, 0))
		return "addr2line: symbol"
	if (traits ~ /split/ && symbol_only(a, b))
		return "addr2line: no dwo"
	return ""
}

function why_llvm(a, b) {
	if (traits ~ /zstd/ && symbol_only(a, b) && b !~ /:[0-9]+$/)
		return "llvm-symbolizer: no zstd"
	if (traits ~ /split/ && outer_part(a, b))
		return "llvm-symbolizer: split ranges"
	if (traits ~ /alternate/ && only_names(a, b, 1))
		return "llvm-symbolizer: no dwz"
	return ""
}

BEGIN {
	while ((getline line < symbols) > 0) {
		sub(/.* /, "", line)
		sub(/\..*/, "", line)
		symbol[tidy(line)]
	}
	all = n = alone = without = 0
}

# As lines.sh does with the names of constructors.
function tidy(text) {
	while (match(text, /[CD]1E/))
		text = substr(text, 1, RSTART) "2" substr(text, RSTART + 2)
	return text
}

NR % 3 == 1 { ours = $0 }
NR % 3 == 2 { gnu = $0 }
NR % 3 == 0 {
	llvm = $0
	n++
	if (ours == gnu && ours == llvm) {
		all++
		next
	}
	reasons = ""
	if (ours != gnu)
		reasons = reasons ", " (why_gnu(ours, gnu) != "" ? why_gnu(ours, gnu) : "addr2line: unexplained")
	if (ours != llvm)
		reasons = reasons ", " (why_llvm(ours, llvm) != "" ? why_llvm(ours, llvm) : "llvm-symbolizer: unexplained")
	reasons = substr(reasons, 3)
	without += reasons ~ /unexplained/
	alone += gnu == llvm && reasons ~ /unexplained/
	count[reasons]++
	printf "%s\n\t%s\n\t%s\n\t%s\n", reasons, ours, gnu, llvm > differs
}

END {
	printf "%-18s %d addresses: all agree %d, with a reason %d, unexplained %d, perfold alone %d", name, n, all,
		n - all - without, without, alone
	separator = " ("
	for (reasons in count) {
		printf "%s%s %d", separator, reasons, count[reasons]
		separator = "; "
	}
	print separator == "; " ? ")" : ""
	exit without > 0 || n == 0
}
