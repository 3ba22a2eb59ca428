/*
 * How the world is built, frozen and looked up:
 *
 *	pass 1    world_add_*() ─► records[], as they come, each with its moment (time, position)
 *	freeze    sort by moment; the i-th record gets clock i; replay in that order:
 *	            FORK, EXIT, COMM ─► threads   the states of each tid, by clock
 *	            MMAP, user       ─► spaces    an overlay of mappings for each address space
 *	            MMAP, kernel     ─► kernel    overlays for text, modules, KSYMBOLs
 *	          the records are freed; moments[] stays, to turn times into clocks
 *	pass 2    world_find_*(..., at, &valid): the clock of `at` is the number of records up to it
 *
 * A clock says all that a moment says about order, in 4 bytes instead of 16: the state at clock c
 * is the state after the first c records. An answer holds from the clock of the change that made it
 * until that of the next change to the same thing. The moments of these two clocks are its
 * validity:
 *
 *	time ───●────────────●──────────────────●────────►
 *	        mmap /a      (anything else)    mmap /b over it
 *	        ├───────── "/a" is valid ───────┤
 *
 * Clock skew and late mappings: clocks of CPUs differ, so a sample may have an earlier time than
 * the MMAP record of the code it ran (perf prints [unknown]). Where nothing covers the address yet,
 * the next mapping of the same space counts (counts_late) if nothing else ever covers the address,
 * or if it starts within 10 ms. That limit, too, bounds the validity.
 *
 * Exits and reused numbers: tasks are sampled while they end, so an ended thread is still found
 * until a FORK reuses its tid (threads.c). Forks copy nothing (spaces.c). compat_perf gives perf's
 * answers: exec keeps the old maps, threads do not end, no mapping is late.
 *
 * Cost: freezing sorts the records once. A look-up is a binary search for the clock and one among
 * the states of the tid, or a walk through a segment tree of mappings (model/overlay.h).
 * world_test.c holds a million mappings, and 100,000 lives of one pid, to 2 seconds each.
 * world_replay_test.c compares random worlds with a plain replay.
 *
 * Source: tools/perf/util/machine.c, thread.c and maps.c for what the records mean;
 * perf_event_open(2).
 */
#include "process/world/world.h"

#include "base/mem.h"
#include "base/bisect.h"
#include "process/world/kernel_maps.h"
#include "process/world/threads.h"
#include "process/world/word_size.h"

#include <stdio.h>
#include <stdlib.h>

/* Clocks of two CPUs differ by less, so a mapping that is no later may be that of the sample. */
#define LATE_NS (UINT64_C(10) * 1000 * 1000)

enum { RECORDS_MAX = INT32_MAX };

enum record_kind { KIND_MMAP, KIND_KERNEL_MMAP, KIND_COMM, KIND_FORK, KIND_EXIT, KIND_KSYMBOL };

struct record {
	struct moment at;
	int32_t tid;
	uint8_t kind;
	bool flag; /* exec, synthesized, unregister */
	union {
		struct recorded_mapping map; /* of a KSYMBOL: path is its name */
		struct {
			int32_t pid, ppid, ptid;
			str_id name;
		} task;
	};
};

struct world {
	struct strtab *strings; /* borrowed */
	struct build_ids build_ids;
	struct world_mapper mapper;
	struct record *records; /* until frozen */
	uint32_t n, cap;
	struct moment *moments; /* of the records, in order */
	struct spaces spaces;
	struct threads threads;
	struct kernel_maps kernel;
	str_id swapper;
	bool compat_perf;
};

struct world *world_new(struct strtab *strings, struct modules *modules, bool compat_perf)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->strings = strings;
	w->compat_perf = compat_perf;
	w->swapper = strtab_add_str(strings, "swapper");
	w->mapper = (struct world_mapper){ strings, modules, &w->build_ids, compat_perf, NULL };
	spaces_init(&w->spaces);
	threads_init(&w->threads, &w->spaces, w->swapper, compat_perf);
	return w;
}

void world_set_containers(struct world *w, const struct files_opts *files)
{
	w->mapper.files = files;
}

void world_free(struct world *w)
{
	if (!w)
		return;
	build_ids_release(&w->build_ids);
	spaces_release(&w->spaces);
	threads_release(&w->threads);
	kernel_maps_release(&w->kernel);
	free(w->records);
	free(w->moments);
	free(w);
}

