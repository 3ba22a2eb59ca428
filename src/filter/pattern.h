/*
 * pattern.h - regular expressions with limits (pcre2api(3))
 *
 * A pattern is compiled twice: as UTF-8, and as bytes for names that are not UTF-8. Matching has
 * limits on steps, memory and the length of the text, and a limit that is hit counts as no
 * match: neither a rule nor a name can hang or fill the machine.
 *
 * Owns: a pattern its code, a matcher its working memory. Threads: patterns are read by any; each
 * worker has a matcher of its own.
 */
#ifndef PERFOLD_FILTER_PATTERN_H
#define PERFOLD_FILTER_PATTERN_H

#include "base/err.h"
#include "base/span.h"

enum {
	/* Names longer than this are not matched, nor made by a rename. Demanglers and V8 stop
	 * far below. */
	PATTERN_TEXT_LIMIT = 16 * 1024,
};

struct pattern;
struct pattern_matcher;

/* The part of a pattern that has a mistake, and where. */
struct pattern_fault {
	enum { FAULT_REGEX, FAULT_FLAGS, FAULT_REPLACEMENT } part;
	size_t offset;
};

struct pattern_source {
	struct span regex, flags;
	struct span replacement;
	bool replaces;
};

/* The strings are copied. A mistake is ERR_USAGE with PCRE2's message, its place in *fault. */
int pattern_new(struct pattern **out, const struct pattern_source *s, struct pattern_fault *fault,
	struct err *e);
void pattern_free(struct pattern *p);

struct pattern_matcher *pattern_matcher_new(void);
void pattern_matcher_free(struct pattern_matcher *m);
bool pattern_matches(const struct pattern *p, struct pattern_matcher *m, struct span text);
/* The text rewritten, if it matches. The result lives until the next call. */
bool pattern_replace(
	const struct pattern *p, struct pattern_matcher *m, struct span text, struct span *result);
/* Was a limit hit since the last call? */
bool pattern_matcher_was_limited(struct pattern_matcher *m);

#endif
