# same.awk FOLDED FOLDED: two recordings of one program, by frame pointers and by copied stacks, folded
# with --weight samples, must have one distribution of functions.
#
# Of each function and of each whole stack, from main() on (libc begins a program without a frame
# pointer), with at least 2 % of the samples of either: shares p and q of n and m samples, in which
# it is there (once for each stack), may differ by 4 standard errors of such a difference,
# sqrt(r * (1 - r) * (1/n + 1/m)), r the share in both together. With some 25 of them two samplings
# of one program fail that once in 600 times.

BEGIN {
	FS = "\t"
	LEAST = 0.02
	ERRORS = 4
}

{
	file = FNR == 1 ? file + 1 : file
	weight = $0
	sub(/.* /, "", weight)
	sub(/ [0-9]+$/, "")
	total[file] += weight
	depth = split($0, frame, ";")
	delete seen
	stack = ""
	for (i = 2; i <= depth && frame[i] != "main"; i++)
		;
	for (; i <= depth; i++) {
		stack = stack ";" frame[i]
		add(frame[i])
	}
	add(stack)
}

function add(what) {
	if (what in seen)
		return
	seen[what]
	names[what]
	count[file, what] += weight
}

END {
	n = total[1]
	m = total[2]
	if (!n || !m) {
		print name ": a recording without samples"
		exit 1
	}
	for (f in names) {
		p = count[1, f] / n
		q = count[2, f] / m
		if (p < LEAST && q < LEAST)
			continue
		compared++
		r = (count[1, f] + count[2, f]) / (n + m)
		z = (p - q) / sqrt(r * (1 - r) * (1 / n + 1 / m) + 1e-12)
		if (z > ERRORS || z < -ERRORS) {
			printf "  %s: %.1f %% and %.1f %%, %.1f standard errors\n", f, 100 * p, 100 * q, z
			wrong++
		}
	}
	printf "%s: %d functions and stacks of %d and %d samples compared, %d differ\n", name, compared, n, m, wrong
	exit wrong > 0 || compared < 10
}
