/*
 * How it works.
 *
 *	starts and ends of ranges, ends of edges ─► functions (locations_functions())
 *	functions in which a range begins ─► their instructions (locations_code()), all of them
 *	instructions, each with the sum of the ranges that it is in ─► lines (locations_stacks())
 *	edges to the entry of a function ─► heads, and targets of lines
 *
 * Code that ranges reach in other functions, as they fall through to the next one, counts where it
 * ran, and is not filled with zeros.
 */
#include "pipeline/sample_profile_make.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>

/* A function's range of code. */
struct code_range {
	uint64_t start, end;
	bool filled; /* a range of branches begins in its function */
};

struct entry {
	uint64_t address;
	str_id name;
};

struct counted {
	uint64_t address, count;
	uint32_t size_bytes;
};

struct query {
	uint64_t address;
	bool begins; /* a range begins there */
};

struct making {
	struct sample_profile *profile;
	struct locations *locations;
	struct strtab *strings;
	enum sample_discriminators how;
	struct branch_range *range; /* by start */
	uint32_t n_ranges;
	uint64_t *end;   /* of the ranges, sorted: */
	uint64_t *ended; /* the counts of those that end there or before, */
	uint64_t *begun; /* and of the first i ranges */
	struct branch_edge *edge;
	uint32_t n_edges;
	struct query *query; /* by address */
	uint32_t n_queries;
	struct code_range *code;
	uint32_t n_codes, cap_codes;
	struct entry *entry; /* by address, once sorted */
	uint32_t n_entries, cap_entries;
	struct counted *instruction;
	uint32_t n_instructions, cap_instructions;
	bool filled; /* of the code that is read */
};

/* ---- ranges --------------------------------------------------------------------------------- */

/* Samples as ranges, where there are no branches. */
static struct branch_range *ranges_of_samples(const struct branch_binary *b, uint32_t *n)
{
	struct branch_address *sample = branch_profile_addresses(b, n);
	struct branch_range *range = xcalloc((size_t)*n + 1, sizeof(*range));
	uint32_t i;

	for (i = 0; i < *n; i++)
		range[i] = (struct branch_range){
			.start = sample[i].address,
			.end = sample[i].address,
			.count = sample[i].count,
		};
	free(sample);
	return range;
}

static int compare_ends(const void *pa, const void *pb)
{
	const struct branch_range *a = pa, *b = pb;

	return a->end < b->end ? -1 : a->end > b->end;
}

/* Sums, by which ranges_at() finds a count without looking at each range. */
static void add_up_ranges(struct making *m)
{
	struct branch_range *by_end = xcalloc((size_t)m->n_ranges + 1, sizeof(*by_end));
	uint32_t i;

	m->end = xcalloc((size_t)m->n_ranges + 1, sizeof(*m->end));
	m->ended = xcalloc((size_t)m->n_ranges + 1, sizeof(*m->ended));
	m->begun = xcalloc((size_t)m->n_ranges + 1, sizeof(*m->begun));
	if (m->n_ranges)
		memcpy(by_end, m->range, m->n_ranges * sizeof(*by_end));
	sort_in_place(by_end, m->n_ranges, sizeof(*by_end), compare_ends);
	for (i = 0; i < m->n_ranges; i++) {
		m->end[i] = by_end[i].end;
		m->ended[i + 1] = m->ended[i] + by_end[i].count;
		m->begun[i + 1] = m->begun[i] + m->range[i].count;
	}
	free(by_end);
}

/* How often ran what is at the address: ranges that began there or before, without those that
 * ended before. */
static uint64_t ranges_at(const struct making *m, uint64_t address)
{
	uint32_t begun = bisect(i, 0u, m->n_ranges, m->range[i].start > address);
	uint32_t ended = bisect(i, 0u, m->n_ranges, m->end[i] >= address);

	return m->begun[begun] - m->ended[ended];
}

/* ---- functions ------------------------------------------------------------------------------ */

static int compare_queries(const void *pa, const void *pb)
{
	const struct query *a = pa, *b = pb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return b->begins - a->begins;
}

static void add_query(struct making *m, uint64_t address, bool begins)
{
	if (address != BRANCH_ELSEWHERE)
		m->query[m->n_queries++] = (struct query){ address, begins };
}

/* Each address once; one at which a range begins is known as that. */
static void make_queries(struct making *m)
{
	size_t most = 2 * (size_t)m->n_ranges + m->n_edges;
	uint32_t i, n = 0;

	m->query = xcalloc(most + 1, sizeof(*m->query));
	for (i = 0; i < m->n_ranges; i++) {
		add_query(m, m->range[i].start, true);
		add_query(m, m->range[i].end, false);
	}
	for (i = 0; i < m->n_edges; i++)
		add_query(m, m->edge[i].to, false);
	sort_in_place(m->query, m->n_queries, sizeof(*m->query), compare_queries);
	for (i = 0; i < m->n_queries; i++)
		if (!n || m->query[i].address != m->query[n - 1].address)
			m->query[n++] = m->query[i];
	m->n_queries = n;
}

