/*
 * thread_cache.h - the thread of a sample: names, process, the root of its stack
 *
 * A cache in front of world_find_thread(): samples of a thread come in runs, and an answer holds
 * for some time. It also counts the samples of each thread.
 *
 * Owns: the cache and the counts. Threads: each has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_THREAD_CACHE_H
#define PERFOLD_PROCESS_THREAD_CACHE_H

#include "base/index.h"
#include "base/saturated.h"
#include "model/sample_choice.h"
#include "model/recording.h"
#include "process/world/world.h"

enum { THREAD_CACHE_SLOTS = 256 };

struct thread_cache_entry {
	bool wanted;      /* by --pid, --tid, --comm, --process */
	int32_t pid, tid; /* as the samples say */
	struct validity valid;
	struct world_thread thread;
	uint32_t use; /* index into uses */
	/* The root made last for this thread, and what it was made of. */
	root_id root;
	struct root root_key;
};

struct thread_cache {
	const struct world *world;          /* borrowed */
	const struct sample_choice *choice; /* borrowed, may be NULL */
	struct strtab *strings;             /* borrowed */
	struct roots *roots;                /* borrowed */
	uint32_t root_fields;               /* bits 1 << enum root_part */
	bool roots_of_threads;              /* roots depend on nothing but a thread and its state */
	struct thread_cache_entry
		*slot[THREAD_CACHE_SLOTS]; /* made when first needed: few are, as a rule */
	struct thread_use *uses;
	uint32_t n_uses, cap_uses;
	struct index by_use;
};

/* w is zeroed. */
void thread_cache_init(struct thread_cache *w, const struct world *world,
	const struct sample_choice *choice, const struct recording *r, uint32_t root_fields);
void thread_cache_release(struct thread_cache *w);

struct thread_cache_entry *thread_cache_find(
	struct thread_cache *w, int32_t pid, int32_t tid, struct moment at);
/* The root made last for a thread, if no sample in that state can have another; else 0. */
static inline root_id thread_cache_known_root(
	const struct thread_cache *w, const struct thread_cache_entry *t, str_id state)
{
	return w->roots_of_threads && t->root_key.state == state ? t->root : 0;
}
/* of: what a sample adds to its thread: event, cgroup, cpu, state, fields; 0 or -1 if not known. */
root_id thread_cache_root(
	struct thread_cache *w, struct thread_cache_entry *t, const struct root *of);
/* Count a sample that is kept. */
static inline void thread_cache_count(
	struct thread_cache *w, const struct thread_cache_entry *t, uint64_t weight)
{
	struct thread_use *use = &w->uses[t->use];

	use->samples++;
	use->weight = saturated_add(use->weight, weight);
}

#endif
