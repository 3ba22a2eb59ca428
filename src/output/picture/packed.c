/*
 * packed.c - from nodes to the columns of packed.h
 *
 *	packed_add_*()    frames get numbers in order of arrival, and count their nodes
 *	packed_close()    order[], rank[]: frames by count, so that frequent ones get one byte
 *	packed_put_part() part 0: tables; then pieces of the three columns of nodes; then changes
 *	packed_put_base64() one part, deflated
 *
 * A part is written from the profile's nodes directly: nothing is kept for each node, unless the
 * caller added nodes of its own (a flame chart). A profile of more than PIECE_NODES nodes is made
 * in parts, by all workers (base/chunks.h), and each part is a deflate stream of its own; levels
 * gone up need only the node before a piece.
 *
 * Where an inlined frame is shown: the bit of value 8 in the column of kinds is set from
 * FRAME_INLINED. The drawing says it by a letter, "_[i]", only if --annotate asks for it
 * (profile_put_name()).
 *
 * Costs: the tables are small (10^5 frames); the columns are bound by deflate, hence its fastest
 * level, and none at all for a column that would hardly shrink (level_for()).
 */
#include "output/picture/packed.h"

#include "base/base64.h"
#include "base/gcd.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "compare/change.h"
#include "output/picture/category.h"
#include "output/picture/mixes.h"
#include "base/varint.h"

#include <libdeflate.h>
#include <stdlib.h>

