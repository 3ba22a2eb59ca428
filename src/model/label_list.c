/*
 * A list is an array in the order of its keys. A packed list is its keys and values, one after the
 * other, each with a NUL.
 */
#include "model/label_list.h"

#include "base/bisect.h"
#include "base/buf.h"
#include "base/chars.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 60 };

/* The columns of man perfold-rows(5) that are of samples, and what else pprof calls a thread. */
static const char *const taken[] = { "perfold_rows", "time_us", "duration_us", "process", "comm",
	"thread", "pid", "tid", "cpu", "cgroup", "state", "event", "unit", "period", "samples",
	"weight", "stack", "module", "kind", "file", "line", "leaf", "stack_id" };

static bool is_taken(struct span key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(taken); i++)
		if (span_eq(key, span_of(taken[i])))
			return true;
	return false;
}

static bool is_key(struct span key)
{
	size_t i;

	for (i = 0; i < key.n; i++)
		if (!char_is_lower(key.p[i]) &&
			(!i || !(char_is_digit(key.p[i]) || strchr("_.", key.p[i]))))
			return false;
	return key.n != 0 && key.n <= KEY_MAX;
}

bool label_list_may_have(struct span key)
{
	return is_key(key) && !is_taken(key);
}

/* The place of a key: its number if it is there, else that of the first one after it. */
static size_t find(const struct label_list *l, struct span key, bool *is_there)
{
	size_t i = bisect(k, (size_t)0, l->n, span_cmp(span_of(l->at[k].key), key) >= 0);

	*is_there = i < l->n && span_eq(span_of(l->at[i].key), key);
	return i;
}

static char *copy(struct span s)
{
	char *text = xmalloc(s.n + 1);

	if (s.n)
		memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	return text;
}

void label_list_set(struct label_list *l, struct span key, struct span value)
{
	char *new_value = copy(value); /* the old one may be it */
	bool is_there;
	size_t i = find(l, key, &is_there);

	if (is_there) {
		free(l->at[i].value);
		l->at[i].value = new_value;
		return;
	}
	ARRAY_GROW(l->at, l->n, l->cap);
	memmove(l->at + i + 1, l->at + i, (l->n++ - i) * sizeof(*l->at));
	l->at[i] = (struct label){ copy(key), new_value };
}

bool label_list_add(struct label_list *l, struct span key, struct span value)
{
	if (value.n > LABEL_MAX_BYTES || (l->n >= LABELS_MAX && !label_list_find(l, key)))
		return false;
	label_list_set(l, key, value);
	return true;
}

void label_list_remove(struct label_list *l, struct span key)
{
	bool is_there;
	size_t i = find(l, key, &is_there);

	if (!is_there)
		return;
	free(l->at[i].key);
	free(l->at[i].value);
	memmove(l->at + i, l->at + i + 1, (--l->n - i) * sizeof(*l->at));
}

void label_list_set_all(struct label_list *l, const struct label_list *from)
{
	size_t i;

	for (i = 0; from && i < from->n; i++)
		label_list_set(l, span_of(from->at[i].key), span_of(from->at[i].value));
}

int label_list_parse(struct label_list *l, struct span text, struct err *e)
{
	const char *equals = text.n ? memchr(text.p, '=', text.n) : NULL;
	struct span key, value;
	const char *known;

	if (!equals)
		return err_set(e, ERR_USAGE, "\"%.*s\" is not KEY=VALUE", SPAN_ARG(text));
	key = span_range(text.p, equals);
	value = span_skip(text, key.n + 1);
	if (!is_key(key))
		return err_set(e, ERR_USAGE,
			"\"%.*s\" is no key: one is of a-z, 0-9, _ and ., begins with a letter, "
			"and "
			"has at most 60 bytes",
			SPAN_ARG(key));
	if (is_taken(key))
		return err_set(
			e, ERR_USAGE, "\"%.*s\" is the name of a column of its own", SPAN_ARG(key));
	if (!value.n)
		return err_set(e, ERR_USAGE, "\"%.*s\" has no value", SPAN_ARG(key));
	known = label_list_find(l, key);
	if (known && !span_eq(span_of(known), value))
		return err_set(e, ERR_USAGE, "%.*s is given twice: %.100s and %.*s", SPAN_ARG(key),
			known, SPAN_ARG(value));
	label_list_set(l, key, value);
	return OK;
}

const char *label_list_find(const struct label_list *l, struct span key)
{
	bool is_there;
	size_t i = find(l, key, &is_there);

	return is_there ? l->at[i].value : NULL;
}

str_id label_list_pack(const struct label_list *l, struct strtab *strings)
{
	struct buf b = { 0 };
	str_id packed;
	size_t i;

	for (i = 0; i < l->n; i++) {
		buf_put(&b, l->at[i].key, strlen(l->at[i].key) + 1);
		buf_put(&b, l->at[i].value, strlen(l->at[i].value) + 1);
	}
	packed = strtab_add(strings, buf_span(&b));
	buf_release(&b);
	return packed;
}

/* Pops a string with its NUL. */
static struct span next(struct span *rest)
{
	struct span s = { rest->p, strnlen(rest->p, rest->n) };

	*rest = span_skip(*rest, s.n < rest->n ? s.n + 1 : s.n);
	return s;
}

void label_list_unpack(struct label_list *l, struct span packed)
{
	while (packed.n) {
		struct span key = next(&packed);

		label_list_set(l, key, next(&packed));
	}
}

void label_list_release(struct label_list *l)
{
	while (l->n) {
		free(l->at[--l->n].key);
		free(l->at[l->n].value);
	}
	free(l->at);
	*l = (struct label_list){ 0 };
}
