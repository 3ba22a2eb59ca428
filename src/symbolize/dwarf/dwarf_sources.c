#include "symbolize/dwarf/dwarf_sources.h"

#include "base/mem.h"
#include "symbolize/dwarf/dwarf_md5.h"

#include <dwarf.h>
#include <stdlib.h>

static void read_table(struct dwarf_line_table *t, const struct dwarf_source *source)
{
	const struct dwarf_image *image = source->image;
	bool big = image->bytes[EI_DATA] == ELFDATA2MSB;
	Dwarf_Attribute a;
	Dwarf_Word offset;

	if (dwarf_formudata(dwarf_attr(source->unit, DW_AT_stmt_list, &a), &offset))
		return;
	dwarf_md5_read(image->section[SECTION_LINE], offset,
		big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__), t->md5, t->n);
}

static struct dwarf_line_table *table_of(struct dwarf_sources *s, const struct dwarf_source *source)
{
	struct dwarf_line_table *t;
	size_t n = 0;
	Dwarf_Files *files;
	unsigned i;

	for (i = 0; i < s->n_tables; i++)
		if (s->table[i].files == source->files)
			return &s->table[i];
	if (i == ARRAY_LEN(s->table) || dwarf_getsrcfiles(source->unit, &files, &n) ||
		files != source->files || n > UINT32_MAX)
		return NULL;
	t = &s->table[s->n_tables++];
	*t = (struct dwarf_line_table){ .files = files, .n = (uint32_t)n };
	t->md5 = xcalloc(n + 1, sizeof(*t->md5));
	t->noted = xcalloc(n + 1, sizeof(*t->noted));
	read_table(t, source);
	return t;
}

void dwarf_sources_note(struct dwarf_sources *s, struct source_files *to, struct source_claim claim,
	const struct dwarf_source *source)
{
	struct dwarf_line_table *t = source->files ? table_of(s, source) : NULL;

	if (t && source->number < t->n) {
		if (t->noted[source->number])
			return;
		t->noted[source->number] = true;
		claim.md5 = t->md5[source->number];
	}
	source_files_add(to, &claim);
}

void dwarf_sources_clear(struct dwarf_sources *s)
{
	while (s->n_tables) {
		struct dwarf_line_table *t = &s->table[--s->n_tables];

		free(t->md5);
		free(t->noted);
		*t = (struct dwarf_line_table){ 0 };
	}
}
