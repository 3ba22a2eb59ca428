/*
 * dwarf_packages.h - the packages of .dwo files that belong to a program
 *
 * The first unit whose tree is not in the program starts the search. A package may be from another
 * build and still have some of the same units, so only the id of a unit proves that it belongs. All
 * packages that are found stay open and are searched in turn, so the answer does not depend on
 * which unit comes first.
 *
 * Owns: the packages. Threads: any, from init to release; package[] may be read by who has called
 * dwarf_packages_find().
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_PACKAGES_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_PACKAGES_H

#include "symbolize/dwarf/dwarf_package.h"

#include <pthread.h>
#include <stdatomic.h>

enum { DWARF_PACKAGES_MAX = 4 };

struct dwarf_packages {
	pthread_mutex_t lock;
	bool looked_for;
	struct dwarf_package package[DWARF_PACKAGES_MAX];
	_Atomic bool used[DWARF_PACKAGES_MAX];
	uint32_t n;
	struct files_trail trail; /* files that exist but are no packages */
};

void dwarf_packages_init(struct dwarf_packages *p);
void dwarf_packages_release(struct dwarf_packages *p);
/* The first call searches; the others wait for it. */
void dwarf_packages_find(
	struct dwarf_packages *p, const struct files *files, const struct files_dwp_owner *beside);
/* A unit was found in one of them. */
void dwarf_packages_use(struct dwarf_packages *p, uint32_t which, const struct files *files,
	const struct files_dwp_owner *beside);
/* The path of one that was used; NULL: none was. */
const char *dwarf_packages_used(const struct dwarf_packages *p);
/* Adds to the trail the files that are no packages, and the packages that lacked a unit. */
void dwarf_packages_report(const struct dwarf_packages *p, struct files_trail *trail);

#endif
