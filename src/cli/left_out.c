#include "cli/left_out.h"

#include "base/json_writer.h"
#include "base/mem.h"
#include "cli/message.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

const char *left_out_kind(const char *path, const struct err *e)
{
	struct stat st;

	switch (e->code) {
	case ERR_IO:
		return e->errno_value == ENOENT || e->errno_value == ENOTDIR ? "missing"
									     : "unreadable";
	case ERR_FORMAT:
		return !stat(path, &st) && S_ISREG(st.st_mode) && !st.st_size ? "empty" : "format";
	case ERR_LIMIT:
		return "limit";
	default:
		return "unsuitable";
	}
}

const char *left_out_damage(enum diag_kind kind)
{
	return kind == DIAG_CUT_SHORT ? "cut" : "damaged";
}

void left_out_add(struct left_out *l, struct left_out_input input)
{
	input.text = xstrdup(input.text);
	ARRAY_GROW(l->item, l->n, l->cap);
	l->item[l->n++] = input;
}

static int compare_numbers(const void *pa, const void *pb)
{
	const struct left_out_input *a = pa, *b = pb;

	return a->number < b->number ? -1 : a->number > b->number;
}

void left_out_sort(struct left_out *l)
{
	if (l->n)
		qsort(l->item, l->n, sizeof(*l->item), compare_numbers);
}

static void put_member(struct json_writer *j, const char *key, const char *value)
{
	json_writer_key(j, key);
	json_writer_str(j, value);
}

int left_out_write(const struct left_out *l, const char *path, struct err *e)
{
	struct json_writer *j;
	struct sink *to;
	size_t i;

	if (sink_open(&to, path, SINK_PLAIN, e))
		return e->code;
	j = json_writer_new(to);
	for (i = 0; i < l->n; i++) {
		json_writer_object(j);
		put_member(j, "path", l->item[i].path);
		put_member(j, "kind", l->item[i].kind);
		put_member(j, "text", l->item[i].text);
		json_writer_object_end(j);
		json_writer_next(j, "\n");
	}
	json_writer_free(j);
	return sink_commit(to, e);
}

void left_out_print(const struct left_out *l, const char *errors)
{
	enum { SHOWN_MAX = 5 };
	size_t i;

	for (i = 0; i < l->n && i < SHOWN_MAX; i++)
		message("left out: %s", l->item[i].text);
	if (l->n > SHOWN_MAX)
		message("left out: %zu more%s%s", l->n - SHOWN_MAX,
			errors ? ": see " : ": --errors FILE lists them", errors ? errors : "");
}

void left_out_release(struct left_out *l)
{
	while (l->n)
		free(l->item[--l->n].text);
	free(l->item);
	*l = (struct left_out){ 0 };
}
