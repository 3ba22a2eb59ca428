/*
 * How it works. One walk over the entries of a unit (dwarf_tree.h) finds the chains of all its
 * addresses. Entered are namespaces, blocks, functions that hold one of the addresses, and types
 * where the language has function bodies in them; all else is skipped. For each function or
 * inlined function with code, each of its ranges is looked up among the sorted addresses:
 *
 *	subprogram main        [100, 200)    ─► chain of 150: main
 *	  inlined step         [140, 160)    ─► chain of 150: main, step
 *	    inlined square     [148, 152)    ─► chain of 150: main, step, square
 *
 * Entries come from our own reader, DIEs and complicated ranges from libdw: the entry's offset
 * makes the DIE (dwarf_tree_die_at()).
 *
 * A first walk does not enter functions that hold no address. Only if an address was not found
 * there is a second one that does, for languages with functions inside functions (Fortran, Ada,
 * Pascal).
 *
 * Bounds: DEPTH_MAX entries deep, CHAIN_MAX functions at an address, the budget's time.
 */
#include "symbolize/dwarf/dwarf_walk.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "symbolize/dwarf/dwarf_split.h"
#include "symbolize/dwarf/dwarf_tree.h"

/* DEPTH_MAX: in optimised Rust, blocks and inlined functions nest to more than 100. */
enum { DEPTH_MAX = 400, CHAIN_MAX = 200 };

struct dwarf_walk {
	struct dwarf_tree tree;
	const struct dwarf_image *image;
	struct dwarf_entry root;
	uint64_t offset; /* of the unit's header */
	Dwarf_Die *unit; /* NULL: libdw has not read it */
	Dwarf *dwarf;
	struct dwarf_budget *budget;
	unsigned depth;
	/* Search for functions in types, which have members in Rust, and inside functions that hold
	 * no address. */
	bool types, inner_functions;
	/* Called for every function that has code; true: enter it. */
	bool (*enter)(struct dwarf_walk *w, const struct dwarf_entry *e);
	dwarf_range_fn fn;
	void *ctx;
	const struct dwarf_split *split;
	struct dwarf_chain *chains;
	uint32_t n;
	bool function; /* not inlined */
	bool entered;
};

static bool begin(struct dwarf_walk *w, const struct dwarf_image *image, uint64_t offset)
{
	w->image = image;
	w->offset = offset;
	return dwarf_tree_open_unit(&w->tree, image, offset, &w->root, w->budget);
}

/* The libdw DIE of an entry. */
static bool find_die(const struct dwarf_walk *w, const struct dwarf_entry *e, Dwarf_Die *die)
{
	if (!w->unit)
		return dwarf_offdie(w->dwarf, w->offset + e->offset, die);
	*die = dwarf_tree_die_at(w->unit, w->root.offset, e->offset);
	return true;
}

static void each_range(
	const struct dwarf_walk *w, const struct dwarf_entry *e, dwarf_range_fn fn, void *ctx)
{
	bool listed = e->code == DWARF_LIST, plain = e->code == DWARF_LOW_HIGH;
	uint64_t end = e->low + e->size_bytes;
	Dwarf_Die die = { 0 };

	if ((w->unit || !(plain || (listed && w->root.has_low))) && !find_die(w, e, &die))
		return;
	if (plain && !dwarf_range_is_dropped(e->low, end))
		fn(ctx, &die, e->low, end);
	if (plain)
		return;
	if (w->split && (listed || dwarf_hasattr(&die, DW_AT_ranges)))
		dwarf_split_ranges(w->split, &die, w->budget, fn, ctx);
	else if (listed && w->root.has_low)
		dwarf_range_list_each(dwarf_tree_list(&w->tree, w->image, e, w->root.low), &die,
			w->budget, fn, ctx);
	else
		dwarf_range_each(&die, w->budget, fn, ctx);
}

static void walk_children(struct dwarf_walk *w);

static void visit(struct dwarf_walk *w, const struct dwarf_entry *e)
{
	bool inside = true;

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

/* Up to the end of the list of children. clang defines functions inside their namespace. */
static void walk_children(struct dwarf_walk *w)
{
	unsigned roles = DWARF_FUNCTION | DWARF_SCOPE | (w->types ? DWARF_TYPE : 0) |
			 (w->inner_functions ? DWARF_DECLARATION : 0);
	struct dwarf_entry e;

	while (dwarf_budget_step(w->budget) && dwarf_tree_find(&w->tree, roles, &e))
		visit(w, &e);
}

static bool enter_function(struct dwarf_walk *w, const struct dwarf_entry *e)
{
	if (e->tag == DW_TAG_subprogram)
		each_range(w, e, w->fn, w->ctx);
	return false;
}

void dwarf_walk_functions(Dwarf *dwarf, const struct dwarf_image *image, uint64_t offset,
	struct dwarf_budget *b, dwarf_range_fn fn, void *ctx)
{
	struct dwarf_walk w = {
		.dwarf = dwarf,
		.budget = b,
		.types = true,
		.enter = enter_function,
		.fn = fn,
		.ctx = ctx,
	};

	if (begin(&w, image, offset))
		walk_children(&w);
	dwarf_tree_close(&w.tree);
}

static uint32_t first_from(const struct dwarf_walk *w, uint64_t address)
{
	return bisect(i, 0, w->n, w->chains[i].address >= address);
}

static void enter_range(void *ctx, Dwarf_Die *die, uint64_t start, uint64_t end)
{
	struct dwarf_walk *w = ctx;
	uint32_t i;

	for (i = first_from(w, start); i < w->n && w->chains[i].address < end; i++) {
		struct dwarf_chain *c = &w->chains[i];

		w->entered = true;
		if (w->function)
			c->n = 0; /* a function inside another one is not part of it */
		/* The same DIE twice has overlapping ranges; inlined code outside a function is
		 * damage. */
		if (c->n ? c->n == CHAIN_MAX || c->scope[c->n - 1].addr == die->addr : !w->function)
			continue;
		ARRAY_GROW(c->scope, c->n, c->cap);
		c->scope[c->n++] = *die;
	}
}

static bool enter_chain(struct dwarf_walk *w, const struct dwarf_entry *e)
{
	w->entered = false;
	w->function = e->tag == DW_TAG_subprogram;
	each_range(w, e, enter_range, w);
	return w->entered;
}

static uint32_t find_chains(struct dwarf_walk *w, const struct dwarf_image *image)
{
	uint64_t root = dwarf_cuoffset(w->unit);
	uint32_t i, found = 0;

	for (i = 0; i < w->n; i++)
		w->chains[i].n = 0;
	if (begin(w, image, dwarf_dieoffset(w->unit) - root) && w->root.offset == root)
		walk_children(w);
	dwarf_tree_close(&w->tree);
	for (i = 0; i < w->n; i++)
		found += w->chains[i].n != 0;
	return found;
}

/* In C and C++ a type has declarations of its functions only, and definitions are beside it. Types
 * are most of a C++ unit. */
static bool types_have_code(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return false;
	}
	return true;
}

void dwarf_walk_chains(Dwarf_Die *unit, const struct dwarf_image *image,
	const struct dwarf_split *split, struct dwarf_budget *b, struct dwarf_chain *chains,
	uint32_t n)
{
	struct dwarf_walk w = {
		.unit = unit,
		.budget = b,
		.types = types_have_code(unit),
		.enter = enter_chain,
		.split = split,
		.chains = chains,
		.n = n,
	};

	if (find_chains(&w, image) == n || b->spent)
		return;
	/* Fortran, Ada and others have functions inside functions. */
	w.inner_functions = true;
	find_chains(&w, image);
}
