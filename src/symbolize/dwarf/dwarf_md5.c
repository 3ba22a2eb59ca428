/*
 * How it works. The header of a line table of version 5 describes itself: a list of (content type,
 * form) says what an entry of the directories is made of, and a second one the same of files.
 *
 *	unit length, version, sizes, header length, ...     skipped
 *	directory formats, directories                      skipped by their forms
 *	file formats, files                                 in each, DW_LNCT_MD5 as DW_FORM_data16
 *
 * The number of a file is its place in that list, as in libdw's. An MD5 is kept as a pointer into
 * the section. A form that is not known ends the reading: files from there on have none.
 */
#include "symbolize/dwarf/dwarf_md5.h"

#include "base/cursor.h"

#include <dwarf.h>

enum { FORMATS_MAX = 16 };

struct entry_formats {
	struct {
		uint64_t type, form;
	} at[FORMATS_MAX];
	uint8_t n;
};

struct line_header {
	struct cursor c;
	uint8_t offset_bytes; /* 4 or 8 */
};

static uint8_t next_u8(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}

static void skip_string(struct cursor *c)
{
	const uint8_t *end = c->left ? memchr(c->p, 0, c->left) : NULL;

	cursor_bytes(c, end ? (uint64_t)(end - c->p) + 1 : UINT64_MAX);
}

/* Up to the standard opcodes and beyond. False: not version 5, or damaged. */
static bool open_header(struct line_header *h)
{
	struct cursor *c = &h->c;
	uint64_t length = cursor_u32(c);

	h->offset_bytes = length == UINT32_MAX ? 8 : 4;
	if (h->offset_bytes == 8)
		length = cursor_u64(c);
	if (length < c->left)
		c->left = (size_t)length;
	if (cursor_u16(c) != 5)
		return false;
	cursor_bytes(c, 2u + h->offset_bytes); /* sizes of addresses, header length */
	cursor_bytes(c, 5);                    /* instruction length to line range */
	cursor_bytes(c, (uint64_t)next_u8(c) - 1);
	return !c->failed;
}

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

/* Moves past a value. False: its form is not known. */
static bool skip_value(struct line_header *h, uint64_t form)
{
	struct cursor *c = &h->c;

	switch (form) {
	case DW_FORM_string:
		skip_string(c);
		break;
	case DW_FORM_line_strp:
	case DW_FORM_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
		cursor_bytes(c, h->offset_bytes);
		break;
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_strx:
		cursor_uleb(c);
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		cursor_bytes(c, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		cursor_bytes(c, 2);
		break;
	case DW_FORM_strx3:
		cursor_bytes(c, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		cursor_bytes(c, 4);
		break;
	case DW_FORM_data8:
		cursor_bytes(c, 8);
		break;
	case DW_FORM_data16:
		cursor_bytes(c, 16);
		break;
	case DW_FORM_block:
		cursor_bytes(c, cursor_uleb(c));
		break;
	default:
		return false;
	}
	return !c->failed;
}

/* *md5 is set where the entry has one. */
static bool read_entry(
	struct line_header *h, const struct entry_formats *f, const struct source_md5 **md5)
{
	uint8_t i;

	for (i = 0; i < f->n; i++) {
		const uint8_t *at = h->c.p;

		if (!skip_value(h, f->at[i].form))
			return false;
		if (f->at[i].type == DW_LNCT_MD5 && f->at[i].form == DW_FORM_data16 && md5)
			*md5 = (const struct source_md5 *)at;
	}
	return true;
}

/* The formats of entries and how many follow. An entry without a value takes no bytes, and there
 * may be any number of these. */
static bool read_list(struct line_header *h, struct entry_formats *f, uint64_t *n)
{
	if (!read_formats(&h->c, f))
		return false;
	*n = cursor_uleb(&h->c);
	return !h->c.failed && (f->n || !*n);
}

void dwarf_md5_read(struct span debug_line, uint64_t offset, bool swapped,
	const struct source_md5 **md5, uint32_t n)
{
	struct span s = offset < debug_line.n ? span_skip(debug_line, (size_t)offset) : SPAN("");
	struct line_header h = {
		.c = { .p = (const uint8_t *)s.p, .left = s.n, .swapped = swapped }
	};
	struct entry_formats f;
	uint64_t entries, i;

	if (!open_header(&h) || !read_list(&h, &f, &entries))
		return;
	for (i = 0; i < entries; i++)
		if (!read_entry(&h, &f, NULL))
			return;
	if (!read_list(&h, &f, &entries))
		return;
	for (i = 0; i < entries && i < n; i++)
		if (!read_entry(&h, &f, &md5[i]))
			return;
}
