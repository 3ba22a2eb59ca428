/*
 * go_table.c - reading .gopclntab
 *
 * How it works. Functions are found by bisection. Whatever the table says is checked where it is
 * read: what is beyond a part counts as not there. Values are found by a walk from the start of
 * the function, as the runtime does it, or from a point of the last such walk (struct go_walk); all
 * walks together are bounded (steps_left).
 *
 * The line of an inlined call is that of the address which its entry names, looked up as that of
 * any other: the same tables say which call the address is in, and so on outwards.
 */
#include "files/go_program/go_table.h"

#include "base/bisect.h"
#include "base/mem.h"

enum {
	HEADER_BYTES = 8,
	TABLE_OF_CALLS = 2, /* PCDATA_InlTreeIndex */
	TREE = 3,           /* FUNCDATA_InlTree */
};
/* Longer names are attacks: a table without a NUL would be searched to its end for each. */
enum { STEPS_MAX = 1 << 28, NAME_MAX_BYTES = 64 << 10 };
enum { FIELDS_BYTES = 32, STRING_BYTES = 128 };

/* ---- header --------------------------------------------------------------------------------- */

static bool form_of(uint32_t magic, enum go_form *form)
{
	switch (magic) {
	case 0xfffffffa:
		*form = GO_1_16;
		return true;
	case 0xfffffff0:
		*form = GO_1_18;
		return true;
	case 0xfffffff1:
		*form = GO_1_20;
		return true;
	default:
		return false;
	}
}

bool go_table_begins(struct span bytes)
{
	const uint8_t *p = (const uint8_t *)bytes.p;
	enum go_form form;

	return bytes.n >= HEADER_BYTES && !p[4] && !p[5] && p[6] && p[6] <= 4 &&
	       (p[7] == 4 || p[7] == 8) &&
	       (form_of(bytes_u32(p, false), &form) || form_of(bytes_u32(p, true), &form));
}

uint64_t go_table_word(const struct go_table *g, struct cursor *c)
{
	return g->word_bytes == 8 ? cursor_u64(c) : cursor_u32(c);
}

static struct span part(const struct go_table *g, struct cursor *c, struct span all)
{
	uint64_t at = go_table_word(g, c);

	return at < all.n ? span_skip(all, at) : (struct span){ 0 };
}

/* An entry of the list of functions: two words, or two numbers of 4 bytes since 1.18. */
static unsigned entry_bytes(const struct go_table *g)
{
	return g->form == GO_1_16 ? g->word_bytes * 2u : 8;
}

static void need(const struct go_table *g, const void *p, size_t n)
{
	if (g->table_from)
		go_bytes_need(g->table_from, p, n);
	if (g->trees_from)
		go_bytes_need(g->trees_from, p, n);
}

/* For FIELDS_BYTES at most. */
static struct cursor cursor_at(const struct go_table *g, struct span s, uint64_t at)
{
	struct span rest = at < s.n ? span_skip(s, at) : (struct span){ 0 };

	need(g, rest.p, rest.n < FIELDS_BYTES ? rest.n : FIELDS_BYTES);
	return (struct cursor){
		.p = (const uint8_t *)rest.p, .left = rest.n, .swapped = g->swapped
	};
}

bool go_table_read(struct go_table *g, struct span bytes, bool swapped, uint64_t *text)
{
	struct cursor c = { .p = (const uint8_t *)bytes.p, .left = bytes.n, .swapped = swapped };
	const uint8_t *sizes;
	unsigned i;

	*g = (struct go_table){ .swapped = swapped, .steps_left = STEPS_MAX };
	if (!go_table_begins(bytes) || !form_of(cursor_u32(&c), &g->form))
		return false;
	sizes = cursor_bytes(&c, 4);
	g->instruction_bytes = sizes[2];
	g->word_bytes = sizes[3];
	g->n = go_table_word(g, &c);
	go_table_word(g, &c); /* how many files */
	*text = g->form == GO_1_16 ? 0 : go_table_word(g, &c);
	for (i = 0; i < GO_PARTS; i++)
		g->part[i] = part(g, &c, bytes);
	/* The end of the last one follows. */
	return !c.failed && g->n && g->n < g->part[GO_FUNCTIONS].n / entry_bytes(g);
}

