/*
 * How tracepoint fields are read: once for each recording, the section TRACING_DATA is split into
 * formats, and each format into fields by field_list.c. Then a name that the user gives is looked
 * up once for each event (trace_format_pick), and read from each sample by offset alone.
 *
 * Three kinds of fields differ in where their bytes are:
 *
 *	plain		offset, size
 *	__data_loc	at offset: u16 offset (from the start of the raw part), u16 size
 *	__rel_loc	at offset: u16 offset (from the end of this field), u16 size
 *
 * Every read is bounded by the size of the raw part, as neither the format nor the sample need be
 * true.
 *
 * Source: include/trace/stages/ of Linux, Documentation/trace/events.rst.
 */
#include "trace/trace_format.h"

#include "base/arena.h"
#include "base/cursor.h"
#include "base/index.h"
#include "base/hash.h"
#include "base/mem.h"
#include "trace/field_list.h"

#include <stdlib.h>

enum { FORMATS_MAX = 1 << 16 };

struct trace_format_table {
	struct arena strings;
	struct trace_format *format;
	uint32_t n, cap;
	struct index by_id;
};

struct trace_format_table *trace_format_table_new(void)
{
	return xcalloc(1, sizeof(struct trace_format_table));
}

void trace_format_table_free(struct trace_format_table *t)
{
	if (!t)
		return;
	while (t->n)
		free(t->format[--t->n].fields);
	free(t->format);
	index_release(&t->by_id);
	arena_release(&t->strings);
	free(t);
}

const struct trace_format *trace_format_table_find(const struct trace_format_table *t, uint64_t id)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_id, hash_u64(id), c, i)
		if (t->format[i].id == id)
			return &t->format[i];
	return NULL;
}

static const struct trace_field *find_field(const struct trace_format *f, struct span name)
{
	uint32_t i;

	for (i = 0; i < f->n_fields; i++)
		if (span_eq(span_of(f->fields[i].name), name))
			return &f->fields[i];
	return NULL;
}

struct trace_picked trace_format_pick(const struct trace_format *f, struct span name)
{
	struct trace_picked p = { NULL, -1 };
	struct span field;

	if (field_value_split_name(name, &field, &p.element))
		p.field = find_field(f, field);
	return p;
}

struct trace_number trace_format_number(const struct trace_format *f, struct span name)
{
	const struct trace_field *field = find_field(f, name);
	struct trace_number t = { 0 };

	if (field && !field->is_text && !field->is_dynamic &&
		(field->element_bytes == 4 || field->element_bytes == 8) &&
		field->element_bytes <= field->size_bytes &&
		field->offset <= UINT32_MAX - field->element_bytes)
		t = (struct trace_number){ field->offset, field->offset + field->element_bytes,
			(uint8_t)field->element_bytes, field->is_signed };
	return t;
}

/* ---- one format --------------------------------------------------------------------------- */

/* The next line must begin with the key; value gets the rest of it. */
static bool pop_key(struct span *rest, struct span key, struct span *value)
{
	struct span line;

	if (!span_next_line(rest, &line) || !span_starts(line, key))
		return false;
	*value = span_trim(span_skip(line, key.n));
	return true;
}

/* The text of one format. False if it has no name or number. */
static bool add_format(struct trace_format_table *t, struct span system, struct span text,
	unsigned long_bytes, bool big_endian)
{
	struct trace_format f = { 0 };
	struct span rest = text, name, id, nothing;
	uint64_t number;

	if (!pop_key(&rest, SPAN("name:"), &name) || !pop_key(&rest, SPAN("ID:"), &id) ||
		!pop_key(&rest, SPAN("format:"), &nothing) || !span_scan_u64(&id, &number) ||
		id.n || number > UINT32_MAX || !name.n || t->n >= FORMATS_MAX)
		return false;
	if (trace_format_table_find(t, number))
		return true;
	f.id = (uint32_t)number;
	f.system = arena_string(&t->strings, system.p, system.n);
	f.name = arena_string(&t->strings, name.p, name.n);
	field_list_parse(&f, &t->strings, rest, long_bytes, big_endian);
	ARRAY_GROW(t->format, t->n, t->cap);
	index_add(&t->by_id, hash_u64(number), t->n);
	t->format[t->n++] = f;
	return true;
}

/* ---- the section -------------------------------------------------------------------------- */

static struct span pop_name(struct cursor *c)
{
	const uint8_t *end = c->left ? memchr(c->p, 0, c->left) : NULL;
	struct span name = { (const char *)c->p, end ? (size_t)(end - c->p) : 0 };

	if (!end)
		c->failed = true;
	else
		cursor_bytes(c, name.n + 1);
	return name;
}

/* A string with its size before it. */
static struct span pop_sized(struct cursor *c)
{
	uint64_t n = cursor_u64(c);
	const uint8_t *p = cursor_bytes(c, n);

	return p ? (struct span){ (const char *)p, (size_t)n } : (struct span){ 0 };
}

