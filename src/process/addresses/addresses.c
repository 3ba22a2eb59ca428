/*
 * Three lists of sources, searched in turn by find(): jitdumps, files that a copy of /proc/PID/maps
 * says were mapped (with their ELF symbols, by symbolize/), perf maps. Kernel addresses are looked
 * up in kallsyms alone. Within one list, sources must agree on the function (add_found): two that
 * name an address differently give TEXT_AMBIGUOUS, and no name.
 *
 * There is no recording: an empty one lends its modules, frames and strings to the symbolizer.
 * There is no time either, so the last code at an address in a jitdump counts; if the dump had
 * other functions at the address before (was_another), the answer says so, TEXT_NAMED_LAST.
 */
#include "process/addresses/addresses.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jit/jit.h"
#include "model/names/v8_name.h"
#include "process/addresses/proc_maps.h"
#include "symbolize/symbolize.h"

#include <stdlib.h>

enum {
	MAPS_MAX_BYTES = 256 << 20, /* of a copy of /proc/PID/maps */
	EARLIER_MAX = 64,           /* pieces of code at an address that are looked at */
};

/* One file that names addresses, of a process or (pid -1) of any. */
struct names_of {
	int32_t pid;
	struct codemap *map;   /* or */
	struct proc_maps proc; /* NULL map: this */
};

struct names_list {
	struct names_of *of;
	uint32_t n, cap;
};

struct addresses {
	struct addresses_opts o;
	struct strtab *strings;
	struct frames *frames;
	struct recording *recording; /* has the modules; no samples */
	struct files *files;
	struct symbolize_lookup *symbolizer;
	struct names_list dumps, files_mapped, maps;
	bool kernel; /* an option names its symbols */
};

/* ---- reading ------------------------------------------------------------------------------ */

static struct names_of *add_names(struct names_list *l, int32_t pid)
{
	ARRAY_GROW(l->of, l->n, l->cap);
	l->of[l->n] = (struct names_of){ .pid = pid };
	return &l->of[l->n++];
}

static bool is_wanted(const struct addresses *a, int32_t pid)
{
	return a->o.pid < 0 || pid < 0 || pid == a->o.pid;
}

static int load_map(struct addresses *a, struct file *file, int32_t pid, struct err *e)
{
	return perf_map_load(&add_names(&a->maps, pid)->map, file, a->frames, &a->recording->diag,
		&(struct perf_map_opts){ .pid = pid < 0 ? 0 : pid }, e);
}

static int load_dump(struct addresses *a, struct file *file, int32_t pid, struct err *e)
{
	/* Times only put code in order here, so one clock is as good as another. */
	static const struct jit_clock any = { .monotonic = true,
		.counter = { .known = true, .mult = 1 } };

	return jitdump_load(
		&add_names(&a->dumps, pid)->map, file, a->frames, &a->recording->diag, &any, e);
}

static int load_proc_maps(struct addresses *a, struct file *file, int32_t pid, struct err *e)
{
	struct names_of *of = add_names(&a->files_mapped, pid);
	struct buf text = { 0 };
	int rc = file_read_content(file, MAPS_MAX_BYTES, &text, e);

	if (!rc && proc_maps_parse(&of->proc, buf_span(&text), a->recording, pid < 0 ? 0 : pid,
			   !a->o.files->no_system, e))
		rc = err_wrap(e, "%s", file->path);
	file_close(file);
	buf_release(&text);
	return rc;
}

/* Takes over the file. */
typedef int (*load_fn)(struct addresses *a, struct file *file, int32_t pid, struct err *e);

static int load_path(
	struct addresses *a, const char *path, int32_t pid, load_fn load, struct err *e)
{
	struct file f;

	return file_open_regular(&f, path, e) ? e->code : load(a, &f, pid, e);
}

static int load_named(struct addresses *a, const struct files_perf_map *file, uint32_t n,
	load_fn load, struct err *e)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (is_wanted(a, file[i].pid) && load_path(a, file[i].path, file[i].pid, load, e))
			return e->code;
	return OK;
}

/* --map-dir. */
static int load_map_dir(struct addresses *a, struct err *e)
{
	struct files_map_list l = { 0 };
	int32_t pid = -1;
	uint32_t i;
	int rc = OK;

	files_list_maps(a->files, &l);
	for (i = 0; i < l.n && !rc; i++) {
		struct span path = span_of(l.at[i].path);
		load_fn load = files_is_perf_map_name(path, &pid) ? load_map : load_dump;
		struct file f;

		files_is_jitdump_name(path, &pid);
		if (!is_wanted(a, pid))
			continue;
		rc = files_map_open(&l.at[i], &f, e);
		if (!rc)
			rc = load(a, &f, pid, e);
	}
	files_map_list_release(&l);
	return rc;
}

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static int refuse_map(const struct files_trail *t, struct err *e)
{
	const struct files_step *refusal = files_trail_refusal(t);
	struct buf why = { 0 };

	if (!refusal)
		return OK;
	files_step_put(&why, refusal, NULL);
	err_set(e, ERR_UNSUPPORTED, "%s", buf_str(&why));
	buf_release(&why);
	return e->code;
}

