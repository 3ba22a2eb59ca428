/*
 * kallsyms_blocks.h - this machine's list of kernel symbols, kept from one process to the next
 *
 * The kernel takes 50 ms to print /proc/kallsyms, ten times as long as a small recording takes.
 *
 * A list that was kept is used while the kernel, its boot, its modules and the user's right to see
 * addresses are the same.
 *
 * Private to files/. Threads: any.
 */
#ifndef PERFOLD_FILES_KALLSYMS_BLOCKS_H
#define PERFOLD_FILES_KALLSYMS_BLOCKS_H

#include "base/cache_dir.h"
#include "files/files.h"

/* The list at path (/proc/kallsyms), as it was kept, in order of address: all lines, or at least
 * those that want needs (NULL: all). Where it was not kept it is read, and kept. */
int kallsyms_blocks_read(struct cache_dir *c, const char *path,
	const struct files_kallsyms_want *want, struct buf *text, struct err *e);

#endif