/* ---- functions ------------------------------------------------------------------------------ */

static uint64_t start_of(const struct go_table *g, uint64_t i)
{
	struct cursor c = cursor_at(g, g->part[GO_FUNCTIONS], i * entry_bytes(g));

	return g->form == GO_1_16 ? go_table_word(g, &c) : g->text + cursor_u32(&c);
}

static struct span string_at(const struct go_table *g, struct span s, uint64_t at)
{
	struct span rest = at < s.n ? span_skip(s, at) : (struct span){ 0 };
	size_t left = rest.n < NAME_MAX_BYTES ? rest.n : NAME_MAX_BYTES, done, n;
	const char *end;

	for (done = 0; done < left; done += n) {
		n = left - done < STRING_BYTES ? left - done : STRING_BYTES;
		need(g, rest.p + done, n);
		end = memchr(rest.p + done, 0, n);
		if (end)
			return span_range(rest.p, end);
	}
	return (struct span){ 0 };
}

/* A number of 4 bytes in the record of a function, after its first address. */
static uint32_t field(const struct go_table *g, uint64_t record, unsigned number)
{
	unsigned first = g->form == GO_1_16 ? g->word_bytes : 4;
	struct cursor c = cursor_at(g, g->part[GO_FUNCTIONS], record + first + number * 4);

	return cursor_u32(&c);
}

enum { NAME = 0, STACK = 3, FILES = 4, LINES = 5, N_TABLES = 6, UNIT = 7, DECLARED_LINE = 8 };

bool go_table_get(const struct go_table *g, uint64_t i, struct go_function *f)
{
	struct cursor c =
		cursor_at(g, g->part[GO_FUNCTIONS], i * entry_bytes(g) + entry_bytes(g) / 2);

	f->start = start_of(g, i);
	f->end = start_of(g, i + 1);
	f->record = g->form == GO_1_16 ? go_table_word(g, &c) : cursor_u32(&c);
	if (f->record >= g->part[GO_FUNCTIONS].n)
		return false;
	f->name = string_at(g, g->part[GO_NAMES], field(g, f->record, NAME));
	return f->start < f->end && f->name.n;
}

bool go_table_find(const struct go_table *g, uint64_t address, struct go_function *f)
{
	uint64_t after = bisect(i, (uint64_t)0, g->n, start_of(g, i) > address);

	return after && go_table_get(g, after - 1, f) && address - f->start < f->end - f->start;
}

/* ---- values by address ---------------------------------------------------------------------- */

static int32_t zigzag(uint64_t v)
{
	return (int32_t)((uint32_t)(v >> 1) ^ (0 - (uint32_t)(v & 1)));
}

/* A value, and for which bytes of the function it holds. */
struct go_value {
	int32_t value; /* -1: none */
	uint64_t start, end;
};

/* Reads on in a table of values. Up to the result, pairs of numbers are there. */
static const uint8_t *need_more(const struct go_table *g, const struct cursor *c)
{
	enum { AHEAD_BYTES = 1024 };

	if (c->left <= AHEAD_BYTES) {
		need(g, c->p, c->left);
		return c->p + c->left;
	}
	need(g, c->p, AHEAD_BYTES);
	return c->p + (AHEAD_BYTES - FIELDS_BYTES);
}

/* The last point at or before an address; the start of the table if there is none. */
static struct go_point point_before(struct go_walk *w, uint32_t table, uint64_t at, uint64_t *pairs)
{
	uint32_t k;

	if (w && w->table != table) {
		w->table = table;
		w->n = 0;
		w->stride = 16;
	}
	k = w ? bisect(i, 0u, w->n, w->point[i].end > at) : 0;
	*pairs = k ? (uint64_t)k * w->stride : 0;
	return k ? w->point[k - 1] : (struct go_point){ .offset = table, .value = UINT32_MAX };
}

