/*
 * find_elf.c - the ELF files of a module: the runtime file, and those with symbols or DWARF
 *
 *	files_open_runtime()      runtime_places, then debuginfod; for the vdso, then our own
 *	files_open_debug(),       debug_places by build-id, then .gnu_debuglink, then debuginfod
 *	  files_open_dwarf()
 *	files_open_kmod()         runtime_places; the file may be compressed
 *
 * The tables are the whole policy: their order is the order of the search. judge() is the proof:
 * the recorded build-id must be equal; without one, the place must be named by the user, or this
 * machine be the recorded one. A path that ends in " (deleted)" was replaced, so it needs an equal
 * build-id in any case. Before that the ELF header must fit: a library of another architecture, or
 * of 32 bits where a 64-bit process ran, often has the same name and never the same addresses. Each
 * candidate, used or not, is added to the trail.
 *
 * Source: perf-buildid-cache(1) and tools/perf/util/build-id.c for ~/.debug; the GDB manual,
 * "Separate Debug Files"; debuginfod-find(1) for its cache.
 */
#include "files/debuginfod.h"
#include "files/debuglink.h"
#include "files/decompress.h"
#include "files/files_search.h"
#include "files/vdso.h"

#include <stdlib.h>

/* A directory without directories, and a .build-id tree without the directory above it, are
 * searched as well. */