/* ---- adding records ----------------------------------------------------------------------- */

static void add_record(struct world *w, const struct record *r)
{
	if (w->n == RECORDS_MAX)
		return;
	ARRAY_GROW(w->records, w->n, w->cap);
	w->records[w->n++] = *r;
}

/* Nothing can be mapped at the very top of the address space: its last byte is left out. */
static uint64_t end_of(uint64_t start, uint64_t length)
{
	return length > UINT64_MAX - start ? UINT64_MAX : start + length;
}

void world_add_mmap(struct world *w, struct moment at, const struct world_mmap *m)
{
	struct record r = { .at = at,
		.tid = m->tid,
		.kind = m->kernel ? KIND_KERNEL_MMAP : KIND_MMAP,
		.map = {
			.start = m->start,
			.end = end_of(m->start, m->length),
			.file_offset = m->file_offset,
			.path = strtab_add(w->strings, m->path),
			.build_id = build_ids_add(&w->build_ids, &m->build_id),
			.pid = m->pid,
			.executable = m->executable,
			.huge = m->huge,
			.private = m->private,
		} };

	add_record(w, &r);
}

void world_add_comm(
	struct world *w, struct moment at, int32_t pid, int32_t tid, struct span name, bool exec)
{
	struct record r = { .at = at, .tid = tid, .kind = KIND_COMM, .flag = exec };

	r.task.pid = pid;
	r.task.name = strtab_add(w->strings, name);
	add_record(w, &r);
}

void world_add_fork(struct world *w, struct moment at, int32_t pid, int32_t ppid, int32_t tid,
	int32_t ptid, bool synthesized)
{
	struct record r = { .at = at, .tid = tid, .kind = KIND_FORK, .flag = synthesized };

	r.task.pid = pid;
	r.task.ppid = ppid;
	r.task.ptid = ptid;
	add_record(w, &r);
}

void world_add_exit(struct world *w, struct moment at, int32_t pid, int32_t tid)
{
	struct record r = { .at = at, .tid = tid, .kind = KIND_EXIT };

	r.task.pid = pid;
	add_record(w, &r);
}

void world_add_ksymbol(struct world *w, struct moment at, uint64_t address, uint32_t length,
	uint16_t type, bool unregister, struct span name)
{
	struct record r = { .at = at, .kind = KIND_KSYMBOL, .flag = unregister };

	(void)type; /* BPF programs and code for probes name themselves in the same way */
	r.map.start = address;
	r.map.end = end_of(address, length);
	r.map.path = strtab_add(w->strings, name);
	add_record(w, &r);
}

void world_add_build_id(struct world *w, struct span path, bool kernel, const struct build_id *id)
{
	str_id name = kernel ? mapper_kernel_name(&w->mapper, path) : strtab_add(w->strings, path);

	build_ids_set_path(&w->build_ids, name, kernel, id);
}

/* ---- freezing ----------------------------------------------------------------------------- */

struct record_key {
	struct moment at;
	uint32_t number;
};

static int compare_keys(const void *pa, const void *pb)
{
	const struct record_key *a = pa, *b = pb;

	if (moment_before(a->at, b->at))
		return -1;
	if (moment_before(b->at, a->at))
		return 1;
	return a->number < b->number ? -1 : 1;
}

/* The base name of an executable; a deleted file keeps its name. */
static str_id program_name(const struct world *w, const struct mapping *m)
{
	const struct module *module = modules_get(w->mapper.modules, m->module);
	struct span name = span_basename(strtab_get(w->strings, module->path)),
		    deleted = SPAN(" (deleted)");

	if (module->kind != MODULE_FILE || !m->executable)
		return 0;
	if (span_ends(name, deleted))
		name.n -= deleted.n;
	return strtab_add(w->strings, name);
}

static void replay_map(struct world *w, clock_id from, const struct record *r)
{
	space_id id = threads_space(&w->threads, from, r->map.pid, r->tid);
	struct mapping m;

	if (!id)
		return;
	m = mapper_user_mapping(&w->mapper, &r->map);
	m.from = from;
	spaces_map(&w->spaces, id, &m);
	if (!w->spaces.space[id].executable)
		w->spaces.space[id].executable = program_name(w, &m);
}

