/*
 * strtab.h - interned strings: every string once, as a number
 *
 * Strings are compared by their number; number 0 is the empty string, meaning "none". Strings never
 * move and are followed by a NUL byte (which their length does not count).
 *
 * Owns: copies of all strings. Threads: any thread may intern (a lock inside where the string is
 * new), and any may read a number that it was given.
 */
#ifndef PERFOLD_BASE_STRTAB_H
#define PERFOLD_BASE_STRTAB_H

#include "base/span.h"

typedef uint32_t str_id;

struct strtab;

struct strtab *strtab_new(void);
void strtab_free(struct strtab *t);
str_id strtab_add(struct strtab *t, struct span s);
str_id strtab_add_str(struct strtab *t, const char *s);
struct span strtab_get(const struct strtab *t, str_id id);
const char *strtab_str(const struct strtab *t, str_id id);
/* One more than the highest number given so far. */
uint32_t strtab_count(const struct strtab *t);

#endif
