/*
 * The traces of a recording, which name places by module and offset, become rows of binaries, by
 * the addresses of their ELF files. Only headers and symbols of each file are read: segments turn
 * offsets into addresses, symbols (or .eh_frame) say whether a branch came from another function.
 *
 *	trace {a+10 -> b+20, range to b+30}	row of a: {10 -> elsewhere}
 *						row of b: {elsewhere -> 20, range to 30}
 *
 * Traces are sorted by where they end, so that the function of the last one is that of the next,
 * as a rule. A file that is not here, or is not the recorded one, has no rows: without its segments
 * offsets are no addresses.
 */
#include "symbolize/symbolize.h"

#include "base/mem.h"
#include "model/branch_profile.h"

#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

struct branch_conversion {
	struct recording *r;
	struct symbolize_lookup *lookup;
	struct branch_profile *to;
	uint32_t *binary; /* by module_id: its number + 1; 0: it is none */
	struct last_bounds {
		module_id module;
		struct symbolize_bounds bounds;
	} last_from, last_to;
};

static bool is_binary(const struct module *m)
{
	return m->kind == MODULE_FILE || m->kind == MODULE_KERNEL;
}

/* A kernel's addresses are those of its file only if that is known: KASLR moves it. */
static uint64_t first_code(const struct branch_conversion *c, module_id id)
{
	uint64_t shift;

	if (modules_get(c->r->modules, id)->kind == MODULE_KERNEL &&
		!symbolize_lookup_has_vmlinux(c->lookup, id, &shift))
		return 0;
	return symbolize_lookup_first_code(c->lookup, id);
}

static void find_binary(struct branch_conversion *c, module_id id, size_t number)
{
	const struct module *m = modules_get(c->r->modules, id);
	uint64_t first = first_code(c, id);
	struct branch_binary *b = branch_profile_binary(c->to, m, number, id);

	c->binary[id] = (uint32_t)(b - c->to->binary) + 1;
	if (b->why == BRANCH_FOUND || !first)
		return;
	b->why = BRANCH_FOUND;
	b->recording = number;
	b->module = id;
	b->text_base = first & ~(uint64_t)(PAGE_BYTES - 1);
}

static void find_binaries(struct branch_conversion *c, size_t number)
{
	const struct branch_traces *t = c->r->branches;
	uint32_t i;

	c->binary = xcalloc((size_t)modules_count(c->r->modules) + 1, sizeof(*c->binary));
	for (i = 0; i < t->n; i++) {
		module_id id = t->row[i].to_module;

		if (id && !c->binary[id] && is_binary(modules_get(c->r->modules, id)))
			find_binary(c, id, number);
	}
}

/* The function of a place; the last one's is that of many that follow. Zeroed: not known. */
static struct symbolize_bounds bounds_of(
	struct branch_conversion *c, struct last_bounds *last, module_id module, uint64_t rel)
{
	if (last->module == module && rel >= last->bounds.start && rel < last->bounds.end)
		return last->bounds;
	last->module = module;
	last->bounds = symbolize_lookup_bounds(c->lookup, module, rel);
	return last->bounds;
}

/* Is `from` known to be in another function than that of `to`? */
static bool is_outside(const struct branch_trace *t, struct symbolize_bounds to)
{
	return t->from_module != t->to_module ||
	       (to.end && (t->from < to.start || t->from >= to.end));
}

static bool is_kernel(const struct branch_conversion *c, module_id id)
{
	uint8_t kind = id ? modules_get(c->r->modules, id)->kind : MODULE_NONE;

	return kind == MODULE_KERNEL || kind == MODULE_KMOD || kind == MODULE_BPF;
}

static struct branch_binary *binary_of(const struct branch_conversion *c, module_id id)
{
	return id && c->binary[id] ? &c->to->binary[c->binary[id] - 1] : NULL;
}

static struct branch_binary *found(struct branch_binary *b)
{
	return b && b->why == BRANCH_FOUND ? b : NULL;
}

static void add_to(struct branch_conversion *c, const struct branch_trace *t)
{
	struct branch_binary *any = binary_of(c, t->to_module), *b = found(any);
	struct symbolize_bounds to;
	struct branch_row row = { .next = BRANCH_NO_NEXT,
		.count = t->count,
		.mispredicted = t->mispredicted,
		.reading = t->reading };

	if (any && t->reading != BRANCH_RESUMED)
		*(t->reading == BRANCH_SAMPLE ? &any->samples : &any->entries) += t->count;
	if (!b)
		return;
	to = bounds_of(c, &c->last_to, t->to_module, t->to);
	row.to = symbolize_lookup_address(c->lookup, t->to_module, t->to);
	row.to_stub = to.stub;
	row.entered = is_outside(t, to);
	if (t->from_module == t->to_module) {
		row.from = symbolize_lookup_address(c->lookup, t->from_module, t->from);
		row.from_stub = bounds_of(c, &c->last_from, t->from_module, t->from).stub;
	}
	if (t->next != BRANCH_NO_NEXT)
		row.next = symbolize_lookup_address(c->lookup, t->to_module, t->next);
	if (row.next == BRANCH_ELSEWHERE)
		row.next = BRANCH_NO_NEXT;
	if (row.to != BRANCH_ELSEWHERE)
		branch_profile_add_row(b, &row);
}

/* Those that leave a binary. */
static void add_from(struct branch_conversion *c, const struct branch_trace *t)
{
	struct branch_binary *b = found(binary_of(c, t->from_module));
	struct branch_row row = { .next = BRANCH_NO_NEXT,
		.count = t->count,
		.mispredicted = t->mispredicted,
		.reading = t->reading,
		.to_kernel = is_kernel(c, t->to_module) };

	if (!b || t->from_module == t->to_module)
		return;
	row.from = symbolize_lookup_address(c->lookup, t->from_module, t->from);
	row.from_stub = bounds_of(c, &c->last_from, t->from_module, t->from).stub;
	if (row.from != BRANCH_ELSEWHERE)
		branch_profile_add_row(b, &row);
}

void symbolize_branches(struct recording *r, size_t number, const struct symbolize_opts *o,
	struct branch_profile *to)
{
	struct branch_conversion c = { .r = r, .to = to };
	uint32_t i;

	if (!r->branches)
		return;
	branch_traces_add_totals(&to->totals, &r->branches->totals);
	c.lookup = symbolize_lookup_new(r, o);
	find_binaries(&c, number);
	for (i = 0; i < r->branches->n; i++) {
		add_to(&c, &r->branches->row[i]);
		add_from(&c, &r->branches->row[i]);
	}
	symbolize_lookup_free(c.lookup);
	free(c.binary);
}
