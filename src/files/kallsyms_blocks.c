/*
 * How it works. Lines are sorted by address and divided into blocks of 64 lines or some more, as
 * those of one address stay together. Content of an entry:
 *
 *	head | for each block: first address, where it begins, has it symbols of modules | lines
 *
 * Of an address its block is needed, and the next one, which says where the last symbol ends. So a
 * recording with 100 addresses in the kernel reads a few hundred KB of 5 MB, which costs mostly
 * fresh memory. Blocks that are always read: the first, and those of _text and _stext, by which
 * perf tells how far the kernel was moved (KASLR).
 */
#include "files/kallsyms_blocks.h"

#include "base/bisect.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/sort.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINES = 64, LINES_MAX = 1 << 24, KEY_FILE_MAX = 1 << 20, FIRST_BYTES = 4096 };

enum { TEXT, STEXT, REFERENCES };

static const struct span reference_names[] = {
	[TEXT] = { "_text", 5 },
	[STEXT] = { "_stext", 6 },
};

struct blocks_head {
	uint64_t n, text_bytes;
	uint64_t reference[REFERENCES]; /* 0: not in the list */
};

struct block {
	uint64_t first, offset;
	uint64_t has_modules;
};

/* ---- key ------------------------------------------------------------------------------------ */

static bool put_file(struct buf *key, const char *what, const char *path)
{
	struct buf content = { 0 };
	struct err e;
	bool good = !file_read_all(path, KEY_FILE_MAX, &content, &e) && content.n;

	if (good)
		buf_printf(key, "%s %016" PRIx64 "\n", what, hash_span(buf_span(&content)));
	buf_release(&content);
	return good;
}

/* The columns of /proc/modules that say what is where: name, size, address. Others count users. */
static void put_modules(struct buf *key)
{
	struct buf content = { 0 }, where = { 0 };
	struct span rest, line;
	struct err e;
	unsigned i;

	if (file_read_all("/proc/modules", KEY_FILE_MAX, &content, &e))
		content.n = 0; /* a kernel without modules */
	rest = buf_span(&content);
	while (span_next_line(&rest, &line)) {
		for (i = 0; line.n; i++) {
			const char *space = memchr(line.p, ' ', line.n);
			struct span word = space ? span_range(line.p, space + 1) : line;

			if (i < 2 || i == 5)
				buf_put_span(&where, word);
			line = span_skip(line, word.n);
		}
		buf_putc(&where, '\n');
	}
	buf_printf(key, "modules %016" PRIx64 "\n", hash_span(buf_span(&where)));
	buf_release(&content);
	buf_release(&where);
}

/* How the list begins: all zeros where addresses are hidden from this user. */
static bool put_beginning(struct buf *key, const char *path)
{
	char bytes[FIRST_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));

	if (fd >= 0)
		close(fd);
	if (n > 0)
		buf_printf(key, "begins %016" PRIx64 "\n", hash_bytes(bytes, (size_t)n));
	return n > 0;
}

static bool make_key(struct buf *key, const char *path)
{
	buf_puts(key, "kallsyms 1\n");
	if (!put_file(key, "boot", "/proc/sys/kernel/random/boot_id") ||
		!put_file(key, "kernel", "/sys/kernel/notes") || !put_beginning(key, path))
		return false;
	put_modules(key);
	return true;
}

enum { NAME_BYTES = 32 };

static void name_of(char name[NAME_BYTES], const struct buf *key)
{
	snprintf(name, NAME_BYTES, "kallsyms-%016" PRIx64, hash_span(buf_span(key)));
}

/* ---- writing -------------------------------------------------------------------------------- */

struct line {
	uint64_t address;
	struct span text; /* with its end */
};

static int by_address(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->text.p > b->text.p) - (a->text.p < b->text.p);
}

/* The lines of the list, sorted. NULL if one is no symbol. */
static struct line *read_lines(struct span text, uint32_t *n)
{
	struct line *line = NULL;
	struct span rest = text, one;
	uint32_t cap = 0;

	for (*n = 0; rest.n && *n < LINES_MAX; ++*n) {
		const char *start = rest.p;

		ARRAY_GROW(line, *n, cap);
		span_next_line(&rest, &one);
		if (!span_scan_hex(&one, &line[*n].address) || rest.p[-1] != '\n') {
			free(line);
			return NULL;
		}
		line[*n].text = span_range(start, rest.p);
	}
	if (*n)
		sort_in_place(line, *n, sizeof(*line), by_address);
	return line;
}

/* "ffffffff81000000 T _text": is it that symbol? */
static bool is_symbol(struct span line, struct span name)
{
	line = span_trim(line);
	return span_ends(line, name) && line.n > name.n && line.p[line.n - name.n - 1] == ' ';
}

static void put_blocks(const struct line *line, uint32_t n, struct blocks_head *head,
	struct buf *blocks, struct buf *text)
{
	struct block b = { 0 };
	uint32_t i, first = 0;
	unsigned k;

	for (i = 0; i < n; i++) {
		if (i - first >= LINES && line[i].address != line[i - 1].address) {
			buf_put(blocks, &b, sizeof(b));
			first = i;
		}
		if (i == first)
			b = (struct block){ line[i].address, text->n, false };
		b.has_modules |= memchr(line[i].text.p, '[', line[i].text.n) != NULL;
		for (k = 0; k < REFERENCES; k++)
			if (!head->reference[k] && is_symbol(line[i].text, reference_names[k]))
				head->reference[k] = line[i].address;
		buf_put_span(text, line[i].text);
	}
	buf_put(blocks, &b, sizeof(b));
	head->n = blocks->n / sizeof(b);
	head->text_bytes = text->n;
}

