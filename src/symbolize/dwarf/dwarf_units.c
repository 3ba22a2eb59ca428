/*
 * How it works. All units are read in the order of the file, header and root only, and their
 * ranges are sorted by start. The largest end so far is kept with each (reach): a look-up goes
 * back from the last range that starts at or before the address, and stops where no earlier one
 * reaches that far.
 *
 *	start   100  120  180  300
 *	end     400  140  200  310
 *	reach   400  400  400  400
 *
 * Most roots say where their code is in a plain way (dwarf_tree.h) and are read without libdw,
 * which would keep each unit it has seen: for libc's 2,000 units that took longer than all else
 * here. A root without ranges, as some compilers write it, is replaced by those of its functions.
 *
 * In an image that is read by unit, the first DWARF_ROOT_BYTES of each unit are loaded on the way;
 * they stay, since libdw needs all headers.
 */
#include "symbolize/dwarf/dwarf_units.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "symbolize/dwarf/dwarf_tree.h"

#include <stdlib.h>

enum { RANGES_MAX = 1 << 26, STEPS_BACK_MAX = 256 };

struct range_sink {
	struct dwarf_units *to;
	uint64_t unit;
};

static void add_range(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end)
{
	const struct range_sink *a = ctx;
	struct dwarf_units *u = a->to;

	(void)die;
	if (u->n == RANGES_MAX)
		return;
	ARRAY_GROW(u->range, u->n, u->cap);
	u->range[u->n++] = (struct dwarf_unit_range){ .start = start, .end = end, .unit = a->unit };
}

static int by_start(const void *pa, const void *pb)
{
	const struct dwarf_unit_range *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

static void sort_ranges(struct dwarf_units *u)
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

static bool may_hold_code(const struct dwarf_entry *root)
{
	return root->tag == DW_TAG_compile_unit || root->tag == DW_TAG_skeleton_unit;
}

struct unit_reader {
	struct dwarf_units *units;
	Dwarf *dwarf;
	struct dwarf_image *image;
	struct dwarf_budget *budget;
	struct dwarf_tree tree;
	uint64_t loaded; /* of an image that is read by unit */
};

/* The root of the unit at offset; false: no unit is there. */
static bool read_root(struct unit_reader *r, uint64_t offset, struct dwarf_root *root)
{
	uint64_t until = offset + DWARF_ROOT_BYTES;

	if (until > r->loaded &&
		!dwarf_image_load(r->image, offset > r->loaded ? offset : r->loaded, until))
		return false;
	r->loaded = until > r->loaded ? until : r->loaded;
	if (!dwarf_tree_open_root(&r->tree, r->image, offset, root, r->budget))
		return false;
	if (root->is_there || !r->image->by_unit || root->next - offset <= DWARF_ROOT_BYTES)
		return true;
	return dwarf_image_load_all(r->image) &&
	       dwarf_tree_open_root(&r->tree, r->image, offset, root, r->budget);
}

/* Roots of some compilers have no ranges. DWARF 2 had no lists: the root of gcc has .text, and not
 * .text.startup. */
static void add_functions(struct unit_reader *r, struct range_sink *a, uint64_t start, uint64_t end)
{
	if (!dwarf_image_load(r->image, start + DWARF_ROOT_BYTES, end))
		return;
	dwarf_walk_functions(r->dwarf, r->image, start, r->budget, add_range, a);
	dwarf_image_drop(r->image, start + DWARF_ROOT_BYTES, end);
}

/* Plain ranges of a root are read without libdw. */
static void add_unit(struct unit_reader *r, uint64_t offset, const struct dwarf_root *root)
{
	struct dwarf_units *u = r->units;
	struct range_sink a = { .to = u, .unit = offset + root->entry.offset };
	uint64_t low = root->entry.low, end = low + root->entry.size_bytes;
	uint32_t before = u->n;
	Dwarf_Die unit;

	if (!root->is_there || !may_hold_code(&root->entry))
		return;
	ARRAY_GROW(u->unit, u->n_units, u->cap_units);
	u->unit[u->n_units++] = (struct dwarf_unit){ offset, a.unit, root->next, root->lines };
	if (root->entry.code == DWARF_LOW_HIGH && !dwarf_range_is_dropped(low, end))
		add_range(&a, NULL, low, end);
	else if (root->entry.code == DWARF_LIST && root->entry.has_low)
		dwarf_range_list_each(dwarf_tree_list(&r->tree, r->image, &root->entry, low), NULL,
			r->budget, add_range, &a);
	else if (root->entry.code >= DWARF_LIST && dwarf_offdie(r->dwarf, a.unit, &unit))
		dwarf_range_each(&unit, r->budget, add_range, &a);
	if (u->n == before || r->tree.abbrev.version == 2)
		add_functions(r, &a, offset, root->next);
}

void dwarf_units_read(
	struct dwarf_units *u, Dwarf *dwarf, struct dwarf_image *image, struct dwarf_budget *budget)
{
	struct unit_reader r = { .units = u, .dwarf = dwarf, .image = image, .budget = budget };
	struct dwarf_root root;
	uint64_t offset = 0;

	while (dwarf_budget_step(budget) && read_root(&r, offset, &root)) {
		add_unit(&r, offset, &root);
		offset = root.next;
	}
	dwarf_tree_close(&r.tree);
	sort_ranges(u);
}

void dwarf_units_release(struct dwarf_units *u)
{
	uint32_t i;

	for (i = 0; u->parts && i < u->n_units; i++)
		free(u->parts[i].part);
	free(u->parts);
	free(u->range);
	free(u->unit);
	*u = (struct dwarf_units){ 0 };
}

uint64_t dwarf_units_find(const struct dwarf_units *u, uint64_t address)
{
	uint32_t low = bisect(i, 0, u->n, u->range[i].start > address), steps;

	for (steps = 0; low && u->range[low - 1].reach > address && steps < STEPS_BACK_MAX;
		steps++) {
		if (u->range[--low].end > address)
			return u->range[low].unit;
	}
	return DWARF_NO_UNIT;
}

static int by_root(const void *key, const void *element)
{
	const uint64_t *root = key;
	const struct dwarf_unit *u = element;

	return (*root > u->root) - (*root < u->root);
}

const struct dwarf_unit *dwarf_units_get(const struct dwarf_units *u, uint64_t root)
{
	return bsearch(&root, u->unit, u->n_units, sizeof(*u->unit), by_root);
}

void dwarf_units_want_parts(struct dwarf_units *u)
{
	if (!u->parts)
		u->parts = xcalloc((size_t)u->n_units + 1, sizeof(*u->parts));
}

struct dwarf_line_parts *dwarf_units_parts(const struct dwarf_units *u, uint64_t root)
{
	const struct dwarf_unit *unit = u->parts ? dwarf_units_get(u, root) : NULL;

	return unit ? &u->parts[unit - u->unit] : NULL;
}
