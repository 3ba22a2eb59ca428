#include "jit/codemap.h"

#include "base/mem.h"
#include "jit/jitdump.h"
#include "model/codename.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_MERGE = 64 * 1024 };

struct codemap *codemap_new(struct frames *frames, int32_t pid, bool compat_perf)
{
	struct codemap *m = xcalloc(1, sizeof(*m));
	char module[64];

	snprintf(module, sizeof(module), "/tmp/perf-%d.map", pid);
	m->frames = frames;
	m->module = strtab_add_str(frames_strings(frames), module);
	if (compat_perf)
		m->tree = perf_tree_new();
	return m;
}

void codemap_free(struct codemap *m)
{
	if (!m)
		return;
	perf_tree_free(m->tree);
	free(m->live.at);
	free(m->added.at);
	code_log_release(&m->log);
	if (m->has_dump)
		file_close(&m->dump);
	layers_release(&m->layers);
	bytecodes_release(&m->bytecodes);
	buf_release(&m->text);
	free(m);
}

struct codemap *codemap_new_of_dump(struct frames *frames, struct span module)
{
	struct codemap *m = xcalloc(1, sizeof(*m));

	m->frames = frames;
	m->module = strtab_add(frames_strings(frames), module);
	return m;
}

struct codemap_facts codemap_facts(const struct codemap *m)
{
	struct codemap_facts f = m->facts;

	f.ranges = m->tree ? m->added.n : m->live.n;
	f.ranges += m->log.n_placements;
	return f;
}

/* ------------------------------------------------------------------ merging */

static struct code_range *push(struct code_ranges *l, struct code_range r)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n] = r;
	return &l->at[l->n++];
}

