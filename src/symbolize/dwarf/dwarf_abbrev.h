/*
 * dwarf_abbrev.h - the abbreviations of a unit, each as a list of what to skip
 *
 * An abbreviation says which attributes an entry of its code has, and in which forms (DWARF 5,
 * 7.5.3). Here it becomes a shape: steps over the bytes of these attributes.
 *
 * Owns: its shapes. Threads: one. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_ABBREV_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_ABBREV_H

#include "base/cursor.h"
#include "symbolize/dwarf/dwarf_budget.h"

enum dwarf_step_kind {
	DWARF_STEP_NONE,
	DWARF_STEP_FIXED,   /* bytes */
	DWARF_STEP_LOW,     /* DW_AT_low_pc, an address of bytes */
	DWARF_STEP_HIGH,    /* DW_AT_high_pc, a size in bytes */
	DWARF_STEP_SIBLING, /* DW_AT_sibling, a reference of bytes */
	DWARF_STEP_LIST,    /* DW_AT_ranges, an offset of bytes */
	/* The size of all others is in the entry. */
	DWARF_STEP_LEB,
	DWARF_STEP_HIGH_LEB,  /* DW_AT_high_pc as GNU as writes it */
	DWARF_STEP_BLOCK_LEB, /* a size in bytes, and as many bytes as it says */
	DWARF_STEP_BLOCK,     /* the same, the size is a number of bytes */
	DWARF_STEP_TEXT,      /* to its NUL */
	DWARF_STEP_INDIRECT,  /* the form is in the entry */
};

struct dwarf_step {
	uint8_t kind;
	uint32_t bytes;
};

/* The form in which an entry has its code. */
enum dwarf_code {
	DWARF_NO_CODE,
	DWARF_LOW_HIGH,   /* [low, low + size) */
	DWARF_LIST,       /* a list of ranges, at an offset of its table */
	DWARF_OTHER_CODE, /* a form that is left to libdw */
};

/* What an entry is to those who look for code. */
enum dwarf_role {
	DWARF_FUNCTION = 1,    /* inlined or not, and has code */
	DWARF_DECLARATION = 2, /* the same without code */
	DWARF_SCOPE = 4,       /* a namespace, module or block */
	DWARF_TYPE = 8,        /* one with members */
};

struct dwarf_shape {
	uint64_t number; /* the code of the abbreviation */
	uint32_t first_step, n_steps;
	uint32_t fixed_bytes; /* of all attributes; if is_fixed */
	uint16_t tag;
	bool has_children, has_low, has_sibling, is_fixed;
	uint8_t code, role;
};

struct dwarf_abbrev {
	/* Of the unit's header, to be set before anything is read. */
	uint16_t version;
	uint8_t offset_bytes, address_bytes;
	struct dwarf_shape *shape; /* by ascending code */
	uint32_t n_shapes, cap_shapes;
	struct dwarf_step *step; /* of all shapes */
	uint32_t n_steps, cap_steps;
};

/* The table at c, up to its end, or to a form that is not known. */
void dwarf_abbrev_read(struct dwarf_abbrev *a, struct cursor c, struct dwarf_budget *b);
/* The abbreviation at c alone; false where the table ends, or a form is not known. */
bool dwarf_abbrev_read_one(struct dwarf_abbrev *a, struct cursor *c);
/* Goes to the abbreviation with this code; false where the table does not have it. */
bool dwarf_abbrev_go_to(struct cursor *c, uint64_t number, struct dwarf_budget *b);
/* True where no attribute of the table can refer to another unit. */
bool dwarf_abbrev_stays_inside(struct cursor c, struct dwarf_budget *b);
void dwarf_abbrev_release(struct dwarf_abbrev *a);

/* kind DWARF_STEP_NONE: the form is not known. */
struct dwarf_step dwarf_abbrev_step(const struct dwarf_abbrev *a, uint64_t form);
/* Is a form that of an offset of a section? */
bool dwarf_abbrev_is_offset(uint16_t version, uint64_t form);

/* Where codes have gaps; see below. */
const struct dwarf_shape *dwarf_abbrev_search(const struct dwarf_abbrev *a, uint64_t number);

/* NULL: there is none. Codes count from 1 without a gap nearly everywhere. */
static inline const struct dwarf_shape *dwarf_abbrev_find(
	const struct dwarf_abbrev *a, uint64_t number)
{
	if (number - 1 < a->n_shapes && a->shape[number - 1].number == number)
		return &a->shape[number - 1];
	return dwarf_abbrev_search(a, number);
}

/* Is a step a number of bytes, whether their value is kept or not? */
static inline bool dwarf_abbrev_is_fixed(struct dwarf_step s)
{
	return s.kind <= DWARF_STEP_LIST;
}

#endif
