/*
 * One intern table holds all sites. An item is the site, by which items are compared, and what is
 * found out about it later: whether samples hit it before its mapping was recorded, which any
 * worker stores while others read the rest, and its frames. Most have one, kept in the item itself.
 */
#include "model/sites.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/prefetch.h"
#include "model/names/v8_name.h"

#include <pthread.h>
#include <stdlib.h>

/* Most sites have one frame, which then needs no memory of its own. late is apart from the site, of
 * which compilers compare several members at once. */
struct site_slot {
	struct site site;
	uint32_t n_frames;
	bool late; /* atomic */
	union {
		frame_id one;
		frame_id *many;
	};
};

struct sites {
	struct intern table;  /* of struct site_slot, equal where their sites are */
	pthread_mutex_t lock; /* of runs */
	struct arena runs;
};

static uint64_t site_hash(const struct site *s)
{
	uint64_t h = hash_pair(s->rel, (uint64_t)s->module << 32 | s->named);

	h = hash_pair(h, (uint64_t)s->function << 2 | s->ambiguous << 1 | s->no_code);
	return hash_pair(h, (uint64_t)s->fallback << 16 | s->how << 8 | s->kind);
}

static bool site_equal(const void *pa, const void *pb)
{
	const struct site *a = &((const struct site_slot *)pa)->site;
	const struct site *b = &((const struct site_slot *)pb)->site;

	return a->module == b->module && a->how == b->how && a->kind == b->kind &&
	       a->rel == b->rel && a->named == b->named && a->fallback == b->fallback &&
	       a->function == b->function && a->ambiguous == b->ambiguous &&
	       a->no_code == b->no_code;
}

struct sites *sites_new(void)
{
	struct sites *t = xcalloc(1, sizeof(*t));

	pthread_mutex_init(&t->lock, NULL);
	intern_init(&t->table, sizeof(struct site_slot), site_equal);
	return t;
}

void sites_free(struct sites *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	intern_release(&t->table);
	arena_release(&t->runs);
	free(t);
}

static struct site_slot *site_slot(const struct sites *t, site_id id)
{
	return intern_get(&t->table, id);
}

site_id sites_add(struct sites *t, const struct site *s)
{
	return intern_add(&t->table, &(struct site_slot){ .site = *s }, site_hash(s));
}

const struct site *sites_get(const struct sites *t, site_id id)
{
	return &site_slot(t, id)->site;
}

uint32_t sites_count(const struct sites *t)
{
	return intern_count(&t->table);
}

void sites_mark_late(struct sites *t, site_id id)
{
	__atomic_store_n(&site_slot(t, id)->late, true, __ATOMIC_RELAXED);
}

uint32_t sites_count_late(const struct sites *t)
{
	uint32_t n = 0, i;

	for (i = 1; i < sites_count(t); i++)
		n += site_slot(t, i)->late;
	return n;
}

void sites_set_frames(struct sites *t, site_id id, const frame_id *frames, uint32_t n)
{
	struct site_slot *slot = site_slot(t, id);
	frame_id *run;

	slot->n_frames = n;
	if (n == 1)
		slot->one = frames[0];
	if (n < 2)
		return;
	pthread_mutex_lock(&t->lock);
	run = arena_alloc(&t->runs, n * sizeof(*run));
	pthread_mutex_unlock(&t->lock);
	memcpy(run, frames, n * sizeof(*run));
	slot->many = run;
}

void sites_change_first(struct sites *t, site_id id, frame_id frame)
{
	struct site_slot *slot = site_slot(t, id);

	*(slot->n_frames < 2 ? &slot->one : slot->many) = frame;
}

const frame_id *sites_frames(const struct sites *t, site_id id, uint32_t *n)
{
	const struct site_slot *slot = site_slot(t, id);

	*n = slot->n_frames;
	return slot->n_frames < 2 ? &slot->one : slot->many;
}

void sites_prefetch_frames(const struct sites *t, site_id id)
{
	prefetch(&site_slot(t, id)->n_frames);
}

void sites_change_frames(struct sites *t, const frame_id *to, uint32_t n)
{
	uint32_t i, k;

	for (i = 1; i < sites_count(t); i++) {
		struct site_slot *slot = site_slot(t, i);
		frame_id *frames = slot->n_frames < 2 ? &slot->one : slot->many;

		for (k = 0; k < slot->n_frames; k++)
			if (frames[k] < n && to[frames[k]])
				frames[k] = to[frames[k]];
	}
}

/* Calls return to the entry point when the interpreter goes on with its function, so that frame is
 * the function's. What was running is shown, too: a handler, or a builtin called by it, which has
 * no frame yet and so the frame pointer of its caller. Builtins further out may hold a pointer to
 * bytecode for reasons of their own. */
uint32_t sites_show(
	const struct site *s, const struct frames *frames, frame_id code, frame_id shown[2])
{
	enum v8_machine machine = V8_OTHER_CODE;
	bool running = s->how == SITE_EXACT;

	if (s->function)
		machine = v8_name_machine(frames_name(frames, code));
	shown[0] = code;
	if (machine == V8_OTHER_CODE || (machine == V8_BUILTIN && !running))
		return 1;
	shown[0] = s->function;
	shown[1] = code;
	return machine == V8_INTERPRETER_ENTRY && !running ? 1 : 2;
}
