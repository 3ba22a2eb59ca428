/*
 * How it works. Symbols are sorted by start, and of those that start together one is kept. Then
 * all addresses are cut into ranges, each of which belongs to one symbol or to none; a look-up is
 * a binary search among these.
 *
 *	symbols   outer [-----------------------)      inner [------)
 *	ranges    |outer     |inner  |outer     |none
 *
 * flatten() walks the symbols by start with a stack of those that are open: where one begins, its
 * range does; where it ends, the range of the one around it continues. So of n symbols there are
 * at most 2n ranges, and freezing costs a sort (radix, base/radix_sort.h) and two linear walks.
 *
 * Choosing among aliases is put off where only their names decide: perf's rules compare demangled
 * names, and demangling all aliases of a C++ program cost a quarter of its symbolization. These
 * aliases are kept in alias[], by start, and compared when somebody asks for that symbol.
 *
 * Source of the rules: choose_best_symbol() and symbols__fixup_end() in tools/perf/util/symbol.c.
 * Where perf is wrong (labels inside functions, types of symbols, old versions, entry points for
 * other ABIs) the rules here differ; with --compat perf they do not, and model/perf_tree.h
 * decides.
 */
#include "symbolize/symtab/symtab.h"

#include "base/radix_sort.h"
#include "base/mem.h"
#include "base/bisect.h"
#include "base/chars.h"
#include "model/perf_tree.h"

#include <stdlib.h>

/* From start until the next range: one symbol, or none. */
struct symtab_range {
	uint64_t start;
	uint32_t symbol;
};

void symtab_add(struct symtab *t, const struct symbol *s)
{
	if (t->n == SYMTAB_MAX)
		return;
	ARRAY_GROW(t->sym, t->n, t->cap);
	t->sym[t->n] = *s;
	t->sym[t->n].order = t->n;
	t->n++;
}

void symtab_reserve(struct symtab *t, uint32_t more)
{
	ARRAY_RESERVE(t->sym, (size_t)t->n + more, t->cap);
}

void symtab_hold(struct symtab *t, struct elf_file *ef)
{
	if (ef)
		t->held[t->n_held++] = ef;
}

void symtab_release(struct symtab *t)
{
	uint32_t i;

	for (i = 0; i < t->n_held; i++)
		elf_file_close(t->held[i]);
	perf_tree_free(t->tree);
	arena_release(&t->names);
	free(t->sym);
	free(t->alias);
	free(t->range);
	*t = (struct symtab){ .style = t->style };
}

/* By start; symbols that start together stay in the order in which they came. */
static void sort(struct symtab *t)
{
	struct radix_key *keys;
	uint32_t i;

	/* Lists of the kernel are already sorted. */
	for (i = 1; i < t->n && t->sym[i - 1].start <= t->sym[i].start; i++)
		;
	if (i >= t->n)
		return;
	keys = xreallocarray(NULL, t->n, sizeof(*keys));
	for (i = 0; i < t->n; i++)
		keys[i] = (struct radix_key){ t->sym[i].start, i };
	radix_sort(keys, t->n);
	radix_sort_arrange(keys, t->n, t->sym, sizeof(*t->sym));
	free(keys);
}

/* ---- the best of symbols that start together ------------------------------------------------ */

static unsigned leading_underscores(struct span name)
{
	unsigned n = 0;

	while (n < name.n && name.p[n] == '_')
		n++;
	return n;
}

/* Entry points that the kernel makes for other ABIs, beside the real one. */
static bool is_kernel_alias(struct span name)
{
	return span_starts(name, SPAN("SyS")) || span_starts(name, SPAN("compat_SyS"));
}

static bool is_foreign_entry(struct span name)
{
	return span_find(name, SPAN("__ia32_")) >= 0 || span_find(name, SPAN("compat_")) >= 0;
}

