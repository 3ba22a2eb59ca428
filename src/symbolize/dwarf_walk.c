#include "symbolize/dwarf_walk.h"

#include "base/mem.h"
#include "symbolize/dwarf_split.h"
#include "symbolize/dwarf_tree.h"

#include <time.h>

/* DEPTH_MAX: in optimised Rust, blocks and inlined functions nest to more than 100. */
enum { DEPTH_MAX = 400, CHAIN_MAX = 200, STEPS_PER_LOOK = 256 };

uint64_t dwarf_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void dwarf_budget_start(struct dwarf_budget *b, uint64_t limit_ns)
{
	*b = (struct dwarf_budget){ .until_ns = dwarf_clock_ns() + limit_ns };
}

bool dwarf_budget_take(struct dwarf_budget *b)
{
	if (++b->steps % STEPS_PER_LOOK == 0 && dwarf_clock_ns() > b->until_ns)
		b->spent = true;
	return !b->spent;
}

/* GNU ld leaves 0 (or 1, in .debug_ranges) of functions that it dropped, lld the last addresses. */
static bool was_dropped(uint64_t start, uint64_t end)
{
	return start <= 1 || start >= UINT64_MAX - 2 || end <= start;
}

void dwarf_each_range(Dwarf_Die *die, struct dwarf_budget *b, dwarf_range_fn fn, void *ctx)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (dwarf_budget_take(b) && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		if (!was_dropped(start, end))
			fn(ctx, die, start, end);
}

/* Functions lie in these too: members in their class (Rust), all in their namespace (clang). */
static bool holds_functions(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return true;
	}
	return false;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

struct walk {
	struct dwarf_tree tree;
	uint64_t root; /* where the unit's own entry is, in the unit */
	const Dwarf_Die *unit;
	struct dwarf_budget *budget;
	unsigned depth;
	bool inner_functions; /* look for functions inside those that are of no interest */
	/* Is called with every function that has code; true: look inside. */
	bool (*enter)(struct walk *w, const struct dwarf_entry *e);
	dwarf_range_fn fn;
	void *ctx;
	const struct dwarf_split *split;
	struct dwarf_chain *chains;
	uint32_t n;
	bool function; /* not inlined */
	bool entered;
};

static bool begin(struct walk *w, Dwarf_Die *unit, const struct dwarf_image *image)
{
	struct dwarf_entry root;

	w->unit = unit;
	w->root = dwarf_cuoffset(unit);
	return dwarf_tree_open(&w->tree, image, dwarf_dieoffset(unit) - w->root, w->budget) &&
	       dwarf_tree_next(&w->tree, &root) && root.offset == w->root && root.has_children;
}

/* What libdw calls it. */
static Dwarf_Die die_of(const struct walk *w, const struct dwarf_entry *e)
{
	return (Dwarf_Die){ .addr = (char *)w->unit->addr + (e->offset - w->root),
		.cu = w->unit->cu };
}

static void each_range(
	const struct walk *w, const struct dwarf_entry *e, dwarf_range_fn fn, void *ctx)
{
	Dwarf_Die die = die_of(w, e);
	uint64_t end = e->low + e->size_bytes;

	if (e->code == DWARF_OTHER_CODE && w->split && dwarf_hasattr(&die, DW_AT_ranges))
		dwarf_split_ranges(w->split, &die, w->budget, fn, ctx);
	else if (e->code == DWARF_OTHER_CODE)
		dwarf_each_range(&die, w->budget, fn, ctx);
	else if (!was_dropped(e->low, end))
		fn(ctx, &die, e->low, end);
}

static void walk_children(struct walk *w);

static void visit(struct walk *w, const struct dwarf_entry *e)
{
	bool inside = holds_functions(e->tag) || is_block(e->tag);

	if (e->tag == DW_TAG_subprogram || e->tag == DW_TAG_inlined_subroutine)
		inside = (e->code != DWARF_NO_CODE && w->enter(w, e)) || w->inner_functions;
	if (inside && e->has_children && w->depth < DEPTH_MAX) {
		w->depth++;
		walk_children(w);
		w->depth--;
	} else {
		dwarf_tree_skip(&w->tree, e);
	}
}

/* Behind the end of the list. */
static void walk_children(struct walk *w)
{
	struct dwarf_entry e;

	while (dwarf_budget_take(w->budget) && dwarf_tree_next(&w->tree, &e) && e.tag)
		visit(w, &e);
}

static bool enter_function(struct walk *w, const struct dwarf_entry *e)
{
	if (e->tag == DW_TAG_subprogram)
		each_range(w, e, w->fn, w->ctx);
	return false;
}

void dwarf_each_function(Dwarf_Die *unit, const struct dwarf_image *image, struct dwarf_budget *b,
	dwarf_range_fn fn, void *ctx)
{
	struct walk w = { .budget = b, .enter = enter_function, .fn = fn, .ctx = ctx };

	if (begin(&w, unit, image))
		walk_children(&w);
	dwarf_tree_close(&w.tree);
}

static uint32_t first_from(const struct walk *w, uint64_t address)
{
	uint32_t low = 0, high = w->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (w->chains[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void enter_range(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end)
{
	struct walk *w = ctx;
	uint32_t i;

	for (i = first_from(w, start); i < w->n && w->chains[i].address < end; i++) {
		struct dwarf_chain *c = &w->chains[i];

		w->entered = true;
		if (w->function)
			c->n = 0; /* a function inside another one is no part of it */
		/* Twice the same: ranges that overlap. Without a function: nothing to be part of.
		 */
		if (c->n ? c->n == CHAIN_MAX || c->scope[c->n - 1].addr == die->addr : !w->function)
			continue;
		ARRAY_GROW(c->scope, c->n, c->cap);
		c->scope[c->n++] = *die;
	}
}

static bool enter_chain(struct walk *w, const struct dwarf_entry *e)
{
	w->entered = false;
	w->function = e->tag == DW_TAG_subprogram;
	each_range(w, e, enter_range, w);
	return w->entered;
}

static uint32_t find_chains(struct walk *w, Dwarf_Die *unit, const struct dwarf_image *image)
{
	uint32_t i, found = 0;

	for (i = 0; i < w->n; i++)
		w->chains[i].n = 0;
	if (begin(w, unit, image))
		walk_children(w);
	dwarf_tree_close(&w->tree);
	for (i = 0; i < w->n; i++)
		found += w->chains[i].n != 0;
	return found;
}

void dwarf_chains_find(Dwarf_Die *unit, const struct dwarf_image *image,
	const struct dwarf_split *split, struct dwarf_budget *b, struct dwarf_chain *chains,
	uint32_t n)
{
	struct walk w = {
		.budget = b, .enter = enter_chain, .split = split, .chains = chains, .n = n
	};

	if (find_chains(&w, unit, image) == n || b->spent)
		return;
	/* Fortran, Ada and others have functions inside functions. */
	w.inner_functions = true;
	find_chains(&w, unit, image);
}
