/*
 * How patterns are compiled and matched, with PCRE2 (pcre2api(3), pcre2jit(3)).
 *
 * Names are mostly UTF-8, but need not be: a pattern is compiled for UTF-8 and, where that makes
 * sense, for bytes. The first is tried; if PCRE2 finds that the subject is no UTF-8, the second.
 *
 * Limits on steps, depth, heap and JIT stack belong to the matcher, one for each worker. Whatever
 * PCRE2 returns but a match and "no match" means that a limit was hit, and is remembered as that.
 *
 * A replacement is checked when it is compiled: it is applied to an empty subject by a pattern with
 * the same groups, all unset. So a mistake in it is reported before any name has matched.
 */
#include "filter/pattern.h"

#include "base/buf.h"
#include "base/mem.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

enum {
	/* About a millisecond of backtracking; expressions that people write stay below 1000. */
	MATCH_LIMIT = 100 * 1000,
	DEPTH_LIMIT = 10 * 1000,
	HEAP_LIMIT_KIB = 4 * 1024,
	JIT_STACK_BYTES = 256 * 1024,
};

struct pattern {
	pcre2_code *text;  /* for UTF-8 */
	pcre2_code *bytes; /* for the rest; NULL where it only makes sense as UTF-8: \x{2192} */
	char *replacement;
	size_t replacement_n;
	uint32_t replace_options;
};

struct pattern_matcher {
	pcre2_match_context *context;
	pcre2_match_data *data;
	pcre2_jit_stack *stack;
	bool limited;
	char out[PATTERN_TEXT_LIMIT + 1];
};

struct pattern_flags {
	uint32_t compile;
	bool global;
};

static void *allocate(size_t size_bytes, void *ctx)
{
	(void)ctx;
	return xmalloc(size_bytes);
}

static void release(void *p, void *ctx)
{
	(void)ctx;
	free(p);
}

static int read_flags(const struct pattern_source *s, struct pattern_flags *f,
	struct pattern_fault *fault, struct err *e)
{
	size_t i;

	for (i = 0; i < s->flags.n; i++) {
		char c = s->flags.p[i];

		*fault = (struct pattern_fault){ FAULT_FLAGS, i };
		if (c == 'i')
			f->compile |= PCRE2_CASELESS;
		else if (c == 'x')
			f->compile |= PCRE2_EXTENDED;
		else if (c == 's')
			f->compile |= PCRE2_DOTALL;
		else if (c == 'm')
			f->compile |= PCRE2_MULTILINE;
		else if (c == 'g' && s->replaces)
			f->global = true;
		else if (c == 'g')
			return err_set(e, ERR_USAGE, "the flag `g` only goes with s/regex/text/");
		else
			return err_set(e, ERR_USAGE, "unknown flag `%c` (known: i x s m g)", c);
	}
	return OK;
}

static int fail_pcre2(int code, struct err *e)
{
	unsigned char text[256];

	pcre2_get_error_message(code, text, sizeof(text));
	return err_set(e, ERR_USAGE, "%s", (const char *)text);
}

static int compile(struct pattern *p, struct span regex, uint32_t options,
	struct pattern_fault *fault, struct err *e)
{
	size_t offset;
	int code;

	/* \C could cut a character in two, and what is cut out of a name must stay UTF-8. */
	options |= PCRE2_NEVER_BACKSLASH_C;
	p->text = pcre2_compile(
		(PCRE2_SPTR)regex.p, regex.n, options | PCRE2_UTF, &code, &offset, NULL);
	if (!p->text) {
		*fault = (struct pattern_fault){ FAULT_REGEX, offset };
		return fail_pcre2(code, e);
	}
	pcre2_jit_compile(p->text, PCRE2_JIT_COMPLETE);
	p->bytes = pcre2_compile(
		(PCRE2_SPTR)regex.p, regex.n, options | PCRE2_NEVER_UTF, &code, &offset, NULL);
	if (p->bytes)
		pcre2_jit_compile(p->bytes, PCRE2_JIT_COMPLETE);
	return OK;
}

/*
 * An expression that matches everything and has the same groups as p, all unset: "(?<a>)?()?".
 * Replacing with it shows mistakes in the replacement before any name has matched.
 */
static pcre2_code *groups_of(const struct pattern *p)
{
	struct buf b = { 0 };
	uint32_t groups, names, entry_size, i, k;
	const unsigned char *table;
	size_t offset;
	pcre2_code *c;
	int code;

	pcre2_pattern_info(p->text, PCRE2_INFO_CAPTURECOUNT, &groups);
	pcre2_pattern_info(p->text, PCRE2_INFO_NAMECOUNT, &names);
	pcre2_pattern_info(p->text, PCRE2_INFO_NAMEENTRYSIZE, &entry_size);
	pcre2_pattern_info(p->text, PCRE2_INFO_NAMETABLE, &table);
	buf_puts(&b, "(?J)");
	for (i = 1; i <= groups; i++) {
		const char *name = NULL;

		for (k = 0; k < names; k++) {
			const unsigned char *row = table + (size_t)k * entry_size;

			if (((uint32_t)row[0] << 8 | row[1]) == i)
				name = (const char *)row + 2;
		}
		if (name)
			buf_printf(&b, "(?<%s>)?", name);
		else
			buf_puts(&b, "()?");
	}
	c = pcre2_compile((PCRE2_SPTR)b.p, b.n, PCRE2_UTF, &code, &offset, NULL);
	buf_release(&b);
	return c;
}