/* Criteria that perf does not have. 1: b is better, -1: a is, 0: they are equal. */
static int compare_kinds(const struct symtab *t, const struct symbol *a, const struct symbol *b)
{
	if ((a->type == STT_NOTYPE) != (b->type == STT_NOTYPE))
		return a->type == STT_NOTYPE ? 1 : -1;
	if (a->old_version != b->old_version)
		return a->old_version ? 1 : -1;
	if (t->style.kernel && is_foreign_entry(a->name) != is_foreign_entry(b->name))
		return is_foreign_entry(a->name) ? 1 : -1;
	return 0;
}

/* By the names as shown: fewer underscores, then the longer one. */
static bool has_better_name(const struct symtab *t, struct span a, struct span b)
{
	struct buf shown_a = { 0 }, shown_b = { 0 };
	unsigned under_a, under_b;
	bool better;

	demangle_put(&shown_a, a, &t->style);
	demangle_put(&shown_b, b, &t->style);
	under_a = leading_underscores(buf_span(&shown_a));
	under_b = leading_underscores(buf_span(&shown_b));
	if (under_a != under_b)
		better = under_b < under_a;
	else if (shown_a.n != shown_b.n)
		better = shown_b.n > shown_a.n;
	else
		better = is_kernel_alias(buf_span(&shown_a));
	buf_release(&shown_a);
	buf_release(&shown_b);
	return better;
}

/* All but the names. 1: b is better, -1: a is, 0: the names decide. */
static int compare_facts(const struct symtab *t, const struct symbol *a, const struct symbol *b)
{
	int kinds;

	if ((a->end == a->start) != (b->end == b->start))
		return a->end == a->start ? 1 : -1;
	kinds = t->style.compat_perf ? 0 : compare_kinds(t, a, b);
	if (kinds)
		return kinds;
	if ((a->bind == STB_WEAK) != (b->bind == STB_WEAK))
		return a->bind == STB_WEAK ? 1 : -1;
	if ((a->bind == STB_GLOBAL) != (b->bind == STB_GLOBAL))
		return b->bind == STB_GLOBAL ? 1 : -1;
	return 0;
}

static bool is_better(const struct symtab *t, const struct symbol *a, const struct symbol *b)
{
	int facts = compare_facts(t, a, b);

	if (facts)
		return facts > 0;
	return !span_eq(a->name, b->name) && has_better_name(t, a->name, b->name);
}

/* A name without the underscores and glibc's __GI_ before it. */
static struct span core_of(struct span name)
{
	if (span_starts(name, SPAN("__GI_")))
		name = span_skip(name, strlen("__GI_"));
	return span_skip(name, leading_underscores(name));
}

/* A constructor or destructor of C++ and its twin for base classes: _ZN1AC1Ev and _ZN1AC2Ev. */
static bool are_twins(struct span a, struct span b)
{
	size_t i = 0;

	if (a.n != b.n || !span_starts(a, SPAN("_Z")))
		return false;
	while (i < a.n && a.p[i] == b.p[i])
		i++;
	return i < a.n && (a.p[i - 1] == 'C' || a.p[i - 1] == 'D') && char_is_digit(a.p[i]) &&
	       char_is_digit(b.p[i]) && span_eq(span_skip(a, i + 1), span_skip(b, i + 1));
}

static bool has_version(struct span name)
{
	return name.n > 1 && memchr(name.p + 1, '@', name.n - 1);
}

bool symtab_are_related(struct span a, struct span b)
{
	if (are_twins(a, b))
		return true;
	if (!span_starts(a, SPAN("_Z")) && (has_version(a) || has_version(b)))
		return true;
	a = core_of(a);
	b = core_of(b);
	return a.n > b.n ? span_find(a, b) >= 0 : span_find(b, a) >= 0;
}

/* ---- aliases between which only the names decide -------------------------------------------- */

static void push_alias(struct symtab *t, const struct symbol *s)
{
	ARRAY_GROW(t->alias, t->n_aliases, t->cap_aliases);
	t->alias[t->n_aliases++] = *s;
}

