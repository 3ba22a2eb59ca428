/*
 * Owners are found by coverage. find_candidates() lists the processes with JIT code and no map,
 * find_files() the maps and dumps that belong to no process, and measure_file() counts for each
 * pair how many sampled addresses of the process the file names:
 *
 *	                pid 4711        pid 4712
 *	perf-1.map            97               2
 *	perf-2.map             3              78
 *	sampled              100              80	distinct addresses in JIT code
 *
 * assign_file() gives a process the file of a kind that names more than half of its addresses,
 * unless the second best names more than half as many as the best, or the file matches another
 * process too. Then the process is marked ambiguous and gets none: wrong names are worse than none.
 *
 * There are two rounds: first files beside the recording and in --map-dir, then those in containers
 * of processes that still run, so that a copy does not compete with its original.
 *
 * Cost: nothing unless there are both candidates and files. Then one thread reads about SAMPLES_MAX
 * samples, and each file is loaded once more.
 */
#include "process/jit_code/map_owners.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	CANDIDATES_MAX = 64,
	ADDRESSES_MAX = 4096,     /* of a process, each once */
	ADDRESSES_MIN = 8,        /* fewer prove nothing */
	SAMPLES_MAX = 200 * 1000, /* looked at */
};

/* A process with JIT code and without a map. */
struct candidate {
	struct process_use *process;
	uint64_t *addresses;
	uint32_t n, cap;
	struct index by_address;
};

struct map_owners {
	struct jit_maps *maps;
	const struct jit_maps_source *from;
	struct candidate candidates[CANDIDATES_MAX];
	uint32_t n;
	struct files_map_list files; /* that belong to no process */
	bool *is_dump;               /* by file */
	uint32_t *covered;           /* by file and claimant: addresses */
	uint32_t samples;
};

static uint32_t *covered_of(const struct map_owners *c, uint32_t file, uint32_t candidate)
{
	return &c->covered[file * c->n + candidate];
}

/* ---- processes and files ------------------------------------------------------------------ */

static void find_candidates(struct map_owners *c)
{
	struct recording *r = c->from->recording;
	uint32_t i;

	for (i = 0; i < r->n_processes && c->n < CANDIDATES_MAX; i++) {
		struct process_use *p = &r->processes[i];

		if (p->generated_code && !p->perf_map && !p->jitdump)
			c->candidates[c->n++].process = p;
	}
}

static bool is_used(const struct recording *r, const char *path)
{
	uint32_t i;

	for (i = 0; i < r->n_processes; i++) {
		const struct process_use *p = &r->processes[i];

		if ((p->perf_map && strcmp(strtab_str(r->strings, p->perf_map), path) == 0) ||
			(p->jitdump && strcmp(strtab_str(r->strings, p->jitdump), path) == 0))
			return true;
	}
	return false;
}

static void keep_unused(struct map_owners *c, struct files_map_list *all)
{
	uint32_t i, n = 0;

	for (i = 0; i < all->n; i++)
		if (is_used(c->from->recording, all->at[i].path))
			free(all->at[i].path);
		else
			all->at[n++] = all->at[i];
	all->n = n;
	if (!n)
		files_map_list_release(all);
	c->files = *all;
}

/* Files beside the recording and in --map-dir. */
static void find_files(struct map_owners *c)
{
	const struct files_opts *o = files_opts_of(c->from->files);
	struct files_map_list all = { 0 };
	uint32_t i;

	for (i = 0; i < o->n_jitdumps; i++)
		if (o->jitdumps[i].pid < 0)
			files_map_list_add(&all, NULL, o->jitdumps[i].path);
	files_list_maps(c->from->files, &all);
	keep_unused(c, &all);
}

static bool is_settled(const struct process_use *p)
{
	return p->perf_map || p->jitdump || p->ambiguous;
}

/* Files in the containers of processes that still have none; a copy would match as well. */
static void find_container_files(struct map_owners *c)
{
	const struct jit_maps_source *from = c->from;
	struct files_map_list all = { 0 };
	uint32_t i;

	for (i = 0; i < c->n; i++) {
		const struct process_use *p = c->candidates[i].process;
		struct span dump =
			strtab_get(from->recording->strings, jit_hints_dump(from->hints, p->pid));

		if (!is_settled(p))
			files_list_maps_of(from->files, p->pid, dump, &all);
	}
	keep_unused(c, &all);
}

/* ---- sampled addresses -------------------------------------------------------------------- */

static struct candidate *candidate_of(struct map_owners *c, int32_t pid)
{
	uint32_t i;

	for (i = 0; i < c->n; i++)
		if (c->candidates[i].process->pid == pid)
			return &c->candidates[i];
	return NULL;
}

static bool has_address(const struct candidate *k, uint64_t address)
{
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&k->by_address, hash_u64(address), cursor, i)
		if (k->addresses[i] == address)
			return true;
	return false;
}

static void add_address(struct map_owners *c, space_id space, uint64_t address, struct moment at)
{
	struct validity valid;
	struct world_place place = world_find_user(c->from->world, space, address, at, &valid);
	struct candidate *k;

	if (!place.executable || !place.jit_code)
		return;
	k = candidate_of(c, place.owner_pid);
	if (!k || k->n == ADDRESSES_MAX || has_address(k, address))
		return;
	ARRAY_GROW(k->addresses, k->n, k->cap);
	index_add(&k->by_address, hash_u64(address), k->n);
	k->addresses[k->n++] = address;
}

