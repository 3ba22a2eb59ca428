/*
 * How it works. Content of an entry:
 *
 *	head, which says how long the others are | ranges | units | image
 *
 * An image (dwarf_image.h) is an ELF file by itself and holds no pointers. All of it is read at
 * once, so damage is found before anything was used. What is checked here besides is what others
 * rely on after dwarf_units_read().
 */
#include "symbolize/dwarf/dwarf_cache.h"

#include "base/hash.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEWEST_BYTES = 256 << 10 }; /* of an image: others are unpacked in no time */

struct cache_head {
	uint64_t image_bytes, n_ranges, n_units;
	uint64_t at[SECTIONS], n[SECTIONS]; /* in the image; n 0: not there */
};

enum { KEY_BYTES = 256, NAME_BYTES = 64 };

/* False for what is no file, or has no build-id. */
static bool make_key(
	const struct elf_file *ef, unsigned flags, char key[KEY_BYTES], char name[NAME_BYTES])
{
	char hex[41];
	struct stat st;

	if (ef->fd < 0 || !ef->build_id.n || fstat(ef->fd, &st))
		return false;
	build_id_hex(&ef->build_id, hex);
	snprintf(key, KEY_BYTES,
		"dwarf 2\nbuild-id %s\nfile %" PRIu64 " %" PRIu64 " %" PRIu64 "\nchanged %" PRId64
		".%ld %" PRId64 ".%ld\nflags %u\n",
		hex, (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size,
		(int64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, (int64_t)st.st_ctim.tv_sec,
		st.st_ctim.tv_nsec, flags);
	snprintf(name, NAME_BYTES, "dwarf-%.16s-%016" PRIx64, hex, hash_span(span_of(key)));
	return true;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_head(const struct cache_head *h, uint64_t size_bytes)
{
	uint64_t ranges, units, sum = sizeof(*h);
	unsigned k;

	if (__builtin_mul_overflow(h->n_ranges, sizeof(struct dwarf_unit_range), &ranges) ||
		__builtin_mul_overflow(h->n_units, sizeof(struct dwarf_unit), &units) ||
		__builtin_add_overflow(sum, ranges, &sum) ||
		__builtin_add_overflow(sum, units, &sum) ||
		__builtin_add_overflow(sum, h->image_bytes, &sum) || sum != size_bytes ||
		h->n_ranges > UINT32_MAX || h->n_units > UINT32_MAX)
		return false;
	for (k = 0; k < SECTIONS; k++)
		if (h->at[k] > h->image_bytes || h->n[k] > h->image_bytes - h->at[k])
			return false;
	return true;
}

/* Are units where they can be, in the order of the file? */
static bool are_units(const struct dwarf_units *u, uint64_t info_bytes)
{
	uint64_t end = 0;
	uint32_t i;

	for (i = 0; i < u->n_units; i++) {
		const struct dwarf_unit *one = &u->unit[i];

		if (one->start < end || one->root <= one->start || one->end <= one->root ||
			one->end > info_bytes)
			return false;
		end = one->end;
	}
	for (i = 0; i < u->n; i++)
		if (!dwarf_units_get(u, u->range[i].unit))
			return false;
	return true;
}

static void *read_next(struct cache_entry *entry, uint64_t *at, uint64_t n)
{
	void *p = mem_try(n + 1);

	if (p && !cache_dir_read(entry, p, n, *at)) {
		free(p);
		p = NULL;
	}
	*at += n;
	return p;
}

static void take_sections(struct dwarf_image *image, const struct cache_head *h)
{
	unsigned k;

	image->size_bytes = h->image_bytes;
	for (k = 0; k < SECTIONS; k++)
		if (h->n[k])
			image->section[k] = (struct span){ image->bytes + h->at[k], h->n[k] };
}

/* They hold pointers. */
static void forget_lines(struct dwarf_units *u)
{
	uint32_t i;

	for (i = 0; u->unit && i < u->n_units; i++)
		u->unit[i].lines = (struct dwarf_unit_lines){ 0 };
}

static bool read_entry(struct cache_entry *entry, struct dwarf_kept *kept)
{
	struct dwarf_units *u = &kept->units;
	struct cache_head h;
	uint64_t at = sizeof(h);

	if (!cache_dir_read(entry, &h, sizeof(h), 0) || !is_head(&h, entry->size_bytes))
		return false;
	u->n = u->cap = (uint32_t)h.n_ranges;
	u->n_units = u->cap_units = (uint32_t)h.n_units;
	u->range = read_next(entry, &at, h.n_ranges * sizeof(*u->range));
	u->unit = u->range ? read_next(entry, &at, h.n_units * sizeof(*u->unit)) : NULL;
	forget_lines(u);
	kept->image.bytes = u->unit ? read_next(entry, &at, h.image_bytes) : NULL;
	if (!kept->image.bytes || !are_units(u, h.n[SECTION_INFO]))
		return false;
	take_sections(&kept->image, &h);
	return true;
}

bool dwarf_cache_read(
	struct cache_dir *c, const struct elf_file *ef, unsigned flags, struct dwarf_kept *kept)
{
	char key[KEY_BYTES], name[NAME_BYTES];
	struct cache_entry entry;
	bool good;

	if (!c || !make_key(ef, flags, key, name) || !cache_dir_find(c, name, span_of(key), &entry))
		return false;
	*kept = (struct dwarf_kept){ .image.fd = -1 };
	good = read_entry(&entry, kept);
	cache_dir_close_entry(&entry);
	if (!good) {
		dwarf_image_release(&kept->image);
		dwarf_units_release(&kept->units);
	}
	return good;
}

/* ---- writing -------------------------------------------------------------------------------- */

static struct span span_of_array(const void *p, uint64_t n, size_t size_bytes)
{
	return (struct span){ p, n * size_bytes };
}

void dwarf_cache_write(struct cache_dir *c, const struct elf_file *ef, unsigned flags,
	const struct dwarf_kept *kept)
{
	const struct dwarf_image *image = &kept->image;
	const struct dwarf_units *u = &kept->units;
	struct cache_head h = { image->size_bytes, u->n, u->n_units, { 0 }, { 0 } };
	char key[KEY_BYTES], name[NAME_BYTES];
	unsigned k;

	if (!c || image->mapped || image->size_bytes < FEWEST_BYTES ||
		!make_key(ef, flags, key, name))
		return;
	for (k = 0; k < SECTIONS; k++) {
		h.n[k] = image->section[k].n;
		h.at[k] = h.n[k] ? (uint64_t)(image->section[k].p - image->bytes) : 0;
	}
	cache_dir_put(c, name, span_of(key),
		(const struct span[]){ span_of_array(&h, 1, sizeof(h)),
			span_of_array(u->range, u->n, sizeof(*u->range)),
			span_of_array(u->unit, u->n_units, sizeof(*u->unit)),
			{ image->bytes, image->size_bytes } },
		4);
}
