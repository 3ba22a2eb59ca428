#include "symbolize/dwarf_units.h"

#include "base/mem.h"

#include <stdlib.h>

enum { RANGES_MAX = 1 << 26, STEPS_BACK_MAX = 256 };

static void add_range(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end)
{
	struct dwarf_units *u = ctx;
	Dwarf_Die unit;

	if (u->n == RANGES_MAX || !dwarf_diecu(die, &unit, NULL, NULL))
		return;
	ARRAY_GROW(u->range, u->n, u->cap);
	u->range[u->n++] = (struct dwarf_unit_range){
		.start = start, .end = end, .unit = dwarf_dieoffset(&unit)
	};
}

static int by_start(const void *pa, const void *pb)
{
	const struct dwarf_unit_range *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static void settle(struct dwarf_units *u)
{
	uint64_t reach = 0;
	uint32_t i;

	if (u->n)
		qsort(u->range, u->n, sizeof(*u->range), by_start);
	for (i = 0; i < u->n; i++) {
		reach = u->range[i].end > reach ? u->range[i].end : reach;
		u->range[i].reach = reach;
	}
}

static bool may_hold_code(Dwarf_Die *unit)
{
	int tag = dwarf_tag(unit);

	return tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit;
}

void dwarf_units_read(struct dwarf_units *u, Dwarf *dwarf, const struct dwarf_image *image,
	struct dwarf_budget *budget)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die unit;

	while (dwarf_budget_take(budget) &&
		dwarf_get_units(dwarf, cu, &cu, &version, NULL, &unit, NULL) == 0) {
		uint32_t before = u->n;

		if (!may_hold_code(&unit))
			continue;
		dwarf_each_range(&unit, budget, add_range, u);
		/* Some compilers leave it to the functions to say where they are. DWARF 2 had no
		 * lists of ranges: gcc says where .text is, and nothing of .text.startup. */
		if (u->n == before || version == 2)
			dwarf_each_function(&unit, image, budget, add_range, u);
	}
	settle(u);
}

void dwarf_units_release(struct dwarf_units *u)
{
	free(u->range);
	*u = (struct dwarf_units){ 0 };
}

uint64_t dwarf_units_find(const struct dwarf_units *u, uint64_t address)
{
	uint32_t low = 0, high = u->n, steps;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (u->range[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (steps = 0; low && u->range[low - 1].reach > address && steps < STEPS_BACK_MAX;
		steps++) {
		if (u->range[--low].end > address)
			return u->range[low].unit;
	}
	return DWARF_NO_UNIT;
}