static int check_replacement(const struct pattern *p, struct pattern_fault *fault, struct err *e)
{
	pcre2_code *c = groups_of(p);
	unsigned char out[256];
	size_t n = sizeof(out);
	int rc;

	if (!c)
		return OK;
	rc = pcre2_substitute(c, (PCRE2_SPTR) "", 0, 0, p->replace_options, NULL, NULL,
		(PCRE2_SPTR)p->replacement, p->replacement_n, out, &n);
	pcre2_code_free(c);
	if (rc >= 0 || rc == PCRE2_ERROR_NOMEMORY)
		return OK;
	*fault = (struct pattern_fault){ FAULT_REPLACEMENT, n == PCRE2_UNSET ? 0 : n };
	return fail_pcre2(rc, e);
}

int pattern_new(struct pattern **out, const struct pattern_source *s, struct pattern_fault *fault,
	struct err *e)
{
	struct pattern_flags flags = { 0 };
	struct pattern *p;

	if (read_flags(s, &flags, fault, e))
		return e->code;
	p = xcalloc(1, sizeof(*p));
	if (compile(p, s->regex, flags.compile, fault, e))
		goto fail;
	if (s->replaces) {
		p->replacement = xmemdup(s->replacement.p, s->replacement.n);
		p->replacement_n = s->replacement.n;
		p->replace_options = PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_UNSET_EMPTY;
		p->replace_options |= flags.global ? PCRE2_SUBSTITUTE_GLOBAL : 0;
		if (check_replacement(p, fault, e))
			goto fail;
	}
	*out = p;
	return OK;
fail:
	pattern_free(p);
	return e->code;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_code_free(p->text);
	pcre2_code_free(p->bytes);
	free(p->replacement);
	free(p);
}

struct pattern_matcher *pattern_matcher_new(void)
{
	pcre2_general_context *g = pcre2_general_context_create(allocate, release, NULL);
	struct pattern_matcher *m = xcalloc(1, sizeof(*m));

	m->context = pcre2_match_context_create(g);
	m->data = pcre2_match_data_create(1, g);
	m->stack = pcre2_jit_stack_create(32 * 1024, JIT_STACK_BYTES, g);
	pcre2_general_context_free(g);
	pcre2_set_match_limit(m->context, MATCH_LIMIT);
	pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(m->context, HEAP_LIMIT_KIB);
	pcre2_jit_stack_assign(m->context, NULL, m->stack);
	return m;
}

void pattern_matcher_free(struct pattern_matcher *m)
{
	if (!m)
		return;
	pcre2_jit_stack_free(m->stack);
	pcre2_match_data_free(m->data);
	pcre2_match_context_free(m->context);
	free(m);
}

bool pattern_matcher_was_limited(struct pattern_matcher *m)
{
	bool limited = m->limited;

	m->limited = false;
	return limited;
}

static bool is_utf8_error(int rc)
{
	return rc <= PCRE2_ERROR_UTF8_ERR1 && rc >= PCRE2_ERROR_UTF8_ERR21;
}

/* The code that matches the text, or NULL. */
static const pcre2_code *find_match(
	const struct pattern *p, struct pattern_matcher *m, struct span text)
{
	const pcre2_code *code = p->text;
	PCRE2_SPTR subject = (PCRE2_SPTR)(text.n ? text.p : "");
	int rc;

	if (text.n > PATTERN_TEXT_LIMIT) {
		m->limited = true;
		return NULL;
	}
	rc = pcre2_match(code, subject, text.n, 0, 0, m->data, m->context);
	if (is_utf8_error(rc)) {
		code = p->bytes;
		rc = PCRE2_ERROR_NOMATCH;
		if (code)
			rc = pcre2_match(code, subject, text.n, 0, 0, m->data, m->context);
	}
	if (rc >= 0)
		return code;
	if (rc != PCRE2_ERROR_NOMATCH)
		m->limited = true;
	return NULL;
}

bool pattern_matches(const struct pattern *p, struct pattern_matcher *m, struct span text)
{
	return find_match(p, m, text) != NULL;
}

bool pattern_replace(
	const struct pattern *p, struct pattern_matcher *m, struct span text, struct span *result)
{
	const pcre2_code *code = find_match(p, m, text);
	size_t n = sizeof(m->out);
	int rc;

	if (!code)
		return false;
	rc = pcre2_substitute(code, (PCRE2_SPTR)(text.n ? text.p : ""), text.n, 0,
		p->replace_options, NULL, m->context, (PCRE2_SPTR)p->replacement, p->replacement_n,
		(PCRE2_UCHAR *)m->out, &n);
	if (rc < 0) {
		m->limited = true;
		return false;
	}
	*result = (struct span){ m->out, n };
	return true;
}
