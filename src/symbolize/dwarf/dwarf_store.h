/*
 * dwarf_store.h - debug information that was unpacked, kept for the next recording of the program
 *
 * Whoever takes an image has it alone, as units are loaded into it and dropped, and puts it back.
 * So two threads that need one file at the same time read it twice, and both images are kept. Those
 * that were not used for the longest time are freed where all exceed a limit.
 *
 * A file is known by device, inode, size and time of change.
 *
 * Owns: the images that are in it. Threads: any. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_STORE_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_STORE_H

#include "symbolize/dwarf/dwarf_image.h"
#include "symbolize/dwarf/dwarf_units.h"

struct dwarf_store;

/* A zeroed key is that of no file: nothing is kept under it. */
struct dwarf_store_key {
	struct file_identity file;
	off_t size_bytes;
	struct timespec changed;
	unsigned flags; /* enum dwarf_image_flags */
};

/* What is kept of a file. */
struct dwarf_kept {
	struct dwarf_image image;
	struct dwarf_units units; /* none of an alternate file */
};

/* most_bytes: of all files together, or of a single larger one. only_lines: nothing but lines will
 * be looked up again, so of files where they are plain no more is kept, under a key with
 * DWARF_ONLY_LINES. */
struct dwarf_store *dwarf_store_new(size_t most_bytes, bool only_lines);
void dwarf_store_free(struct dwarf_store *s);
/* Will lines be looked up again, and nothing else? */
bool dwarf_store_keeps_lines(const struct dwarf_store *s);

/* Zeroed for what is no file, and where there is no store. */
struct dwarf_store_key dwarf_store_key_of(
	const struct dwarf_store *s, const struct elf_file *ef, unsigned flags);
/* False: it is not there. */
bool dwarf_store_take(
	struct dwarf_store *s, const struct dwarf_store_key *key, struct dwarf_kept *kept);
/* Takes over what is in kept. False, and nothing is done, for a zeroed key. */
bool dwarf_store_put(
	struct dwarf_store *s, const struct dwarf_store_key *key, struct dwarf_kept *kept);

#endif
