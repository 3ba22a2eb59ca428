/*
 * dwarf_names.h - names of functions and of what was inlined
 *
 * A function of C++ that only its own file can see has no linkage name, which would say what it is
 * part of: its name is put together from the namespaces and classes that it lies in, as the symbol
 * of the same function would be read. perf has the last word of it alone (compat_perf).
 *
 * Each abstract function is named once. Those without a linkage name are told beforehand, for all
 * of a unit to be found in one walk.
 *
 * Owns: what it noted. Threads: one for each Dwarf handle. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_NAMES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_NAMES_H

#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_walk.h"
#include "symbolize/symbolize.h"

#include "base/index.h"

/* Zeroed: empty. */
struct dwarf_names {
	struct index by_scope; /* numbers in scopes */
	struct dwarf_names_scope {
		const void *die;
		uint32_t origin;
	} * scopes;
	uint32_t n_scopes, cap_scopes;
	struct index by_origin; /* numbers in origins */
	struct dwarf_origin {
		Dwarf_Die die;
		str_id name;
		uint32_t unqualified; /* while names are put together */
	} * origins;
	uint32_t n_origins, cap_origins;
	uint32_t n_named; /* origins from here on have no name yet */
	struct buf text;
};

/* What names are read with; lent. */
struct dwarf_naming {
	struct strtab *strings;
	const struct demangle_style *style;
	const struct dwarf_image *image[3]; /* that entries may lie in; NULL: fewer */
	Dwarf_Die *unit;                    /* that names are asked for in */
	bool plain;                         /* the last word alone */
	struct dwarf_budget *budget;
};

/* The entry will be asked for. */
void dwarf_names_request(struct dwarf_names *t, Dwarf_Die *scope);
/* 0: it has none. */
str_id dwarf_names_get(struct dwarf_names *t, const struct dwarf_naming *with, Dwarf_Die *scope);
/* When the handles that entries are of are closed, or those of a .dwo. */
void dwarf_names_clear(struct dwarf_names *t);
void dwarf_names_release(struct dwarf_names *t);

/* NULL: none. */
const char *dwarf_names_linkage(Dwarf_Die *die);
/* Is a linkage name mangled? Where not, DW_AT_name is what the symbol is called. */
bool dwarf_names_is_mangled(Dwarf_Die *unit);

#endif
