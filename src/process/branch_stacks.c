#include "process/branch_stacks.h"

#include "base/mem.h"

#include <stdlib.h>

/* Of struct perf_branch_entry. */
enum { FLAG_MISPREDICTED = 1 << 0, FLAG_PREDICTED = 1 << 1 };

struct branch_stacks {
	const struct world *world;
	bool alone;
	struct branch_history *history;
};

bool branch_stacks_has(const struct perfdata_attr *a)
{
	return a->sample_type & SAMPLE_BRANCH_STACK && !(a->branch_sample_type & BRANCH_CALL_STACK);
}

static struct branch_place look_up(
	void *ctx, uint64_t address, uint32_t space, struct moment at, struct validity *valid)
{
	const struct world *world = ((const struct branch_stacks *)ctx)->world;
	struct world_place found = branch_history_is_kernel(address)
					   ? world_find_kernel(world, address, at, valid)
					   : world_find_user(world, space, address, at, valid);

	return (struct branch_place){ .rel = found.rel, .module = found.module };
}

struct branch_stacks *branch_stacks_new(
	const struct world *w, const struct modules *modules, bool alone)
{
	struct branch_stacks *b = xcalloc(1, sizeof(*b));

	b->world = w;
	b->alone = alone;
	b->history = branch_history_new(modules, look_up, b);
	return b;
}

void branch_stacks_free(struct branch_stacks *b)
{
	if (!b)
		return;
	branch_history_free(b->history);
	free(b);
}

void branch_stacks_collect(struct branch_stacks *b, struct branch_traces **sum)
{
	branch_history_collect(b->history, sum);
}

void branch_stacks_add(struct branch_stacks *b, const struct perfdata_attr *a,
	const struct perfdata_sample *s, space_id space, struct moment at)
{
	uint32_t i;

	if (b->alone && s->has & SAMPLE_IP)
		branch_history_add_sample(b->history, space, at, s->ip);
	if (!branch_stacks_has(a))
		return;
	branch_history_begin(b->history, space, at);
	for (i = 0; i < s->n_branches; i++) {
		struct perfdata_branch branch = perfdata_sample_branch(s, i);
		struct branch_record record = { .from = branch.from,
			.to = branch.to,
			.mispredicted = branch.flags & FLAG_MISPREDICTED,
			.predicted = branch.flags & FLAG_PREDICTED };

		branch_history_push(b->history, &record);
	}
	branch_history_end(b->history);
}
