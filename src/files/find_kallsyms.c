/*
 * find_kallsyms.c - the recorded kernel's list of symbols
 *
 * perf uses /proc/kallsyms of the machine it runs on unless there is a reason not to, and so
 * misnames the kernel frames of foreign recordings. Here it must be proved to be the same kernel:
 * by the build-id in /sys/kernel/notes, or, without a recorded one, by host and release.
 *
 * perf inject even copies this machine's list into ~/.debug under the foreign kernel's build-id, so
 * a list from there proves nothing by its place: it is compared with this machine's own, line by
 * line, allowing for the constant offset of KASLR, and refused if they are the same although the
 * kernels are not.
 *
 * /proc/kallsyms takes the kernel 50 ms to print, so struct files_kallsyms_cache keeps it for runs
 * that read many recordings, and --symbol-cache from run to run (kallsyms_blocks.h).
 *
 * Source: dso__load_kernel_sym() in tools/perf/util/symbol.c; kernel/kallsyms.c.
 */
#include "files/files_search.h"

#include "base/chars.h"
#include "base/file.h"
#include "base/mem.h"
#include "files/kallsyms_blocks.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { NOTES_MAX_BYTES = 1 << 16 };

#define OWN_KALLSYMS "/proc/kallsyms"

static const struct files_place kallsyms_places[] = {
	{ FILES_ROOT_INPUT, "%D/kcore_dir/kallsyms" },
	{ FILES_ROOT_RECORDING, "%D/kallsyms" },
	{ FILES_ROOT_RECORDING, "%D/kcore_dir/kallsyms" },
	{ FILES_ROOT_SYMFS, "%D/kallsyms" },
	{ FILES_ROOT_DEBUG_DIR, "%D/.build-id/%I/kallsyms" },
	{ FILES_ROOT_DEBUG_DIR, "%D/[kernel.kcore]/%H/%T/kallsyms" },
	{ FILES_ROOT_DEBUG_DIR, "%D/[kernel.kallsyms]/%H/kallsyms" },
	{ FILES_ROOT_SYSTEM, OWN_KALLSYMS },
	{ FILES_ROOT_HOME, "%D/.debug/.build-id/%I/kallsyms" },
	{ FILES_ROOT_HOME, "%D/.debug/[kernel.kcore]/%H/%T/kallsyms" },
	{ FILES_ROOT_HOME, "%D/.debug/[kernel.kallsyms]/%H/kallsyms" },
	{ 0, NULL },
};

struct files_kallsyms_cache {
	pthread_mutex_t lock;
	bool was_read;
	int rc;          /* of reading it */
	struct buf text; /* changes no more once it was read */
};