/* A point is kept after each stride; where there is no room for more, the stride doubles. */
static void keep_point(struct go_walk *w, const struct go_point *p, uint64_t pairs)
{
	uint32_t i;

	if (pairs != (uint64_t)(w->n + 1) * w->stride)
		return;
	if (w->n < ARRAY_LEN(w->point)) {
		w->point[w->n++] = *p;
		return;
	}
	w->n /= 2;
	w->stride *= 2;
	for (i = 0; i < w->n; i++)
		w->point[i] = w->point[2 * i + 1];
}

/* The value at that many bytes from the start of the function. w: NULL, or for tables of this kind.
 */
static struct go_value find_value(
	struct go_table *g, struct go_walk *w, uint32_t table, uint64_t at)
{
	uint64_t start, pairs, change;
	struct go_point p = point_before(w, table, at, &pairs);
	struct cursor c = cursor_at(g, g->part[GO_VALUES], p.offset);
	const uint8_t *there = c.p;

	while (table && g->steps_left && !c.failed) {
		g->steps_left--;
		if (c.p >= there)
			there = need_more(g, &c);
		change = cursor_uleb(&c);
		if (!change && pairs)
			break;
		p.value += (uint32_t)zigzag(change);
		start = p.end;
		if (__builtin_add_overflow(start, cursor_uleb(&c) * g->instruction_bytes, &p.end))
			break;
		if (at < p.end && !c.failed)
			return (struct go_value){ (int32_t)p.value, start, p.end };
		pairs++;
		if (w && !c.failed) {
			p.offset = (uint64_t)((const char *)c.p - g->part[GO_VALUES].p);
			keep_point(w, &p, pairs);
		}
	}
	return (struct go_value){ .value = -1 };
}

static int32_t value_at(struct go_table *g, struct go_walk *w, uint32_t table, uint64_t at)
{
	return find_value(g, w, table, at).value;
}

bool go_table_stack(
	struct go_table *g, const struct go_function *f, uint64_t address, struct go_stack *stack)
{
	struct go_value v = find_value(g, NULL, field(g, f->record, STACK), address - f->start);

	if (v.value < 0 || v.start > address - f->start || v.end > f->end - f->start)
		return false;
	*stack = (struct go_stack){ f->start + v.start, f->start + v.end, (uint32_t)v.value };
	return true;
}

/* Where the numbers of a record end: four bytes follow. */
static uint64_t end_of_numbers(const struct go_table *g, uint64_t record)
{
	unsigned first = g->form == GO_1_16 ? g->word_bytes : 4;

	return record + first + (g->form == GO_1_20 ? 9 : 8) * 4;
}

static uint8_t byte_at(const struct go_table *g, uint64_t at)
{
	struct cursor c = cursor_at(g, g->part[GO_FUNCTIONS], at);
	const uint8_t *p = cursor_bytes(&c, 1);

	return p ? *p : 0;
}

bool go_table_is_outermost(const struct go_table *g, const struct go_function *f)
{
	enum { TOP_FRAME = 1 }; /* funcFlag_TOPFRAME */

	return byte_at(g, end_of_numbers(g, f->record) + 1) & TOP_FRAME;
}

/* How many tables a record has of its own, how many trees and the like, and where the first is. */
static uint64_t tables_of(
	const struct go_table *g, uint64_t record, uint32_t *tables, uint32_t *data)
{
	uint64_t end = end_of_numbers(g, record) + 4;

	*tables = field(g, record, N_TABLES);
	*data = byte_at(g, end - 1);
	return end;
}

/* Which inlined call of the function's tree an address is in; -1: none. */
static int32_t call_at(struct go_table *g, const struct go_function *f, uint64_t at)
{
	uint32_t tables, data;
	uint64_t first = tables_of(g, f->record, &tables, &data);
	struct cursor c = cursor_at(g, g->part[GO_FUNCTIONS], first + TABLE_OF_CALLS * 4);

	if (tables <= TABLE_OF_CALLS)
		return -1;
	return value_at(g, g->walks ? &g->walks->calls : NULL, cursor_u32(&c), at);
}