/* The name by which a compiler asks for a function, without what its passes append to that. */
static str_id canonical(struct strtab *strings, str_id name)
{
	static const char *const suffixes[] = { ".llvm.", ".part." };
	struct span s = strtab_get(strings, name);
	size_t i, at;

	for (i = 0; i < ARRAY_LEN(suffixes); i++) {
		struct span suffix = span_of(suffixes[i]);

		/* The last dot of the name has to be that of the suffix. */
		for (at = s.n; at && s.p[at - 1] != '.';)
			at--;
		if (at >= suffix.n && span_ends((struct span){ s.p, at }, suffix))
			s.n = at - suffix.n;
	}
	return strtab_add(strings, s);
}

static void add_function(void *ctx, uint32_t which, const struct location_function *f)
{
	struct making *m = ctx;
	uint32_t i;

	/* Addresses of a function mostly come one after the other. */
	if (m->n_entries && m->entry[m->n_entries - 1].address == f->entry &&
		m->code[m->n_codes - 1].filled >= m->query[which].begins)
		return;
	ARRAY_GROW(m->entry, m->n_entries, m->cap_entries);
	m->entry[m->n_entries++] = (struct entry){ f->entry, canonical(m->strings, f->name) };
	for (i = 0; i < f->n_ranges; i++) {
		ARRAY_GROW(m->code, m->n_codes, m->cap_codes);
		m->code[m->n_codes++] = (struct code_range){ f->range[i].start, f->range[i].end,
			m->query[which].begins };
	}
}

static int compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

static int compare_code(const void *pa, const void *pb)
{
	const struct code_range *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return b->filled - a->filled;
}

/* Of equal ranges the filled one, if there is one. */
static void unite_code(struct making *m)
{
	uint32_t i, n = 0;

	sort_in_place(m->code, m->n_codes, sizeof(*m->code), compare_code);
	for (i = 0; i < m->n_codes; i++)
		if (!n || m->code[i].start >= m->code[n - 1].end)
			m->code[n++] = m->code[i];
	m->n_codes = n;
}

static void find_functions(struct making *m)
{
	uint64_t *address = NULL;
	uint32_t i;

	make_queries(m);
	address = xcalloc((size_t)m->n_queries + 1, sizeof(*address));
	for (i = 0; i < m->n_queries; i++)
		address[i] = m->query[i].address;
	locations_functions(m->locations, address, m->n_queries, add_function, m);
	free(address);
	sort_in_place(m->entry, m->n_entries, sizeof(*m->entry), compare_entries);
	unite_code(m);
}

