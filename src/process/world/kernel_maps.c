#include "process/world/kernel_maps.h"

void kernel_maps_release(struct kernel_maps *k)
{
	unsigned i;

	for (i = 0; i < KERNEL_LAYERS; i++)
		overlay_release(&k->layer[i]);
}

/* perf sometimes wrote an empty map for the kernel, meaning all of it. */
static struct recorded_mapping widened(const struct recorded_mapping *r)
{
	struct recorded_mapping all = *r;

	if (!r->start && !r->end)
		all.end = UINT64_MAX;
	return all;
}

void kernel_maps_add(struct kernel_maps *k, clock_id from, const struct world_mapper *mapper,
	const struct recorded_mapping *r)
{
	struct recorded_mapping wide = widened(r);
	struct mapping m;
	str_id reference;
	enum kernel_kind kind = mapper_kernel_mapping(mapper, &wide, &m, &reference);

	if (kind == KERNEL_NOTHING)
		return;
	m.from = from;
	overlay_add(&k->layer[kind == KERNEL_TEXT ? KERNEL_LAYER_TEXT : KERNEL_LAYER_MODULES], &m);
	/* kptr_restrict hides an address as 0. */
	if (reference && r->file_offset && !k->reference_symbol) {
		k->reference_symbol = reference;
		k->reference_address = r->file_offset;
	}
}

void kernel_maps_register(struct kernel_maps *k, clock_id from, const struct world_mapper *mapper,
	uint64_t start, uint64_t end, str_id name)
{
	struct mapping m = mapper_ksymbol_mapping(mapper, start, end, name);

	m.from = from;
	overlay_add(&k->layer[KERNEL_LAYER_KSYMBOLS], &m);
}

void kernel_maps_unregister(struct kernel_maps *k, clock_id from, uint64_t start, uint64_t end)
{
	struct mapping gone = { .start = start, .end = end, .from = from };

	overlay_add(&k->layer[KERNEL_LAYER_KSYMBOLS], &gone);
}

void kernel_maps_freeze(struct kernel_maps *k)
{
	unsigned i;

	for (i = 0; i < KERNEL_LAYERS; i++)
		overlay_freeze(&k->layer[i]);
}

const struct mapping *kernel_maps_find(const struct kernel_maps *k, uint64_t address,
	clock_id clock, clock_id *from, clock_id *until)
{
	unsigned i;

	*from = CLOCK_START;
	*until = CLOCK_END;
	for (i = 0; i < KERNEL_LAYERS; i++) {
		struct overlay_hit h = overlay_find(&k->layer[i], address, clock);

		if (h.now && h.now->from > *from)
			*from = h.now->from;
		if (h.next && h.next->from < *until)
			*until = h.next->from;
		if (h.now && h.now->module)
			return h.now;
	}
	return NULL;
}