static bool has_aliases(const struct symtab *t, uint64_t start)
{
	return t->n_aliases && t->alias[t->n_aliases - 1].start == start;
}

static void drop_aliases(struct symtab *t, uint64_t start)
{
	while (has_aliases(t, start))
		t->n_aliases--;
}

static void add_alias(struct symtab *t, const struct symbol *first, const struct symbol *s)
{
	if (!has_aliases(t, s->start))
		push_alias(t, first);
	if (!span_eq(t->alias[t->n_aliases - 1].name, s->name))
		push_alias(t, s);
}

/* The first alias that starts at the address or after it. */
static uint32_t first_alias(const struct symtab *t, uint64_t start)
{
	return bisect(i, 0, t->n_aliases, t->alias[i].start >= start);
}

static struct symbol best_alias(const struct symtab *t, const struct symbol *any)
{
	uint32_t i = first_alias(t, any->start);
	struct symbol best = *any;

	if (i == t->n_aliases || t->alias[i].start != any->start)
		return best;
	for (best = t->alias[i++]; i < t->n_aliases && t->alias[i].start == any->start; i++)
		if (is_better(t, &best, &t->alias[i]))
			best = t->alias[i];
	best.end = any->end;
	return best;
}

struct symbol symtab_get(const struct symtab *t, uint32_t i)
{
	return best_alias(t, &t->sym[i]);
}

static void choose_between(struct symtab *t, struct symbol *last, const struct symbol *s)
{
	int facts = compare_facts(t, last, s);
	bool is_code = s->type == STT_FUNC;

	if (!facts && is_code == (last->type == STT_FUNC)) {
		add_alias(t, last, s);
		return;
	}
	/* drop_inner_labels() needs to know which one is best. */
	if (!facts)
		*last = best_alias(t, last);
	if (facts >= 0)
		drop_aliases(t, s->start);
	if (facts > 0 || (!facts && is_better(t, last, s)))
		*last = *s;
}

/* Keeps the best of the symbols that start together, with the largest of their sizes, so that no
 * code of either is lost. Where only names decide, all are kept in alias[] until one is asked for.
 */
static void choose(struct symtab *t)
{
	uint32_t i, kept = 0;

	for (i = 0; i < t->n; i++) {
		struct symbol *last = kept ? &t->sym[kept - 1] : NULL;
		const struct symbol *s = &t->sym[i];
		uint64_t end;
		bool shared;

		if (!last || last->start != s->start) {
			t->sym[kept++] = *s;
			continue;
		}
		end = last->end > s->end ? last->end : s->end;
		shared = last->shared || (s->type != STT_NOTYPE && last->type != STT_NOTYPE &&
						 !symtab_are_related(last->name, s->name));
		choose_between(t, last, s);
		last->end = end;
		last->shared = shared;
	}
	t->n = kept;
}

/* ---- symbols of size zero ----------------------------------------------------------------- */

/* Where the next symbol starts; for the last one, as perf has it. */
static uint64_t next_start(const struct symtab *t, uint32_t i)
{
	return i + 1 < t->n ? t->sym[i + 1].start : perf_tree_page_after(t->sym[i].start);
}

static void extend(struct symtab *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		struct symbol *s = &t->sym[i];

		s->unsized = s->end == s->start;
		if (!s->unsized)
			continue;
		s->end = i + 1 < t->n || !s->limit ? next_start(t, i) : s->limit;
		if (s->limit && s->limit < s->end)
			s->end = s->limit;
	}
}

/* Labels inside a function of known size (assembly written by hand) are not worth a frame of their
 * own. perf lets them hide the rest of the function. */
