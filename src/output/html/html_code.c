/*
 * How it works. A list of what some instructions have is written after its length, so its rows are
 * collected first, in a buffer that all lists share:
 *
 *	jumps of instructions 3, 7 and 9  ─►  rows 3 .., 4 .., 2 ..  ─►  numbers: 3, then the rows
 *
 * What instructions share is found by where their texts are, which costs less than comparing them.
 */
#include "output/html/html_code.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/varint.h"
#include "output/picture/picture.h"

#include <stdlib.h>

enum { INSTRUCTIONS_MOST = 1 << 18 };

/* Further from its code, an address is text: the page's numbers have 53 bits. */
#define FAR_BYTES (UINT64_C(1) << 48)

/* ---- the list ------------------------------------------------------------------------------- */

/* An instruction that was there before has the same texts, at the same place: see
 * symbolize/code/instruction_memo.h. */
static uint32_t number_of(struct html_code *h, const struct html_instruction *in)
{
	uint64_t hash = hash_pair((uintptr_t)in->mnemonic, (uintptr_t)in->operands);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&h->by_text, hash, cursor, i) {
		const struct html_instruction *k = &h->known[i];

		if (k->mnemonic == in->mnemonic && k->operands == in->operands &&
			k->size_bytes == in->size_bytes)
			return i;
	}
	ARRAY_GROW(h->known, h->n_known, h->cap_known);
	h->known[h->n_known] = *in;
	index_add(&h->by_text, hash, h->n_known);
	return h->n_known++;
}

/* In no machine's syntax is there a ";": it would be a comment. */
static void put_joined(struct json_writer *j, const char *key, struct buf *joined)
{
	struct buf clean = { 0 };

	json_writer_key(j, key);
	packed_put_text(&clean, buf_span(joined));
	json_writer_string(j, buf_span(&clean));
	buf_release(&clean);
	joined->n = 0;
}

void html_code_put_list(struct html_code *h, struct json_writer *j)
{
	struct buf joined = { 0 };
	uint32_t i;

	for (i = 0; i < h->n_known; i++) {
		if (i)
			buf_putc(&joined, ';');
		buf_puts(&joined, h->known[i].mnemonic);
	}
	put_joined(j, "ops", &joined);
	for (i = 0; i < h->n_known; i++) {
		if (i)
			buf_putc(&joined, ';');
		if (h->known[i].operands)
			buf_puts(&joined, h->known[i].operands);
	}
	put_joined(j, "args", &joined);
	json_writer_key(j, "sizes");
	json_writer_array(j);
	for (i = 0; i < h->n_known; i++)
		json_writer_u64(j, h->known[i].size_bytes);
	json_writer_array_end(j);
	buf_release(&joined);
}

/* ---- code ----------------------------------------------------------------------------------- */

static void put_difference(struct buf *b, uint64_t now, uint64_t before)
{
	uint64_t change = now - before;

	varint_put(b, change << 1 ^ (change >> 63 ? UINT64_MAX : 0));
}

/* Rows of a list, after how many they are. */
struct code_list {
	struct buf buf;
	uint32_t n, latest;
};

static struct buf *add_row(struct code_list *r, uint32_t index)
{
	varint_put(&r->buf, index - r->latest);
	r->latest = index;
	r->n++;
	return &r->buf;
}

static void put_rows(struct html_code *h, struct code_list *r)
{
	varint_put(&h->numbers, r->n);
	buf_put_span(&h->numbers, buf_span(&r->buf));
	r->buf.n = 0;
	r->n = r->latest = 0;
}

/* Where an instruction goes, if its operands are that; else 0. */
static uint64_t address_in_operands(const struct annotated_code *c, uint32_t i)
{
	const struct annotated_instruction *inside = annotated_inside(c, i);
	const struct annotated_target *outside = annotated_outside(c, i);
	uint64_t address = inside ? inside->address : outside ? outside->address : 0;

	if (!c->instruction[i].to_address || address - c->start + FAR_BYTES >= 2 * FAR_BYTES)
		return 0;
	return address;
}

static bool jumps_inside(const struct annotated_code *c, uint32_t i)
{
	uint8_t kind = c->instruction[i].kind;

	return (kind == INSTRUCTION_JUMP || kind == INSTRUCTION_CONDITIONAL) &&
	       annotated_inside(c, i);
}

static void put_instructions(struct html_code *h, const struct annotated_code *c)
{
	uint32_t i;

	for (i = 0; i < c->n; i++) {
		const struct annotated_instruction *in = &c->instruction[i];
		struct html_instruction text = {
			.mnemonic = in->mnemonic,
			.operands = address_in_operands(c, i) ? NULL : in->operands,
			.size_bytes = i + 1 < c->n ? in[1].address - in->address : 0,
		};

		varint_put(&h->numbers, number_of(h, &text));
	}
}

static void put_targets(struct html_code *h, const struct annotated_code *c, struct code_list *rows)
{
	uint32_t i;

	for (i = 0; i < c->n; i++)
		if (jumps_inside(c, i))
			varint_put(add_row(rows, i), c->instruction[i].target - 1);
	put_rows(h, rows);
	for (i = 0; i < c->n; i++) {
		struct span name = annotated_target_name(c, i);
		uint64_t address = jumps_inside(c, i) ? 0 : address_in_operands(c, i);
		struct buf *b;

		if (!name.n && !address)
			continue;
		b = add_row(rows, i);
		varint_put(b, strtab_add(h->texts, name));
		varint_put(b, address != 0);
		if (address)
			put_difference(b, address, c->start);
	}
	put_rows(h, rows);
}

/* Nearly always the path of the instruction before. */
static str_id path_text(struct html_code *h, str_id path)
{
	if (path != h->latest_path) {
		h->latest_path = path;
		h->latest_text = strtab_add(h->texts, strtab_get(h->strings, path));
	}
	return h->latest_text;
}

/* Where the line is another than that of the instruction before. */
static void put_lines(struct html_code *h, const struct annotated_code *c, struct code_list *rows)
{
	uint32_t i, line = 0;

	for (i = 0; i < c->n; i++) {
		const struct annotated_instruction *now = &c->instruction[i], *before = now - 1;
		struct buf *b;

		if (i ? now->line == before->line && now->file == before->file : !now->line)
			continue;
		b = add_row(rows, i);
		varint_put(b, now->line ? path_text(h, now->file) : 0);
		put_difference(b, now->line, line);
		line = now->line;
	}
	put_rows(h, rows);
}

static void put_costs(struct html_code *h, const struct annotated_code *c, struct code_list *rows)
{
	uint32_t i;

	for (i = 0; i < c->n; i++) {
		const struct weights *cost = c->instruction[i].cost;
		struct buf *b;

		if (!cost || (!cost->total && !cost->self))
			continue;
		b = add_row(rows, i);
		varint_put(b, cost->self);
		varint_put(b, cost->self_samples);
		varint_put(b, cost->total);
		varint_put(b, cost->total_samples);
	}
	put_rows(h, rows);
}

bool html_code_add(struct html_code *h, const struct annotated_code *c, size_t *from)
{
	struct code_list rows = { 0 };

	*from = h->numbers.n;
	if (c->n > INSTRUCTIONS_MOST - h->n_instructions)
		return false;
	h->n_instructions += c->n;
	put_instructions(h, c);
	put_targets(h, c, &rows);
	put_lines(h, c, &rows);
	put_costs(h, c, &rows);
	buf_release(&rows.buf);
	return true;
}

void html_code_release(struct html_code *h)
{
	free(h->known);
	index_release(&h->by_text);
	buf_release(&h->numbers);
}
