/*
 * jit_maps_load() finds for each process that made JIT code (with copied stacks, for each process
 * at all, as perf maps list an interpreter's bytecode too):
 *
 *	a jitdump	given by --jitdump, or whose mapping was recorded (jit_hints.h)
 *	a perf map	by its pid: beside the recording, in --map-dir, or in /tmp of this machine
 *			if it is not older than the process (files/)
 *
 * Processes that have neither are left to map_owners.c.
 *
 * A look-up searches the jitdump first, which has times; the perf map names only addresses that the
 * dump never lists. One exception (find_late): Node.js 26 may write a damaged record and list code
 * long after it first ran. Then the next listing of the address counts already, if the map has the
 * same function there and no other.
 *
 * A map belongs to the process that made the mapping, also when a forked child runs the code.
 * Processes are sorted by pid, so that a look-up is a binary search; the stack log caches its
 * answer.
 */
#include "process/jit_code/jit_maps.h"

#include "base/mem.h"
#include "model/names/v8_name.h"
#include "process/jit_code/map_owners.h"

#include <stdlib.h>

static int compare_maps(const void *pa, const void *pb)
{
	const struct jit_process *a = pa, *b = pb;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static struct jit_process *find(const struct jit_maps *c, int32_t pid)
{
	struct jit_process key = { .pid = pid };

	return c->n ? bsearch(&key, c->of, c->n, sizeof(*c->of), compare_maps) : NULL;
}

/* ---- one file ----------------------------------------------------------------------------- */

/* A map or dump that is read, once it is no longer open. */
struct read_file {
	str_id path;
	struct file_identity id;
};

static struct read_file note(const struct jit_maps_source *from, const struct file *file)
{
	return (struct read_file){ strtab_add_str(from->recording->strings, file->path),
		file_identity(file) };
}

/* One without code of the process is of no use in a pack, and may not be what its name says. */
static void keep_for_packs(const struct jit_maps_source *from, enum pack_reason reason, int32_t pid,
	const struct read_file *file, uint64_t entries)
{
	if (entries)
		files_note_map(from->files, reason, pid,
			strtab_str(from->recording->strings, file->path), file->id);
}

bool jit_maps_load_perf_map(struct jit_maps *c, const struct jit_maps_source *from,
	struct process_use *process, struct file *file)
{
	struct recording *r = from->recording;
	struct jit_process *of = find(c, process->pid);
	struct read_file map = note(from, file);
	struct codemap_ranges exec;
	struct err e;
	int rc;

	world_executable_ranges(from->world, process->pid, &exec);
	rc = perf_map_load(&of->map, file, r->frames, &r->diag,
		&(struct perf_map_opts){ .pid = process->pid,
			.exec = from->compat_perf ? NULL : &exec,
			.bytecode = from->copied_stacks,
			.compat_perf = from->compat_perf },
		&e);
	free((void *)exec.range);
	if (rc) {
		diag_count(&r->diag, DIAG_BAD_FILE, (uint64_t)process->pid);
		return false;
	}
	process->perf_map = map.path;
	keep_for_packs(from, PACK_PERF_MAP, process->pid, &map,
		codemap_facts(of->map).entries +
			(from->copied_stacks ? codemap_facts(of->map).outside : 0));
	return true;
}

bool jit_maps_load_jitdump(struct jit_maps *c, const struct jit_maps_source *from,
	struct process_use *process, struct file *file)
{
	struct recording *r = from->recording;
	struct jit_process *of = find(c, process->pid);
	struct read_file dump = note(from, file);
	struct err e;

	if (jitdump_load(&of->dump, file, r->frames, &r->diag, &from->hints->clock, &e)) {
		diag_count(&r->diag, DIAG_BAD_FILE, (uint64_t)process->pid);
		return false;
	}
	if (from->lines)
		codemap_enable_lines(of->dump, from->columns);
	if (from->code_addresses)
		codemap_enable_addresses(of->dump);
	process->jitdump = dump.path;
	process->jit_untimed = !codemap_facts(of->dump).timed;
	if (process->jit_untimed)
		diag_count(&r->diag, DIAG_JIT_UNTIMED, (uint64_t)process->pid);
	keep_for_packs(from, PACK_JITDUMP, process->pid, &dump, codemap_facts(of->dump).entries);
	return true;
}

/* ---- by pid ------------------------------------------------------------------------------- */

static bool has_header(const char *path, struct jitdump_header *h)
{
	struct file f;
	struct err e;
	bool has;

	if (file_open_regular(&f, path, &e))
		return false;
	has = !jitdump_peek(h, &f, &e);
	file_close(&f);
	return has;
}

/* --jitdump PID=FILE, or FILE with the pid in its header. */
static const char *dump_of_option(const struct files_opts *o, int32_t pid)
{
	struct jitdump_header h;
	const char *any = NULL;
	uint32_t i;

	for (i = 0; i < o->n_jitdumps; i++) {
		const struct files_perf_map *d = &o->jitdumps[i];

		if (d->pid == pid)
			return d->path;
		if (d->pid < 0 && has_header(d->path, &h) && h.pid == pid)
			any = d->path;
	}
	return any;
}

static bool find_dump(
	const struct jit_maps_source *from, int32_t pid, struct file *dump, struct files_trail *t)
{
	struct span recorded =
		strtab_get(from->recording->strings, jit_hints_dump(from->hints, pid));
	const char *named = dump_of_option(files_opts_of(from->files), pid);
	struct err e;

	if (!named)
		return files_find_jitdump(from->files, pid, recorded, dump, t);
	if (!file_open_regular(dump, named, &e))
		return true;
	diag_count(&from->recording->diag, DIAG_BAD_FILE, (uint64_t)pid);
	return false;
}

/* The time of day at which a process began; 0: not known, as the recording was made without -k. */
static uint64_t time_of_day(const struct jit_maps_source *from, uint64_t time_ns)
{
	const struct perfdata_features *f = perfdata_features(from->pd);

	if (!time_ns || !f->clock_data.known)
		return 0;
	return f->clock_data.wall_ns + (time_ns - f->clock_data.clock_ns);
}

static bool is_too_old(const struct files_trail *t)
{
	const struct files_step *s = files_trail_refusal(t);

	return s && s->verdict == FILES_TOO_OLD;
}

/* Why a file that is there may not be used. */
static str_id refusal(struct recording *r, const struct files_trail *t)
{
	struct buf text = { 0 };
	str_id id = 0;
	uint32_t i;

	for (i = 0; i < t->n && !id; i++) {
		if (t->step[i].verdict != FILES_LEAVES_ROOT &&
			t->step[i].verdict != FILES_OTHER_OWNER)
			continue;
		files_step_put(&text, &t->step[i], NULL);
		id = strtab_add(r->strings, buf_span(&text));
	}
	buf_release(&text);
	return id;
}

static void load_by_pid(
	struct jit_maps *c, const struct jit_maps_source *from, struct process_use *process)
{
	struct files_trail trail = { 0 };
	struct files_map_place place = files_find_perf_map(
		from->files, process->pid, time_of_day(from, process->begun_ns), &trail);
	struct file dump;
	bool has_dump = !from->compat_perf && find_dump(from, process->pid, &dump, &trail);

	process->map_too_old = is_too_old(&trail);
	process->map_refused = refusal(from->recording, &trail);
	files_trail_release(&trail);

	if (has_dump)
		jit_maps_load_jitdump(c, from, process, &dump);
	if (place.file.path)
		jit_maps_load_perf_map(c, from, process, &place.file);
}

/* ---- all processes ------------------------------------------------------------------------ */

struct process_list {
	struct jit_maps *maps;
	struct recording *recording;
	uint32_t cap_processes;
	bool copied_stacks;
};

/* A program that is only interpreted has no JIT code, and yet a map (interpreter.h). */
static bool may_have_map(const struct process_list *l, const struct world_process *p)
{
	return p->jit_code || l->copied_stacks;
}

static void list_process(void *ctx, const struct world_process *p)
{
	struct process_list *l = ctx;
	struct jit_maps *c = l->maps;
	struct recording *r = l->recording;

	ARRAY_GROW(r->processes, r->n_processes, l->cap_processes);
	r->processes[r->n_processes++] = (struct process_use){ .pid = p->pid,
		.name = p->name,
		.generated_code = p->jit_code,
		.begun_ns = p->begun_ns };
	if (!may_have_map(l, p))
		return;
	ARRAY_GROW(c->of, c->n, c->cap);
	c->of[c->n++] = (struct jit_process){ .pid = p->pid };
}

/* Counts files of --jitdump that are given without a pid and have no readable header. */
static void check_option_dumps(const struct jit_maps_source *from)
{
	const struct files_opts *o = files_opts_of(from->files);
	struct jitdump_header h;
	uint32_t i;

	for (i = 0; i < o->n_jitdumps; i++)
		if (o->jitdumps[i].pid < 0 && !has_header(o->jitdumps[i].path, &h))
			diag_count(&from->recording->diag, DIAG_BAD_FILE, i);
}

void jit_maps_load(struct jit_maps *c, const struct jit_maps_source *from)
{
	struct recording *r = from->recording;
	struct process_list l = { .maps = c,
		.recording = r,
		.copied_stacks = from->copied_stacks && !from->compat_perf };
	uint32_t i;

	*c = (struct jit_maps){ .frames = r->frames };
	check_option_dumps(from);
	world_visit_processes(from->world, list_process, &l);
	for (i = 0; i < r->n_processes; i++)
		if (find(c, r->processes[i].pid))
			load_by_pid(c, from, &r->processes[i]);
	if (!from->compat_perf)
		map_owners_find(c, from);
}

void jit_maps_release(struct jit_maps *c)
{
	uint32_t i;

	for (i = 0; i < c->n; i++) {
		codemap_free(c->of[i].map);
		codemap_free(c->of[i].dump);
	}
	free(c->of);
}

const struct jit_process *jit_maps_of_process(const struct jit_maps *c, int32_t pid)
{
	return find(c, pid);
}

/* A map that cannot be read again does without times. */
void jit_maps_set_first_seen(struct jit_maps *c, int32_t pid, const struct codemap_seen *seen)
{
	struct err unused;

	perf_map_date(find(c, pid)->map, seen, &unused);
}

static bool same_function(const struct frames *frames, frame_id a, frame_id b)
{
	const struct strtab *strings = frames_strings(frames);

	return v8_name_same_function(strtab_get(strings, frames_get(frames, a)->name),
		strtab_get(strings, frames_get(frames, b)->name));
}

/* A dump with a damaged record may list code long after it first ran (seen with Node.js 26). The
 * next listing of the address counts already, if the map has that function and no other there. */
static frame_id find_late(const struct jit_maps *c, const struct jit_process *of, uint64_t address,
	const struct validity *unknown)
{
	struct validity unused;
	frame_id next, mapped;

	if (!of->map || codemap_is_ambiguous(of->map, address))
		return 0;
	next = codemap_find(of->dump, address, unknown->until, &unused);
	mapped = codemap_find(of->map, address, unknown->until, &unused);
	return next && mapped && same_function(c->frames, next, mapped) ? next : 0;
}

frame_id jit_maps_find(const struct jit_maps *c, int32_t pid, uint64_t address, struct moment at,
	struct validity *valid)
{
	const struct jit_process *of = find(c, pid);

	*valid = VALIDITY_ALWAYS;
	if (!of)
		return 0;
	if (of->dump && codemap_knows(of->dump, address)) {
		frame_id frame = codemap_find(of->dump, address, at, valid);

		return frame ? frame : find_late(c, of, address, valid);
	}
	return of->map ? codemap_find(of->map, address, at, valid) : 0;
}

bool jit_maps_is_ambiguous(const struct jit_maps *c, int32_t pid, uint64_t address)
{
	const struct jit_process *of = find(c, pid);

	return of && of->map && !(of->dump && codemap_knows(of->dump, address)) &&
	       codemap_is_ambiguous(of->map, address);
}

bool jit_maps_find_unwinding(const struct jit_maps *c, int32_t pid, uint64_t address,
	struct moment at, struct validity *valid, struct codemap_unwinding *out, struct buf *b)
{
	const struct jit_process *of = find(c, pid);

	*valid = VALIDITY_ALWAYS;
	return of && of->dump && codemap_find_unwinding(of->dump, address, at, valid, out, b);
}
