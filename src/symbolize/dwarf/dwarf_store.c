/*
 * How it works. Files are in a list, the one that was put last at its end, under a lock; what is
 * taken leaves the list. Where only lines will be looked up, all else is dropped when a file is
 * put, and its key says so: who wants to name sites does not find it.
 */
#include "symbolize/dwarf/dwarf_store.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

enum { KEPT_MAX = 64 };

struct dwarf_store {
	pthread_mutex_t lock;
	size_t size_bytes, most_bytes;
	bool only_lines;
	uint32_t n;
	struct kept_file {
		struct dwarf_store_key key;
		struct dwarf_kept kept;
	} file[KEPT_MAX]; /* in the order in which they were put */
};

struct dwarf_store *dwarf_store_new(size_t most_bytes, bool only_lines)
{
	struct dwarf_store *s = xcalloc(1, sizeof(*s));

	s->most_bytes = most_bytes;
	s->only_lines = only_lines;
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

/* Memory of a sparse image is that of the units it has loaded, which are dropped, without their
 * tables of lines. */
static size_t bytes_of(const struct dwarf_kept *k)
{
	const struct dwarf_image *image = &k->image;
	size_t sum = k->units.cap * sizeof(*k->units.range) +
		     k->units.cap_units * sizeof(*k->units.unit);
	int i;

	for (i = 0; i < SECTIONS; i++)
		if (!dwarf_image_is_loaded_later(image, i))
			sum += image->section[i].n;
	return sum;
}

static struct dwarf_kept remove_file(struct dwarf_store *s, uint32_t i)
{
	struct dwarf_kept kept = s->file[i].kept;

	s->size_bytes -= bytes_of(&kept);
	s->n--;
	memmove(&s->file[i], &s->file[i + 1], (s->n - i) * sizeof(*s->file));
	return kept;
}

static void release(struct dwarf_kept *k)
{
	dwarf_image_release(&k->image);
	dwarf_units_release(&k->units);
}

void dwarf_store_free(struct dwarf_store *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++)
		release(&s->file[i].kept);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

struct dwarf_store_key dwarf_store_key_of(
	const struct dwarf_store *s, const struct elf_file *ef, unsigned flags)
{
	struct dwarf_store_key key = { 0 };
	struct stat st;

	if (!s || ef->fd < 0 || fstat(ef->fd, &st))
		return key;
	key.file = (struct file_identity){ st.st_dev, st.st_ino };
	key.size_bytes = st.st_size;
	key.changed = st.st_mtim;
	key.flags = flags;
	return key;
}

bool dwarf_store_keeps_lines(const struct dwarf_store *s)
{
	return s && s->only_lines;
}

static bool is_no_key(const struct dwarf_store_key *key)
{
	return !key->file.ino;
}

static bool same_key(const struct dwarf_store_key *a, const struct dwarf_store_key *b)
{
	return a->file.dev == b->file.dev && a->file.ino == b->file.ino &&
	       a->size_bytes == b->size_bytes && a->changed.tv_sec == b->changed.tv_sec &&
	       a->changed.tv_nsec == b->changed.tv_nsec && a->flags == b->flags;
}

bool dwarf_store_take(
	struct dwarf_store *s, const struct dwarf_store_key *key, struct dwarf_kept *kept)
{
	bool found = false;
	uint32_t i;

	if (!s || is_no_key(key))
		return false;
	pthread_mutex_lock(&s->lock);
	for (i = s->n; i-- && !found;)
		if (same_key(&s->file[i].key, key)) {
			*kept = remove_file(s, i);
			found = true;
		}
	pthread_mutex_unlock(&s->lock);
	return found;
}

static bool has_plain_lines(const struct dwarf_units *u)
{
	uint32_t i;

	for (i = 0; i < u->n_units; i++)
		if (!u->unit[i].lines.is_plain)
			return false;
	return u->n_units;
}

static bool points_into(struct span s, const char *p)
{
	return p && p >= s.p && p < s.p + s.n;
}

/* Names in tables of lines are in .debug_line_str, or in the table itself; a few compilers have
 * directories of units in .debug_str, which is most of what is kept. */
static bool needs_strings(const struct dwarf_kept *k)
{
	const struct dwarf_units *u = &k->units;
	uint32_t i;

	for (i = 0; i < u->n_units; i++)
		if (points_into(k->image.section[SECTION_STR], u->unit[i].lines.directory))
			return true;
	return false;
}

bool dwarf_store_put(
	struct dwarf_store *s, const struct dwarf_store_key *key, struct dwarf_kept *kept)
{
	unsigned only_lines = 0;

	if (!s || is_no_key(key))
		return false;
	if (s->only_lines && !kept->units.n_units)
		return false; /* an alternate file */
	if (s->only_lines && has_plain_lines(&kept->units)) {
		dwarf_image_keep_lines(&kept->image, needs_strings(kept));
		only_lines = DWARF_ONLY_LINES;
	}
	pthread_mutex_lock(&s->lock);
	s->size_bytes += bytes_of(kept);
	while (s->n == KEPT_MAX || (s->n && s->size_bytes > s->most_bytes)) {
		struct dwarf_kept oldest = remove_file(s, 0);

		release(&oldest);
	}
	s->file[s->n] = (struct kept_file){ *key, *kept };
	s->file[s->n++].key.flags |= only_lines;
	pthread_mutex_unlock(&s->lock);
	return true;
}
