/*
 * dwarf_packages.h - the packages of .dwo files that a program has
 *
 * They are looked for when the first unit is met whose tree is not in the program. One may be of
 * another build, and units of both be the same: what proves a package is that it has the id that is
 * asked for. So all that are found are kept, and asked one after the other.
 *
 * Owns: the packages. Threads: any, from init to release; package[] is for who has called
 * dwarf_packages_find().
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_PACKAGES_H
#define PERFOLD_SYMBOLIZE_DWARF_PACKAGES_H

#include "symbolize/dwarf_package.h"

#include <pthread.h>
#include <stdatomic.h>

enum { DWARF_PACKAGES_MAX = 4 };

struct dwarf_packages {
	pthread_mutex_t lock;
	bool looked_for;
	struct dwarf_package package[DWARF_PACKAGES_MAX];
	_Atomic bool used[DWARF_PACKAGES_MAX];
	uint32_t n;
	struct files_trail trail; /* what is there and is no package */
};

void dwarf_packages_init(struct dwarf_packages *p);
void dwarf_packages_release(struct dwarf_packages *p);
/* Once for all. */
void dwarf_packages_find(
	struct dwarf_packages *p, const struct files *files, const struct files_beside *beside);
/* A unit was found in one of them. */
void dwarf_packages_use(struct dwarf_packages *p, uint32_t which, const struct files *files,
	const struct files_beside *beside);
/* The path of one that was used; NULL: none was. */
const char *dwarf_packages_used(const struct dwarf_packages *p);
/* Those that are there, and lack what was asked for. */
void dwarf_packages_tell(const struct dwarf_packages *p, struct files_trail *trail);

#endif
