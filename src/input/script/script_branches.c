#include "input/script/script_branches.h"

#include "base/chars.h"

#include <string.h>

static bool skip_char(struct span *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = span_skip(*s, 1);
	return true;
}

/* "0xADDRESS" or "0xADDRESS(MODULE)", and the slash that ends it. */
static bool scan_end(struct span *s, uint64_t *address)
{
	ptrdiff_t end;

	if (!span_starts(*s, SPAN("0x")))
		return false;
	*s = span_skip(*s, 2);
	if (!span_scan_hex(s, address))
		return false;
	if (s->n && s->p[0] == '(') {
		end = span_find(*s, SPAN(")/"));
		if (end < 0)
			return false;
		*s = span_skip(*s, (size_t)end + 1);
	}
	return skip_char(s, '/');
}

/* "M", "P", "-"; also "PN", of a branch that was not taken. */
static bool scan_prediction(struct span *s, struct branch_record *branch)
{
	size_t n = 0;

	branch->mispredicted = branch->predicted = false;
	for (; s->n && !char_is_blank(s->p[0]) && s->p[0] != '/'; n++) {
		branch->mispredicted |= s->p[0] == 'M';
		branch->predicted |= s->p[0] == 'P';
		*s = span_skip(*s, 1);
	}
	return n > 0;
}

static bool scan_branch(struct span *s, struct branch_record *branch)
{
	if (!scan_end(s, &branch->from) || !scan_end(s, &branch->to) || !scan_prediction(s, branch))
		return false;
	while (s->n && !char_is_blank(s->p[0]))
		*s = span_skip(*s, 1);
	return true;
}

/* Is it the front of a branch, maybe damaged? "0xADDRESS" and a slash, a module, or the end. */
static bool looks_like_branch(struct span s)
{
	uint64_t address;

	if (!span_starts(s, SPAN("0x")))
		return false;
	s = span_skip(s, 2);
	span_scan_hex(&s, &address);
	return !s.n || s.p[0] == '/' || s.p[0] == '(';
}

/* "0x" is looked for by its second character: addresses have many zeros. */
bool script_branches_find(struct span line, size_t *at)
{
	const char *end = line.p + line.n, *p = line.p;

	while (p < end && (p = memchr(p, 'x', (size_t)(end - p)))) {
		*at = (size_t)(p++ - line.p);
		if (!*at || line.p[--*at] != '0' || (*at && !char_is_blank(line.p[*at - 1])))
			continue;
		if (looks_like_branch(span_skip(line, *at)))
			return true;
	}
	return false;
}

bool script_branches_next(struct span *s, struct branch_record *branch)
{
	struct span at = *s;

	while (at.n && char_is_blank(at.p[0]))
		at = span_skip(at, 1);
	if (!scan_branch(&at, branch))
		return false;
	*s = at;
	return true;
}

bool script_branches_are_there(struct span line)
{
	struct branch_record branch;
	struct span s;
	size_t at;

	if (!script_branches_find(line, &at))
		return false;
	s = span_skip(line, at);
	return script_branches_next(&s, &branch);
}

bool script_branches_are_names(struct span line)
{
	static const char flags[] = "/-/-/";
	enum { BEFORE = 2, BYTES = BEFORE + sizeof(flags) - 1 };
	const char *end = line.p + line.n, *p = line.p;

	for (; p && end - p >= BYTES; p++) {
		p = memchr(p, '/', (size_t)(end - p) - BYTES + 1);
		if (!p)
			break;
		if ((p[1] == 'P' || p[1] == 'M' || p[1] == '-') &&
			!memcmp(p + BEFORE, flags, sizeof(flags) - 1))
			return true;
	}
	return false;
}
