#include "symbolize/dwarf/dwarf_scopes.h"

#include "symbolize/dwarf/dwarf_tree.h"

enum { DEPTH_MAX = 64 };

struct scope_search {
	struct dwarf_tree tree;
	struct dwarf_budget *budget;
	Dwarf_Die *entry; /* what is looked for */
	uint32_t n, at;
	uint64_t wanted;       /* offset of entry[at] in the unit */
	uint64_t entry_offset; /* of the first entry in the unit */
	Dwarf_Die scope[DEPTH_MAX];
	uint32_t depth;
	dwarf_scopes_fn fn;
	void *ctx;
};

static void want_next(struct scope_search *s)
{
	if (++s->at < s->n)
		s->wanted = dwarf_cuoffset(&s->entry[s->at]);
}

static bool may_hold_wanted(const struct scope_search *s, const struct dwarf_entry *e)
{
	return e->has_children && s->depth < DEPTH_MAX && (!e->sibling || s->wanted < e->sibling);
}

static void search_children(struct scope_search *s);

static void visit(struct scope_search *s, const struct dwarf_entry *e)
{
	while (s->at < s->n && s->wanted < e->offset)
		want_next(s);
	while (s->at < s->n && s->wanted == e->offset) {
		s->fn(s->ctx, s->at, s->scope, s->depth);
		want_next(s);
	}
	if (s->at == s->n)
		return;
	if (!may_hold_wanted(s, e)) {
		dwarf_tree_skip(&s->tree, e);
		return;
	}
	s->scope[s->depth++] = dwarf_tree_die_at(s->entry, s->entry_offset, e->offset);
	search_children(s);
	s->depth--;
}

/* Up to the end of the list of children, or the last wanted entry. */
static void search_children(struct scope_search *s)
{
	struct dwarf_entry e;

	while (s->at < s->n && dwarf_budget_step(s->budget) && dwarf_tree_next(&s->tree, &e) &&
		e.tag)
		visit(s, &e);
}

void dwarf_scopes_find(const struct dwarf_image *image, Dwarf_Die *entry, uint32_t n,
	struct dwarf_budget *b, dwarf_scopes_fn fn, void *ctx)
{
	uint64_t first = dwarf_cuoffset(entry);
	struct scope_search s = { .budget = b,
		.entry = entry,
		.n = n,
		.wanted = first,
		.entry_offset = first,
		.fn = fn,
		.ctx = ctx };
	struct dwarf_entry root;

	if (dwarf_tree_open_unit(&s.tree, image, dwarf_dieoffset(entry) - first, &root, b))
		search_children(&s);
	dwarf_tree_close(&s.tree);
}
