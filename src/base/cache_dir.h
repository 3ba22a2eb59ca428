/*
 * cache_dir.h - a directory of what took long to make, shared by processes
 *
 * An entry has a name, by which it is looked for, and a key: all that its content depends on. What
 * is not exactly that key's, is damaged, or belongs to another user is not there. Any entry, and
 * the whole directory, may be deleted at any time.
 *
 * Only the user may be able to write to the directory: whoever can decides what perfold says.
 *
 * Owns: the path; an entry owns a descriptor. Threads: a directory is used by any, an entry by one
 * at a time.
 */
#ifndef PERFOLD_BASE_CACHE_DIR_H
#define PERFOLD_BASE_CACHE_DIR_H

#include "base/err.h"
#include "base/span.h"

#include <stdint.h>

struct cache_dir;

/* Creates the directory if need be. Entries that were not used for the longest time are deleted
 * where all together exceed limit_bytes. */
int cache_dir_open(struct cache_dir **out, const char *path, uint64_t limit_bytes, struct err *e);
/* NULL is fine. */
void cache_dir_close(struct cache_dir *c);
/* Why the first entry that could not be kept was not; NULL: all were. Lives as long as c. */
const char *cache_dir_problem(struct cache_dir *c);

struct cache_entry {
	int fd;
	uint64_t size_bytes; /* of the content */
	uint64_t at;         /* where it begins in the file */
	uint64_t *check;     /* of each block */
	char *block;         /* one that was read in part */
	uint64_t in_block;   /* its number */
};

/* Finds an entry. False: it is not there. */
bool cache_dir_find(
	struct cache_dir *c, const char *name, struct span key, struct cache_entry *entry);
/* n bytes of the content. False: they are damaged, or beyond its end. */
bool cache_dir_read(struct cache_entry *entry, void *p, size_t n, uint64_t at);
void cache_dir_close_entry(struct cache_entry *entry);

/* Makes an entry, or replaces it: the content is that of the parts, one after the other. A process
 * that is killed leaves no entry. */
void cache_dir_put(struct cache_dir *c, const char *name, struct span key, const struct span *parts,
	unsigned n_parts);

enum { CACHE_DIR_KEY_MAX = 1024 };

#endif