/* The function that begins at the address; 0: none does. */
static str_id function_entered(const struct making *m, uint64_t address)
{
	uint32_t i = bisect(k, 0u, m->n_entries, m->entry[k].address >= address);

	return i < m->n_entries && m->entry[i].address == address ? m->entry[i].name : 0;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The part of a discriminator that begins with its lowest bit (DebugInfoMetadata.h,
 * getUnsignedFromPrefixEncoding()). */
static uint32_t part_of(uint32_t discriminator)
{
	uint32_t rest = discriminator >> 1;

	if (discriminator & 1)
		return 0;
	return rest & 0x20 ? (rest >> 1 & 0xfe0) | (rest & 0x1f) : rest & 0x1f;
}

static uint32_t next_part(uint32_t discriminator)
{
	if (discriminator & 1)
		return discriminator >> 1;
	return discriminator >> (discriminator & 0x40 ? 14 : 7);
}

static uint32_t base_discriminator(const struct making *m, uint32_t discriminator)
{
	return m->how == SAMPLE_DISCRIMINATORS_LLVM ? part_of(discriminator) : discriminator;
}

/* In how many copies a loop's body runs at once: each counts a part of the rounds. */
static uint32_t duplication(const struct making *m, uint32_t discriminator)
{
	uint32_t factor =
		m->how == SAMPLE_DISCRIMINATORS_LLVM ? part_of(next_part(discriminator)) : 1;

	return factor ? factor : 1;
}

static struct sample_place place_of(const struct making *m, const struct location *at)
{
	return (struct sample_place){ at->line, base_discriminator(m, at->discriminator) };
}

/* The function of the innermost location; all around it get the total. */
static uint32_t function_of(
	struct making *m, const struct location *stack, uint32_t n, uint64_t total)
{
	uint32_t i, f = sample_profile_root(m->profile, canonical(m->strings, stack->function));

	m->profile->function[f].total += total;
	for (i = 1; i < n; i++) {
		f = sample_profile_inlined(m->profile, f, place_of(m, &stack[i - 1]),
			canonical(m->strings, stack[i].function));
		m->profile->function[f].total += total;
	}
	return f;
}

static void count_instruction(void *ctx, uint32_t which, const struct location *stack, uint32_t n)
{
	struct making *m = ctx;
	const struct counted *c = &m->instruction[which];
	const struct location *leaf = &stack[n - 1];
	uint32_t f = function_of(m, stack, n, c->count * c->size_bytes);
	uint64_t count = c->count * duplication(m, leaf->discriminator);
	uint32_t line = sample_profile_line(m->profile, f, place_of(m, leaf));

	if (m->profile->line[line].count < count)
		m->profile->line[line].count = count;
}

static void add_instruction(void *ctx, uint64_t address, uint32_t size_bytes)
{
	struct making *m = ctx;
	uint64_t count = ranges_at(m, address);

	if (!count && !m->filled)
		return;
	ARRAY_GROW(m->instruction, m->n_instructions, m->cap_instructions);
	m->instruction[m->n_instructions++] = (struct counted){ address, count, size_bytes };
}

static int read_code(struct making *m, struct err *e)
{
	uint32_t i;
	int rc = OK;

	for (i = 0; i < m->n_codes && !rc; i++) {
		m->filled = m->code[i].filled;
		rc = locations_code(
			m->locations, m->code[i].start, m->code[i].end, add_instruction, m, e);
	}
	return rc;
}

static void count_lines(struct making *m)
{
	uint64_t *address;
	uint32_t i;

	address = xcalloc((size_t)m->n_instructions + 1, sizeof(*address));
	for (i = 0; i < m->n_instructions; i++)
		address[i] = m->instruction[i].address;
	locations_stacks(m->locations, address, m->n_instructions, count_instruction, m);
	free(address);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void count_call(void *ctx, uint32_t which, const struct location *stack, uint32_t n)
{
	struct making *m = ctx;
	const struct branch_edge *edge = &m->edge[which];
	uint32_t f = function_of(m, stack, n, 0);
	struct sample_place place = place_of(m, &stack[n - 1]);
	uint32_t target =
		sample_profile_target(m->profile, f, place, function_entered(m, edge->to));

	sample_profile_line(m->profile, f, place);
	m->profile->target[target].count += edge->count;
}

/* Leaves edges that are calls: from - to - count. */
static void count_calls(struct making *m)
{
	uint64_t *address = xcalloc((size_t)m->n_edges + 1, sizeof(*address));
	uint32_t i, n = 0;

	for (i = 0; i < m->n_edges; i++) {
		str_id name = function_entered(m, m->edge[i].to);
		uint32_t f;

		if (!name)
			continue;
		f = sample_profile_root(m->profile, name);
		m->profile->function[f].head += m->edge[i].count;
		if (m->edge[i].from == BRANCH_ELSEWHERE)
			continue;
		address[n] = m->edge[i].from;
		m->edge[n++] = m->edge[i];
	}
	locations_stacks(m->locations, address, n, count_call, m);
	free(address);
}

/* A line of a root ran at least as often as what it calls was called from it. */
static void raise_lines(struct sample_profile *p)
{
	uint32_t i, k, n;

	for (i = 0; i < p->n_lines; i++) {
		struct sample_line *line = &p->line[i];
		const struct sample_target *target = sample_profile_targets(p, line, &n);
		uint64_t sum = 0;

		if (p->function[line->function].parent != SAMPLE_NO_FUNCTION)
			continue;
		for (k = 0; k < n; k++)
			sum += target[k].count;
		if (line->count < sum)
			line->count = sum;
	}
}

static void release(struct making *m)
{
	free(m->range);
	free(m->end);
	free(m->ended);
	free(m->begun);
	free(m->edge);
	free(m->query);
	free(m->code);
	free(m->entry);
	free(m->instruction);
}

struct sample_profile *sample_profile_make(const struct branch_binary *b, struct locations *l,
	struct strtab *strings, enum sample_discriminators how, struct err *e)
{
	struct making m = { .locations = l, .strings = strings, .how = how };

	m.profile = sample_profile_new(strings);
	m.range = branch_profile_ranges(b, BRANCH_INTERRUPTED, &m.n_ranges);
	m.edge = branch_profile_edges(b, BRANCH_INTERRUPTED, &m.n_edges);
	if (!m.n_ranges && !m.n_edges) {
		free(m.range);
		m.range = ranges_of_samples(b, &m.n_ranges);
	}
	add_up_ranges(&m);
	find_functions(&m);
	if (read_code(&m, e)) {
		sample_profile_free(m.profile);
		m.profile = NULL;
	} else {
		count_lines(&m);
		count_calls(&m);
		sample_profile_sort(m.profile);
		raise_lines(m.profile);
	}
	release(&m);
	return m.profile;
}
