/*
 * perf maps have no times. A runtime appends a line for each function that it compiles, and reuses
 * the memory of code that it discarded. So a map may list several functions at one address, and the
 * last line is right only for the last samples. But lines are in the order in which code was made,
 * and a sample at an address that only one line covers proves that this line existed by then. So
 * each such sample dates its line and all lines before it; jit/perf_map_dates.h draws the
 * conclusions.
 *
 * This pass collects what samples saw, for maps of processes that have no jitdump (which has
 * times):
 *
 *	lines	by_line		the first sample in the code of each line that is alone there
 *	shared	by_address	the first and last sample at each address that several functions
 *				share, and the range of addresses around it
 *
 * Each worker collects in its own tables; sort_gathered() then keeps each line and address once, so
 * the number of workers changes nothing. The map is read again for the ranges that were hit. From
 * then on its answer there depends on the time.
 *
 * Without this, up to 2.1 % of the JIT frames were wrong on Node.js 24 and 26, compared with a
 * jitdump of the same run; with it, at most 0.09 %. Cost: one more pass over all samples, decoded
 * but not resolved, made only if can_be_dated() holds for a process; and memory by distinct lines
 * and addresses.
 */
#include "process/first_seen.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { KNOWN_ADDRESSES = 1 << 13 };

struct seen_line {
	const struct jit_process *of;
	uint64_t entry;
	uint64_t time_ns; /* the earliest */
};

/* An address that several functions share. */
struct seen_address {
	const struct jit_process *of;
	struct codemap_range piece; /* around it */
	struct codemap_seen_address spot;
};

/* An address that changes nothing when it is seen again at since_ns or later: its line has an
 * earlier time, or there is nothing to learn from it. */
struct known_address {
	const struct jit_process *of; /* NULL: none */
	uint64_t address, since_ns;
};

struct observer {
	MEM_APART const struct pass2 *pass; /* borrowed */
	const struct perfdata_attr *attrs;  /* borrowed */
	struct seen_line *lines;
	struct seen_address *shared;
	uint32_t n_lines, cap_lines, n_shared, cap_shared;
	struct index by_line, by_address;
	const struct jit_process *last; /* map found last: samples come in runs of one process */
	int32_t last_pid;
	struct known_address known[KNOWN_ADDRESSES]; /* by hash; a later one replaces another */
};

/* A jitdump has times of its own. */
static bool can_be_dated(const struct jit_process *of)
{
	return of->map && !of->dump && codemap_is_ambiguous_anywhere(of->map);
}

/* ---- a sample ----------------------------------------------------------------------------- */

static void add_line(
	struct observer *o, const struct jit_process *of, uint64_t entry, uint64_t time_ns)
{
	uint64_t hash = hash_pair((uint64_t)(uintptr_t)of, entry);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&o->by_line, hash, c, i) {
		struct seen_line *s = &o->lines[i];

		if (s->of != of || s->entry != entry)
			continue;
		if (time_ns < s->time_ns)
			s->time_ns = time_ns;
		return;
	}
	ARRAY_GROW(o->lines, o->n_lines, o->cap_lines);
	o->lines[o->n_lines] = (struct seen_line){ of, entry, time_ns };
	index_add(&o->by_line, hash, o->n_lines++);
}

static void widen(struct codemap_seen_address *s, uint64_t first_ns, uint64_t last_ns)
{
	if (first_ns < s->first_ns)
		s->first_ns = first_ns;
	if (last_ns > s->last_ns)
		s->last_ns = last_ns;
}

static void add_shared(struct observer *o, const struct jit_process *of,
	const struct codemap_range *piece, uint64_t address, uint64_t time_ns)
{
	uint64_t hash = hash_pair((uint64_t)(uintptr_t)of, address);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&o->by_address, hash, c, i) {
		struct seen_address *d = &o->shared[i];

		if (d->of != of || d->spot.address != address)
			continue;
		widen(&d->spot, time_ns, time_ns);
		return;
	}
	ARRAY_GROW(o->shared, o->n_shared, o->cap_shared);
	o->shared[o->n_shared] = (struct seen_address){ of, *piece, { address, time_ns, time_ns } };
	index_add(&o->by_address, hash, o->n_shared++);
}

/* What is in the map at an address; false: each time that it is seen counts. */
static bool look_up(
	struct observer *o, const struct jit_process *of, uint64_t address, uint64_t time_ns)
{
	struct codemap_range piece;
	uint64_t entry;

	switch (codemap_classify(of->map, address, &entry, &piece)) {
	case CODEMAP_HIT_LINE:
		add_line(o, of, entry, time_ns);
		return true;
	case CODEMAP_HIT_AMBIGUOUS:
		add_shared(o, of, &piece, address, time_ns);
		return false;
	case CODEMAP_HIT_REUSED:
	case CODEMAP_HIT_NONE:
		break;
	}
	return true;
}

static void add_address(
	struct observer *o, const struct jit_process *of, uint64_t address, uint64_t time_ns)
{
	uint64_t hash = hash_pair((uint64_t)(uintptr_t)of, address);
	struct known_address *known = &o->known[hash % KNOWN_ADDRESSES];

	if (known->of == of && known->address == address && time_ns >= known->since_ns)
		return;
	if (look_up(o, of, address, time_ns))
		*known = (struct known_address){ of, address, time_ns };
}

static const struct jit_process *map_of(struct observer *o, int32_t pid)
{
	if (!o->last || o->last_pid != pid) {
		o->last = jit_maps_of_process(o->pass->jit_maps, pid);
		o->last_pid = pid;
	}
	return o->last && can_be_dated(o->last) ? o->last : NULL;
}

