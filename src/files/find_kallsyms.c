/*
 * find_kallsyms.c - the recorded kernel's list of symbols
 *
 * perf takes /proc/kallsyms of the machine it runs on when nothing speaks against it, and names
 * the kernel frames of a foreign recording wrongly. Here it must be proved to be the same kernel.
 */
#include "files/search.h"

#include "base/file.h"

enum { KALLSYMS_MAX_BYTES = 512 << 20, NOTES_MAX_BYTES = 1 << 16 };

static const struct files_place kallsyms_places[] = {
	{ ROOT_RECORDING, "%D/kallsyms" },
	{ ROOT_RECORDING, "%D/kcore_dir/kallsyms" },
	{ ROOT_SYMFS, "%D/kallsyms" },
	{ ROOT_DEBUG_DIR, "%D/.build-id/%I/kallsyms" },
	{ ROOT_DEBUG_DIR, "%D/[kernel.kcore]/%H/%T/kallsyms" },
	{ ROOT_DEBUG_DIR, "%D/[kernel.kallsyms]/%H/kallsyms" },
	{ ROOT_SYSTEM, "/proc/kallsyms" },
	{ ROOT_HOME, "%D/.debug/.build-id/%I/kallsyms" },
	{ ROOT_HOME, "%D/.debug/[kernel.kcore]/%H/%T/kallsyms" },
	{ ROOT_HOME, "%D/.debug/[kernel.kallsyms]/%H/kallsyms" },
	{ 0, NULL },
};

struct kallsyms_search {
	const struct files *files;
	struct buf *text;
	struct files_trail *trail;
};

/* Without the right to see them every address reads as zero; there is a first line with another
 * one in every real list. */
static bool all_zero(struct span text)
{
	struct span line, rest = text;

	while (span_next_line(&rest, &line)) {
		uint64_t address;

		if (scan_hex(&line, &address) && address)
			return false;
	}
	return true;
}

static bool read_list(struct kallsyms_search *ks, const char *path)
{
	enum files_verdict v;
	struct err e;

	ks->text->n = 0;
	if (!files_is_regular(path, &v))
		; /* v says why */
	else if (file_read_all(path, KALLSYMS_MAX_BYTES, ks->text, &e))
		v = FILES_UNREADABLE;
	else if (all_zero(buf_span(ks->text)))
		v = FILES_HIDDEN;
	else
		v = FILES_USED;
	files_trail_add(ks->trail, path, v, NULL);
	if (v == FILES_USED)
		files_note(ks->files, PACK_KERNEL, "kallsyms", SPAN(""), path);
	return v == FILES_USED;
}

/* Is the kernel that runs here the recorded one? */
static bool kernel_is_ours(const struct build_id *wanted, bool same_machine)
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

static bool take_list(void *ctx, const struct files_search *s, const char *path, bool proved)
{
	struct kallsyms_search *ks = ctx;

	if (!strcmp(path, "/proc/kallsyms") && !kernel_is_ours(&s->id, proved)) {
		files_trail_add(
			ks->trail, path, s->id.n ? FILES_OTHER_BUILD_ID : FILES_NOT_PROVED, NULL);
		return false;
	}
	return read_list(ks, path);
}

bool files_read_kallsyms(
	const struct files *f, const struct module *kernel, struct buf *text, struct files_trail *t)
{
	struct kallsyms_search ks = { .files = f, .text = text, .trail = t };
	struct files_search s = {
		.f = f,
		.places = kallsyms_places,
		.id = kernel->build_id,
		.take = take_list,
		.ctx = &ks,
	};

	if (f->o.kallsyms)
		return read_list(&ks, f->o.kallsyms);
	return files_search(&s);
}
