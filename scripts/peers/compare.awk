# compare.awk BASELINE OURS: how much weight two files of folded stacks share.
#
# Counts stacks in which some frame is resolved: a name, not [module] or [unknown]. Writes what differs
# to the file `differs` and prints "share baseline ours common frames": the share is of the larger side,
# and so is that of the frames, of which those of stacks that differ all count as differing.

function resolved(stack,    frames, n, i) {
	n = split(stack, frames, ";")
	for (i = 2; i <= n; i++)
		if (frames[i] !~ /^\[.*\]$/)
			return 1
	return 0
}

{
	stack = $0
	sub(/ [0-9.]+$/, "", stack)
	weight = substr($0, length(stack) + 2)
	if (!resolved(stack))
		next
	stacks[stack] = split(stack, any, ";") - 1
	if (FILENAME == ARGV[1]) {
		base[stack] += weight
		all_base += weight
	} else {
		ours[stack] += weight
		all_ours += weight
	}
}

END {
	for (stack in stacks) {
		b = base[stack] + 0
		o = ours[stack] + 0
		common += b < o ? b : o
		common_frames += (b < o ? b : o) * stacks[stack]
		base_frames += b * stacks[stack]
		our_frames += o * stacks[stack]
		if (b != o)
			printf "%.0f %.0f %s\n", b, o, stack > differs
	}
	whole = all_base > all_ours ? all_base : all_ours
	frames = base_frames > our_frames ? base_frames : our_frames
	printf "%.3f %.0f %.0f %.0f %.3f\n", whole ? 100 * common / whole : 0, all_base, all_ours,
		common, frames ? 100 * common_frames / frames : 0
}
