# check.awk TRUTH FOLDED: holds folded stacks against what the recorded program said of itself.
#
# TRUTH has lines "phase <tab> outermost;...;leaf [<tab> ambiguous or complete]". A stack of FOLDED is judged when
# its first frame is a phase. It is right when its user frames, from the first of the chain on, are
# frames of one of the phase's chains, in order. Kernel frames (--annotate kernel) on top do not count,
# and a frame may be missing: while a function sets up its frame its caller cannot be seen.
# Fails below 99.9 % by weight, when a phase has no weight, and when under 30 % of a phase reach the leaf.
# In complete phases (copied stacks) no frame may be missing: such a stack reaches the leaf or is wrong.
# Ambiguous phases are counted apart: there no answer can be called wrong.

BEGIN { FS = "\t" }

FNR == NR {
	if ($0 ~ /^#/ || NF < 2)
		next
	chains[$1] = chains[$1] "\n" $2
	ambiguous[$1] = $3 == "ambiguous"
	complete[$1] = $3 == "complete"
	next
}

{
	weight = $0
	sub(/.* /, "", weight)
	stack = $0
	sub(/ [0-9]+$/, "", stack)
	depth = split(stack, frames, ";")
	if (!(frames[1] in chains))
		next
	while (depth > 1 && frames[depth] ~ /_\[k\]$/)
		depth--
	phase = frames[1]
	verdict = judge(phase, depth)
	if (complete[phase] && verdict < 2)
		verdict = 0
	total[phase] += weight
	if (verdict == 2)
		reached[phase] += weight
	if (ambiguous[phase]) {
		unclear += weight
		unclear_right += verdict > 0 ? weight : 0
		next
	}
	all += weight
	if (verdict)
		right += weight
	else
		print "  wrong: " $0
}

# 0: wrong, 1: right, 2: right and down to the leaf
function judge(phase, depth,    n, i, list, best, v) {
	n = split(substr(chains[phase], 2), list, "\n")
	best = 0
	for (i = 1; i <= n; i++) {
		v = follows(list[i], depth)
		best = v > best ? v : best
	}
	return best
}

function follows(chain, depth,    want, n, i, k) {
	n = split(chain, want, ";")
	i = 2
	while (i <= depth && frames[i] != want[1])
		i++
	if (i > depth)
		return 0
	k = 1
	for (; i <= depth; i++) {
		if (complete[frames[1]] && want[k] != frames[i])
			return 0
		while (k <= n && want[k] != frames[i])
			k++
		if (k++ > n)
			return 0
	}
	return k > n ? 2 : 1
}

END {
	status = 0
	for (phase in chains) {
		if (!total[phase]) {
			print "  phase " phase " has no samples"
			status = 1
		} else if (!ambiguous[phase] && reached[phase] < 0.3 * total[phase]) {
			printf "  phase %s: only %d of %d reach the leaf\n", phase, reached[phase], total[phase]
			status = 1
		}
	}
	if (!all || right < 0.999 * all)
		status = 1
	printf "%s: %d of %d right (%.2f %%)", name, right, all, all ? 100 * right / all : 0
	if (unclear)
		printf "; %d ambiguous, %d of them right", unclear, unclear_right
	print ""
	exit status
}