static void keep_list(struct cache_dir *c, const struct buf *key, struct span text)
{
	struct buf blocks = { 0 }, sorted = { 0 };
	struct blocks_head head = { 0 };
	uint32_t n;
	struct line *line = read_lines(text, &n);
	char name[NAME_BYTES];

	/* Where addresses are hidden, all are 0. */
	if (line && n && line[n - 1].address) {
		const struct span head_span = { (const char *)&head, sizeof(head) };

		put_blocks(line, n, &head, &blocks, &sorted);
		name_of(name, key);
		cache_dir_put(c, name, buf_span(key),
			(const struct span[]){ head_span, buf_span(&blocks), buf_span(&sorted) },
			3);
	}
	free(line);
	buf_release(&blocks);
	buf_release(&sorted);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct kept_list {
	struct cache_entry entry;
	struct blocks_head head;
	struct block *block; /* head.n, and one more, where the text ends */
	bool *wanted;
};

static bool read_index(struct kept_list *l)
{
	uint64_t size = l->entry.size_bytes, bytes, i;

	if (!cache_dir_read(&l->entry, &l->head, sizeof(l->head), 0) || !l->head.n ||
		l->head.n > size / sizeof(*l->block) || l->head.text_bytes > size)
		return false;
	bytes = l->head.n * sizeof(*l->block);
	if (sizeof(l->head) + bytes + l->head.text_bytes != size)
		return false;
	l->block = xcalloc(l->head.n + 1, sizeof(*l->block));
	l->wanted = xcalloc(l->head.n + 1, sizeof(*l->wanted));
	l->block[l->head.n].offset = l->head.text_bytes;
	if (!cache_dir_read(&l->entry, l->block, bytes, sizeof(l->head)))
		return false;
	for (i = 0; i < l->head.n; i++)
		if (l->block[i].offset > l->block[i + 1].offset)
			return false;
	return true;
}

static void want_address(struct kept_list *l, uint64_t address)
{
	uint64_t after = bisect(i, (uint64_t)0, l->head.n, l->block[i].first > address);

	if (after)
		l->wanted[after - 1] = true;
	l->wanted[after] = true;
}

/* What is added to recorded addresses, if anything. False: only the whole list can tell. */
static bool find_shift(
	const struct kept_list *l, const struct files_kallsyms_want *want, uint64_t *shift)
{
	unsigned k;

	if (!want->reference.n || !want->reference_address)
		return true;
	for (k = 0; k < REFERENCES; k++) {
		if (!span_eq(want->reference, reference_names[k]) || !l->head.reference[k])
			continue;
		*shift = l->head.reference[k] - want->reference_address;
		return true;
	}
	return false;
}

static void choose_blocks(struct kept_list *l, const struct files_kallsyms_want *want)
{
	uint64_t shift = 0, i;
	bool all = !want || !find_shift(l, want, &shift);

	for (i = 0; i < l->head.n; i++)
		if (all || (want->modules && l->block[i].has_modules))
			l->wanted[i] = l->wanted[i + 1] = true;
	l->wanted[0] = true;
	for (i = 0; i < REFERENCES; i++)
		want_address(l, l->head.reference[i]);
	for (i = 0; !all && i < want->n; i++)
		want_address(l, want->address[i] + shift);
	l->wanted[l->head.n] = false;
}

static bool read_blocks(struct kept_list *l, struct buf *text)
{
	const uint64_t start = sizeof(l->head) + l->head.n * sizeof(*l->block);
	uint64_t i, end;

	for (i = 0; i < l->head.n; i = end + 1) {
		uint64_t offset = l->block[i].offset, n;

		for (end = i; l->wanted[end]; end++)
			;
		n = l->block[end].offset - offset;
		if (!n)
			continue;
		buf_reserve(text, n);
		if (!cache_dir_read(&l->entry, text->p + text->n, n, start + offset))
			return false;
		text->n += n;
	}
	return true;
}

static bool read_kept(struct cache_dir *c, const struct buf *key,
	const struct files_kallsyms_want *want, struct buf *text)
{
	struct kept_list l = { 0 };
	char name[NAME_BYTES];
	bool good = false;

	name_of(name, key);
	if (!cache_dir_find(c, name, buf_span(key), &l.entry))
		return false;
	if (read_index(&l)) {
		choose_blocks(&l, want);
		good = read_blocks(&l, text);
	}
	if (!good)
		text->n = 0;
	cache_dir_close_entry(&l.entry);
	free(l.block);
	free(l.wanted);
	return good;
}

int kallsyms_blocks_read(struct cache_dir *c, const char *path,
	const struct files_kallsyms_want *want, struct buf *text, struct err *e)
{
	struct buf key = { 0 }, after = { 0 };
	bool known = make_key(&key, path);
	int rc = OK;

	text->n = 0;
	if (!known || !read_kept(c, &key, want, text)) {
		rc = file_read_all(path, KALLSYMS_MAX_BYTES, text, e);
		/* A module may have been loaded meanwhile. */
		if (!rc && known && make_key(&after, path) &&
			span_eq(buf_span(&key), buf_span(&after)))
			keep_list(c, &key, buf_span(text));
	}
	buf_release(&key);
	buf_release(&after);
	return rc;
}
