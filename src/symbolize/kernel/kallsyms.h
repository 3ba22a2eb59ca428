/*
 * kallsyms.h - the kernel's own list of symbols (/proc/kallsyms)
 *
 *	ffffffff81000000 T _stext
 *	ffffffffc0a41010 t ext4_map_blocks	[ext4]
 *
 * Sizes are not in it: a symbol reaches to the next. Only the types T W D B of either case are
 * kept, as in perf. Lists come from other machines too: any line may be broken.
 *
 * Owns: the text, and the symbols; borrowed ones belong to another list. Threads: read by any.
 */
#ifndef PERFOLD_SYMBOLIZE_KERNEL_KALLSYMS_H
#define PERFOLD_SYMBOLIZE_KERNEL_KALLSYMS_H

#include "base/index.h"
#include "symbolize/symtab/symtab.h"

struct kallsym {
	uint64_t start, end;
	struct span name, module; /* "[ext4]", empty for the kernel proper */
	uint32_t order;
	uint32_t next; /* the next symbol of the same module, KALLSYMS_END: none */
	char type;
};

#define KALLSYMS_END UINT32_MAX

struct kallsyms {
	struct buf text;     /* empty: it is borrowed */
	bool borrowed;       /* so are the symbols */
	struct kallsym *sym; /* sorted by start; those with one start as in the list */
	uint32_t n, cap;
	struct index by_module; /* numbers of the first symbol of each */
	struct files_trail trail;
};

/* Take over and read the text. */
void kallsyms_parse(struct kallsyms *k, struct buf *text, bool compat_perf);
/* The text outlives the list. */
void kallsyms_parse_borrowed(struct kallsyms *k, struct span text, bool compat_perf);
/* k, which is empty but for its trail, gets the symbols of a list that outlives it. */
void kallsyms_borrow(struct kallsyms *k, const struct kallsyms *from);
void kallsyms_release(struct kallsyms *k);
/* The first symbol of a module, of the kernel proper for an empty name; KALLSYMS_END: none. */
uint32_t kallsyms_first(const struct kallsyms *k, struct span module);
/* The address of a symbol of the kernel proper; false if the list has none. */
bool kallsyms_address(const struct kallsyms *k, struct span name, uint64_t *address);
/* The module whose code is at an address, empty for the kernel proper; false if no symbol covers
 * it. */
bool kallsyms_module_at(const struct kallsyms *k, uint64_t address, struct span *module);

#endif
