#include "model/frame.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/stable.h"

#include <pthread.h>
#include <stdlib.h>

struct frames {
	pthread_mutex_t lock;
	struct strtab *strings;
	struct stable slots; /* of struct frame */
	struct index by_content;
};

struct frames *frames_new(struct strtab *strings)
{
	struct frames *t = xcalloc(1, sizeof(*t));

	pthread_mutex_init(&t->lock, NULL);
	t->strings = strings;
	stable_push(&t->slots, sizeof(struct frame)); /* number 0: none */
	return t;
}

void frames_free(struct frames *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	stable_release(&t->slots);
	index_release(&t->by_content);
	free(t);
}

/* Field by field: padding between them must not count. */
static uint64_t frame_hash(const struct frame *f)
{
	uint64_t h = hash_pair((uint64_t)f->name << 32 | f->module, f->address);

	h = hash_pair(h, (uint64_t)f->file << 32 | f->line);
	h = hash_pair(h, (uint64_t)f->column << 32 | f->category);
	return hash_pair(h, (uint64_t)f->kind << 24 | f->flags << 16 | f->why << 8 | f->tier);
}

static bool frame_equal(const struct frame *a, const struct frame *b)
{
	return a->name == b->name && a->module == b->module && a->file == b->file &&
	       a->line == b->line && a->column == b->column && a->kind == b->kind &&
	       a->flags == b->flags && a->why == b->why && a->tier == b->tier &&
	       a->category == b->category && a->address == b->address;
}

static frame_id frames_add_locked(struct frames *t, const struct frame *f)
{
	uint64_t hash = frame_hash(f);
	struct index_cursor c;
	struct frame *slot;
	uint32_t i;

	index_for_each(&t->by_content, hash, c, i)
		if (frame_equal(frames_get(t, i), f))
			return i;
	slot = stable_push(&t->slots, sizeof(*slot));
	*slot = *f;
	index_add(&t->by_content, hash, t->slots.n - 1);
	return t->slots.n - 1;
}

frame_id frames_add(struct frames *t, const struct frame *f)
{
	frame_id id;

	pthread_mutex_lock(&t->lock);
	id = frames_add_locked(t, f);
	pthread_mutex_unlock(&t->lock);
	return id;
}

const struct frame *frames_get(const struct frames *t, frame_id id)
{
	return stable_at(&t->slots, id, sizeof(struct frame));
}

struct strtab *frames_strings(const struct frames *t)
{
	return t->strings;
}

uint32_t frames_count(const struct frames *t)
{
	return t->slots.n;
}
