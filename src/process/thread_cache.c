#include "process/thread_cache.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void thread_cache_init(struct thread_cache *w, const struct world *world,
	const struct sample_choice *choice, const struct recording *r, uint32_t root_fields)
{
	const uint32_t of_thread = 1u << ROOT_COMM | 1u << ROOT_COMM_PID | 1u << ROOT_COMM_PID_TID |
				   1u << ROOT_PROCESS | 1u << ROOT_STATE;

	w->world = world;
	w->choice = choice;
	w->strings = r->strings;
	w->roots = r->roots;
	w->root_fields = root_fields;
	w->roots_of_threads = !(root_fields & ~of_thread);
}

void thread_cache_release(struct thread_cache *w)
{
	size_t i;

	for (i = 0; i < THREAD_CACHE_SLOTS; i++)
		free(w->slot[i]);
	free(w->uses);
	index_release(&w->by_use);
}

static bool matches(const struct thread_cache *w, const struct name_pattern *p, str_id name)
{
	return !p || name_pattern_matches(p, strtab_get(w->strings, name));
}

static bool is_wanted(const struct thread_cache *w, const struct thread_cache_entry *t)
{
	const struct sample_choice *c = w->choice;

	if (!c)
		return true;
	return sample_choice_keeps(c, CHOICE_PID, number_list_has(&c->pids, t->thread.pid)) &&
	       sample_choice_keeps(c, CHOICE_TID, number_list_has(&c->tids, t->tid)) &&
	       sample_choice_keeps(c, CHOICE_COMM, matches(w, c->comm, t->thread.name)) &&
	       sample_choice_keeps(c, CHOICE_PROCESS, matches(w, c->process, t->thread.process));
}

static uint32_t find_use(struct thread_cache *w, const struct thread_cache_entry *t)
{
	uint64_t hash = hash_pair((uint32_t)t->thread.pid, (uint32_t)t->tid);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&w->by_use, hash, c, i) {
		struct thread_use *use = &w->uses[i];

		if (use->pid != t->thread.pid || use->tid != t->tid)
			continue;
		if (t->valid.from.time_ns >= use->name_time_ns) {
			use->name = t->thread.name;
			use->name_time_ns = t->valid.from.time_ns;
		}
		return i;
	}
	ARRAY_GROW(w->uses, w->n_uses, w->cap_uses);
	w->uses[w->n_uses] = (struct thread_use){
		.pid = t->thread.pid,
		.tid = t->tid,
		.name = t->thread.name,
		.name_time_ns = t->valid.from.time_ns,
	};
	index_add(&w->by_use, hash, w->n_uses);
	return w->n_uses++;
}

struct thread_cache_entry *thread_cache_find(
	struct thread_cache *w, int32_t pid, int32_t tid, struct moment at)
{
	struct thread_cache_entry **slot = &w->slot[(uint32_t)tid % THREAD_CACHE_SLOTS], *t = *slot;

	if (t && t->tid == tid && t->pid == pid && !moment_before(at, t->valid.from) &&
		moment_before(at, t->valid.until))
		return t;
	if (!t)
		t = *slot = xmalloc(sizeof(*t));
	*t = (struct thread_cache_entry){ .pid = pid, .tid = tid, .valid = VALIDITY_ALWAYS };
	t->thread = world_find_thread(w->world, pid, tid, at, &t->valid);
	t->wanted = is_wanted(w, t);
	if (t->wanted)
		t->use = find_use(w, t);
	return t;
}

static bool has_field(const struct thread_cache *w, enum root_part part)
{
	return w->root_fields >> part & 1;
}

root_id thread_cache_root(
	struct thread_cache *w, struct thread_cache_entry *t, const struct root *of)
{
	bool pid = has_field(w, ROOT_COMM_PID) || has_field(w, ROOT_COMM_PID_TID);
	struct root key = {
		.comm = pid || has_field(w, ROOT_COMM) ? t->thread.name : 0,
		.process = has_field(w, ROOT_PROCESS) ? t->thread.process : 0,
		.event = has_field(w, ROOT_EVENT) ? of->event : 0,
		.cgroup = has_field(w, ROOT_CGROUP) ? of->cgroup : 0,
		.pid = pid ? t->thread.pid : -1,
		.tid = has_field(w, ROOT_COMM_PID_TID) ? t->tid : -1,
		.cpu = has_field(w, ROOT_CPU) ? of->cpu : -1,
		.state = of->state, /* also separates waits from what ran */
	};

	memcpy(key.field, of->field, sizeof(key.field));
	if (t->root && roots_equal(&t->root_key, &key))
		return t->root;
	t->root = roots_add(w->roots, &key);
	t->root_key = key;
	return t->root;
}
