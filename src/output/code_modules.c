#include "output/code_modules.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

static struct code_module *find(const struct code_modules *t, str_id shown, str_id build)
{
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_both, hash_pair(shown, build), cursor, i)
		if (t->module[i].shown == shown && t->module[i].build == build)
			return &t->module[i];
	return NULL;
}

/* Of several that are alike (a file that was mapped by several containers) the first that is known
 * to have code. */
static void add(struct code_modules *t, const struct module *m, str_id build)
{
	struct code_module *known = find(t, m->shown, build);

	if (known) {
		if (!known->module->n_segments)
			known->module = m;
		return;
	}
	ARRAY_GROW(t->module, t->n, t->cap);
	t->module[t->n] = (struct code_module){ m->shown, build, m };
	index_add(&t->by_both, hash_pair(m->shown, build), t->n);
	index_add(&t->by_shown, hash_u64(m->shown), t->n++);
}

/* What frames of a module may have as their build: without a build-id, a recording counts as one.
 * Frames of sums and of texts have none. */
static str_id build_of(const struct profile *p, const struct recording *r, const struct module *m)
{
	char hex[41];

	if (m->build_id.n)
		return strtab_add_str(p->strings, build_id_hex(&m->build_id, hex));
	return m->kind == MODULE_TEXT ? 0 : strtab_add_str(p->strings, r->path);
}

void code_modules_init(struct code_modules *t, const struct profile *p, const struct output_opts *o)
{
	module_id i;
	size_t k;

	*t = (struct code_modules){ 0 };
	for (k = 0; k < o->n_recordings; k++) {
		const struct recording *r = o->recordings[k];

		for (i = 1; i < modules_count(r->modules); i++) {
			const struct module *m = modules_get(r->modules, i);

			add(t, m, build_of(p, r, m));
		}
	}
}

void code_modules_release(struct code_modules *t)
{
	index_release(&t->by_both);
	index_release(&t->by_shown);
	free(t->module);
}

static const struct code_module *find_agreed(const struct code_modules *t, str_id shown)
{
	const struct code_module *found = NULL;
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_shown, hash_u64(shown), cursor, i) {
		const struct code_module *m = &t->module[i];

		if (m->shown != shown)
			continue;
		if (found && !build_id_same(&found->module->build_id, &m->module->build_id))
			return NULL;
		found = m;
	}
	return found;
}

const struct code_module *code_modules_of(const struct code_modules *t, const struct frame *f)
{
	return f->build ? find(t, f->module, f->build) : find_agreed(t, f->module);
}
