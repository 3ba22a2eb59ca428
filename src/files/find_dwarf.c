/*
 * find_dwarf.c - debug information that lies in files of its own: .dwo, packages of them, and what
 * dwz shares
 *
 * All are proved by what names them: a build-id, or the number of the unit.
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
	bool (*take)(void *ctx, struct elf_file *ef);
	void *ctx;
};

static bool take_alternate(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct dwarf_search *ds = ctx;
	enum files_verdict v;
	struct elf_file *ef = elf_file_open(path, &v);

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

/* { path, NUL, build-id }; a path may be relative to the folder of the file. */
static bool read_link(
	const struct elf_file *debug, struct buf *path, bool *relative, struct build_id *id)
{
	GElf_Shdr sh;
	Elf_Scn *section = elf_file_section(debug, ".gnu_debugaltlink", &sh);
	struct span s = section ? elf_file_content(section, &sh) : SPAN("");
	const char *nul = s.n ? memchr(s.p, 0, s.n) : NULL;
	struct span folder = span_of(debug->path);

	if (!nul || nul == s.p)
		return false;
	folder.n -= span_basename(folder).n;
	*relative = s.p[0] != '/';
	if (*relative)
		buf_put_span(path, folder);
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
		.f = f, .places = alternate_places, .take = take_alternate, .ctx = &ds
	};
	struct buf path = { 0 };
	bool relative;

	if (read_link(debug, &path, &relative, &s.id)) {
		const char *recorded = buf_str(&path); /* which may move it */

		s.path = buf_span(&path);
		if (!relative || !take_alternate(&ds, &s, recorded, false))
			files_search(&s);
	}
	if (ds.found)
		files_note_symbols(f, &s.id, ds.found->path);
	buf_release(&path);
	return ds.found;
}

/* It has no build-id: its unit names it by path. */
static void note_dwo(const struct files_search *s, const char *path)
{
	struct buf place = { 0 };

	buf_puts(&place, "root");
	buf_put_span(&place, s->path);
	if (s->path.p[0] == '/')
		files_note(s->f, PACK_SYMBOLS, buf_str(&place), s->path, path);
	buf_release(&place);
}

static bool take_dwo(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct dwarf_search *ds = ctx;
	enum files_verdict v;
	struct elf_file *ef = elf_file_open(path, &v);

	(void)proved;
	if (!ef || !ds->take(ds->ctx, ef))
		return false;
	note_dwo(s, path);
	return true;
}

/* The .dwo may lie where the program lies. */
static bool try_beside(struct files_search *s, const char *beside)
{
	struct span folder = span_of(beside), base = span_basename(s->path);
	struct buf path = { 0 };
	bool found;

	folder.n -= span_basename(folder).n;
	buf_put_span(&path, folder);
	buf_put_span(&path, base);
	found = take_dwo(s->ctx, s, buf_str(&path), false);
	buf_release(&path);
	return found;
}

bool files_find_dwo(const struct files *f, struct span comp_dir, struct span name,
	const char *beside, bool (*take)(void *ctx, struct elf_file *ef), void *ctx)
{
	struct dwarf_search ds = { .take = take, .ctx = ctx };
	struct files_search s = { .f = f, .places = dwo_places, .take = take_dwo, .ctx = &ds };
	struct buf path = { 0 };
	bool found;

	if (!name.n || memchr(name.p, 0, name.n))
		return false;
	if (name.p[0] != '/' && comp_dir.n) {
		buf_put_span(&path, comp_dir);
		buf_putc(&path, '/');
	}
	buf_put_span(&path, name);
	s.path = buf_span(&path);
	found = try_beside(&s, beside) || files_search(&s);
	buf_release(&path);
	return found;
}

/* ---- packages ----------------------------------------------------------------------------- */

struct package_search {
	struct files_trail *trail;
	enum files_verdict (*take)(void *ctx, struct elf_file *ef);
	void *ctx;
};

/* What is not there is not told: most programs have no package. */
static bool take_package(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct package_search *ps = ctx;
	enum files_verdict v;
	struct elf_file *ef = elf_file_open(path, &v);

	(void)s;
	(void)proved;
	if (ef)
		v = ps->take(ps->ctx, ef);
	if (v != FILES_ABSENT && v != FILES_USED)
		files_trail_add(ps->trail, path, v, NULL);
	return false;
}

static void try_package(struct package_search *ps, struct span program)
{
	struct buf path = { 0 };

	buf_put_span(&path, program);
	buf_puts(&path, ".dwp");
	take_package(ps, NULL, buf_str(&path), false);
	buf_release(&path);
}

/* "program.dwp" lies beside "program", and beside "program.debug" too. */
static void try_package_beside(struct package_search *ps, const char *file)
{
	struct span program = span_of(file), debug = SPAN(".debug");

	try_package(ps, program);
	if (span_ends(program, debug))
		try_package(ps, (struct span){ program.p, program.n - debug.n });
}

void files_find_dwp(const struct files *f, const struct files_dwp_owner *beside,
	enum files_verdict (*take)(void *ctx, struct elf_file *ef), void *ctx,
	struct files_trail *t)
{
	struct package_search ps = { .trail = t, .take = take, .ctx = ctx };
	const struct module *m = beside->module;
	struct files_search s = { .f = f, .places = dwp_places, .take = take_package, .ctx = &ps };
	bool deleted;

	try_package_beside(&ps, beside->file);
	if (beside->runtime && strcmp(beside->runtime, beside->file) != 0)
		try_package_beside(&ps, beside->runtime);
	if (!m)
		return;
	s.path = files_search_recorded_path(f, m, &deleted);
	s.id = m->build_id;
	s.pid = m->owner_pid;
	files_search(&s);
}