/* Context marks and kernel addresses are in no map. */
static void read_sample(struct observer *o, const struct perfdata_record *r)
{
	const struct jit_process *of;
	struct perfdata_sample s;
	uint32_t event, i;

	if (!perfdata_sample_event(o->pass->pd, r, &event) ||
		!perfdata_sample_decode(&o->attrs[event], r, &s) || !s.time_ns)
		return;
	of = map_of(o, s.pid);
	if (!of)
		return;
	add_address(o, of, s.ip, s.time_ns);
	/* Of a copied stack that is not unwound yet, nothing is seen either. */
	for (i = 0; i < s.n_ips && !o->attrs[event].unwound; i++)
		add_address(o, of, perfdata_sample_ip(&s, i) - 1, s.time_ns);
}

static int run_observer(void *ctx, unsigned number, struct err *e)
{
	struct observer *o = (struct observer *)ctx + number;
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	int rc;

	while ((rc = perfdata_pop_block(o->pass->pd, &block, e)) == OK)
		while (perfdata_block_next(&block, &r))
			if (r.type == RECORD_SAMPLE)
				read_sample(o, &r);
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

/* ---- what all have seen ------------------------------------------------------------------- */

static int compare_lines(const void *pa, const void *pb)
{
	const struct codemap_first_seen *a = pa, *b = pb;

	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static int compare_addresses(const void *pa, const void *pb)
{
	const struct codemap_seen_address *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

static int compare_pieces(const void *pa, const void *pb)
{
	const struct codemap_range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

struct gathered {
	struct codemap_first_seen *at;
	struct codemap_seen_address *spot;
	struct codemap_range *piece;
	size_t n, cap, n_spots, cap_spots, n_pieces, cap_pieces;
};

static void gather(struct gathered *g, const struct observer *o, const struct jit_process *of)
{
	uint32_t i;

	for (i = 0; i < o->n_lines; i++) {
		if (o->lines[i].of != of)
			continue;
		ARRAY_GROW(g->at, g->n, g->cap);
		g->at[g->n++] =
			(struct codemap_first_seen){ o->lines[i].entry, o->lines[i].time_ns };
	}
	for (i = 0; i < o->n_shared; i++) {
		if (o->shared[i].of != of)
			continue;
		ARRAY_GROW(g->piece, g->n_pieces, g->cap_pieces);
		g->piece[g->n_pieces++] = o->shared[i].piece;
		ARRAY_GROW(g->spot, g->n_spots, g->cap_spots);
		g->spot[g->n_spots++] = o->shared[i].spot;
	}
}

/* Workers may have seen the same: sorts, and keeps each once with its earliest time. */
static void sort_gathered(struct gathered *g)
{
	size_t i, n = 0;

	if (g->n)
		qsort(g->at, g->n, sizeof(*g->at), compare_lines);
	for (i = 0; i < g->n; i++)
		if (!n || g->at[n - 1].entry != g->at[i].entry)
			g->at[n++] = g->at[i];
	g->n = n;
	if (g->n_spots)
		qsort(g->spot, g->n_spots, sizeof(*g->spot), compare_addresses);
	for (i = 0, n = 0; i < g->n_spots; i++)
		if (n && g->spot[n - 1].address == g->spot[i].address)
			widen(&g->spot[n - 1], g->spot[i].first_ns, g->spot[i].last_ns);
		else
			g->spot[n++] = g->spot[i];
	g->n_spots = n;
	if (g->n_pieces)
		qsort(g->piece, g->n_pieces, sizeof(*g->piece), compare_pieces);
	for (i = 0, n = 0; i < g->n_pieces; i++)
		if (!n || g->piece[n - 1].start != g->piece[i].start)
			g->piece[n++] = g->piece[i];
	g->n_pieces = n;
}

/* A map that cannot be read again does without times. */
static void date_map(struct jit_maps *maps, const struct observer *observers, unsigned n,
	const struct jit_process *of)
{
	struct gathered g = { 0 };
	unsigned k;

	for (k = 0; k < n; k++)
		gather(&g, &observers[k], of);
	sort_gathered(&g);
	if (g.n && g.n_pieces)
		jit_maps_set_first_seen(maps, of->pid,
			&(struct codemap_seen){
				g.at, g.n, g.spot, g.n_spots, { g.piece, g.n_pieces } });
	free(g.at);
	free(g.spot);
	free(g.piece);
}

static bool any_to_date(const struct jit_maps *maps)
{
	uint32_t i;

	for (i = 0; i < maps->n; i++)
		if (can_be_dated(&maps->of[i]))
			return true;
	return false;
}

int first_seen_date_maps(
	struct jit_maps *maps, const struct pass2 *p, struct pool *pool, struct err *e)
{
	unsigned n = pool_workers(pool), k;
	struct observer *observers;
	uint32_t unused, i;
	int rc;

	if (!p->has_times || p->opts->compat_perf || !any_to_date(maps))
		return OK;
	observers = xcalloc_apart(n, sizeof(*observers));
	for (k = 0; k < n; k++) {
		observers[k].pass = p;
		observers[k].attrs = perfdata_attrs(p->pd, &unused);
	}
	rc = pool_run(pool, run_observer, observers, e);
	perfdata_rewind(p->pd);
	for (i = 0; i < maps->n && !rc; i++)
		if (can_be_dated(&maps->of[i]))
			date_map(maps, observers, n, &maps->of[i]);
	for (k = 0; k < n; k++) {
		free(observers[k].lines);
		free(observers[k].shared);
		index_release(&observers[k].by_line);
		index_release(&observers[k].by_address);
	}
	free(observers);
	return rc;
}
