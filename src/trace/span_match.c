/*
 * How rules become roles: each rule is matched against the name of each event, once for its begin
 * and once for its end. What the stars of the pattern matched, with the number of the rule, is the
 * group of the role:
 *
 *	rule 0: syscalls:sys_enter_* .. syscalls:sys_exit_*
 *
 *	event                     role          group
 *	syscalls:sys_enter_read   begins        "0 read"
 *	syscalls:sys_exit_read    ends          "0 read"
 *	syscalls:sys_exit_write   ends          "0 write"
 *
 * so that only events with the same stars pair. Roles are in order of events; for a mark of an
 * event those from first[event] to first[event + 1] apply.
 */
#include "trace/span_match.h"

#include "base/mem.h"

#include <stdlib.h>

/* ---- names -------------------------------------------------------------------------------- */

/* Stars match as little as they can, except the last one: what follows it must end the name. */
static bool match_stars(struct span name, struct span pattern, struct buf *stars)
{
	const char *star = pattern.n ? memchr(pattern.p, '*', pattern.n) : NULL;
	struct span before, after;
	size_t i;

	if (!star)
		return span_eq(name, pattern);
	before = span_range(pattern.p, star);
	after = span_skip(pattern, before.n + 1);
	if (!span_starts(name, before))
		return false;
	name = span_skip(name, before.n);
	for (i = 0; i <= name.n; i++) {
		size_t had = stars->n;

		buf_put(stars, name.p, i);
		buf_putc(stars, '\0');
		if (match_stars(span_skip(name, i), after, stars))
			return true;
		stars->n = had;
	}
	return false;
}

/* Does an event have that name? What the stars of the pattern match is appended to stars, each
 * string followed by a NUL. */