uint64_t go_table_tree(const struct go_table *g, const struct go_function *f)
{
	uint32_t tables, data, offset;
	uint64_t at = tables_of(g, f->record, &tables, &data) + (uint64_t)tables * 4;
	struct cursor c;

	if (data <= TREE)
		return 0;
	if (g->form == GO_1_16) {
		/* They are pointers, where those can be. */
		at = (at + g->word_bytes - 1) / g->word_bytes * g->word_bytes;
		c = cursor_at(g, g->part[GO_FUNCTIONS], at + TREE * g->word_bytes);
		return go_table_word(g, &c);
	}
	c = cursor_at(g, g->part[GO_FUNCTIONS], at + TREE * 4);
	offset = cursor_u32(&c);
	return c.failed || offset == UINT32_MAX || !g->trees ? 0 : g->trees + offset;
}

/* ---- inlined calls -------------------------------------------------------------------------- */

struct inlined {
	uint32_t name;
	uint64_t parent; /* an address whose line is that of the call, from the start of f */
	uint32_t declared_line;
};

static bool inlined_at(
	const struct go_table *g, uint64_t tree, int32_t number, struct inlined *call)
{
	static const struct {
		uint8_t bytes, name;
	} layouts[] = { [GO_1_16] = { 20, 12 }, [GO_1_18] = { 20, 12 }, [GO_1_20] = { 16, 4 } };
	uint64_t at = (uint64_t)number * layouts[g->form].bytes + layouts[g->form].name;
	struct cursor c;

	if (number < 0 || !tree || tree - g->tree_address >= g->tree_bytes.n)
		return false;
	c = cursor_at(g, g->tree_bytes, tree - g->tree_address + at);
	call->name = cursor_u32(&c);
	call->parent = cursor_u32(&c);
	call->declared_line = g->form == GO_1_20 ? cursor_u32(&c) : 0;
	return !c.failed;
}

static void add_line(
	struct go_table *g, const struct go_function *f, uint64_t at, struct go_call *to)
{
	struct go_walks *w = g->walks;
	int32_t line = value_at(g, w ? &w->lines : NULL, field(g, f->record, LINES), at);
	int32_t file = value_at(g, w ? &w->files : NULL, field(g, f->record, FILES), at);
	struct cursor c;
	uint32_t name;

	if (line <= 0 || file < 0)
		return;
	c = cursor_at(
		g, g->part[GO_UNITS], ((uint64_t)field(g, f->record, UNIT) + (uint32_t)file) * 4);
	name = cursor_u32(&c);
	if (c.failed || name == UINT32_MAX)
		return;
	to->file = string_at(g, g->part[GO_FILES], name);
	to->line = to->file.n ? (uint32_t)line : 0;
}

uint32_t go_table_calls(struct go_table *g, const struct go_function *f, uint64_t address,
	bool lines, struct go_call call[GO_CALLS_MAX])
{
	uint64_t tree = go_table_tree(g, f), at = address - f->start;
	struct inlined inner;
	uint32_t n = 0;

	while (n + 1 < GO_CALLS_MAX && inlined_at(g, tree, call_at(g, f, at), &inner)) {
		call[n] = (struct go_call){ .name = string_at(g, g->part[GO_NAMES], inner.name),
			.declared_line = inner.declared_line };
		if (lines)
			add_line(g, f, at, &call[n]);
		n += call[n].name.n > 0;
		if (inner.parent >= f->end - f->start)
			break;
		at = inner.parent;
	}
	call[n] = (struct go_call){ .name = f->name,
		.declared_line = g->form == GO_1_20 ? field(g, f->record, DECLARED_LINE) : 0 };
	if (lines)
		add_line(g, f, at, &call[n]);
	return n + 1;
}
