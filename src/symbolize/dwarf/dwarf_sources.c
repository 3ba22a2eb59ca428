/*
 * How it works. A table is opened when a frame first needs a file or a line of its unit, with its
 * header alone; its rows are made when an address is asked for. Units of one program refer to files
 * of others where these were merged (link time optimisation, dwz), so headers stay until the handle
 * of libdw is closed, if they are in the image; rows are dropped after each unit.
 */
#include "symbolize/dwarf/dwarf_sources.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

/* ---- tables by unit ------------------------------------------------------------------------- */

static struct dwarf_line_table *new_table(struct dwarf_sources *s)
{
	if (s->n == s->n_made) {
		ARRAY_GROW(s->table, s->n_made, s->cap);
		s->table[s->n_made++] = xcalloc(1, sizeof(**s->table));
	}
	return s->table[s->n];
}

static struct dwarf_line_table *open_table(
	struct dwarf_sources *s, const struct dwarf_image *image, Dwarf_CU *unit, bool split)
{
	struct dwarf_line_table *t = new_table(s);

	if (split)
		dwarf_line_table_open_split(t, image, unit);
	else
		dwarf_line_table_open(t, image, unit);
	index_add(&s->by_unit, hash_u64((uintptr_t)unit), s->n++);
	return t;
}

struct dwarf_line_table *dwarf_sources_table(
	struct dwarf_sources *s, const struct dwarf_image *image, Dwarf_CU *unit, bool split)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&s->by_unit, hash_u64((uintptr_t)unit), c, i)
		if (s->table[i]->unit == unit)
			return s->table[i];
	return open_table(s, image, unit, split);
}

void dwarf_sources_drop_lines(struct dwarf_sources *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		dwarf_line_table_drop_lines(s->table[i]);
}

void dwarf_sources_clear(struct dwarf_sources *s)
{
	while (s->n)
		dwarf_line_table_close(s->table[--s->n]);
	index_release(&s->by_unit);
}

void dwarf_sources_release(struct dwarf_sources *s)
{
	dwarf_sources_clear(s);
	while (s->n_made) {
		dwarf_line_table_release(s->table[--s->n_made]);
		free(s->table[s->n_made]);
	}
	free(s->table);
	*s = (struct dwarf_sources){ 0 };
}

/* ---- facts ---------------------------------------------------------------------------------- */

void dwarf_sources_note(
	struct source_files *to, struct source_claim claim, const struct dwarf_source *source)
{
	struct dwarf_line_table *t = source->table;

	if (t && source->number < t->header.n_files) {
		struct dwarf_line_file *f = &t->header.file[source->number];

		if (f->noted)
			return;
		f->noted = true;
		claim.md5 = f->md5;
	}
	source_files_add(to, &claim);
}