struct files_kallsyms_cache *files_kallsyms_cache_new(void)
{
	struct files_kallsyms_cache *l = xcalloc(1, sizeof(*l));

	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void files_kallsyms_cache_free(struct files_kallsyms_cache *l)
{
	if (!l)
		return;
	buf_release(&l->text);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* want NULL: all of it. */
static int read_or_find(const struct files *f, const struct files_kallsyms_want *want,
	struct buf *text, struct err *e)
{
	if (f->o.symbol_cache)
		return kallsyms_blocks_read(f->o.symbol_cache, OWN_KALLSYMS, want, text, e);
	return file_read_all(OWN_KALLSYMS, KALLSYMS_MAX_BYTES, text, e);
}

static int read_own_kallsyms(const struct files *f, struct files_kallsyms *text, struct err *e)
{
	struct files_kallsyms_cache *l = f->o.kallsyms_cache;

	pthread_mutex_lock(&l->lock);
	if (!l->was_read)
		l->rc = read_or_find(f, NULL, &l->text, e);
	l->was_read = true;
	pthread_mutex_unlock(&l->lock);
	text->text = buf_span(&l->text);
	return l->rc;
}

static int read_own(const struct files *f, struct files_kallsyms *text)
{
	struct err ignored;
	int rc;

	if (f->o.kallsyms_cache)
		return read_own_kallsyms(f, text, &ignored);
	rc = read_or_find(f, text->want, &text->own, &ignored);
	text->text = buf_span(&text->own);
	return rc;
}

/* As the kernel prints it: what was kept is sorted. */
static int read_own_in_order(const struct files *f, struct files_kallsyms *text)
{
	struct err ignored;
	int rc;

	if (!f->o.symbol_cache)
		return read_own(f, text);
	rc = file_read_all(OWN_KALLSYMS, KALLSYMS_MAX_BYTES, &text->own, &ignored);
	text->text = buf_span(&text->own);
	return rc;
}

struct kallsyms_search {
	const struct files *files;
	struct files_kallsyms *text;
	struct file_identity identity; /* of the file that text is from */
	struct files_trail *trail;
};

static enum files_verdict read_text(struct kallsyms_search *ks, const char *root, const char *path)
{
	enum files_verdict v = FILES_USED;
	struct file list;
	struct err e;

	ks->text->own.n = 0;
	ks->text->text = (struct span){ 0 };
	ks->identity = (struct file_identity){ 0 };
	if (strcmp(path, OWN_KALLSYMS) == 0)
		return read_own(ks->files, ks->text) ? FILES_UNREADABLE : FILES_USED;
	if (!files_open_below(root, path, &list, &v)) {
		if (v == FILES_UNREADABLE)
			files_search_note_failure(ks->files, path, errno);
		return v;
	}
	ks->identity = file_identity(&list);
	if (file_read_content(&list, KALLSYMS_MAX_BYTES, &ks->text->own, &e)) {
		files_search_note_failure(ks->files, list.path, e.errno_value);
		v = FILES_UNREADABLE;
	}
	ks->text->text = buf_span(&ks->text->own);
	file_close(&list);
	return v;
}

/* Without the right to see addresses (kptr_restrict) each is zero; every real list begins with
 * another one. */
static bool all_zero(struct span text)
{
	struct span line, rest = text;

	while (span_next_line(&rest, &line)) {
		uint64_t address;

		if (span_scan_hex(&line, &address) && address)
			return false;
	}
	return true;
}

/* "ffffffff81000000 T _text" */
static bool is_symbol_line(struct span line)
{
	uint64_t address;

	if (!span_scan_hex(&line, &address) || line.n < 4)
		return false;
	return line.p[0] == ' ' && char_is_letter(line.p[1]) && line.p[2] == ' ';
}

enum files_kallsyms_form files_kallsyms_form(struct span head)
{
	struct span line, rest = head;

	if (!span_next_line(&rest, &line) || !is_symbol_line(line))
		return KALLSYMS_OTHER;
	return all_zero(head) ? KALLSYMS_HIDDEN : KALLSYMS_LIST;
}

/* Do a line of each list name the same symbol, at the same distance as all others? KASLR moves the
 * whole kernel. */
static bool same_symbol(struct span here, struct span there, uint64_t *moved)
{
	uint64_t a, b;

	if (!span_scan_hex(&here, &a) || !span_scan_hex(&there, &b) || !span_eq(here, there))
		return false;
	if (a != b && !*moved)
		*moved = a - b;
	return a == b || a - b == *moved;
}

/* Is it the list of the kernel that runs here? Modules, which come last, come and go. */
static bool is_own_kallsyms(const struct files *f, struct span text)
{
	struct files_kallsyms own = { 0 };
	struct span here, there, rest;
	uint64_t moved = 0;
	bool same;

	same = !read_own_in_order(f, &own) && own.text.n;
	rest = own.text;
	while (same && span_next_line(&rest, &here) && !memchr(here.p, '[', here.n))
		same = span_next_line(&text, &there) && same_symbol(here, there, &moved);
	buf_release(&own.own);
	return same;
}

bool files_search_kernel_runs_here(const struct build_id *wanted, bool same_machine)
{
	struct buf notes = { 0 };
	struct build_id id;
	struct err e;
	bool known;

	known = !file_read_all("/sys/kernel/notes", NOTES_MAX_BYTES, &notes, &e) &&
		files_notes_build_id(buf_span(&notes), &id);
	buf_release(&notes);
	return wanted->n && known ? build_id_same(wanted, &id) : same_machine;
}

/* s: how it was found; NULL: the user named it. */
static bool read_list(
	struct kallsyms_search *ks, const struct files_search *s, const char *path, bool proved)
{
	enum files_verdict v = read_text(ks, s ? s->root : NULL, path);

	if (v != FILES_USED)
		; /* it says why */
	else if (all_zero(ks->text->text))
		v = FILES_HIDDEN;
	else if (s && s->id.n && !s->f->o.no_system &&
		 !files_search_kernel_runs_here(&s->id, proved) &&
		 is_own_kallsyms(ks->files, ks->text->text))
		v = FILES_OTHER_BUILD_ID;
	files_trail_add(ks->trail, path, v, NULL);
	if (v == FILES_USED)
		files_note(ks->files, PACK_KERNEL, "kallsyms", path, ks->identity);
	return v == FILES_USED;
}

static bool try_kallsyms(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct kallsyms_search *ks = ctx;

	if (!strcmp(path, OWN_KALLSYMS) && !files_search_kernel_runs_here(&s->id, proved)) {
		files_trail_add(
			ks->trail, path, s->id.n ? FILES_OTHER_BUILD_ID : FILES_NOT_PROVED, NULL);
		return false;
	}
	return read_list(ks, s, path, proved);
}

bool files_read_kallsyms(const struct files *f, const struct module *kernel,
	struct files_kallsyms *text, struct files_trail *t)
{
	struct kallsyms_search ks = { .files = f, .text = text, .trail = t };
	struct files_search s = {
		.f = f,
		.places = kallsyms_places,
		.id = kernel->build_id,
		.try = try_kallsyms,
		.ctx = &ks,
	};

	if (f->o.kallsyms && read_list(&ks, NULL, f->o.kallsyms, true))
		return true;
	/* A named list that cannot be used is reported, and not replaced by another. */
	if (f->o.kallsyms && !access(f->o.kallsyms, F_OK))
		return false;
	return files_search(&s);
}
