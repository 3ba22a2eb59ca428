#include "process/first_seen.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

struct sighting {
	const struct jit_process *of;
	uint64_t entry;
	uint64_t time_ns; /* the earliest */
};

/* An address at which several functions lay. */
struct doubt {
	const struct jit_process *of;
	struct codemap_range piece; /* around it */
	struct codemap_seen_address spot;
};

struct observer {
	const struct pass2 *pass;          /* borrowed */
	const struct perfdata_attr *attrs; /* borrowed */
	struct sighting *seen;
	struct doubt *doubts;
	uint32_t n_seen, cap_seen, n_doubts, cap_doubts;
	struct index by_entry, by_address;
	const struct jit_process *last; /* map found last: samples come in runs of one process */
	int32_t last_pid;
};

/* A jitdump has times of its own. */
static bool can_be_dated(const struct jit_process *of)
{
	return of->map && !of->dump && codemap_is_ambiguous_anywhere(of->map);
}

/* ---- a sample ----------------------------------------------------------------------------- */

static void add_sighting(
	struct observer *o, const struct jit_process *of, uint64_t entry, uint64_t time_ns)
{
	uint64_t hash = hash_pair((uint64_t)(uintptr_t)of, entry);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&o->by_entry, hash, c, i) {
		struct sighting *s = &o->seen[i];

		if (s->of != of || s->entry != entry)
			continue;
		if (time_ns < s->time_ns)
			s->time_ns = time_ns;
		return;
	}
	ARRAY_GROW(o->seen, o->n_seen, o->cap_seen);
	o->seen[o->n_seen] = (struct sighting){ of, entry, time_ns };
	index_add(&o->by_entry, hash, o->n_seen++);
}

static void widen(struct codemap_seen_address *s, uint64_t first_ns, uint64_t last_ns)
{
	if (first_ns < s->first_ns)
		s->first_ns = first_ns;
	if (last_ns > s->last_ns)
		s->last_ns = last_ns;
}

static void add_doubt(struct observer *o, const struct jit_process *of,
	const struct codemap_range *piece, uint64_t address, uint64_t time_ns)
{
	uint64_t hash = hash_pair((uint64_t)(uintptr_t)of, address);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&o->by_address, hash, c, i) {
		struct doubt *d = &o->doubts[i];

		if (d->of != of || d->spot.address != address)
			continue;
		widen(&d->spot, time_ns, time_ns);
		return;
	}
	ARRAY_GROW(o->doubts, o->n_doubts, o->cap_doubts);
	o->doubts[o->n_doubts] = (struct doubt){ of, *piece, { address, time_ns, time_ns } };
	index_add(&o->by_address, hash, o->n_doubts++);
}

static void see(
	struct observer *o, const struct jit_process *of, uint64_t address, uint64_t time_ns)
{
	struct codemap_range piece;
	uint64_t entry;

	switch (codemap_classify(of->map, address, &entry, &piece)) {
	case CODEMAP_HIT_LINE:
		add_sighting(o, of, entry, time_ns);
		break;
	case CODEMAP_HIT_AMBIGUOUS:
		add_doubt(o, of, &piece, address, time_ns);
		break;
	case CODEMAP_HIT_REUSED:
	case CODEMAP_HIT_NONE:
		break;
	}
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
static void look_at_sample(struct observer *o, const struct perfdata_record *r)
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
	see(o, of, s.ip, s.time_ns);
	for (i = 0; i < s.n_ips; i++)
		see(o, of, perfdata_sample_ip(&s, i) - 1, s.time_ns);
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
				look_at_sample(o, &r);
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

/* ---- what all have seen ------------------------------------------------------------------- */

static int compare_sightings(const void *pa, const void *pb)
{
	const struct codemap_first_seen *a = pa, *b = pb;

	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static int compare_spots(const void *pa, const void *pb)
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

	for (i = 0; i < o->n_seen; i++) {
		if (o->seen[i].of != of)
			continue;
		ARRAY_GROW(g->at, g->n, g->cap);
		g->at[g->n++] = (struct codemap_first_seen){ o->seen[i].entry, o->seen[i].time_ns };
	}
	for (i = 0; i < o->n_doubts; i++) {
		if (o->doubts[i].of != of)
			continue;
		ARRAY_GROW(g->piece, g->n_pieces, g->cap_pieces);
		g->piece[g->n_pieces++] = o->doubts[i].piece;
		ARRAY_GROW(g->spot, g->n_spots, g->cap_spots);
		g->spot[g->n_spots++] = o->doubts[i].spot;
	}
}

/* Workers may have seen the same: sorts, and keeps each once with its earliest time. */
static void settle(struct gathered *g)
{
	size_t i, n = 0;

	if (g->n)
		qsort(g->at, g->n, sizeof(*g->at), compare_sightings);
	for (i = 0; i < g->n; i++)
		if (!n || g->at[n - 1].entry != g->at[i].entry)
			g->at[n++] = g->at[i];
	g->n = n;
	if (g->n_spots)
		qsort(g->spot, g->n_spots, sizeof(*g->spot), compare_spots);
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
static void date(struct jit_maps *maps, const struct observer *observers, unsigned n,
	const struct jit_process *of)
{
	struct gathered g = { 0 };
	unsigned k;

	for (k = 0; k < n; k++)
		gather(&g, &observers[k], of);
	settle(&g);
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
	observers = xcalloc(n, sizeof(*observers));
	for (k = 0; k < n; k++) {
		observers[k].pass = p;
		observers[k].attrs = perfdata_attrs(p->pd, &unused);
	}
	rc = pool_run(pool, run_observer, observers, e);
	perfdata_rewind(p->pd);
	for (i = 0; i < maps->n && !rc; i++)
		if (can_be_dated(&maps->of[i]))
			date(maps, observers, n, &maps->of[i]);
	for (k = 0; k < n; k++) {
		free(observers[k].seen);
		free(observers[k].doubts);
		index_release(&observers[k].by_entry);
		index_release(&observers[k].by_address);
	}
	free(observers);
	return rc;
}
