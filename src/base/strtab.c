#include "base/strtab.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"

#include <stdlib.h>

struct strtab {
	struct intern spans;
	struct arena text;
};

static bool same_text(const void *a, const void *b)
{
	return span_eq(*(const struct span *)a, *(const struct span *)b);
}

static void own_text(void *owner, void *item)
{
	struct strtab *t = owner;
	struct span *s = item;

	s->p = arena_string(&t->text, s->p, s->n);
}

struct strtab *strtab_new(void)
{
	struct strtab *t = xcalloc(1, sizeof(*t));

	intern_init(&t->spans, sizeof(struct span), same_text);
	intern_set_own(&t->spans, own_text, t);
	*(struct span *)intern_get(&t->spans, 0) = SPAN("");
	return t;
}

void strtab_free(struct strtab *t)
{
	if (!t)
		return;
	intern_release(&t->spans);
	arena_release(&t->text);
	free(t);
}

str_id strtab_add(struct strtab *t, struct span s)
{
	return s.n ? intern_add(&t->spans, &s, hash_span(s)) : 0;
}

str_id strtab_add_str(struct strtab *t, const char *s)
{
	return strtab_add(t, span_of(s));
}

struct span strtab_get(const struct strtab *t, str_id id)
{
	return *(const struct span *)intern_get(&t->spans, id);
}

const char *strtab_str(const struct strtab *t, str_id id)
{
	return strtab_get(t, id).p;
}

uint32_t strtab_count(const struct strtab *t)
{
	return intern_count(&t->spans);
}