static bool match_name(struct span name, struct span pattern, struct buf *stars)
{
	size_t had = stars->n;
	struct span one;

	while (pattern.n) {
		const char *blank = memchr(pattern.p, ' ', pattern.n);

		one = blank ? span_range(pattern.p, blank) : pattern;
		pattern = span_skip(pattern, one.n + 1);
		if (one.n && match_stars(name, one, stars))
			return true;
		stars->n = had;
	}
	return false;
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool find_field(const struct spans_opts *o, struct span name, uint32_t *field)
{
	for (*field = 0; *field < o->fields->n; ++*field)
		if (span_eq(span_of(o->fields->name[*field]), name))
			return true;
	return false;
}

static int parse_part(
	struct span_key *k, const struct spans_opts *o, struct span part, struct err *e)
{
	const struct span field = SPAN("field:");

	if (k->n == SPAN_KEYS_MAX)
		return err_set(e, ERR_USAGE, "a key has at most %d parts", SPAN_KEYS_MAX);
	if (span_eq(part, SPAN("tid")))
		k->part[k->n] = KEY_TID;
	else if (span_eq(part, SPAN("pid")))
		k->part[k->n] = KEY_PID;
	else if (span_starts(part, field) &&
		 find_field(o, span_skip(part, field.n), &k->field[k->n]))
		k->part[k->n] = KEY_FIELD;
	else
		return err_set(e, ERR_USAGE,
			"\"%.*s\" is not a key: keys are tid, pid and field:NAME, separated by "
			"commas",
			SPAN_ARG(part));
	k->n++;
	return OK;
}

static int parse_key(struct span_key *k, const struct spans_opts *o, struct span key, struct err *e)
{
	while (key.n) {
		const char *comma = memchr(key.p, ',', key.n);
		struct span part = comma ? span_range(key.p, comma) : key;

		if (parse_part(k, o, part, e))
			return e->code;
		key = span_skip(key, part.n + 1);
	}
	return OK;
}

/* ---- roles -------------------------------------------------------------------------------- */

static uint32_t find_group(struct span_matcher *m, uint32_t rule, const struct buf *stars)
{
	struct buf b = { 0 };
	uint32_t i;
	str_id group;

	buf_printf(&b, "%u ", rule);
	buf_put_span(&b, buf_span(stars));
	group = strtab_add(m->recording->strings, buf_span(&b));
	buf_release(&b);
	for (i = 0; i < m->n_groups; i++)
		if (m->groups[i] == group)
			return i;
	ARRAY_GROW(m->groups, m->n_groups, m->cap_groups);
	m->groups[m->n_groups] = group;
	return m->n_groups++;
}

static const char *pattern_of(const struct spans_opts *o, uint32_t rule, enum span_role_kind kind)
{
	return kind == ROLE_BEGINS ? o->rules[rule].begin
	       : kind == ROLE_ENDS ? o->rules[rule].end
				   : o->step;
}

static bool add_role(
	struct span_matcher *m, uint32_t event, uint32_t rule, enum span_role_kind kind)
{
	struct span name = strtab_get(m->recording->strings, m->recording->events[event].name);
	struct buf stars = { 0 };
	bool fits = match_name(name, span_of(pattern_of(m->opts, rule, kind)), &stars);

	if (fits) {
		ARRAY_GROW(m->roles, m->n_roles, m->cap_roles);
		m->roles[m->n_roles++] =
			(struct span_role){ event, rule, find_group(m, rule, &stars), kind };
	}
	buf_release(&stars);
	return fits;
}

/* From one event to the next of the same kind. */
static bool is_one_event(const struct span_rule *r)
{
	return strcmp(r->begin, r->end) == 0;
}

/* "*:connect*" begins what "*:connect*_ret" ends: an event that ends something for a rule begins
 * nothing for it, unless its conditions distinguish the two. */
static void add_roles(struct span_matcher *m, uint32_t event)
{
	size_t i;

	for (i = 0; i < m->opts->n_rules; i++) {
		bool ends = add_role(m, event, (uint32_t)i, ROLE_ENDS);

		if (!ends || m->opts->rules[i].begin_if.field || is_one_event(&m->opts->rules[i]))
			add_role(m, event, (uint32_t)i, ROLE_BEGINS);
		if (m->opts->step)
			add_role(m, event, (uint32_t)i, ROLE_STEPS);
	}
}

int span_match_init(struct span_matcher *m, const struct recording *r, const struct spans_opts *o,
	struct err *e)
{
	uint32_t i;

	*m = (struct span_matcher){ .recording = r, .opts = o };
	m->keys = xcalloc(o->n_rules, sizeof(*m->keys));
	for (i = 0; i < o->n_rules; i++)
		if (parse_key(&m->keys[i], o, span_of(o->rules[i].key), e))
			return e->code;
	m->first = xcalloc((size_t)r->n_events + 1, sizeof(*m->first));
	for (i = 0; i < r->n_events; i++) {
		m->first[i] = m->n_roles;
		add_roles(m, i);
	}
	m->first[r->n_events] = m->n_roles;
	return OK;
}

void span_match_release(struct span_matcher *m)
{
	free(m->keys);
	free(m->roles);
	free(m->first);
	free(m->groups);
}

/* ---- conditions --------------------------------------------------------------------------- */

static bool is_one_of(const struct span_condition *c, uint64_t value)
{
	struct span rest = span_of(c->value);
	struct field_value wanted;

	while (rest.n) {
		const char *blank = memchr(rest.p, ' ', rest.n);
		struct span word = blank ? span_range(rest.p, blank) : rest;

		if (field_value_scan(word, &wanted) &&
			wanted.number == (c->mask ? value & c->mask : value))
			return true;
		rest = span_skip(rest, word.n + 1);
	}
	return false;
}

bool span_match_condition(const struct span_matcher *m, const struct marks *marks,
	const struct mark *mark, const struct span_condition *c)
{
	uint32_t field;
	uint64_t value;

	if (!c->field)
		return true;
	if (!find_field(m->opts, span_of(c->field), &field) ||
		!marks_value(marks, mark, field, &value))
		return false;
	if (marks_is_string(mark, field))
		return span_eq(strtab_get(m->recording->strings, (str_id)value),
			span_of(c->text ? c->text : c->value));
	return is_one_of(c, value);
}
