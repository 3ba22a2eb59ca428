/*
 * How it works. Up to version 4 a header has a list of directories and one of files, which end with
 * an empty name. That of version 5 describes itself: a list of (content type, form) says what an
 * entry of the directories is made of, and a second one the same of files.
 *
 *	unit length, version, sizes, header length     the program is where that says
 *	instruction length ... opcode base, operands   how to run it
 *	directory formats, directories                 of version 5: the first is the compiler's
 *	file formats, files                            in each, DW_LNCT_MD5 as DW_FORM_data16
 *
 * The number of a file is its place in that list, as in libdw's. An MD5 is kept as a pointer into
 * the section. A form that is not known ends the reading: files from there on are not known, but
 * the program is.
 */
#include "symbolize/dwarf/dwarf_line_header.h"

#include "base/mem.h"

#include <dwarf.h>
#include <stdlib.h>

enum { FORMATS_MAX = 16, FILES_MAX = 1 << 24 };

struct entry_formats {
	struct {
		uint64_t type, form;
	} at[FORMATS_MAX];
	uint8_t n;
};

/* An entry of either list of version 5. */
struct line_entry {
	struct span path;
	uint64_t directory;
	const struct source_md5 *md5;
};

struct header_reader {
	struct dwarf_line_header *h;
	const struct dwarf_line_sections *from;
	struct cursor c;
};

static uint8_t next_u8(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}

static uint64_t next_offset(struct header_reader *r)
{
	return r->h->offset_bytes == 8 ? cursor_u64(&r->c) : cursor_u32(&r->c);
}

/* A string that must end. */
static struct span next_string(struct cursor *c)
{
	const uint8_t *p = c->p, *end = c->left ? memchr(p, 0, c->left) : NULL;
	struct span text = end ? (struct span){ (const char *)p, (size_t)(end - p) } : SPAN("");

	cursor_bytes(c, end ? text.n + 1 : UINT64_MAX);
	return text;
}

static struct span string_at(struct span section, uint64_t offset)
{
	struct cursor c = { .p = (const uint8_t *)section.p, .left = section.n };

	cursor_bytes(&c, offset);
	return next_string(&c);
}

/* ---- the beginning -------------------------------------------------------------------------- */

/* Up to the length of what comes before the program, which it returns. */
static uint64_t read_start(struct header_reader *r)
{
	struct dwarf_line_header *h = r->h;
	struct cursor *c = &r->c;
	uint64_t length = cursor_u32(c);

	h->offset_bytes = length == UINT32_MAX ? 8 : 4;
	if (h->offset_bytes == 8)
		length = cursor_u64(c);
	if (length < c->left)
		c->left = (size_t)length;
	h->version = cursor_u16(c);
	if (h->version == 5)
		cursor_bytes(c, 2); /* sizes of addresses */
	return next_offset(r);
}

/* Up to the operands of standard opcodes and beyond. False: it is damaged. */
static bool open_header(struct header_reader *r)
{
	struct dwarf_line_header *h = r->h;
	struct cursor *c = &r->c;
	uint64_t length = read_start(r);

	if (h->version < 2 || h->version > 5)
		return false;
	h->program = *c;
	cursor_bytes(&h->program, length);
	h->instruction_bytes = next_u8(c);
	h->operations = h->version >= 4 ? next_u8(c) : 1;
	cursor_bytes(c, 1); /* whether lines begin statements */
	h->line_base = (int8_t)next_u8(c);
	h->line_range = next_u8(c);
	h->opcode_base = next_u8(c);
	h->operands = cursor_bytes(c, (uint64_t)h->opcode_base - 1);
	return !c->failed && !h->program.failed && h->operations && h->line_range;
}

uint64_t dwarf_line_header_size(struct span start, bool swapped)
{
	struct dwarf_line_header h = { 0 };
	struct header_reader r = {
		.h = &h,
		.c = { .p = (const uint8_t *)start.p, .left = start.n, .swapped = swapped },
	};
	uint64_t length = read_start(&r), before = (uint64_t)((const char *)r.c.p - start.p);

	return h.version != 5 || r.c.failed || length > UINT64_MAX - before ? 0 : before + length;
}

/* ---- lists of versions 2 to 4 --------------------------------------------------------------- */

static void add_directory(struct dwarf_line_header *h, struct span path)
{
	ARRAY_GROW(h->directory, h->n_directories, h->cap_directories);
	h->directory[h->n_directories++] = path;
}

static void add_file(struct dwarf_line_header *h, const struct line_entry *e)
{
	struct dwarf_line_file file = { .name = e->path, .md5 = e->md5 };

	if (h->n_files == FILES_MAX)
		return;
	if (e->directory < h->n_directories)
		file.directory = h->directory[e->directory];
	file.in_compiler_directory = h->version < 5 && !e->directory;
	ARRAY_GROW(h->file, h->n_files, h->cap_files);
	h->file[h->n_files++] = file;
}

