/*
 * dwarf_cache.h - debug information that was unpacked, kept from one process to the next
 *
 * Distributions compress debug information: to unpack that of libc takes longer than a small
 * recording. What is not compressed is not kept, as it is read by unit anyway.
 *
 * A file is known by build-id, device, inode, size and times of change: whoever can fake these can
 * change the file itself.
 *
 * Owns: nothing. Threads: any. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_CACHE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_CACHE_H

#include "base/cache_dir.h"
#include "symbolize/dwarf/dwarf_store.h"

/* NULL: no cache. flags: enum dwarf_image_flags. False: it is not there. */
bool dwarf_cache_read(
	struct cache_dir *c, const struct elf_file *ef, unsigned flags, struct dwarf_kept *kept);
/* Keeps what was read of ef, if that is worth it. */
void dwarf_cache_write(struct cache_dir *c, const struct elf_file *ef, unsigned flags,
	const struct dwarf_kept *kept);

#endif