static void drop_inner_labels(struct symtab *t)
{
	uint64_t function_end = 0;
	uint32_t i, kept = 0;

	for (i = 0; i < t->n; i++) {
		const struct symbol *s = &t->sym[i];

		if (s->end == s->start && s->start < function_end)
			continue;
		if (s->type == STT_FUNC && s->end > function_end)
			function_end = s->end;
		t->sym[kept++] = *s;
	}
	t->n = kept;
}

/* ---- ranges --------------------------------------------------------------------------------- */

static void put_range(struct symtab *t, uint64_t start, uint32_t symbol)
{
	struct symtab_range *last = t->n_ranges ? &t->range[t->n_ranges - 1] : NULL;

	if (last && last->start == start)
		last->symbol = symbol;
	else if (last ? last->symbol != symbol : symbol != SYMTAB_NONE)
		t->range[t->n_ranges++] = (struct symtab_range){ start, symbol };
}

/* Symbols that end at limit or before it give way to those around them. Returns the new height. */
static uint32_t close_until(struct symtab *t, uint32_t *open, uint32_t height, uint64_t limit)
{
	while (height && t->sym[open[height - 1]].end <= limit) {
		uint64_t end = t->sym[open[--height]].end;

		/* One around it may have ended earlier: they overlap, and are not nested. */
		while (height && t->sym[open[height - 1]].end <= end)
			height--;
		put_range(t, end, height ? open[height - 1] : SYMTAB_NONE);
	}
	return height;
}

/* Cut the addresses into ranges: of all symbols that hold an address, the one that starts last is
 * the innermost. At most two ranges for each symbol: where it begins and where it ends. */
static void flatten(struct symtab *t)
{
	uint32_t *open = xreallocarray(NULL, t->n, sizeof(*open));
	uint32_t height = 0, i;

	t->range = xreallocarray(NULL, (size_t)t->n * 2 + 1, sizeof(*t->range));
	for (i = 0; i < t->n; i++) {
		if (t->sym[i].end <= t->sym[i].start)
			continue;
		height = close_until(t, open, height, t->sym[i].start);
		open[height++] = i;
		put_range(t, t->sym[i].start, i);
	}
	close_until(t, open, height, UINT64_MAX);
	free(open);
}

/* ---- the order of perf ---------------------------------------------------------------------- */

static void insert_new(struct symtab *t)
{
	uint32_t i;

	if (!t->tree)
		t->tree = perf_tree_new();
	for (i = perf_tree_count(t->tree); i < t->n; i++)
		perf_tree_insert(t->tree, t->sym[i].start, t->sym[i].end);
}

static bool is_better_number(const void *ctx, uint32_t a, uint32_t b)
{
	const struct symtab *t = ctx;

	return is_better(t, &t->sym[a], &t->sym[b]);
}

void symtab_fixup(struct symtab *t)
{
	uint32_t i;

	if (!t->style.compat_perf)
		return;
	insert_new(t);
	perf_tree_fixup_end(t->tree);
	for (i = 0; i < t->n; i++)
		t->sym[i].end = perf_tree_end(t->tree, i);
	perf_tree_fixup_duplicate(t->tree, is_better_number, t);
}

void symtab_freeze(struct symtab *t)
{
	if (t->style.compat_perf) {
		insert_new(t);
		return;
	}
	sort(t);
	choose(t);
	drop_inner_labels(t);
	extend(t);
	flatten(t);
}

uint32_t symtab_find(const struct symtab *t, uint64_t address)
{
	uint32_t after, symbol;

	if (t->style.compat_perf) {
		int64_t found = t->tree ? perf_tree_find(t->tree, address) : PERF_TREE_NONE;

		return found == PERF_TREE_NONE ? SYMTAB_NONE : (uint32_t)found;
	}
	after = bisect(i, 0, t->n_ranges, t->range[i].start > address);
	symbol = after ? t->range[after - 1].symbol : SYMTAB_NONE;
	return symbol == SYMTAB_NONE || t->sym[symbol].hole ? SYMTAB_NONE : symbol;
}