static const struct files_place runtime_places[] = {
	{ FILES_ROOT_CONTAINER, "%D%P" },
	{ FILES_ROOT_SYMFS, "%D%P" },
	{ FILES_ROOT_SYMFS, "?%D/%F" },
	{ FILES_ROOT_RECORDING, "%D%P" },
	{ FILES_ROOT_RECORDING, "%D/%B" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I/elf" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P/%H/elf" },
	{ FILES_ROOT_DEBUG_DIR, "%D/%H/executable" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P" },
	{ FILES_ROOT_DEBUG_DIR, "?%D/%I/elf" },
	{ FILES_ROOT_DEBUG_DIR, "?%D/%I" },
	{ FILES_ROOT_DEBUG_DIR, "?%D/%F" },
	{ FILES_ROOT_SYSTEM, "%P" },
	{ FILES_ROOT_HOME, "%D/.debug/.build-id/%I/elf" },
	{ FILES_ROOT_HOME, "%D/.debug/.build-id/%I" },
	{ FILES_ROOT_HOME, "%D/.cache/debuginfod_client/%H/executable" },
	{ 0, NULL },
};

static const struct files_place debug_places[] = {
	{ FILES_ROOT_CONTAINER, "%D/usr/lib/debug/.build-id/%I.debug" },
	{ FILES_ROOT_CONTAINER, "%D/usr/lib/debug%P.debug" },
	{ FILES_ROOT_SYMFS, "%D/usr/lib/debug/.build-id/%I.debug" },
	{ FILES_ROOT_SYMFS, "%D/usr/lib/debug%P.debug" },
	{ FILES_ROOT_SYMFS, "%D/usr/lib/debug%P" },
	{ FILES_ROOT_SYMFS, "?%D/%B.debug" },
	{ FILES_ROOT_RECORDING, "%D/%B.debug" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I.debug" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I/debug" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P/%H/debug" },
	{ FILES_ROOT_DEBUG_DIR, "%D/%H/debuginfo" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P.debug" },
	{ FILES_ROOT_DEBUG_DIR, "?%D/%I.debug" },
	{ FILES_ROOT_DEBUG_DIR, "?%D/%I/debug" },
	{ FILES_ROOT_DEBUG_DIR, "?%D/%B.debug" },
	{ FILES_ROOT_SYSTEM, "/usr/lib/debug/.build-id/%I.debug" },
	{ FILES_ROOT_SYSTEM, "/usr/lib/debug%P.debug" },
	{ FILES_ROOT_SYSTEM, "/usr/lib/debug%P" },
	{ FILES_ROOT_HOME, "%D/.debug/.build-id/%I/debug" },
	{ FILES_ROOT_HOME, "%D/.cache/debuginfod_client/%H/debuginfo" },
	/* The program as it was before it was stripped: perf buildid-cache --add puts it there. */
	{ FILES_ROOT_SYMFS, "%D%P" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I/elf" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P/%H/elf" },
	{ FILES_ROOT_DEBUG_DIR, "%D%P" },
	{ FILES_ROOT_HOME, "%D/.debug/.build-id/%I/elf" },
	{ 0, NULL },
};

static const struct files_place vdso_places[] = {
	{ FILES_ROOT_SYMFS, "%D/vdso.so" },
	{ FILES_ROOT_RECORDING, "%D/vdso.so" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I/vdso" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I" },
	{ FILES_ROOT_DEBUG_DIR, "%D/[vdso]/%H/vdso" },
	{ FILES_ROOT_HOME, "%D/.debug/.build-id/%I/vdso" },
	{ FILES_ROOT_HOME, "%D/.debug/[vdso]/%H/vdso" },
	{ 0, NULL },
};

struct elf_search {
	struct files_trail *trail;
	struct elf_file *found;
	bool needs_proof; /* the build-id must be equal, as the path was guessed from "(deleted)" */
	bool needs;       /* a file without this is of no use: */
	enum files_need need;
	const char *stripped; /* the path of the program that lacks symbols; NULL: not here */
	bool may_be_compressed;
};

enum { COMPRESSED_MAX_BYTES = 64 << 20 };

/* FILES_USED if the file is the recorded one. */
static enum files_verdict judge(
	const struct build_id *wanted, const struct build_id *found, bool proved)
{
	if (!wanted->n)
		return proved ? FILES_USED : FILES_NOT_PROVED;
	if (!found->n)
		return FILES_NO_BUILD_ID;
	return build_id_same(wanted, found) ? FILES_USED : FILES_OTHER_BUILD_ID;
}

/* A compressed file, as kernel modules are. */
static struct elf_file *open_compressed(const char *root, const char *path, enum files_verdict *why)
{
	struct buf packed = { 0 }, image = { 0 };
	struct elf_file *ef = NULL;
	struct file file;
	struct err e;

	if (!files_open_below(root, path, &file, why))
		return NULL;
	if (!file_read_content(&file, COMPRESSED_MAX_BYTES, &packed, &e) &&
		decompress(buf_span(&packed), &image))
		ef = elf_file_from_memory(image.p, image.n, file.path);
	else
		buf_release(&image);
	if (ef)
		ef->identity = file_identity(&file);
	file_close(&file);
	buf_release(&packed);
	*why = FILES_NOT_ELF;
	return ef;
}

static bool try_elf(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct elf_search *es = ctx;
	enum files_verdict v;
	struct elf_file *ef;

	if (es->stripped && !strcmp(path, es->stripped))
		return false;
	ef = files_search_open_elf(s, path, &v);
	if (!ef && v == FILES_NOT_ELF && es->may_be_compressed)
		ef = open_compressed(s->root, path, &v);

	if (!ef) {
		files_trail_add(es->trail, path, v, NULL);
		return false;
	}
	v = files_judge_machine(s->f, s->word_bytes, ef);
	if (v == FILES_USED)
		v = judge(&s->id, &ef->build_id, proved && !es->needs_proof);
	if (v == FILES_USED && es->needs && !elf_file_has(ef, es->need))
		v = FILES_NO_SYMBOLS;
	files_trail_add(es->trail, path, v, &ef->build_id);
	if (v == FILES_USED)
		es->found = ef;
	else
		elf_file_close(ef);
	return v == FILES_USED;
}

/* The vdso is no file: this process has its own, which is used if it is proved to be the same. For
 * recordings from elsewhere it mostly is not, which is not worth reporting. */
static struct elf_file *own_vdso(
	const struct files *f, const struct module *m, struct files_trail *t)
{
	struct elf_file *ef = f->o.no_system ? NULL : vdso_copy_own();

	if (ef && (files_judge_machine(f, m->word_bytes, ef) != FILES_USED ||
			  judge(&m->build_id, &ef->build_id, f->o.same_machine) != FILES_USED)) {
		elf_file_close(ef);
		return NULL;
	}
	if (ef)
		files_trail_add(t, ef->path, FILES_USED, &ef->build_id);
	return ef;
}

struct elf_file *files_open_runtime(
	const struct files *f, const struct module *m, struct files_trail *t)
{
	struct elf_search es = { .trail = t };
	struct files_search s = {
		.f = f,
		.places = m->kind == MODULE_VDSO ? vdso_places : runtime_places,
		.path = files_search_recorded_path(f, m, &es.needs_proof),
		.id = m->build_id,
		.pid = m->owner_pid,
		.word_bytes = m->word_bytes,
		.try = try_elf,
		.ctx = &es,
	};

	if (!files_search(&s))
		es.found = m->kind == MODULE_VDSO
				   ? own_vdso(f, m, t)
				   : debuginfod_open(f, &s.id, DEBUGINFOD_EXECUTABLE, t);
	if (es.found)
		files_note_binary(f, m, es.found);
	return es.found;
}

/* "/lib/modules/6.1.0/kernel/fs/xfs/xfs.ko.zst". */
static bool is_compressed(struct span path)
{
	return span_ends(path, SPAN(".gz")) || span_ends(path, SPAN(".xz")) ||
	       span_ends(path, SPAN(".zst"));
}

/* Debug files are named after the module before it was compressed. */
static struct span decompressed_path(const struct module *m, struct span path)
{
	if (m->kind == MODULE_KMOD && is_compressed(path))
		path.n -= span_ends(path, SPAN(".zst")) ? 4 : 3;
	return path;
}

static struct elf_file *open_separate(const struct files *f, const struct module *m,
	const struct elf_file *runtime, enum files_need need, struct files_trail *t)
{
	struct elf_search es = {
		.trail = t, .needs = true, .need = need, .stripped = runtime ? runtime->path : NULL
	};
	struct files_search s = {
		.f = f,
		.places = debug_places,
		.path = decompressed_path(m, files_search_recorded_path(f, m, &es.needs_proof)),
		.id = m->build_id,
		.pid = m->owner_pid,
		.word_bytes = m->word_bytes,
		.try = try_elf,
		.ctx = &es,
	};

	if (runtime && runtime->build_id.n)
		s.id = runtime->build_id;
	/* Without a build-id only .gnu_debuglink proves that two files belong together. */
	if (s.id.n)
		files_search(&s);
	if (!es.found && runtime) {
		es.found = debuglink_open(f, s.path, runtime, need, t);
		if (es.found) {
			files_note_debuglink(f, m, es.found);
			return es.found;
		}
	}
	if (!es.found)
		es.found = debuginfod_open(f, &s.id, DEBUGINFOD_DEBUGINFO, t);
	if (es.found)
		files_note_symbols(f, &s.id, es.found);
	return es.found;
}

struct elf_file *files_open_debug(const struct files *f, const struct module *m,
	const struct elf_file *runtime, struct files_trail *t)
{
	return open_separate(f, m, runtime, FILES_NEED_SYMBOLS, t);
}

struct elf_file *files_open_dwarf(const struct files *f, const struct module *m,
	const struct elf_file *runtime, struct files_trail *t)
{
	return open_separate(f, m, runtime, FILES_NEED_DWARF, t);
}

static void search_kmod(const struct files *f, const struct module *m, struct elf_search *es)
{
	struct files_search s = {
		.f = f,
		.places = runtime_places,
		.path = strtab_get(f->strings, m->path),
		.id = m->build_id,
		.try = try_elf,
		.ctx = es,
	};

	if (files_search(&s))
		files_note_binary(f, m, es->found);
}

struct elf_file *files_open_kmod(
	const struct files *f, const struct module *m, struct files_trail *t)
{
	struct elf_search es = { .trail = t, .may_be_compressed = true };

	search_kmod(f, m, &es);
	return es.found;
}

struct elf_file *files_open_kmod_dwarf(
	const struct files *f, const struct module *m, struct files_trail *t)
{
	struct elf_search es = { .trail = t, .needs = true, .need = FILES_NEED_DWARF };

	/* A compressed module has no debug information, and decompressing it takes long. */
	if (!is_compressed(strtab_get(f->strings, m->path)))
		search_kmod(f, m, &es);
	if (!es.found && m->build_id.n)
		es.found = open_separate(f, m, NULL, FILES_NEED_DWARF, t);
	return es.found;
}

struct elf_file *files_open_vmlinux(
	const struct files *f, const struct module *kernel, struct files_trail *t)
{
	struct elf_search es = { .trail = t };
	struct files_search s = { .f = f, .id = kernel->build_id };

	if (f->o.vmlinux && try_elf(&es, &s, f->o.vmlinux, true))
		files_note(f, PACK_KERNEL, "vmlinux", es.found->path, es.found->identity);
	return es.found;
}