/* In /tmp. */
static int load_own_map(struct addresses *a, struct err *e)
{
	struct files_opts here = *a->o.files;
	struct files_trail trail = { 0 };
	struct files_map_place place;
	struct files *files;
	int rc;

	here.same_machine = true;
	files = files_new(&here, a->strings);
	place = files_find_perf_map(files, a->o.pid, 0, &trail);
	rc = place.file.path ? load_map(a, &place.file, a->o.pid, e) : refuse_map(&trail, e);
	files_trail_release(&trail);
	files_free(files);
	return rc;
}

/* --pid without any option for its files means a process of this machine. */
static int load_own(struct addresses *a, struct err *e)
{
	char *proc = xasprintf("/proc/%d/maps", a->o.pid);
	int rc = OK;

	if (!a->maps.n && !a->dumps.n)
		rc = load_own_map(a, e);
	if (!rc && !a->files_mapped.n && is_there(proc))
		rc = load_path(a, proc, a->o.pid, load_proc_maps, e);
	free(proc);
	return rc;
}

static int check_kernel(struct addresses *a, struct err *e)
{
	const char *path = a->o.files->kallsyms;
	struct file f;

	if (!path)
		return OK;
	if (file_open(&f, path, e))
		return e->code;
	file_close(&f);
	a->kernel = true;
	return OK;
}

static int load(struct addresses *a, struct err *e)
{
	const struct files_opts *f = a->o.files;

	if (load_named(a, f->jitdumps, f->n_jitdumps, load_dump, e) ||
		load_named(a, f->perf_maps, f->n_perf_maps, load_map, e) ||
		load_named(a, a->o.proc_maps, a->o.n_proc_maps, load_proc_maps, e) ||
		check_kernel(a, e))
		return e->code;
	if (f->map_dir && load_map_dir(a, e))
		return e->code;
	if (a->o.pid >= 0 && !f->map_dir && !f->no_system && load_own(a, e))
		return e->code;
	if (!a->dumps.n && !a->files_mapped.n && !a->maps.n && !a->kernel)
		return err_set(e, ERR_USAGE,
			"nothing to name addresses by: give --perf-map, --jitdump, --proc-maps, "
			"--map-dir, --pid or --kallsyms");
	return OK;
}

int addresses_new(struct addresses **out, const struct addresses_opts *o, struct err *e)
{
	struct addresses *a = xcalloc(1, sizeof(*a));
	struct symbolize_opts so = { .full_names = o->full_names, .no_demangle = o->no_demangle };

	a->o = *o;
	a->strings = strtab_new();
	a->frames = frames_new(a->strings);
	a->recording = recording_new("", a->strings, a->frames);
	a->files = files_new(o->files, a->strings);
	so.files = a->files;
	a->symbolizer = symbolize_lookup_new(a->recording, &so);
	if (load(a, e)) {
		addresses_free(a);
		return e->code;
	}
	*out = a;
	return OK;
}

static void release_names(struct names_list *l)
{
	while (l->n) {
		codemap_free(l->of[--l->n].map);
		proc_maps_release(&l->of[l->n].proc);
	}
	free(l->of);
}

void addresses_free(struct addresses *a)
{
	if (!a)
		return;
	release_names(&a->dumps);
	release_names(&a->files_mapped);
	release_names(&a->maps);
	symbolize_lookup_free(a->symbolizer);
	files_free(a->files);
	recording_free(a->recording);
	frames_free(a->frames);
	strtab_free(a->strings);
	free(a);
}

const struct diag *addresses_diag(const struct addresses *a)
{
	return &a->recording->diag;
}

/* ---- looking up --------------------------------------------------------------------------- */

struct found {
	frame_id frame;
	enum text_answer answer;
};

static bool same_name(const struct addresses *a, frame_id x, frame_id y)
{
	return x == y ||
	       v8_name_same_function(frames_name(a->frames, x), frames_name(a->frames, y));
}

/* Were other functions at the address before the last one? */
static bool was_another(const struct addresses *a, const struct codemap *dump, uint64_t address,
	frame_id last, struct moment from)
{
	unsigned i;

	for (i = 0; i < EARLIER_MAX && from.time_ns; i++) {
		struct moment before = { from.time_ns - 1, UINT64_MAX };
		struct validity valid;
		frame_id f = codemap_find(dump, address, before, &valid);

		if (f && !same_name(a, f, last))
			return true;
		if (!moment_before(valid.from, from))
			break;
		from = valid.from;
	}
	return false;
}