static void put_color(struct buf *b, struct color c)
{
	varint_put(b, (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b);
}

/* https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters */
static bool turns_text(uint32_t c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
	       c == 0x200f || c == 0x61c;
}

void packed_put_text(struct buf *b, struct span text)
{
	struct span rest = text;
	uint32_t code = 0;
	unsigned n;

	if (utf8_is_ascii(text)) {
		buf_put_span(b, text);
		return;
	}
	for (; rest.n; rest = span_skip(rest, n)) {
		n = (unsigned char)*rest.p < 0x80 ? 1 : utf8_decode(rest, &code);
		if (n > 1 && turns_text(code)) {
			utf8_put_repaired(b, span_range(text.p, rest.p));
			buf_puts(b, "\ufffd");
			text = span_skip(rest, n);
		}
		n = n ? n : 1;
	}
	utf8_put_repaired(b, text);
}

void packed_init(
	struct packed_tree *k, struct display_names *names, const struct frame_coloring *colors)
{
	size_t n = (size_t)frames_count(colors->p->frames) + 1;

	*k = (struct packed_tree){ .p = colors->p, .names = names, .colors = *colors, .unit = 1 };
	k->number[false] = xcalloc(n, sizeof(*k->number[false]));
	k->number[true] = xcalloc(n, sizeof(*k->number[true]));
	ARRAY_GROW(k->frames, k->n_frames, k->cap_frames);
	k->frames[k->n_frames++] = (struct packed_frame){ .nodes = UINT32_MAX };
}

void packed_release(struct packed_tree *k)
{
	free(k->frames);
	free(k->order);
	free(k->rank);
	free(k->number[false]);
	free(k->number[true]);
	free(k->waker);
	free(k->node);
}

static uint32_t frame_number(struct packed_tree *k, frame_id id, bool waker)
{
	uint32_t *number = &k->number[waker][id];

	if (!*number) {
		ARRAY_GROW(k->frames, k->n_frames, k->cap_frames);
		k->frames[k->n_frames] = (struct packed_frame){ .id = id, .waker = waker };
		*number = ++k->n_frames;
	}
	k->frames[*number - 1].nodes++;
	return *number - 1;
}

static void add_node(struct packed_tree *k, uint32_t number, uint32_t depth, uint64_t self)
{
	ARRAY_GROW(k->node, k->n_nodes, k->cap_nodes);
	k->node[k->n_nodes++] = (struct packed_node){ number, depth, self };
}

void packed_add_node(
	struct packed_tree *k, frame_id frame, bool waker, uint32_t depth, uint64_t self)
{
	add_node(k, depth ? frame_number(k, frame, waker) : 0, depth, self);
}

void packed_add_gap(struct packed_tree *k, uint32_t depth, uint64_t weight)
{
	add_node(k, 0, depth, weight);
}

static bool is_waker_mark(const struct packed_tree *k, frame_id frame)
{
	return span_eq(
		display_names_get(k->names, display_names_number(k->names, frame)), SPAN("--"));
}

/* For each node: is a caller "--"? NULL: there is no such frame. */
static bool *find_wakers(const struct packed_tree *k)
{
	const struct profile *p = k->p;
	bool *waker;
	node_id i;

	for (i = 1; i < p->n_nodes && !is_waker_mark(k, p->nodes[i].frame); i++)
		;
	if (i >= p->n_nodes)
		return NULL;
	waker = xcalloc((size_t)p->n_nodes + 1, sizeof(*waker));
	for (i = 1; i < p->n_nodes; i++) {
		node_id up = p->nodes[i].parent;

		waker[i] = waker[up] || (up && is_waker_mark(k, p->nodes[up].frame));
	}
	return waker;
}

void packed_add_profile(struct packed_tree *k)
{
	const struct profile *p = k->p;
	uint64_t unit = 0;
	node_id i;

	k->of_profile = true;
	k->n_nodes = p->n_nodes;
	k->waker = find_wakers(k);
	for (i = 0; i < p->n_nodes && unit != 1; i++)
		unit = gcd(p->nodes[i].self, unit);
	k->unit = unit ? unit : 1;
	for (i = 1; i < p->n_nodes; i++)
		frame_number(k, p->nodes[i].frame, k->waker && k->waker[i]);
}

static int compare_frames(const void *pa, const void *pb, void *ctx)
{
	const struct packed_frame *frames = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (frames[a].nodes != frames[b].nodes)
		return frames[a].nodes < frames[b].nodes ? 1 : -1;
	return a < b ? -1 : a > b;
}

/* Orders frames by the number of their nodes; frame 0 stays first. */
void packed_close(struct packed_tree *k)
{
	uint32_t i;

	k->order = xcalloc(k->n_frames, sizeof(*k->order));
	k->rank = xcalloc(k->n_frames, sizeof(*k->rank));
	for (i = 0; i < k->n_frames; i++)
		k->order[i] = i;
	if (k->n_frames > 2)
		qsort_r(k->order + 1, k->n_frames - 1, sizeof(*k->order), compare_frames,
			k->frames);
	for (i = 0; i < k->n_frames; i++)
		k->rank[k->order[i]] = i;
}

/* Tables */

/* Strings by content. The tables of modules and categories are such too: a member is its string. */
struct packed_table {
	struct span *text;
	uint32_t n, cap;
	struct index by_text;
	struct arena arena;
	struct buf scratch;
};

static uint32_t table_add(struct packed_table *t, struct span raw)
{
	struct index_cursor c;
	struct span text;
	uint64_t hash;
	uint32_t i;

	t->scratch.n = 0;
	packed_put_text(&t->scratch, raw);
	text = buf_span(&t->scratch);
	hash = hash_span(text);
	index_for_each (&t->by_text, hash, c, i)
		if (span_eq(t->text[i], text))
			return i;
	ARRAY_GROW(t->text, t->n, t->cap);
	t->text[t->n] = (struct span){ arena_string(&t->arena, text.p, text.n), text.n };
	index_add(&t->by_text, hash, t->n);
	return t->n++;
}

static void table_release(struct packed_table *t)
{
	free(t->text);
	index_release(&t->by_text);
	arena_release(&t->arena);
	buf_release(&t->scratch);
}

static void put_texts(struct buf *out, const struct packed_table *t)
{
	uint32_t i;

	varint_put(out, t->n);
	for (i = 0; i < t->n; i++)
		varint_put(out, t->text[i].n);
	for (i = 0; i < t->n; i++)
		buf_put_span(out, t->text[i]);
}

static struct color color_of_category(const struct frame_coloring *c, struct span name)
{
	(void)c;
	return category_color(name);
}

static struct color color_of_module(const struct frame_coloring *c, struct span name)
{
	return module_colors_of(&c->modules, span_basename(name));
}

static struct color color_of_package(const struct frame_coloring *c, struct span name)
{
	return module_colors_of(&c->packages, name);
}

static void put_named_colors(struct buf *out, const struct packed_table *t,
	struct packed_table *texts, const struct frame_coloring *c,
	struct color (*color)(const struct frame_coloring *c, struct span name))
{
	uint32_t i;

	varint_put(out, t->n);
	for (i = 0; i < t->n; i++)
		varint_put(out, table_add(texts, t->text[i]));
	for (i = 0; i < t->n; i++)
		put_color(out, color(c, t->text[i]));
}

enum packed_column {
	COLUMN_NAME,
	COLUMN_MODULE,
	COLUMN_FILE,
	COLUMN_LINE,
	COLUMN_CATEGORY,
	COLUMN_PACKAGE,
	COLUMN_KIND,
	COLUMN_TIER,
	COLUMN_MIX,
	COLUMN_COLOR,
	COLUMNS
};

struct packed_tables {
	struct packed_table texts, modules, categories, packages;
	struct mixes mixes;
	struct buf column[COLUMNS];
};

static void put_frame(
	const struct packed_tree *k, struct packed_tables *t, const struct packed_frame *f)
{
	const struct frame *frame = frames_get(k->p->frames, f->id);
	struct span name = display_names_get(k->names, display_names_number(k->names, f->id));
	enum frame_kind kind = profile_frame_kind(k->p, f->id);

	varint_put(&t->column[COLUMN_NAME], table_add(&t->texts, display_names_plain(name)));
	varint_put(&t->column[COLUMN_MODULE],
		table_add(&t->modules, strtab_get(k->p->strings, frame->module)));
	varint_put(&t->column[COLUMN_FILE],
		table_add(&t->texts, strtab_get(k->p->strings, frame->file)));
	varint_put(&t->column[COLUMN_LINE], frame->line);
	varint_put(&t->column[COLUMN_CATEGORY],
		table_add(&t->categories, category_of_frame(k->p, f->id, name)));
	varint_put(&t->column[COLUMN_PACKAGE],
		table_add(&t->packages, frame_color_package(k->p, f->id, name)));
	varint_put(&t->column[COLUMN_KIND], kind | (frame->flags & FRAME_INLINED ? 8u : 0u));
	varint_put(&t->column[COLUMN_TIER], frame->tier);
	varint_put(
		&t->column[COLUMN_MIX], mixes_of(&t->mixes, display_names_number(k->names, f->id)));
	put_color(&t->column[COLUMN_COLOR], frame_color(&k->colors, f->id, name, f->waker));
}

static void put_mixes(struct buf *out, const struct mixes *m, struct packed_table *texts)
{
	uint32_t i;

	varint_put(out, m->n);
	for (i = 0; i < m->n; i++)
		varint_put(out, table_add(texts, buf_span(&m->mix[i].text)));
	for (i = 0; i < m->n; i++)
		put_color(out, m->mix[i].color);
	for (i = 0; i < m->n; i++)
		varint_put(out, m->mix[i].tier);
	varint_put(out, CODE_TIERS);
	for (i = 0; i < CODE_TIERS; i++)
		put_color(out, mixes_tier_color(i));
}

static void put_tables(const struct packed_tree *k, struct buf *out)
{
	struct packed_tables t = { 0 };
	struct buf modules = { 0 }, categories = { 0 }, packages = { 0 }, mixes = { 0 };
	uint32_t i;
	int c;

	table_add(&t.texts, SPAN(""));
	table_add(&t.modules, SPAN(""));
	table_add(&t.categories, SPAN(""));
	table_add(&t.packages, SPAN(""));
	mixes_init(&t.mixes, k->tiers, k->names);
	for (c = 0; c < COLUMN_COLOR; c++)
		varint_put(&t.column[c], 0);
	put_color(&t.column[COLUMN_COLOR],
		palette_color(k->colors.palette,
			&(struct color_subject){ .name = SPAN(""), .by_hash = k->colors.by_hash }));
	for (i = 1; i < k->n_frames; i++)
		put_frame(k, &t, &k->frames[k->order[i]]);
	put_named_colors(&modules, &t.modules, &t.texts, &k->colors, color_of_module);
	put_named_colors(&categories, &t.categories, &t.texts, &k->colors, color_of_category);
	put_named_colors(&packages, &t.packages, &t.texts, &k->colors, color_of_package);
	put_mixes(&mixes, &t.mixes, &t.texts);
	put_texts(out, &t.texts);
	buf_put_span(out, buf_span(&modules));
	buf_put_span(out, buf_span(&categories));
	buf_put_span(out, buf_span(&packages));
	buf_put_span(out, buf_span(&mixes));
	varint_put(out, k->n_frames);
	for (c = 0; c < COLUMNS; c++) {
		buf_put_span(out, buf_span(&t.column[c]));
		buf_release(&t.column[c]);
	}
	buf_release(&modules);
	buf_release(&categories);
	buf_release(&packages);
	buf_release(&mixes);
	mixes_release(&t.mixes);
	table_release(&t.texts);
	table_release(&t.modules);
	table_release(&t.categories);
	table_release(&t.packages);
}

/* Parts */

/* Nodes in a piece of a column. Fewer nodes make one part of everything, which deflates better. */
enum { PIECE_NODES = 1 << 18, PIECE_COLUMNS = 3 };

struct packed_piece {
	size_t from, to;
};

static void put_frame_numbers(const struct packed_tree *k, struct packed_piece at, struct buf *out)
{
	const struct node *nodes = k->p->nodes;
	size_t i;

	for (i = at.from; i < at.to; i++) {
		uint32_t number = 0;

		if (!k->of_profile)
			number = k->node[i].number;
		else if (i)
			number = k->number[k->waker && k->waker[i]][nodes[i].frame] - 1;
		varint_put(out, k->rank[number]);
	}
}

static void put_self_weights(const struct packed_tree *k, struct packed_piece at, struct buf *out)
{
	size_t i;

	for (i = at.from; i < at.to; i++) {
		uint64_t self = k->of_profile ? k->p->nodes[i].self : k->node[i].self;

		varint_put(out, k->unit == 1 ? self : self / k->unit);
	}
}

static uint32_t depth_of(const struct packed_tree *k, size_t i)
{
	return k->of_profile ? k->p->nodes[i].depth : k->node[i].depth;
}

static void put_levels(const struct packed_tree *k, struct packed_piece at, struct buf *out)
{
	uint32_t depth = at.from ? depth_of(k, at.from - 1) : 0, next;
	size_t i;

	for (i = at.from; i < at.to; i++, depth = next) {
		next = depth_of(k, i);
		varint_put(out, next ? depth + 1 - next : 0);
	}
}

static void put_millionths(struct buf *out, double share)
{
	varint_put(out, (uint64_t)(share * 1e6 + 0.5));
}

static void put_changes(const struct packed_tree *k, struct buf *out)
{
	const struct profile *p = k->p;
	struct change c;
	node_id i;

	for (i = 0; i < p->n_nodes; i++)
		put_millionths(out, change_of_node_total(p, i).share_before);
	for (i = 0; i < p->n_nodes; i++)
		put_millionths(out, change_of_node_total(p, i).share_after);
	for (i = 0; i < p->n_nodes; i++)
		put_millionths(out, change_of_node_self(p, i).share_before);
	for (i = 0; i < p->n_nodes; i++)
		put_millionths(out, change_of_node_self(p, i).share_after);
	for (i = 0; i < p->n_nodes; i++) {
		c = change_of_node_total(p, i);
		varint_put(out, change_is_clear(p, &c));
	}
}

static uint32_t count_pieces(const struct packed_tree *k)
{
	return (uint32_t)((k->n_nodes + PIECE_NODES - 1) / PIECE_NODES);
}

static bool has_changes(const struct packed_tree *k)
{
	return k->of_profile && k->p->before;
}

/* Tables, then the pieces of each column, then the changes. */
static uint32_t all_parts(const struct packed_tree *k)
{
	return 1 + PIECE_COLUMNS * count_pieces(k) + has_changes(k);
}

uint32_t packed_count_parts(const struct packed_tree *k)
{
	return count_pieces(k) > 1 ? all_parts(k) : 1;
}

static void put_one(const struct packed_tree *k, uint32_t part, struct buf *out)
{
	static void (*const columns[PIECE_COLUMNS])(const struct packed_tree *k,
		struct packed_piece at,
		struct buf *out) = { put_frame_numbers, put_self_weights, put_levels };
	uint32_t n = count_pieces(k), column = part ? (part - 1) / n : 0;
	size_t from = part ? (size_t)(part - 1) % n * PIECE_NODES : 0, to = from + PIECE_NODES;

	if (!part) {
		put_tables(k, out);
		varint_put(out, k->n_nodes);
		varint_put(out, k->unit);
	} else if (column < PIECE_COLUMNS) {
		buf_reserve(out, 3 * PIECE_NODES);
		columns[column](
			k, (struct packed_piece){ from, to < k->n_nodes ? to : k->n_nodes }, out);
	} else {
		put_changes(k, out);
	}
}

void packed_put_part(const struct packed_tree *k, uint32_t part, struct buf *out)
{
	uint32_t n = all_parts(k), i;

	if (packed_count_parts(k) > 1)
		put_one(k, part, out);
	else
		for (i = 0; i < n; i++)
			put_one(k, i, out);
}

void packed_put_all(const struct packed_tree *k, struct buf *out)
{
	uint32_t i;

	for (i = 0; i < packed_count_parts(k); i++)
		packed_put_part(k, i, out);
}

/* For a page */

/* The fastest level: 1 % larger than the default, in two fifths of the time. */
enum { STORED = 0, PACKED = 1 };

static void deflate_bytes(struct span bytes, int level, struct buf *to)
{
	struct libdeflate_compressor *c = xchecked(libdeflate_alloc_compressor(level));
	size_t most = libdeflate_zlib_compress_bound(c, bytes.n);

	buf_reserve(to, most);
	to->n += libdeflate_zlib_compress(c, bytes.p, bytes.n, to->p + to->n, most);
	libdeflate_free_compressor(c);
}

/* A column that shrinks by less than a tenth, such as numbers of frames without a pattern, is not
 * worth the time. A sample from the middle decides: the beginning may be unlike the rest. */
static int level_for(struct span bytes)
{
	enum { SAMPLE = 32 << 10, LARGE = 8 * SAMPLE };
	struct buf packed = { 0 };
	int level;

	if (bytes.n < LARGE)
		return PACKED;
	deflate_bytes((struct span){ bytes.p + bytes.n / 2, SAMPLE }, PACKED, &packed);
	level = packed.n > SAMPLE - SAMPLE / 10 ? STORED : PACKED;
	buf_release(&packed);
	return level;
}

void packed_put_base64(struct sink *to, struct span bytes)
{
	struct buf stream = { 0 };

	deflate_bytes(bytes, level_for(bytes), &stream);
	base64_encode(to, buf_span(&stream));
	buf_release(&stream);
}