/* False at the end of the list. */
static bool read_old_file(struct dwarf_line_header *h, struct cursor *c)
{
	struct line_entry e = { .path = next_string(c) };

	if (!e.path.n)
		return false;
	e.directory = cursor_uleb(c);
	cursor_uleb(c); /* time of change */
	cursor_uleb(c); /* size */
	if (c->failed)
		return false;
	add_file(h, &e);
	return true;
}

static void read_old_lists(struct header_reader *r)
{
	struct span directory;

	add_directory(r->h, SPAN(""));
	while ((directory = next_string(&r->c)).n)
		add_directory(r->h, directory);
	add_file(r->h, &(struct line_entry){ .directory = 0 });
	while (read_old_file(r->h, &r->c))
		;
}

void dwarf_line_header_define_file(struct dwarf_line_header *h, struct cursor *c)
{
	read_old_file(h, c);
}

/* ---- lists of version 5 --------------------------------------------------------------------- */

static bool read_formats(struct cursor *c, struct entry_formats *f)
{
	uint8_t i;

	f->n = next_u8(c);
	if (f->n > FORMATS_MAX)
		return false;
	for (i = 0; i < f->n; i++) {
		f->at[i].type = cursor_uleb(c);
		f->at[i].form = cursor_uleb(c);
	}
	return !c->failed;
}

/* A value of a form: its text, its number, or its bytes. */
struct form_value {
	struct span text;
	uint64_t number;
	const uint8_t *bytes; /* of DW_FORM_data16 */
};

/* False: the form is not known. */
static bool read_value(struct header_reader *r, uint64_t form, struct form_value *v)
{
	struct cursor *c = &r->c;

	switch (form) {
	case DW_FORM_string:
		v->text = next_string(c);
		break;
	case DW_FORM_line_strp:
		v->text = string_at(r->from->line_str, next_offset(r));
		break;
	case DW_FORM_strp:
		r->h->in_strings = true;
		v->text = string_at(r->from->str, next_offset(r));
		break;
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
		next_offset(r);
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_strx:
		v->number = cursor_uleb(c);
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		v->number = next_u8(c);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		v->number = cursor_u16(c);
		break;
	case DW_FORM_strx3:
		cursor_bytes(c, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		v->number = cursor_u32(c);
		break;
	case DW_FORM_data8:
		v->number = cursor_u64(c);
		break;
	case DW_FORM_data16:
		v->bytes = cursor_bytes(c, 16);
		break;
	case DW_FORM_block:
		cursor_bytes(c, cursor_uleb(c));
		break;
	default:
		return false;
	}
	return !c->failed;
}

static bool read_entry(struct header_reader *r, const struct entry_formats *f, struct line_entry *e)
{
	uint8_t i;

	*e = (struct line_entry){ 0 };
	for (i = 0; i < f->n; i++) {
		struct form_value v = { 0 };

		if (!read_value(r, f->at[i].form, &v))
			return false;
		switch (f->at[i].type) {
		case DW_LNCT_path:
			e->path = v.text;
			break;
		case DW_LNCT_directory_index:
			e->directory = v.number;
			break;
		case DW_LNCT_MD5:
			e->md5 = (const struct source_md5 *)v.bytes;
			break;
		}
	}
	return true;
}

/* The formats of entries and how many follow. An entry without a value takes no bytes, and there
 * may be any number of these. */
static bool begin_list(struct header_reader *r, struct entry_formats *f, uint64_t *n)
{
	if (!read_formats(&r->c, f))
		return false;
	*n = cursor_uleb(&r->c);
	return !r->c.failed && (f->n || !*n);
}

static void read_lists(struct header_reader *r)
{
	struct entry_formats f;
	struct line_entry e;
	uint64_t n, i;

	if (!begin_list(r, &f, &n))
		return;
	for (i = 0; i < n; i++) {
		if (!read_entry(r, &f, &e))
			return;
		add_directory(r->h, e.path);
	}
	if (!begin_list(r, &f, &n))
		return;
	for (i = 0; i < n && read_entry(r, &f, &e); i++)
		add_file(r->h, &e);
}

/* ---- all ------------------------------------------------------------------------------------ */

void dwarf_line_header_read(
	struct dwarf_line_header *h, const struct dwarf_line_sections *from, uint64_t offset)
{
	struct span s = offset < from->line.n ? span_skip(from->line, (size_t)offset) : SPAN("");
	struct header_reader r = {
		.h = h,
		.from = from,
		.c = { .p = (const uint8_t *)s.p, .left = s.n, .swapped = from->swapped },
	};

	*h = (struct dwarf_line_header){ 0 };
	if (!open_header(&r)) {
		h->program = (struct cursor){ 0 };
		return;
	}
	h->pieces = from->pieces;
	if (h->version == 5)
		read_lists(&r);
	else
		read_old_lists(&r);
}

void dwarf_line_header_release(struct dwarf_line_header *h)
{
	free(h->file);
	free(h->directory);
	*h = (struct dwarf_line_header){ 0 };
}