static struct found find_generated(const struct addresses *a, const struct names_of *of,
	uint64_t address, const struct text_address *at)
{
	static const struct moment end = { UINT64_MAX, 0 };
	struct validity valid;
	struct found f = { .frame = codemap_find(of->map, address, end, &valid) };

	(void)at;
	if (f.frame)
		f.answer = codemap_is_ambiguous(of->map, address) ||
					   was_another(a, of->map, address, f.frame, valid.from)
				   ? TEXT_NAMED_LAST
				   : TEXT_NAMED;
	return f;
}

/* Is the address in the file that a line of perf script names, if it names one? */
static bool may_be_in(const struct addresses *a, const struct names_of *of,
	const struct proc_mapping *p, uint64_t address, const struct text_address *at)
{
	struct span path =
		strtab_get(a->strings, modules_get(a->recording->modules, p->module)->path);

	if (!at->file.n)
		return true;
	return span_eq(span_basename(path), span_basename(at->file)) &&
	       !proc_maps_may_be_offset(&of->proc, p->module, address);
}

static struct found find_in_file(const struct addresses *a, const struct names_of *of,
	uint64_t address, const struct text_address *at)
{
	const struct proc_mapping *p = proc_maps_find(&of->proc, address);
	struct site site = { .kind = FRAME_USER, .how = SITE_EXACT };
	frame_id frame;

	if (!p || !may_be_in(a, of, p, address, at))
		return (struct found){ .answer = TEXT_UNKNOWN };
	site.module = p->module;
	site.rel = address - p->start + p->offset;
	frame = symbolize_lookup_find(a->symbolizer, &site);
	if (frames_get(a->frames, frame)->kind == FRAME_UNKNOWN)
		return (struct found){ .answer = TEXT_UNNAMED };
	return (struct found){ frame, TEXT_NAMED };
}

static bool is_of(const struct names_of *of, int32_t pid)
{
	return pid < 0 || of->pid < 0 || of->pid == pid;
}

static void add_found(const struct addresses *a, struct found *all, struct found f)
{
	if (!f.frame || !all->frame)
		*all = f.answer > all->answer ? f : *all;
	else if (!same_name(a, all->frame, f.frame))
		all->answer = TEXT_AMBIGUOUS;
	else if (all->answer == TEXT_NAMED)
		all->answer = f.answer;
}

/* The combined answer of all files of one kind. */
static struct found find_in(const struct addresses *a, const struct names_list *l, uint64_t address,
	const struct text_address *at,
	struct found (*find)(const struct addresses *a, const struct names_of *of, uint64_t address,
		const struct text_address *at))
{
	struct found all = { .answer = TEXT_UNKNOWN };
	int32_t pid = at->pid < 0 ? a->o.pid : at->pid;
	uint32_t i;

	for (i = 0; i < l->n; i++) {
		struct found f = { 0 };

		if (is_of(&l->of[i], pid))
			f = find(a, &l->of[i], address, at);
		add_found(a, &all, f);
	}
	return all;
}

static struct found find_kernel(const struct addresses *a, uint64_t address)
{
	struct found f = { .answer = TEXT_UNKNOWN };

	if (!a->kernel)
		return f;
	f.frame = symbolize_lookup_find_kernel(a->symbolizer, address);
	if (frames_get(a->frames, f.frame)->kind != FRAME_UNKNOWN)
		f.answer = TEXT_NAMED;
	return f;
}

static struct found find(const struct addresses *a, uint64_t address, const struct text_address *at)
{
	struct found f = { .answer = TEXT_UNKNOWN };

	if (address >> 63)
		return find_kernel(a, address);
	if (!at->file.n)
		f = find_in(a, &a->dumps, address, at, find_generated);
	if (f.answer == TEXT_UNKNOWN)
		f = find_in(a, &a->files_mapped, address, at, find_in_file);
	if (f.answer <= TEXT_UNNAMED && !at->file.n) {
		struct found in_map = find_in(a, &a->maps, address, at, find_generated);

		if (in_map.answer != TEXT_UNKNOWN)
			f = in_map;
	}
	return f;
}

enum text_answer addresses_name(void *ctx, const struct text_address *at, struct buf *name)
{
	const struct addresses *a = ctx;
	struct found f = { .answer = TEXT_UNKNOWN };

	/* The call is before the address it returns to. If there is no code, it is no return
	 * address. */
	if (at->is_return && at->address)
		f = find(a, at->address - 1, at);
	if (f.answer <= TEXT_UNNAMED)
		f = find(a, at->address, at);
	if (f.answer == TEXT_NAMED || f.answer == TEXT_NAMED_LAST)
		utf8_put_terminal(name, frames_name(a->frames, f.frame));
	return f.answer;
}
