#include "collapse/lost.h"

#include "base/saturated.h"

/* lost * weight / kept, where the product may not fit into 64 bits. */
static uint64_t lost_weight(const struct event *v)
{
	unsigned __int128 weight = (unsigned __int128)v->lost * v->weight / v->kept;

	return weight > UINT64_MAX ? UINT64_MAX : (uint64_t)weight;
}

void lost_add(struct tree *t, const struct recording *r, bool weight_by_samples)
{
	struct frame f = { .kind = FRAME_LABEL };
	uint64_t weight = 0, samples = 0;
	uint32_t i;

	for (i = 0; i < r->n_events; i++) {
		const struct event *v = &r->events[i];

		if (!v->chosen || !v->lost || !v->kept || (v->counted && !weight_by_samples))
			continue;
		weight = saturated_add(weight, lost_weight(v));
		samples = saturated_add(samples, v->lost);
	}
	if (!samples)
		return;
	f.name = strtab_add_str(r->strings, "[lost]");
	tree_add(t, tree_child(t, 0, frames_add(r->frames, &f)),
		weight_by_samples ? samples : weight, samples);
}
