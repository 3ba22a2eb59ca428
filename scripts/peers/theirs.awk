# theirs.awk: turns perfold's stacks into what stackcollapse-perf.pl makes of the same frames, so that a comparison
# is one of what was resolved, not of what it does to names. Its faults that are repeated here:
#
# - names are cut at the first "(" that is not "(anonymous namespace", inside template arguments too, unless
#   the name looks like Go's ".(*T)."; quotes are deleted; frames that begin with "(" are left out; "->" is taken
#   for a chain of inlined functions, in operator->() as well;
# - of "[unknown] (/path (deleted))" it takes "deleted" for the module;
# - a thread's name ends before the first number in it; one letter is none (baseline.sed).

function short(name,    at, from) {
	gsub(/["']/, "", name)
	if (name ~ /^\[.* \(deleted\)\]$/)
		return "[unknown] "
	if (name ~ /\.\(.*\)\./)
		return name
	from = 1
	while ((at = index(substr(name, from), "("))) {
		at += from - 1
		if (substr(name, at, 20) != "(anonymous namespace")
			return substr(name, 1, at - 1)
		from = at + 1
	}
	return name
}

function thread(name) {
	if (name ~ /^.$/)
		return "(one letter)"
	if (match(name, /._[0-9]+(\/[0-9]+)?(_|$)/))
		name = substr(name, 1, RSTART)
	return name
}

{
	count = $NF
	sub(/ [0-9]+$/, "")
	n = split($0, frames, ";")
	line = thread(frames[1])
	for (i = 2; i <= n; i++) {
		if (frames[i] ~ /^\(/)
			continue
		pieces = split(frames[i], piece, "->")
		while (pieces > 1 && piece[pieces] == "")
			pieces--
		for (k = 1; k <= pieces; k++)
			line = line ";" short(piece[k]) (k > 1 ? "_[i]" : "")
	}
	weight[line] += count
}

END {
	for (line in weight)
		printf "%s %.0f\n", line, weight[line]
}
