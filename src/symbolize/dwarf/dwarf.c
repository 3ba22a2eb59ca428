/*
 * How it works. What is read of a file, an image and the index of its units, is independent of the
 * recording, so it comes from the store, if that has it, and goes there when nobody uses it any
 * more (take_kept(), keep_or_release()); else from --symbol-cache (dwarf_cache.h):
 *
 *	store ─► main, alternate ─► places by unit ─► tasks ─► (dwarf_frames.c) ─► store
 *
 * Only the alternate file is looked for anew each time, as one beside the recording comes first.
 */
#include "symbolize/dwarf/dwarf.h"

#include "base/mem.h"
#include "symbolize/dwarf/dwarf_cache.h"
#include "symbolize/dwarf/dwarf_tree.h"

#include <stdlib.h>

/* For reading the index of units. No honest file needs more. */
enum { INDEX_LIMIT_S = 20 };

static bool read_image(struct dwarf_image *image, const struct elf_file *ef,
	const struct elf_places *places, unsigned flags)
{
	return places ? dwarf_image_read_object(image, ef, places, flags)
		      : dwarf_image_read(image, ef, NULL, flags);
}

/* The index of units. */
static bool read_units(struct dwarf_debug *d)
{
	struct dwarf_budget budget;
	struct dwarf_handle h;

	if (!dwarf_image_open_handle(&h, &d->main.image))
		return false;
	dwarf_budget_start(&budget, INDEX_LIMIT_S * 1000000000ull);
	dwarf_units_read(&d->main.units, h.dwarf, &d->main.image, &budget);
	dwarf_image_close_handle(&h);
	return true;
}

/* What is kept belongs to the file, but for where its errors are noted, which is of a recording. */
static bool take_kept(struct dwarf_debug *d, const struct dwarf_store_key *key,
	const struct elf_file *ef, struct dwarf_kept *kept)
{
	if (!dwarf_store_take(d->store, key, kept))
		return false;
	kept->image.origin = ef->origin;
	return true;
}

/* Files of a pack are unpacked anew each time: they are never found again. */
static struct cache_dir *cache_of(const struct files *files)
{
	const struct files_opts *o = files_opts_of(files);

	return o->pack_dir ? NULL : o->symbol_cache;
}

static void read_alternate(struct dwarf_debug *d, const struct files *files,
	const struct elf_file *ef, bool lines, struct files_trail *trail)
{
	struct elf_file *alternate = files_open_alternate(files, ef, trail);
	struct cache_dir *cache = cache_of(files);
	unsigned flags = lines ? DWARF_LINES : 0;

	if (!alternate)
		return;
	d->alternate_key = dwarf_store_key_of(d->store, alternate, flags);
	if (!take_kept(d, &d->alternate_key, alternate, &d->alternate) &&
		!dwarf_cache_read(cache, alternate, flags, &d->alternate) &&
		dwarf_image_read(&d->alternate.image, alternate, NULL, flags))
		dwarf_cache_write(cache, alternate, flags, &d->alternate);
	elf_file_close(alternate);
}

/* What a store has of it that keeps no more. */
static bool take_lines(struct dwarf_debug *d, const struct elf_file *ef)
{
	struct dwarf_store_key key = d->main_key;

	key.flags |= DWARF_ONLY_LINES;
	return take_kept(d, &key, ef, &d->main);
}

static bool read_main(struct dwarf_debug *d, const struct files *files, const struct elf_file *ef,
	const struct elf_places *places, struct dwarf_wanted wanted)
{
	unsigned flags = DWARF_BY_UNIT | (wanted.lines ? DWARF_LINES : 0);
	struct cache_dir *cache = places ? NULL : cache_of(files);

	/* Object files are relocated to where their sections were in one recording. */
	if (!places)
		d->main_key = dwarf_store_key_of(d->store, ef, flags);
	if ((wanted.only_lines && take_lines(d, ef)) || take_kept(d, &d->main_key, ef, &d->main) ||
		dwarf_cache_read(cache, ef, flags, &d->main))
		return true;
	if (!read_image(&d->main.image, ef, places, flags) || !read_units(d))
		return false;
	dwarf_cache_write(cache, ef, flags, &d->main);
	return true;
}

