#include "model/name_pattern.h"

#include "base/mem.h"
#include "base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

enum { MATCH_LIMIT = 100 * 1000, DEPTH_LIMIT = 1000 };

struct name_pattern {
	pcre2_code *code;
	pcre2_match_context *limits;
};

static int pattern_error(const char *regex, int code, size_t at, struct err *e)
{
	PCRE2_UCHAR text[256];

	pcre2_get_error_message(code, text, sizeof(text));
	return err_set(e, ERR_USAGE, "regular expression \"%s\": at %zu: %s", regex, at, text);
}

int name_pattern_new(struct name_pattern **p, const char *regex, struct err *e)
{
	uint32_t utf = utf8_valid(span_of(regex)) ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : 0;
	PCRE2_SIZE at;
	int code;
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED,
		utf | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);

	*p = NULL;
	if (!re)
		return pattern_error(regex, code, at, e);
	pcre2_jit_compile(re, PCRE2_JIT_COMPLETE); /* if this fails the interpreter is used */
	*p = xcalloc(1, sizeof(**p));
	(*p)->code = re;
	(*p)->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit((*p)->limits, MATCH_LIMIT);
	pcre2_set_depth_limit((*p)->limits, DEPTH_LIMIT);
	return OK;
}

bool name_pattern_matches(const struct name_pattern *p, struct span text)
{
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	int found = pcre2_match(
		p->code, (PCRE2_SPTR)(text.n ? text.p : ""), text.n, 0, 0, match, p->limits);

	pcre2_match_data_free(match);
	return found >= 0;
}

void name_pattern_free(struct name_pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->limits);
	pcre2_code_free(p->code);
	free(p);
}
