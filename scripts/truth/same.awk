# same.awk [-v of=self] [-v top=N] FOLDED FOLDED: two recordings of one program, by frame pointers and by
# copied stacks, folded with --weight samples, must have one distribution of functions.
#
# Of each function and of each whole stack, from main() on where it is there (libc begins a program
# without a frame pointer), with at least 2 % of the samples of either: shares p and q of n and m
# samples, in which it is there (once for each stack), may differ by 4 standard errors of such a
# difference, sqrt(r * (1 - r) * (1/n + 1/m)), r the share in both together. With some 25 of them two
# samplings of one program fail that once in 600 times.
#
#   of=self	only the innermost function of each stack
#   top		the N functions of most samples in both together, each printed, and no whole stacks

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
	if (of == "self")
		add(frame[depth])
	else
		add_stack()
}

function add_stack(    stack, i) {
	for (i = 2; i <= depth && frame[i] != "main"; i++)
		;
	if (i > depth)
		i = 2
	for (; i <= depth; i++) {
		stack = stack ";" frame[i]
		add(frame[i])
	}
	if (!top)
		add(stack)
}

function add(what) {
	if (what in seen)
		return
	seen[what]
	count[file, what] += weight
	samples[what] += weight
}

# In how many standard errors the shares of something differ.
function errors(what,    r) {
	r = samples[what] / (n + m)
	return (count[1, what] / n - count[2, what] / m) / sqrt(r * (1 - r) * (1 / n + 1 / m) + 1e-12)
}

function compare(what,    z, wrong) {
	z = errors(what)
	wrong = z > ERRORS || z < -ERRORS
	if (wrong || top)
		printf "  %s %5.1f %% %5.1f %% %5.1f standard errors  %s\n", wrong ? "FAIL" : "ok  ",
			100 * count[1, what] / n, 100 * count[2, what] / m, z, what
	compared++
	differ += wrong
}

function largest(    what, most) {
	most = ""
	for (what in samples)
		if (most == "" || samples[what] > samples[most] || samples[what] == samples[most] && what < most)
			most = what
	return most
}

END {
	n = total[1]
	m = total[2]
	if (!n || !m) {
		print name ": a recording without samples"
		exit 1
	}
	if (top) {
		while (compared < top && (f = largest()) != "") {
			compare(f)
			delete samples[f]
		}
	} else {
		for (f in samples)
			if (count[1, f] / n >= LEAST || count[2, f] / m >= LEAST)
				compare(f)
	}
	printf "%s: %d functions%s of %d and %d samples compared, %d differ\n", name, compared,
		top ? "" : " and stacks", n, m, differ
	exit differ > 0 || compared < 10
}
