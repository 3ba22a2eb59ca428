/*
 * files_note.c - collects the files that a run uses, as they are found, for a pack
 */
#include "files/files_search.h"

#include "base/chars.h"
#include "base/url.h"

#include <stdlib.h>

void files_note(const struct files *f, enum pack_reason reason, const char *place, const char *path,
	struct file_identity identity)
{
	if (f->o.uses)
		pack_uses_add(f->o.uses, &(struct pack_use){ .reason = reason,
						 .place = (char *)place,
						 .path = (char *)path,
						 .identity = identity });
}

void files_note_map(const struct files *f, enum pack_reason reason, int32_t pid, const char *path,
	struct file_identity identity)
{
	struct buf place = { 0 };

	pack_place_map(&place, reason, pid);
	files_note(f, reason, buf_str(&place), path, identity);
	buf_release(&place);
}

static void note_map_at(const struct files *f, struct buf *place, const char *path,
	struct file_identity identity, struct span content)
{
	struct pack_use use = { .reason = PACK_SOURCE_MAP,
		.place = (char *)buf_str(place),
		.path = (char *)path,
		.identity = identity };

	if (!path)
		buf_put_span(&use.content, content);
	pack_uses_add(f->o.uses, &use);
	buf_release(&use.content);
}

/* What a script says where its map is: from its place in a pack to that of the map. */
static void put_link(struct buf *b, struct span script, struct span map)
{
	static const char plain[] = "/._-~";
	size_t i;

	buf_puts(b, "//# sourceMappingURL=");
	for (i = 0; i < script.n; i++)
		if (script.p[i] == '/')
			buf_puts(b, "../");
	for (i = 0; i < map.n; i++) {
		char c = map.p[i];

		if (char_is_alnum(c) || (c && strchr(plain, c)))
			buf_putc(b, c);
		else
			buf_printf(b, "%%%02x", (unsigned char)c);
	}
	buf_putc(b, '\n');
}

static struct span directory(struct span url)
{
	url.n -= span_basename(url).n;
	return url;
}

/* A map is called after its script. If its sources are relative to another directory, it keeps a
 * place of its own, and in that of the script is a line that says so. */
static void note_map(const struct files *f, const struct files_source_map *m, struct span script)
{
	struct buf top = { 0 }, place = { 0 }, at = { 0 }, link = { 0 };
	bool beside = span_eq(directory(m->script), directory(m->base));

	pack_place_source_map(&top, SPAN(""));
	pack_place_source_map(&place, script);
	if (beside)
		buf_printf(&at, "%s.map", buf_str(&place));
	else
		pack_place_source_map(&at, m->base);
	note_map_at(f, &at, m->path, m->identity, m->json);
	if (!beside) {
		put_link(
			&link, span_skip(buf_span(&place), top.n), span_skip(buf_span(&at), top.n));
		note_map_at(f, &place, NULL, (struct file_identity){ 0 }, buf_span(&link));
	}
	buf_release(&top);
	buf_release(&place);
	buf_release(&at);
	buf_release(&link);
}

void files_note_source_map(const struct files *f, const struct files_source_map *map)
{
	struct buf script = { 0 };

	if (!f->o.uses)
		return;
	url_put_path(&script, map->script);
	note_map(f, map, buf_span(&script));
	buf_release(&script);
}

/* The vdso of this process is in memory, not in a file. */
static struct buf content_in_memory(const struct elf_file *ef)
{
	struct buf content = { 0 };
	size_t n = 0;
	const char *image = elf_rawfile(ef->elf, &n);

	if (image)
		buf_put(&content, image, n);
	return content;
}

static bool place_of(const struct files *f, const struct module *m, struct buf *place)
{
	bool deleted;

	if (m->kind == MODULE_VDSO)
		return pack_place_vdso(place, &m->build_id);
	if (m->kind == MODULE_KERNEL) {
		buf_puts(place, "vmlinux");
		return true;
	}
	return pack_place_binary(
		place, &m->build_id, files_search_recorded_path(f, m, &deleted), m->owner_pid);
}

void files_note_binary(const struct files *f, const struct module *m, const struct elf_file *ef)
{
	struct pack_use use = {
		.reason = PACK_BINARY,
		.path = ef->path,
		.identity = ef->identity,
		.recorded = (char *)strtab_str(f->strings, m->path),
		.id = m->build_id,
	};
	struct buf place = { 0 };

	if (!f->o.uses)
		return;
	if (m->kind == MODULE_VDSO && ef->fd < 0) {
		use.path = NULL;
		use.content = content_in_memory(ef);
	}
	if (place_of(f, m, &place)) {
		use.place = (char *)buf_str(&place);
		pack_uses_add(f->o.uses, &use);
	}
	buf_release(&place);
	buf_release(&use.content);
}

void files_note_code(
	const struct files *f, const struct module *m, uint64_t offset, uint64_t size_bytes)
{
	struct buf place = { 0 };

	if (f->o.uses && place_of(f, m, &place))
		pack_uses_add_code(f->o.uses,
			&(struct pack_code){ (char *)buf_str(&place), offset, size_bytes });
	buf_release(&place);
}

/* At ".build-id/xx/yyyy" and a suffix. False: another file is there. */
static bool note_by_id(const struct files *f, const struct build_id *id, const char *suffix,
	const struct elf_file *ef)
{
	struct pack_use use = {
		.reason = PACK_SYMBOLS, .path = ef->path, .identity = ef->identity, .id = *id
	};
	struct buf place = { 0 };
	bool added = true;
	char hex[41];

	if (f->o.uses && id->n >= 2) {
		build_id_hex(id, hex);
		buf_printf(&place, ".build-id/%.2s/%s%s", hex, hex + 2, suffix);
		use.place = (char *)buf_str(&place);
		added = pack_uses_add(f->o.uses, &use);
	}
	buf_release(&place);
	return added;
}

void files_note_symbols(const struct files *f, const struct build_id *id, const struct elf_file *ef)
{
	/* One file may have the symbols and another one the debug information. */
	if (!note_by_id(f, id, ".debug", ef))
		note_by_id(f, id, "/debug", ef);
}

void files_note_dwp(
	const struct files *f, const struct files_dwp_owner *owner, const struct elf_file *package)
{
	struct buf place = { 0 };

	if (!f->o.uses || !owner->module)
		return;
	if (owner->module->build_id.n) {
		note_by_id(f, &owner->module->build_id, ".dwp", package);
	} else if (place_of(f, owner->module, &place)) {
		buf_puts(&place, ".dwp");
		files_note(f, PACK_SYMBOLS, buf_str(&place), package->path, package->identity);
	}
	buf_release(&place);
}

void files_note_debuglink(const struct files *f, const struct module *m, const struct elf_file *ef)
{
	struct span name = span_basename(span_of(ef->path));
	struct buf place = { 0 };
	bool deleted;

	if (f->o.uses && pack_place_binary(&place, &m->build_id,
				 files_search_recorded_path(f, m, &deleted), m->owner_pid)) {
		place.n -= span_basename(buf_span(&place)).n;
		buf_put_span(&place, name);
		files_note(f, PACK_SYMBOLS, buf_str(&place), ef->path, ef->identity);
	}
	buf_release(&place);
}
