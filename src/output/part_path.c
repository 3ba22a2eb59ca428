/* part_path.c - the names of the files that --split makes */
#include "output/output.h"

#include "base/hash.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* Two of them, numbers and a suffix are less than the 255 bytes of NAME_MAX. */
enum { NAME_BYTES = 90 };

static const char placeholders[] = "cpteun%";

int output_check_marks(const char *path, struct err *e)
{
	for (; *path; path++) {
		if (*path != '%')
			continue;
		path++;
		if (!*path || !strchr(placeholders, *path))
			return err_set(e, ERR_USAGE,
				"%%%.1s is not a placeholder: file names may have %%c %%p %%t %%e "
				"%%u "
				"%%n, and %%%% for %%",
				path);
	}
	return OK;
}

/* A name from a recording: it cannot lead to another directory, hide the file, or be longer than a
 * file's name may be. Of a long one the beginning stays, and a hash that distinguishes it. */
static void put_name(struct buf *b, struct span name)
{
	size_t i, n = name.n > NAME_BYTES ? NAME_BYTES : name.n;

	while (n < name.n && n && ((unsigned char)name.p[n] & 0xc0) == 0x80)
		n--; /* not within a character */
	for (i = 0; i < n; i++) {
		unsigned char c = (unsigned char)name.p[i];
		bool bad = c <= ' ' || c == '/' || c == 0x7f || (c == '.' && !i);

		buf_putc(b, bad ? '_' : (char)c);
	}
	if (n < name.n)
		buf_printf(b, "~%016" PRIx64, hash_span(name));
	if (!name.n)
		buf_putc(b, '_');
}

static void put_number(struct buf *b, int32_t number)
{
	if (number < 0)
		buf_putc(b, '_');
	else
		buf_printf(b, "%" PRId32, number);
}

/* From 1, with as many digits as the last number has, so that files are listed in order. */
static void put_part_number(struct buf *b, const struct profile_part *part)
{
	uint32_t n = part->n_parts;
	int digits = 1;

	while (n /= 10)
		digits++;
	buf_printf(b, "%0*" PRIu32, digits, part->number + 1);
}

static void put_placeholder(
	struct buf *b, char mark, const struct profile_part *part, const struct strtab *strings)
{
	switch (mark) {
	case 'c':
		put_name(b, strtab_get(strings, part->name));
		break;
	case 'p':
		put_number(b, part->pid);
		break;
	case 't':
		put_number(b, part->tid);
		break;
	case 'e':
		put_name(b, strtab_get(strings, part->event));
		break;
	case 'u':
		put_number(b, part->cpu);
		break;
	case 'n':
		put_part_number(b, part);
		break;
	default:
		buf_putc(b, mark);
		break;
	}
}

static void put_pattern(struct buf *b, struct span pattern, const struct profile_part *part,
	const struct strtab *strings)
{
	size_t i;

	for (i = 0; i < pattern.n; i++) {
		if (pattern.p[i] == '%' && i + 1 < pattern.n)
			put_placeholder(b, pattern.p[++i], part, strings);
		else
			buf_putc(b, pattern.p[i]);
	}
}

static struct span default_pattern(enum split_by by)
{
	switch (by) {
	case SPLIT_PROCESS:
		return SPAN("%c-%p");
	case SPLIT_THREAD:
		return SPAN("%c-%t");
	case SPLIT_EVENT:
		return SPAN("%e");
	case SPLIT_CPU:
		return SPAN("cpu%u");
	case SPLIT_CGROUP:
	case SPLIT_LABEL:
	case SPLIT_BINARY:
		return SPAN("%c");
	default:
		return SPAN("%n");
	}
}

/* The start of the suffix: that of a format and of a compression, else the last one. */
static size_t suffix_start(const char *path)
{
	enum sink_compression packing;
	const struct output_format *f = output_by_path(path, &packing);
	size_t n = strlen(path), longest = 0, i;

	n -= packing == SINK_GZIP ? 3 : packing == SINK_ZSTD ? 4 : 0;
	for (i = 0; f && f->suffixes[i]; i++)
		if (strlen(f->suffixes[i]) > longest &&
			span_ends((struct span){ path, n }, span_of(f->suffixes[i])))
			longest = strlen(f->suffixes[i]);
	if (longest)
		return n - longest;
	for (i = n; i && path[i - 1] != '/'; i--)
		if (path[i - 1] == '.' && i > 1 && path[i - 2] != '/')
			return i - 1;
	return n;
}

void output_part_path(struct buf *b, const char *path, const struct profile_part *part,
	const struct strtab *strings)
{
	size_t at;

	if (strchr(path, '%')) {
		put_pattern(b, span_of(path), part, strings);
		return;
	}
	at = suffix_start(path);
	buf_put(b, path, at);
	if (at && path[at - 1] != '/')
		buf_putc(b, '.');
	put_pattern(b, default_pattern(part->by), part, strings);
	buf_puts(b, path + at);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int output_check_paths(char *const *paths, size_t n, struct err *e)
{
	char **sorted = xmemdup(paths, n * sizeof(*sorted));
	size_t i;
	int rc = OK;

	qsort(sorted, n, sizeof(*sorted), compare_paths);
	for (i = 1; i < n && !rc; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			rc = err_set(e, ERR_USAGE,
				"%s would be the file of two parts: put %%n, their number, into "
				"its name",
				sorted[i]);
	free(sorted);
	return rc;
}
