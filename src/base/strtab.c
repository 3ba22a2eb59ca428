#include "base/strtab.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/lock.h"
#include "base/mem.h"
#include "base/stable.h"

#include <pthread.h>
#include <stdlib.h>

struct strtab {
	pthread_mutex_t lock;
	struct arena text;
	struct stable spans;
	struct index by_text;
};

struct strtab *strtab_new(void)
{
	struct strtab *t = xcalloc(1, sizeof(*t));

	lock_init(&t->lock);
	strtab_add(t, SPAN(""));
	return t;
}

void strtab_free(struct strtab *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	arena_release(&t->text);
	stable_release(&t->spans);
	index_release(&t->by_text);
	free(t);
}

static str_id strtab_add_locked(struct strtab *t, struct span s)
{
	uint64_t hash = hash_span(s);
	struct index_cursor c;
	struct span *copy;
	uint32_t i;

	index_for_each (&t->by_text, hash, c, i)
		if (span_eq(strtab_get(t, i), s))
			return i;
	copy = stable_push(&t->spans, sizeof(*copy));
	*copy = (struct span){ arena_text(&t->text, s.p, s.n), s.n };
	index_add(&t->by_text, hash, t->spans.n - 1);
	return t->spans.n - 1;
}

str_id strtab_add(struct strtab *t, struct span s)
{
	str_id id;

	pthread_mutex_lock(&t->lock);
	id = strtab_add_locked(t, s);
	pthread_mutex_unlock(&t->lock);
	return id;
}

str_id strtab_add_str(struct strtab *t, const char *s)
{
	return strtab_add(t, span_of(s));
}

struct span strtab_get(const struct strtab *t, str_id id)
{
	return *(const struct span *)stable_at(&t->spans, id, sizeof(struct span));
}

const char *strtab_str(const struct strtab *t, str_id id)
{
	return strtab_get(t, id).p;
}

uint32_t strtab_count(const struct strtab *t)
{
	return t->spans.n;
}
