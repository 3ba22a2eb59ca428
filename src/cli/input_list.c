#include "cli/input_list.h"

#include "base/bisect.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define STDIN_NAME "standard input"

static int read_text(struct buf *text, int fd, struct err *e)
{
	enum { BLOCK_BYTES = 64 * 1024 };
	ssize_t k = 1;

	while (k > 0) {
		buf_reserve(text, BLOCK_BYTES);
		k = read(fd, text->p + text->n, BLOCK_BYTES);
		if (k > 0)
			text->n += (size_t)k;
		else if (k < 0 && errno == EINTR)
			k = 1;
	}
	return k < 0 ? err_errno(e, "read") : OK;
}

static int read_list(struct input_list *l, struct err *e)
{
	bool from_stdin = strcmp(l->path, "-") == 0;
	int fd = from_stdin ? STDIN_FILENO : open(l->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int rc;

	if (fd < 0)
		return err_errno(e, "%.400s", l->path);
	rc = read_text(&l->text, fd, e);
	if (!from_stdin)
		close(fd);
	return rc ? err_wrap(e, "%.400s", from_stdin ? STDIN_NAME : l->path) : OK;
}

/* A NUL byte in a line would cut its path off. */
static int check_text(const struct input_list *l, struct err *e)
{
	if (l->nul || !l->text.n || !memchr(l->text.p, '\0', l->text.n))
		return OK;
	return err_set(e, ERR_USAGE, "%.400s: has NUL bytes: are its entries for --null?", l->path);
}

/* text: KEY=VALUE, and more of them, each after a TAB. */
static int add_labels(struct input_list *l, size_t input, struct span text, struct err *e)
{
	struct listed_labels *to;
	size_t n;
	int rc = OK;

	ARRAY_GROW(l->labelled, l->n_labelled, l->cap_labelled);
	to = &l->labelled[l->n_labelled++];
	*to = (struct listed_labels){ .input = input };
	for (; text.n && !rc; text = span_skip(text, n + 1)) {
		const char *tab = memchr(text.p, '\t', text.n);

		n = tab ? (size_t)(tab - text.p) : text.n;
		rc = label_list_parse(&to->labels, (struct span){ text.p, n }, e);
	}
	return rc;
}

/* One entry, from p to its end at stop, where a NUL is. */
static int add_entry(
	struct input_list *l, struct string_list *inputs, char *p, char *stop, struct err *e)
{
	char *tab = l->nul ? NULL : memchr(p, '\t', (size_t)(stop - p));

	if (tab == p)
		return err_set(e, ERR_USAGE, "labels without a path");
	if (tab)
		*tab = '\0';
	string_list_add(inputs, p);
	return tab ? add_labels(l, inputs->n - 1, span_range(tab + 1, stop), e) : OK;
}

static int add_entries(struct input_list *l, struct string_list *inputs, struct err *e)
{
	const char end = l->nul ? '\0' : '\n';
	unsigned long line = 1;
	char *p, *last;

	buf_putc(&l->text, end); /* the last entry may lack it */
	for (p = l->text.p, last = p + l->text.n; p < last; line++) {
		char *stop = memchr(p, end, (size_t)(last - p));

		*stop = '\0';
		if (stop > p && add_entry(l, inputs, p, stop, e))
			return err_wrap(e, "%.400s: line %lu", l->path, line);
		p = stop + 1;
	}
	return OK;
}

int input_list_read(struct input_list *l, struct string_list *inputs, struct err *e)
{
	size_t before = inputs->n;

	if (read_list(l, e) || check_text(l, e) || add_entries(l, inputs, e))
		return err_wrap(e, "--inputs-from");
	if (inputs->n > before)
		return OK;
	return err_set(e, ERR_USAGE, "--inputs-from: %.400s names no input", l->path);
}

const struct label_list *input_list_labels(const struct input_list *l, size_t input)
{
	size_t at = bisect(i, (size_t)0, l->n_labelled, l->labelled[i].input >= input);

	return at < l->n_labelled && l->labelled[at].input == input ? &l->labelled[at].labels
								    : NULL;
}

void input_list_release(struct input_list *l)
{
	while (l->n_labelled)
		label_list_release(&l->labelled[--l->n_labelled].labels);
	free(l->labelled);
	buf_release(&l->text);
}
