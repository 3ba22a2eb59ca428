/*
 * dwarf_names.h - names of functions and of what was inlined
 *
 * A C++ function with internal linkage has no linkage name, which would include its scopes. Its
 * name is put together from the namespaces and classes around it, as its symbol would be demangled.
 * perf shows DW_AT_name alone (compat_perf).
 *
 * Each abstract function is named once. Names are requested beforehand, so that one walk finds the
 * scopes of all functions of a unit.
 *
 * Owns: its tables. Threads: one for each Dwarf handle. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_NAMES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_NAMES_H

#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_walk.h"
#include "symbolize/symbolize.h"

#include "base/index.h"

struct dwarf_declaration {
	str_id file;
	uint32_t line; /* 0: not known */
};

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
		uint32_t unqualified; /* its number there while names are put together */
		bool has_declaration; /* it was looked up: declared is what was found */
		struct dwarf_declaration declared;
	} * origins;
	uint32_t n_origins, cap_origins;
	uint32_t n_named; /* origins from here on have no name yet */
	struct buf text;
};

/* What names are read with; borrowed. */
struct dwarf_naming {
	struct strtab *strings;
	const struct demangle_style *style;
	const struct dwarf_image *image[3]; /* that DIEs may be in; NULL: fewer */
	Dwarf_Die *unit;                    /* whose functions are named */
	bool plain;                         /* DW_AT_name alone */
	struct dwarf_budget *budget;
};

/* The name of this DIE will be needed. */
void dwarf_names_request(struct dwarf_names *t, Dwarf_Die *scope);
/* 0: it has none. */
str_id dwarf_names_get(struct dwarf_names *t, const struct dwarf_naming *with, Dwarf_Die *scope);
/* The abstract function of a scope, or the scope; valid until the next call. */
struct dwarf_origin *dwarf_names_origin(struct dwarf_names *t, Dwarf_Die *scope);
/* Forgets all DIEs, before their handles are closed. */
void dwarf_names_clear(struct dwarf_names *t);
void dwarf_names_release(struct dwarf_names *t);

/* NULL: none. */
const char *dwarf_names_linkage(Dwarf_Die *die);
/* Does the unit's language mangle linkage names? Otherwise DW_AT_name is the symbol's name. */
bool dwarf_names_is_mangled(Dwarf_Die *unit);

#endif