static int compare_starts(const struct code_range *a, const struct code_range *b)
{
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static int compare_entries(const void *a, const void *b)
{
	return compare_starts(a, b);
}

/* Runtimes hand out addresses from low to high: often there is nothing to do. */
static void sort_by_start(struct code_ranges *l)
{
	size_t i;

	for (i = 1; i < l->n; i++) {
		if (compare_starts(&l->at[i - 1], &l->at[i]) > 0) {
			qsort(l->at, l->n, sizeof(*l->at), compare_entries);
			return;
		}
	}
}

/* The sweep goes up the addresses. Entries that cover the present one lie in a heap, the newest
 * on top; those that have ended stay in it until they come up. */
struct sweep {
	const struct code_ranges *a, *b; /* both in order of start */
	size_t next_a, next_b;
	struct code_ranges heap;
	struct code_ranges out;
	uint64_t address;
	struct span text; /* of all names */
};

static const struct code_range *next_entry(const struct sweep *s)
{
	const struct code_range *a = s->next_a < s->a->n ? &s->a->at[s->next_a] : NULL;
	const struct code_range *b = s->next_b < s->b->n ? &s->b->at[s->next_b] : NULL;

	if (!a || !b)
		return a ? a : b;
	return compare_starts(a, b) < 0 ? a : b;
}

static void take_entry(struct sweep *s, const struct code_range *r)
{
	if (s->next_a < s->a->n && r == &s->a->at[s->next_a])
		s->next_a++;
	else
		s->next_b++;
}

static void swap_ranges(struct code_range *a, struct code_range *b)
{
	struct code_range t = *a;

	*a = *b;
	*b = t;
}

static void heap_push(struct code_ranges *h, const struct code_range *r)
{
	size_t i;

	push(h, *r);
	for (i = h->n - 1; i && h->at[i].name > h->at[(i - 1) / 2].name; i = (i - 1) / 2)
		swap_ranges(&h->at[i], &h->at[(i - 1) / 2]);
}

static void heap_pop(struct code_ranges *h)
{
	size_t i = 0, child;

	h->at[0] = h->at[--h->n];
	while ((child = 2 * i + 1) < h->n) {
		if (child + 1 < h->n && h->at[child + 1].name > h->at[child].name)
			child++;
		if (h->at[i].name >= h->at[child].name)
			break;
		swap_ranges(&h->at[i], &h->at[child]);
		i = child;
	}
}

static bool same_function(
	const struct sweep *s, const struct code_range *a, const struct code_range *b)
{
	return a->name == b->name ||
	       v8_same_function((struct span){ s->text.p + a->name, a->name_size },
		       (struct span){ s->text.p + b->name, b->name_size });
}

enum { LAYERS_MAX = 64 }; /* code over code that a runtime can have; a bound for hostile maps */

/* Did another function lie at the present address too? Asks for a piece before *end, and brings
 * that to where the answer may change. */
static bool covers_another(const struct sweep *s, uint64_t *end)
{
	const struct code_ranges *h = &s->heap;
	bool another = h->at[0].of_several;
	size_t i;

	for (i = 1; i < h->n && i < LAYERS_MAX; i++) {
		if (h->at[i].end <= s->address)
			continue;
		if (h->at[i].end < *end)
			*end = h->at[i].end;
		another |= h->at[i].of_several || !same_function(s, &h->at[0], &h->at[i]);
	}
	return another;
}

/* The entry on top holds from the present address until it ends or the next entry starts. */
static void emit_top(struct sweep *s, const struct code_range *next)
{
	struct code_range r = s->heap.at[0], *last = s->out.n ? &s->out.at[s->out.n - 1] : NULL;

	r.start = s->address;
	if (next && next->start < r.end)
		r.end = next->start;
	r.of_several = covers_another(s, &r.end);
	s->address = r.end;
	if (last && last->name == r.name && last->end == r.start &&
		last->of_several == r.of_several)
		last->end = r.end;
	else if (r.start < r.end)
		push(&s->out, r);
}

static void run_sweep(struct sweep *s)
{
	const struct code_range *next;

	while ((next = next_entry(s)) || s->heap.n) {
		if (!s->heap.n)
			s->address = next->start;
		if (next && next->start == s->address) {
			take_entry(s, next);
			heap_push(&s->heap, next);
		} else if (s->heap.at[0].end <= s->address) {
			heap_pop(&s->heap);
		} else {
			emit_top(s, next);
		}
	}
	free(s->heap.at);
}

static uint64_t total_bytes(const struct code_ranges *l)
{
	uint64_t total = 0;
	size_t i;

	for (i = 0; i < l->n; i++)
		if (__builtin_add_overflow(total, l->at[i].end - l->at[i].start, &total))
			return UINT64_MAX;
	return total;
}

static int compare_names(const void *pa, const void *pb)
{
	const struct code_range *a = *(struct code_range *const *)pa;
	const struct code_range *b = *(struct code_range *const *)pb;

	return a->name < b->name ? -1 : a->name > b->name;
}

/* Keep the names of live ranges alone, in their order. The pieces of one entry share its name.
 * Names only move to the front, so that a large map needs no second text. */
static void compact_text(struct codemap *m)
{
	struct code_range **order = xcalloc(m->live.n, sizeof(*order));
	uint64_t old = UINT64_MAX;
	size_t i, n = 0;

	for (i = 0; i < m->live.n; i++)
		order[i] = &m->live.at[i];
	qsort(order, m->live.n, sizeof(*order), compare_names);
	for (i = 0; i < m->live.n; i++) {
		struct code_range *r = order[i];

		if (r->name != old) {
			old = r->name;
			memmove(m->text.p + n, m->text.p + old, r->name_size);
			n += r->name_size;
		}
		r->name = n - r->name_size;
	}
	m->text.n = n;
	free(order);
}

static void merge_added(struct codemap *m)
{
	struct sweep s = { .a = &m->live, .b = &m->added, .text = buf_span(&m->text) };
	uint64_t before = total_bytes(&m->live), added = total_bytes(&m->added);

	sort_by_start(&m->added);
	run_sweep(&s);
	free(m->live.at);
	m->live = s.out;
	m->added.n = 0;
	if (__builtin_add_overflow(before, added, &before))
		before = UINT64_MAX;
	m->facts.overwritten_bytes += before - total_bytes(&m->live);
	compact_text(m);
}

/* ------------------------------------------------------------------ adding */

void codemap_add(struct codemap *m, uint64_t start, uint64_t end, struct span name)
{
	if (m->collect) {
		layers_take(m->collect, start, end, (uint32_t)m->facts.entries++, name);
		return;
	}
	if (m->tree)
		perf_tree_insert(m->tree, start, end);
	else if (m->added.n >= FIRST_MERGE && m->added.n >= m->live.n)
		merge_added(m);
	push(&m->added, (struct code_range){ start, end, m->text.n, (uint32_t)name.n, 0,
				(uint32_t)m->facts.entries, false });
	buf_put_span(&m->text, name);
	m->facts.entries++;
}

void codemap_continue_name(struct codemap *m, struct span more)
{
	struct code_range *last;

	if (m->collect) {
		layers_continue_name(m->collect, more);
		return;
	}
	last = &m->added.at[m->added.n - 1];
	buf_put_span(&m->text, more);
	last->name_size += (uint32_t)more.n;
}

uint32_t codemap_add_code(
	struct codemap *m, const struct code *code, uint64_t key, struct span name)
{
	struct code c = *code;

	c.name = m->text.n;
	c.name_size = (uint32_t)name.n;
	buf_put_span(&m->text, name);
	m->facts.entries++;
	return code_log_add(&m->log, &c, key);
}

void codemap_finish(struct codemap *m)
{
	size_t i;

	bytecodes_finish(&m->bytecodes);
	if (m->tree)
		return;
	merge_added(m);
	for (i = 0; i < m->live.n; i++)
		m->ambiguous |= m->live.at[i].of_several;
	free(m->added.at);
	m->added = (struct code_ranges){ 0 };
}

/* ------------------------------------------------------------------ looking up */

/* A name that says no file, as Java's: the lines in the dump do. */
static void add_first_line(const struct codemap *m, uint64_t lines_at, struct frame *f)
{
	char file_name[JITDUMP_NAME_MAX];

	if (lines_at &&
		jitdump_first_line(&m->dump, m->dump_swapped, lines_at, file_name, &f->line))
		f->file = strtab_add_str(frames_strings(m->frames), file_name);
}

static frame_id make_frame(const struct codemap *m, struct span name, uint64_t lines_at)
{
	struct strtab *strings = frames_strings(m->frames);
	struct frame f = { .kind = FRAME_JIT, .module = m->module };
	struct v8_name v8;

	f.name = strtab_add(strings, name);
	if (code_name_parse(name, &v8)) {
		f.file = strtab_add(strings, v8.url);
		f.line = v8.line;
		f.column = v8.column;
		f.tier = v8.tier;
	}
	if (!f.file && !f.line)
		add_first_line(m, lines_at, &f);
	return frames_add(m->frames, &f);
}

/* Two threads may both make the frame; it is the same one. */
static frame_id frame_of(
	const struct codemap *m, frame_id *kept, struct span name, uint64_t lines_at)
{
	frame_id frame = __atomic_load_n(kept, __ATOMIC_ACQUIRE);

	/* Code without a name has no frame, yet what was there before it is gone. */
	if (!frame && name.n) {
		frame = make_frame(m, name, lines_at);
		__atomic_store_n(kept, frame, __ATOMIC_RELEASE);
	}
	return frame;
}

/* V8's lines lie behind the ELF header that perf inject puts before the code. */
enum { V8_LINES_TOO_HIGH = 0x40 };

/* The frame of code, at the line that lies at an offset in it. */
static frame_id frame_at_line(
	const struct codemap *m, const struct code *c, frame_id frame, uint64_t offset)
{
	struct v8_name v8;
	struct frame f;
	bool is_v8;

	if (!m->lines || !c->lines_at || !frame)
		return frame;
	f = *frames_get(m->frames, frame);
	is_v8 = v8_name_parse(strtab_get(frames_strings(m->frames), f.name), &v8);
	jitdump_line_at(&m->dump, m->dump_swapped, c->lines_at, offset,
		is_v8 ? V8_LINES_TOO_HIGH : 0, &f.at_line);
	return frames_add(m->frames, &f);
}

void codemap_tell_lines(struct codemap *m)
{
	m->lines = true;
}

static struct span text_at(const struct codemap *m, uint64_t place, uint32_t size)
{
	return (struct span){ m->text.p + place, size };
}

static struct code_range *find_live(const struct code_ranges *l, uint64_t address)
{
	size_t from = 0, until = l->n;

	while (from < until) {
		size_t middle = from + (until - from) / 2;

		if (address < l->at[middle].start)
			until = middle;
		else if (address >= l->at[middle].end)
			from = middle + 1;
		else
			return &l->at[middle];
	}
	return NULL;
}

/* Of a perf map. */
static struct code_range *find_range(const struct codemap *m, uint64_t address)
{
	int64_t i;

	if (!m->tree)
		return find_live(&m->live, address);
	i = perf_tree_find(m->tree, address);
	return i == PERF_TREE_NONE ? NULL : &m->added.at[i];
}

frame_id codemap_find(
	const struct codemap *m, uint64_t address, struct moment at, struct validity *valid)
{
	const struct code_hit hit = code_log_find(&m->log, address, at, valid);
	struct layer *layer;
	struct code_range *r;

	if (hit.code) {
		struct code *c = &m->log.codes[hit.code];

		return frame_at_line(m, c,
			frame_of(m, &c->frame, text_at(m, c->name, c->name_size), c->lines_at),
			address - hit.start);
	}
	r = find_range(m, address);
	layer = r && r->of_several && at.time_ns
			? layers_find(&m->layers, address, at.time_ns, valid)
			: NULL;
	if (layer)
		return frame_of(m, &layer->frame,
			(struct span){ m->layers.text.p + layer->name, layer->name_size }, 0);
	return r ? frame_of(m, &r->frame, text_at(m, r->name, r->name_size), 0) : 0;
}

bool codemap_knows(const struct codemap *m, uint64_t address)
{
	struct validity valid;

	return find_range(m, address) ||
	       code_log_find(&m->log, address, (struct moment){ 0, 0 }, &valid).ever;
}

bool codemap_is_ambiguous(const struct codemap *m, uint64_t address)
{
	const struct code_range *r = m->tree ? NULL : find_live(&m->live, address);

	return r && r->of_several;
}

bool codemap_is_ambiguous_anywhere(const struct codemap *m)
{
	return m->ambiguous;
}

enum codemap_sight codemap_sight(
	const struct codemap *m, uint64_t address, uint32_t *entry, struct codemap_range *piece)
{
	const struct code_range *r = find_live(&m->live, address);

	if (!r)
		return SIGHT_NOTHING;
	if (r->of_several) {
		*piece = (struct codemap_range){ r->start, r->end };
		return SIGHT_OF_SEVERAL;
	}
	*entry = r->entry;
	return SIGHT_CODE;
}

bool codemap_has_bytecode(const struct codemap *m)
{
	return m->bytecodes.n > 0;
}

bool codemap_next_bytecode(const struct codemap *m, uint64_t address, uint64_t *start)
{
	const struct bytecode *line = bytecodes_from(&m->bytecodes, address);

	*start = line ? line->start : 0;
	return line;
}

frame_id codemap_find_bytecode(const struct codemap *m, uint64_t address)
{
	struct bytecode *line = bytecodes_from(&m->bytecodes, address);

	if (!line || line->start != address || line->of_several)
		return 0;
	return frame_of(m, &line->frame, bytecodes_name(&m->bytecodes, line), 0);
}

bool codemap_find_unwinding(const struct codemap *m, uint64_t address, struct moment at,
	struct validity *valid, struct codemap_unwinding *out, struct buf *b)
{
	const struct code_hit hit = code_log_find(&m->log, address, at, valid);
	uint64_t unwinding_at = hit.code ? m->log.codes[hit.code].unwinding_at : 0;

	*out = (struct codemap_unwinding){ .code = hit.code, .start = hit.start };
	return unwinding_at && (!b || jitdump_unwinding(&m->dump, m->dump_swapped, unwinding_at,
					      &out->header_bytes, b));
}