struct dwarf_debug *dwarf_debug_open(const struct files *files, const struct elf_file *ef,
	const struct dwarf_addresses *at, struct dwarf_wanted wanted, struct files_trail *trail)
{
	struct dwarf_debug *d = xcalloc(1, sizeof(*d));

	d->users = 1;
	d->store = wanted.store;
	dwarf_packages_init(&d->packages);
	if (!read_main(d, files, ef, at->places, wanted)) {
		d->main_key = (struct dwarf_store_key){ 0 };
		dwarf_debug_release(d);
		return NULL;
	}
	if (!wanted.only_lines)
		read_alternate(d, files, ef, wanted.lines, trail);
	d->path = xstrdup(ef->path);
	d->by_address = !at->layout;
	if (at->layout)
		d->layout = *at->layout;
	return d;
}

struct dwarf_place *dwarf_debug_add(
	struct dwarf_debug *d, uint64_t offset, const struct symbol *symbol, site_id site)
{
	struct dwarf_place p = {
		.address = offset, .site = site, .shared = symbol && symbol->shared
	};

	if (!d->by_address && !elf_layout_address(&d->layout, offset, &p.address))
		return NULL;
	p.symbol = symbol ? p.address - (offset - symbol->start) : p.address;
	p.unit = dwarf_units_find(&d->main.units, p.address);
	if (p.unit == DWARF_NO_UNIT)
		return NULL;
	ARRAY_GROW(d->place, d->n_places, d->cap_places);
	d->place[d->n_places] = p;
	return &d->place[d->n_places++];
}

static int by_unit(const void *pa, const void *pb)
{
	const struct dwarf_place *a = pa, *b = pb;

	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static void add_task(struct dwarf_debug *d, uint32_t first, uint32_t *cap)
{
	const struct dwarf_unit *unit = dwarf_units_get(&d->main.units, d->place[first].unit);

	ARRAY_GROW(d->task, d->n_tasks, *cap);
	d->task[d->n_tasks++] = (struct dwarf_task){ .first = first, .unit = *unit };
}

/* Several workers load units, each its own, so a unit must not refer to others. Programs with link
 * time optimisation, and those of Rust, have such references: then all is loaded here. */
static void load_units_that_refer_out(struct dwarf_debug *d)
{
	struct dwarf_budget budget;
	uint32_t i;

	dwarf_budget_start(&budget, INDEX_LIMIT_S * 1000000000ull);
	for (i = 0; i < d->n_tasks && d->main.image.by_unit; i++)
		if (!dwarf_tree_stays_inside(&d->main.image, d->task[i].unit.start, &budget) &&
			!dwarf_image_load_all(&d->main.image))
			d->n_tasks = 0;
}

void dwarf_debug_make_tasks(struct dwarf_debug *d)
{
	uint32_t i, cap = 0;

	if (d->n_places)
		qsort(d->place, d->n_places, sizeof(*d->place), by_unit);
	for (i = 0; i < d->n_places; i++) {
		if (!i || d->place[i].unit != d->place[i - 1].unit)
			add_task(d, i, &cap);
		d->task[d->n_tasks - 1].n++;
	}
	load_units_that_refer_out(d);
	if (dwarf_store_keeps_lines(d->store))
		dwarf_units_want_parts(&d->main.units);
}

/* Reports where split units were found, or that some were not. */
static void report_split(const struct dwarf_debug *d)
{
	const char *used = dwarf_packages_used(&d->packages);

	d->report->package_path = used ? xstrdup(used) : NULL;
	if (!d->lacks_dwo)
		return;
	files_trail_add(&d->report->trail, d->path, FILES_NO_DWO, NULL);
	dwarf_packages_report(&d->packages, &d->report->trail);
}

static void keep_or_release(
	struct dwarf_debug *d, const struct dwarf_store_key *key, struct dwarf_kept *kept)
{
	if (kept->image.bytes && dwarf_store_put(d->store, key, kept))
		return;
	dwarf_image_release(&kept->image);
	dwarf_units_release(&kept->units);
}

bool dwarf_debug_open_handles(
	const struct dwarf_debug *d, struct dwarf_handle *main, struct dwarf_handle *alternate)
{
	if (!dwarf_image_open_handle(main, &d->main.image))
		return false;
	if (d->alternate.image.bytes && dwarf_image_open_handle(alternate, &d->alternate.image))
		dwarf_setalt(main->dwarf, alternate->dwarf);
	return true;
}

void dwarf_debug_release(struct dwarf_debug *d)
{
	if (!d || atomic_fetch_sub(&d->users, 1) > 1)
		return;
	if (d->report) {
		d->report->named += d->named;
		report_split(d);
	}
	keep_or_release(d, &d->main_key, &d->main);
	keep_or_release(d, &d->alternate_key, &d->alternate);
	dwarf_packages_release(&d->packages);
	free(d->path);
	free(d->place);
	free(d->task);
	free(d);
}
