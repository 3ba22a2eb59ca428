/*
 * frame_entry.c - entries of call frame information, one at a time
 *
 * How it works. frame_entry_next() splits the section at the lengths of its entries. An FDE points
 * to its CIE, which says how the FDE's addresses are encoded, so frame_entry_read_fde() reads that
 * first; most FDEs share one, and the last CIE is kept by the caller.
 *
 * All numbers come from files: an entry ends within the section, a field within its entry.
 */
#include "base/frame_entry.h"

#include <dwarf.h>

enum {
	DW_EH_PE_FORMAT = 0x0f,
	DW_EH_PE_APPLICATION = 0x70,
};

static uint64_t read_encoded(
	const struct frame_section *s, struct frame_reader *r, uint8_t encoding, uint64_t base)
{
	switch (encoding & DW_EH_PE_FORMAT) {
	case DW_EH_PE_absptr:
		return base + frame_reader_fixed(r, s->narrow ? 4 : 8);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return base + frame_reader_fixed(r, 8);
	case DW_EH_PE_uleb128:
		return base + frame_reader_uleb(r);
	case DW_EH_PE_udata2:
		return base + frame_reader_fixed(r, 2);
	case DW_EH_PE_udata4:
		return base + frame_reader_fixed(r, 4);
	case DW_EH_PE_sleb128:
		return base + (uint64_t)frame_reader_sleb(r);
	case DW_EH_PE_sdata2:
		return base + (uint64_t)frame_reader_fixed_signed(r, 2);
	case DW_EH_PE_sdata4:
		return base + (uint64_t)frame_reader_fixed_signed(r, 4);
	}
	r->failed = true;
	return 0;
}

uint64_t frame_entry_encoded(
	const struct frame_section *s, struct frame_reader *r, uint8_t encoding, uint64_t at)
{
	uint64_t base = (encoding & DW_EH_PE_APPLICATION) == DW_EH_PE_pcrel ? at : 0;
	uint64_t address = read_encoded(s, r, encoding, base);

	return s->narrow ? address & UINT32_MAX : address;
}

bool frame_entry_next(const struct frame_section *s, uint64_t *at, struct frame_entry *e)
{
	struct frame_reader r = frame_reader_of(span_skip(s->bytes, *at));
	uint64_t length = frame_reader_fixed(&r, 4);
	bool wide = length == UINT32_MAX;

	if (wide)
		length = frame_reader_fixed(&r, 8);
	if (r.failed || length > frame_reader_left(&r))
		return false;
	r.end = r.p + length;
	e->id_at = (uint64_t)(r.p - (const uint8_t *)s->bytes.p);
	*at = e->id_at + length;
	/* A length of 0 ends the entries of one of the files that were linked. */
	e->id = length ? frame_reader_fixed(&r, wide && s->debug_frame ? 8 : 4) : 0;
	if (wide && s->debug_frame && e->id == UINT64_MAX)
		e->id = UINT32_MAX;
	e->r = r;
	return true;
}

bool frame_entry_is_cie(const struct frame_section *s, const struct frame_entry *e)
{
	return e->id == (s->debug_frame ? UINT32_MAX : 0);
}

uint64_t frame_entry_address(const struct frame_section *s, const struct frame_reader *r)
{
	return s->address + (uint64_t)(r->p - (const uint8_t *)s->bytes.p);
}

/* Reads the data of a letter of the augmentation; false if the letter is not known. */
static bool read_letter(
	const struct frame_section *s, struct frame_cie *c, struct frame_reader *r, char letter)
{
	uint8_t encoding;

	switch (letter) {
	case 'R':
		c->encoding = (uint8_t)frame_reader_fixed(r, 1);
		return true;
	case 'L':
		frame_reader_fixed(r, 1);
		return true;
	case 'P':
		encoding = (uint8_t)frame_reader_fixed(r, 1);
		frame_entry_encoded(s, r, encoding, frame_entry_address(s, r));
		return true;
	case 'S':
		c->signal = true;
		return true;
	case 'B': /* addresses are signed with the other key */
	case 'G': /* memory is tagged */
		return true;
	}
	return false;
}

/* "zPLR" and the like; the data has a length of its own, so unknown letters can be skipped. */
static void read_augmentation(const struct frame_section *s, struct frame_cie *c,
	struct frame_reader *r, const char *letters)
{
	struct frame_reader data;

	c->augmented = *letters == 'z';
	if (!c->augmented) {
		r->failed |= *letters != '\0'; /* "eh", of gcc 2 */
		return;
	}
	data = frame_reader_of(frame_reader_bytes(r, frame_reader_uleb(r)));
	while (*++letters && read_letter(s, c, &data, *letters))
		;
}

static void read_cie(const struct frame_section *s, uint64_t at, struct frame_cie *c)
{
	struct frame_entry e;
	const char *letters;
	uint64_t version;

	*c = (struct frame_cie){ .at = at };
	if (!frame_entry_next(s, &(uint64_t){ at }, &e) || !frame_entry_is_cie(s, &e))
		return;
	version = frame_reader_fixed(&e.r, 1);
	letters = (const char *)e.r.p;
	frame_reader_bytes(&e.r, strnlen(letters, frame_reader_left(&e.r)) + 1);
	if (e.r.failed || (version != 1 && version != 3 && version != 4))
		return;
	if (version == 4 && /* size of addresses, of segments */
		frame_reader_fixed(&e.r, 2) != (s->narrow ? 4 : 8))
		return;
	c->code_alignment = frame_reader_uleb(&e.r);
	c->data_alignment = frame_reader_sleb(&e.r);
	c->ra = version == 1 ? frame_reader_fixed(&e.r, 1) : frame_reader_uleb(&e.r);
	read_augmentation(s, c, &e.r, letters);
	c->instructions = (struct span){ (const char *)e.r.p, frame_reader_left(&e.r) };
	c->valid = !e.r.failed;
}

bool frame_entry_read_fde(const struct frame_section *s, struct frame_entry *e, struct frame_cie *c,
	struct frame_fde *out)
{
	uint64_t at = s->debug_frame ? e->id : e->id_at - e->id, size;

	if (at >= s->bytes.n)
		return false;
	if (c->at != at)
		read_cie(s, at, c);
	if (!c->valid)
		return false;
	out->start = frame_entry_encoded(s, &e->r, c->encoding, frame_entry_address(s, &e->r));
	size = frame_entry_encoded(s, &e->r, c->encoding & DW_EH_PE_FORMAT, 0);
	out->end = out->start + size;
	if (c->augmented)
		frame_reader_bytes(&e->r, frame_reader_uleb(&e->r));
	out->instructions = (struct span){ (const char *)e->r.p, frame_reader_left(&e->r) };
	return !e->r.failed && out->end > out->start;
}