static void read_sample(struct map_owners *c, const struct perfdata_record *r)
{
	const struct jit_maps_source *from = c->from;
	struct perfdata_sample s;
	struct world_thread t;
	struct validity valid;
	struct moment at;
	const struct perfdata_attr *attrs;
	uint32_t event, n, i;

	attrs = perfdata_attrs(from->pd, &n);
	if (!perfdata_sample_event(from->pd, r, &event) ||
		!perfdata_sample_decode(&attrs[event], r, &s))
		return;
	c->samples++;
	at = (struct moment){ from->has_times ? s.time_ns : 0, r->position };
	t = world_find_thread(from->world, s.pid, s.tid, at, &valid);
	if (!t.space)
		return;
	if (s.cpumode == CPUMODE_USER)
		add_address(c, t.space, s.ip, at);
	for (i = 0; i < s.n_ips && !attrs[event].unwound; i++)
		add_address(c, t.space, perfdata_sample_ip(&s, i), at);
}

/* If the recording cannot be read, the second pass says so. */
static void read_samples(struct map_owners *c)
{
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	struct err e;

	while (c->samples < SAMPLES_MAX && !perfdata_pop_block(c->from->pd, &block, &e))
		while (perfdata_block_next(&block, &r))
			if (r.type == RECORD_SAMPLE)
				read_sample(c, &r);
	perfdata_block_release(&block);
	perfdata_rewind(c->from->pd);
}

/* ---- coverage ----------------------------------------------------------------------------- */

static void measure_file(struct map_owners *c, uint32_t file)
{
	const struct jit_maps_source *from = c->from;
	struct frames *frames = from->recording->frames;
	struct diag unused = { 0 };
	struct jitdump_header h;
	struct codemap *m;
	struct file f;
	struct err e;
	uint32_t i, k;
	int rc;

	if (files_map_open(&c->files.at[file], &f, &e))
		return;
	c->is_dump[file] = !jitdump_peek(&h, &f, &e);
	rc = c->is_dump[file]
		     ? jitdump_load(&m, &f, frames, &unused, &from->hints->clock, &e)
		     : perf_map_load(&m, &f, frames, &unused, &(struct perf_map_opts){ 0 }, &e);
	if (rc)
		return;
	for (k = 0; k < c->n; k++)
		for (i = 0; i < c->candidates[k].n; i++)
			*covered_of(c, file, k) += codemap_knows(m, c->candidates[k].addresses[i]);
	codemap_free(m);
}

/* ---- assignment --------------------------------------------------------------------------- */

enum { NO_FILE = UINT32_MAX };

/* The file of a kind that matches a candidate; NO_FILE: none does, or several do alike. */
static uint32_t best_file(struct map_owners *c, uint32_t candidate, bool dump)
{
	const struct candidate *k = &c->candidates[candidate];
	uint32_t best = 0, second = 0, found = NO_FILE, i;

	for (i = 0; i < c->files.n; i++) {
		uint32_t covered = *covered_of(c, i, candidate);

		if (c->is_dump[i] != dump || covered <= second)
			continue;
		if (covered > best) {
			second = best;
			best = covered;
			found = i;
		} else {
			second = covered;
		}
	}
	if (k->n < ADDRESSES_MIN || best < k->n / 2 + 1)
		return NO_FILE;
	if (second > best / 2) {
		k->process->ambiguous = true;
		return NO_FILE;
	}
	return found;
}

/* A file that matches two processes is that of one, and it is not known which. */
static bool matches_another(const struct map_owners *c, uint32_t file, uint32_t candidate)
{
	uint32_t k;

	for (k = 0; k < c->n; k++)
		if (k != candidate && c->candidates[k].n >= ADDRESSES_MIN &&
			*covered_of(c, file, k) > c->candidates[k].n / 2)
			return true;
	return false;
}

static void assign_file(struct map_owners *c, uint32_t candidate, bool dump)
{
	struct process_use *process = c->candidates[candidate].process;
	uint32_t file = best_file(c, candidate, dump);
	struct file f;
	struct err e;

	if (file == NO_FILE)
		return;
	if (matches_another(c, file, candidate)) {
		process->ambiguous = true;
		return;
	}
	if (files_map_open(&c->files.at[file], &f, &e))
		return;
	if (dump ? jit_maps_load_jitdump(c->maps, c->from, process, &f)
		 : jit_maps_load_perf_map(c->maps, c->from, process, &f)) {
		process->covered = *covered_of(c, file, candidate);
		process->sampled = c->candidates[candidate].n;
	}
}

/* Assigns the files found last, and forgets them. */
static void assign_files(struct map_owners *c)
{
	uint32_t i;

	if (!c->files.n)
		return;
	if (!c->samples)
		read_samples(c);
	c->is_dump = xcalloc(c->files.n, sizeof(*c->is_dump));
	c->covered = xcalloc(c->files.n, c->n * sizeof(*c->covered));
	for (i = 0; i < c->files.n; i++)
		measure_file(c, i);
	for (i = 0; i < c->n; i++)
		if (!is_settled(c->candidates[i].process)) {
			assign_file(c, i, true);
			assign_file(c, i, false);
		}
	free(c->is_dump);
	free(c->covered);
	files_map_list_release(&c->files);
}

static void map_owners_release(struct map_owners *c)
{
	uint32_t k;

	for (k = 0; k < c->n; k++) {
		free(c->candidates[k].addresses);
		index_release(&c->candidates[k].by_address);
	}
}

void map_owners_find(struct jit_maps *maps, const struct jit_maps_source *from)
{
	struct map_owners c = { .maps = maps, .from = from };

	find_candidates(&c);
	if (c.n) {
		find_files(&c);
		assign_files(&c);
		find_container_files(&c);
		assign_files(&c);
	}
	map_owners_release(&c);
}
