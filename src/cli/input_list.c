#include "cli/input_list.h"

#include <errno.h>
#include <fcntl.h>
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

static void add_entries(struct input_list *l, struct string_list *inputs)
{
	const char end = l->nul ? '\0' : '\n';
	char *p, *last;

	buf_putc(&l->text, end); /* the last entry may lack it */
	for (p = l->text.p, last = p + l->text.n; p < last;) {
		char *stop = memchr(p, end, (size_t)(last - p));

		*stop = '\0';
		if (stop > p)
			string_list_add(inputs, p);
		p = stop + 1;
	}
}

int input_list_read(struct input_list *l, struct string_list *inputs, struct err *e)
{
	size_t before = inputs->n;

	if (read_list(l, e) || check_text(l, e))
		return err_wrap(e, "--inputs-from");
	add_entries(l, inputs);
	if (inputs->n > before)
		return OK;
	return err_set(e, ERR_USAGE, "--inputs-from: %.400s names no input", l->path);
}

void input_list_release(struct input_list *l)
{
	buf_release(&l->text);
}