static void replay_ksymbol(struct world *w, clock_id from, const struct record *r)
{
	if (r->flag)
		kernel_maps_unregister(&w->kernel, from, r->map.start, r->map.end);
	else
		kernel_maps_register(
			&w->kernel, from, &w->mapper, r->map.start, r->map.end, r->map.path);
}

static void replay(struct world *w, clock_id from, const struct record *r)
{
	struct threads *t = &w->threads;

	switch ((enum record_kind)r->kind) {
	case KIND_MMAP:
		replay_map(w, from, r);
		break;
	case KIND_KERNEL_MMAP:
		kernel_maps_add(&w->kernel, from, &w->mapper, &r->map);
		break;
	case KIND_COMM:
		threads_rename(t, from, r->task.pid, r->tid, r->task.name, r->flag);
		break;
	case KIND_FORK:
		threads_fork(t, from, r->task.pid, r->task.ppid, r->tid, r->task.ptid, r->flag);
		break;
	case KIND_EXIT:
		threads_exit(t, from, r->task.pid, r->tid);
		break;
	case KIND_KSYMBOL:
		replay_ksymbol(w, from, r);
		break;
	}
}

void world_freeze(struct world *w)
{
	struct record_key *keys = xreallocarray(NULL, (size_t)w->n + 1, sizeof(*keys));
	uint32_t i;

	for (i = 0; i < w->n; i++)
		keys[i] = (struct record_key){ w->records[i].at, i };
	qsort(keys, w->n, sizeof(*keys), compare_keys);
	w->moments = xreallocarray(NULL, (size_t)w->n + 1, sizeof(*w->moments));
	for (i = 0; i < w->n; i++) {
		w->moments[i] = keys[i].at;
		replay(w, i + 1, &w->records[keys[i].number]);
	}
	free(keys);
	free(w->records);
	w->records = NULL;
	/* perf adds the mappings after an exec to those before, and compares no files. */
	if (!w->compat_perf)
		word_size_of_modules(&w->spaces, w->mapper.modules);
	spaces_freeze(&w->spaces);
	threads_freeze(&w->threads);
	kernel_maps_freeze(&w->kernel);
}

/* ---- clocks ------------------------------------------------------------------------------- */

static clock_id clock_at(const struct world *w, struct moment at)
{
	return bisect(i, 0, w->n, moment_before(at, w->moments[i]));
}

/* The moment at which a clock begins. */
static struct moment moment_of(const struct world *w, clock_id clock)
{
	if (clock == CLOCK_END)
		return VALIDITY_ALWAYS.until;
	return clock == CLOCK_START ? VALIDITY_ALWAYS.from : w->moments[clock - 1];
}

static struct validity validity_of(const struct world *w, clock_id from, clock_id until)
{
	return (struct validity){ moment_of(w, from), moment_of(w, until) };
}

/* ---- threads ------------------------------------------------------------------------------ */

static str_id number_name(const struct world *w, int32_t tid)
{
	char name[sizeof(":-2147483648")];

	snprintf(name, sizeof(name), ":%d", tid);
	return strtab_add_str(w->strings, name);
}

static str_id process_name(
	const struct world *w, const struct world_thread *t, const struct thread_state *leader)
{
	str_id name = leader && leader->pid == t->pid ? leader->name : 0;

	if (!name)
		name = spaces_executable(&w->spaces, t->space);
	return name ? name : number_name(w, t->pid);
}

/* Does the state belong to the thread which a sample names? */
static bool is_answer(const struct thread_state *s, int32_t pid)
{
	return s && !(s->ended && s->pid != pid && pid != -1);
}

struct world_thread world_find_thread(
	const struct world *w, int32_t pid, int32_t tid, struct moment at, struct validity *valid)
{
	struct world_thread found = { .pid = pid };
	clock_id clock = clock_at(w, at), from = CLOCK_START, until = CLOCK_END;
	const struct thread_state *s, *leader;
	bool known;

	*valid = VALIDITY_ALWAYS;
	if (!tid)
		return (struct world_thread){
			.name = w->swapper, .process = w->swapper, .pid = pid
		};
	s = threads_find(&w->threads, tid, clock, &from, &until);
	known = is_answer(s, pid);
	if (known)
		found.pid = s->pid;
	leader = threads_find(&w->threads, found.pid, clock, &from, &until);
	if (known)
		found.space = s->space;
	else if (is_answer(leader, pid) && leader->pid == pid)
		found.space = leader->space;
	found.name = known && s->name ? s->name : number_name(w, tid);
	found.process = process_name(w, &found, leader);
	*valid = validity_of(w, from, until);
	return found;
}

