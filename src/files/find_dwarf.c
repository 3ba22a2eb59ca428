/*
 * find_dwarf.c - debug information in files of its own: .dwo, .dwp, and the alternate file of dwz
 *
 *	.gnu_debugaltlink of a debug file   path and build-id of the alternate file: must be equal
 *	DW_AT_dwo_name of a skeleton unit   path of a .dwo, relative to DW_AT_comp_dir; the caller
 *	                                    compares DWO ids
 *	PROGRAM.dwp                         next to the program or its debug file, by name only; the
 *	                                    caller looks for its units in it
 *
 * Each has a table of places; a candidate is opened and proved by its identification, never by its
 * path. A .dwo that is next to the program is tried first, as build directories move.
 *
 * Source: DWARF 5, 7.3.2 (split DWARF) and appendix F; dwz(1); GDB for the places of .dwp files.
 */
#include "files/files_search.h"

#include "base/mem.h"

#include <stdlib.h>

static const struct files_place alternate_places[] = {
	{ FILES_ROOT_SYMFS, "%D%P" },
	{ FILES_ROOT_SYMFS, "%D/usr/lib/debug/.build-id/%I.debug" },
	{ FILES_ROOT_RECORDING, "%D/%B" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I.debug" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I/debug" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P" },
	{ FILES_ROOT_SYSTEM, "%P" },
	{ FILES_ROOT_SYSTEM, "/usr/lib/debug/.build-id/%I.debug" },
	{ 0, NULL },
};

static const struct files_place dwo_places[] = {
	{ FILES_ROOT_SYMFS, "%D%P" },
	{ FILES_ROOT_RECORDING, "%D%P" },
	{ FILES_ROOT_RECORDING, "%D/%B" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P" },
	{ FILES_ROOT_SYSTEM, "%P" },
	{ 0, NULL },
};

static const struct files_place dwp_places[] = {
	{ FILES_ROOT_CONTAINER, "%D%P.dwp" },
	{ FILES_ROOT_SYMFS, "%D%P.dwp" },
	{ FILES_ROOT_SYMFS, "%D/usr/lib/debug%P.dwp" },
	{ FILES_ROOT_RECORDING, "%D%P.dwp" },
	{ FILES_ROOT_RECORDING, "%D/%B.dwp" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I.dwp" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P.dwp" },
	{ FILES_ROOT_SYSTEM, "%P.dwp" },
	{ FILES_ROOT_SYSTEM, "/usr/lib/debug/.build-id/%I.dwp" },
	{ FILES_ROOT_SYSTEM, "/usr/lib/debug%P.dwp" },
	{ 0, NULL },
};

struct dwarf_search {
	struct files_trail *trail;
	struct elf_file *found;
	bool (*try)(void *ctx, struct elf_file *ef);
	void *ctx;
};

static bool try_alternate(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct dwarf_search *ds = ctx;
	enum files_verdict v;
	struct elf_file *ef = files_search_open_elf(s, path, &v);

	(void)proved;
	if (ef)
		v = !elf_file_has(ef, FILES_NEED_DWARF)    ? FILES_NO_SYMBOLS
		    : build_id_same(&ef->build_id, &s->id) ? FILES_USED
							   : FILES_OTHER_BUILD_ID;
	files_trail_add(ds->trail, path, v, ef ? &ef->build_id : NULL);
	if (v == FILES_USED)
		ds->found = ef;
	else
		elf_file_close(ef);
	return v == FILES_USED;
}

/* { path, NUL, build-id }; a path may be relative to the dir of the file. */
static bool read_link(
	const struct elf_file *debug, struct buf *path, bool *relative, struct build_id *id)
{
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(debug, ".gnu_debugaltlink", &sh);
	struct span s = section ? elf_file_content(section, &sh) : SPAN("");
	const char *nul = s.n ? memchr(s.p, 0, s.n) : NULL;
	struct span dir = span_of(debug->path);

	if (!nul || nul == s.p)
		return false;
	dir.n -= span_basename(dir).n;
	*relative = s.p[0] != '/';
	if (*relative)
		buf_put_span(path, dir);
	buf_puts(path, s.p);
	s = span_skip(s, (size_t)(nul - s.p) + 1);
	id->n = (uint8_t)(s.n < sizeof(id->byte) ? s.n : sizeof(id->byte));
	memcpy(id->byte, s.p, id->n);
	return id->n;
}

struct elf_file *files_open_alternate(
	const struct files *f, const struct elf_file *debug, struct files_trail *t)
{
	struct dwarf_search ds = { .trail = t };
	struct files_search s = {
		.f = f, .places = alternate_places, .try = try_alternate, .ctx = &ds
	};
	struct buf path = { 0 };
	bool relative;

	if (read_link(debug, &path, &relative, &s.id)) {
		const char *recorded = buf_str(&path); /* which may move it */

		s.path = buf_span(&path);
		s.root = files_search_root_of(f, debug->path);
		if (!relative || !try_alternate(&ds, &s, recorded, false))
			files_search(&s);
	}
	if (ds.found)
		files_note_symbols(f, &s.id, ds.found);
	buf_release(&path);
	return ds.found;
}

/* A .dwo has no build-id: its unit names it by path. */
static void note_dwo(const struct files_search *s, const char *path, struct file_identity identity)
{
	struct pack_use use = {
		.reason = PACK_SYMBOLS, .path = (char *)path, .identity = identity
	};
	struct buf place = { 0 }, recorded = { 0 };

	if (!s->f->o.uses || s->path.p[0] != '/')
		return;
	buf_puts(&place, "root");
	buf_put_span(&place, s->path);
	buf_put_span(&recorded, s->path);
	use.place = (char *)buf_str(&place);
	use.recorded = (char *)buf_str(&recorded);
	pack_uses_add(s->f->o.uses, &use);
	buf_release(&place);
	buf_release(&recorded);
}

static bool try_dwo(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct dwarf_search *ds = ctx;
	enum files_verdict v;
	struct elf_file *ef = files_search_open_elf(s, path, &v);
	struct file_identity identity;
	bool used;
	char *real;

	(void)proved;
	if (!ef)
		return false;
	identity = ef->identity;
	real = xstrdup(ef->path);
	used = ds->try(ds->ctx, ef);
	if (used)
		note_dwo(s, real, identity);
	free(real);
	return used;
}

/* Tries the .dwo in the directory of the program. */
static bool try_next_to(struct files_search *s, const char *beside)
{
	struct span dir = span_of(beside), base = span_basename(s->path);
	struct buf path = { 0 };
	bool found;

	dir.n -= span_basename(dir).n;
	buf_put_span(&path, dir);
	buf_put_span(&path, base);
	s->root = files_search_root_of(s->f, beside);
	found = try_dwo(s->ctx, s, buf_str(&path), false);
	buf_release(&path);
	return found;
}

/* Compilers write "../obj/a.dwo". Without "..", the path cannot lead out of a root. */
static void resolve_climbs(struct buf *path)
{
	struct buf out = { 0 };
	struct span rest = buf_span(path);

	while (rest.n) {
		const char *slash = memchr(rest.p, '/', rest.n);
		struct span part = { rest.p, slash ? (size_t)(slash - rest.p) : rest.n };

		rest = span_skip(rest, part.n + (slash != NULL));
		if (span_eq(part, SPAN(".."))) {
			while (out.n && out.p[--out.n] != '/')
				;
		} else if (part.n && !span_eq(part, SPAN("."))) {
			buf_putc(&out, '/');
			buf_put_span(&out, part);
		}
	}
	buf_release(path);
	*path = out;
}

bool files_find_dwo(const struct files *f, struct span comp_dir, struct span name,
	const char *beside, bool (*try)(void *ctx, struct elf_file *ef), void *ctx)
{
	struct dwarf_search ds = { .try = try, .ctx = ctx };
	struct files_search s = { .f = f, .places = dwo_places, .try = try_dwo, .ctx = &ds };
	struct buf path = { 0 };
	bool found;

	if (!name.n || memchr(name.p, 0, name.n))
		return false;
	if (name.p[0] != '/' && comp_dir.n) {
		buf_put_span(&path, comp_dir);
		buf_putc(&path, '/');
	}
	buf_put_span(&path, name);
	if (path.p[0] == '/')
		resolve_climbs(&path);
	if (!path.n)
		buf_putc(&path, '/');
	s.path = buf_span(&path);
	found = try_next_to(&s, beside) || files_search(&s);
	buf_release(&path);
	return found;
}

/* ---- packages ---- */

struct package_search {
	struct files_trail *trail;
	enum files_verdict (*try)(void *ctx, struct elf_file *ef);
	void *ctx;
};

/* A missing package is not reported: most programs have none. */
static bool try_dwp(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct package_search *ps = ctx;
	enum files_verdict v;
	struct elf_file *ef = files_search_open_elf(s, path, &v);

	(void)proved;
	if (ef)
		v = ps->try(ps->ctx, ef);
	if (v != FILES_ABSENT && v != FILES_USED)
		files_trail_add(ps->trail, path, v, NULL);
	return false;
}

static void try_dwp_of(const struct files_search *s, struct span program)
{
	struct buf path = { 0 };

	buf_put_span(&path, program);
	buf_puts(&path, ".dwp");
	try_dwp(s->ctx, s, buf_str(&path), false);
	buf_release(&path);
}

/* "program.dwp" is next to "program", and next to "program.debug". */
static void try_dwp_next_to(struct files_search *s, const char *file)
{
	struct span program = span_of(file), debug = SPAN(".debug");

	s->root = files_search_root_of(s->f, file);
	try_dwp_of(s, program);
	if (span_ends(program, debug))
		try_dwp_of(s, (struct span){ program.p, program.n - debug.n });
}

void files_find_dwp(const struct files *f, const struct files_dwp_owner *owner,
	enum files_verdict (*try)(void *ctx, struct elf_file *ef), void *ctx, struct files_trail *t)
{
	struct package_search ps = { .trail = t, .try = try, .ctx = ctx };
	const struct module *m = owner->module;
	struct files_search s = { .f = f, .places = dwp_places, .try = try_dwp, .ctx = &ps };
	bool deleted;

	try_dwp_next_to(&s, owner->file);
	if (owner->runtime && strcmp(owner->runtime, owner->file) != 0)
		try_dwp_next_to(&s, owner->runtime);
	if (!m)
		return;
	s.path = files_search_recorded_path(f, m, &deleted);
	s.id = m->build_id;
	s.pid = m->owner_pid;
	files_search(&s);
}