static void pop_formats(
	struct trace_format_table *t, struct cursor *c, struct span system, unsigned long_bytes)
{
	bool big_endian = c->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint32_t n = cursor_u32(c);

	for (; n && !c->failed; n--) {
		struct span text = pop_sized(c);

		if (!c->failed)
			add_format(t, system, text, long_bytes, big_endian);
	}
}

bool trace_format_table_parse(struct trace_format_table *t, const uint8_t *p, size_t n)
{
	static const uint8_t magic[] = { 0x17, 0x08, 'D', 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	struct cursor c = { p, n, false, false };
	const uint8_t *head = cursor_bytes(&c, sizeof(magic)), *order;
	uint32_t systems;

	if (!head || memcmp(head, magic, sizeof(magic)) != 0)
		return false;
	pop_name(&c); /* the version: "0.6" for many years */
	order = cursor_bytes(&c, 2);
	if (!order)
		return false;
	c.swapped = (order[0] != 0) == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	cursor_u32(&c);
	pop_name(&c);
	pop_sized(&c);
	pop_name(&c);
	pop_sized(&c);
	pop_formats(t, &c, SPAN("ftrace"), order[1]);
	for (systems = cursor_u32(&c); systems && !c.failed; systems--)
		pop_formats(t, &c, pop_name(&c), order[1]);
	return !c.failed;
}

/* ---- values ------------------------------------------------------------------------------- */

static bool read_number(
	const uint8_t *p, uint32_t size_bytes, bool is_signed, bool swapped, struct field_value *v)
{
	switch (size_bytes) {
	case 1:
		v->number = is_signed ? (uint64_t)(int8_t)*p : *p;
		break;
	case 2:
		v->number = bytes_u16(p, swapped);
		if (is_signed)
			v->number = (uint64_t)(int16_t)v->number;
		break;
	case 4:
		v->number = bytes_u32(p, swapped);
		if (is_signed)
			v->number = (uint64_t)(int32_t)v->number;
		break;
	case 8:
		v->number = bytes_u64(p, swapped);
		break;
	default:
		return false;
	}
	v->is_signed = is_signed;
	v->has_number = true;
	return true;
}

/* The bytes of the field in this sample. */
static bool find_bytes(const struct trace_field *f, const uint8_t *raw, size_t n, bool swapped,
	const uint8_t **p, size_t *size)
{
	size_t at = f->offset;
	uint32_t place;

	if (at > n || f->size_bytes > n - at)
		return false;
	*p = raw + at;
	*size = f->size_bytes;
	if (!f->is_dynamic)
		return true;
	if (f->size_bytes < 4)
		return false;
	place = bytes_u32(raw + at, swapped);
	*size = place >> 16;
	at = (place & 0xffff) + (f->is_relative ? f->offset + f->size_bytes : 0);
	if (at > n || *size > n - at)
		return false;
	*p = raw + at;
	return true;
}

/* The state in which a thread left its CPU: R if it could have run on, R+ if it was preempted. Of
 * several bits the lowest counts, except for those above the letters. */
static struct span state_letters(uint64_t state)
{
	static const char letters[] = "S\0D\0T\0t\0X\0Z\0P\0I";
	unsigned bit;

	for (bit = 0; bit < 8; bit++)
		if (state >> bit & 1)
			return (struct span){ letters + (size_t)2 * bit, 1 };
	return state ? SPAN("R+") : SPAN("R");
}

/* False if the raw part is too short, or says that the data is outside of it. */
static bool read_element(const struct trace_field *f, uint32_t element, const uint8_t *raw,
	size_t n, bool swapped, struct field_value *v)
{
	const uint8_t *p;
	size_t size;

	*v = (struct field_value){ .is_address = f->is_address };
	if (!find_bytes(f, raw, n, swapped, &p, &size) || !f->element_bytes ||
		element >= size / f->element_bytes)
		return false;
	return read_number(
		p + (size_t)element * f->element_bytes, f->element_bytes, f->is_signed, swapped, v);
}

/* Numbers of 1, 2, 4 and 8 bytes; strings, up to a NUL; of an array its first element. */
static bool read_field(const struct trace_field *f, const uint8_t *raw, size_t n, bool swapped,
	struct field_value *v)
{
	const uint8_t *p;
	size_t size;

	if (!f->is_text) {
		if (!read_element(f, 0, raw, n, swapped, v))
			return false;
		v->has_text = f->is_state;
		if (f->is_state)
			v->text = state_letters(v->number);
		return true;
	}
	*v = (struct field_value){ .has_text = true };
	if (!find_bytes(f, raw, n, swapped, &p, &size))
		return false;
	v->text = (struct span){ (const char *)p, strnlen((const char *)p, size) };
	return true;
}

bool trace_format_read_picked(const struct trace_picked *p, const uint8_t *raw, size_t n,
	bool swapped, struct field_value *v)
{
	if (!p->field)
		return false;
	if (p->element < 0)
		return read_field(p->field, raw, n, swapped, v);
	return read_element(p->field, (uint32_t)p->element, raw, n, swapped, v);
}