static int compare_pids(const void *pa, const void *pb)
{
	const struct space *const *a = pa, *const *b = pb;

	return (*a)->pid < (*b)->pid ? -1 : (*a)->pid > (*b)->pid;
}

static void visit_process(const struct world *w, const struct space *const *spaces, uint32_t n,
	world_visit_process visit, void *ctx)
{
	struct world_process p = { .pid = spaces[0]->pid };
	clock_id made = CLOCK_START;
	uint32_t i;

	p.name = threads_last_name(&w->threads, p.pid);
	for (i = 0; i < n; i++) {
		p.jit_code |= spaces[i]->jit_code;
		if (spaces[i]->made > made)
			made = spaces[i]->made;
		if (!p.name)
			p.name = spaces_executable(
				&w->spaces, (space_id)(spaces[i] - w->spaces.space));
	}
	if (!p.name)
		p.name = number_name(w, p.pid);
	p.begun_ns = moment_of(w, made).time_ns;
	visit(ctx, &p);
}

void world_visit_processes(const struct world *w, world_visit_process visit, void *ctx)
{
	const struct space **sorted = xreallocarray(NULL, w->spaces.n, sizeof(struct space *));
	uint32_t n = 0, i, end;

	for (i = 0; i < w->spaces.n; i++)
		if (w->spaces.space[i].pid > 0)
			sorted[n++] = &w->spaces.space[i];
	qsort(sorted, n, sizeof(struct space *), compare_pids);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && sorted[end]->pid == sorted[i]->pid;)
			end++;
		visit_process(w, sorted + i, end - i, visit, ctx);
	}
	free(sorted);
}

/* ---- addresses ---------------------------------------------------------------------------- */

static struct world_place place_in(const struct mapping *m, uint64_t address)
{
	return (struct world_place){
		.module = m->module,
		.rel = address + m->shift,
		.executable = m->executable,
		.jit_code = m->generated,
		.ever_executable = m->executable,
		.owner_pid = m->owner_pid,
	};
}

/* True if a mapping that comes later counts already; *valid is narrowed to the time for which that
 * is so. */
static bool counts_late(const struct world *w, const struct space_hit *hit, struct moment at,
	struct validity *valid)
{
	uint64_t time_ns = moment_of(w, hit->later->from).time_ns;
	struct moment soon = { time_ns > LATE_NS ? time_ns - LATE_NS : 0, 0 };

	if (hit->later_only)
		return true;
	if (moment_before(at, soon)) {
		validity_narrow(valid, (struct validity){ VALIDITY_ALWAYS.from, soon });
		return false;
	}
	validity_narrow(valid, (struct validity){ soon, VALIDITY_ALWAYS.until });
	return true;
}

struct world_place world_find_user(const struct world *w, space_id space, uint64_t address,
	struct moment at, struct validity *valid)
{
	struct space_hit hit = spaces_find(&w->spaces, space, address, clock_at(w, at));
	struct world_place place = { 0 };

	*valid = validity_of(w, hit.from, hit.until);
	if (hit.now) {
		place = place_in(hit.now, address);
	} else if (hit.later && !w->compat_perf && counts_late(w, &hit, at, valid)) {
		place = place_in(hit.later, address);
		place.late = true;
	}
	place.ever_executable = hit.ever_executable;
	return place;
}

struct world_place world_find_kernel(
	const struct world *w, uint64_t address, struct moment at, struct validity *valid)
{
	clock_id from, until;
	const struct mapping *m =
		kernel_maps_find(&w->kernel, address, clock_at(w, at), &from, &until);

	*valid = validity_of(w, from, until);
	return m ? place_in(m, address) : (struct world_place){ 0 };
}

void world_executable_ranges(const struct world *w, int32_t pid, struct codemap_ranges *ranges)
{
	spaces_executable_ranges(&w->spaces, pid, ranges);
}

bool world_kernel_reference(const struct world *w, str_id *symbol, uint64_t *address)
{
	*symbol = w->kernel.reference_symbol;
	*address = w->kernel.reference_address;
	return *symbol != 0;
}
