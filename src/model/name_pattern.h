/*
 * name_pattern.h - a regular expression (PCRE2) that names are compared with
 *
 * It matches anywhere in a string, even if that is not UTF-8. A match that hits PCRE2's limits does
 * not count. Each match allocates: callers match each distinct string once.
 *
 * Owns: the compiled expression. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_NAME_PATTERN_H
#define PERFOLD_MODEL_NAME_PATTERN_H

#include "base/err.h"
#include "base/span.h"

struct name_pattern;

int name_pattern_new(struct name_pattern **p, const char *regex, struct err *e);
bool name_pattern_matches(const struct name_pattern *p, struct span string);
void name_pattern_free(struct name_pattern *p);

#endif
