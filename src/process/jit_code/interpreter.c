/*
 * Each process with bytecode in its map counts votes in a table: for each slot below the frame
 * pointer and each distance from the pointer in it to a listed address, how many frames have that.
 * When votes are decided, the commonest pair is the layout, unless another comes near.
 */
#include "process/jit_code/interpreter.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
	SLOTS = 10,        /* words below the frame pointer that are tried */
	AHEAD_BYTES = 128, /* of the object before its bytecode, tag included */
	VOTES_ENOUGH = 1000,
	HITS_MIN = 8, /* fewer prove nothing */
	TAG = 1,      /* of a pointer to an object */
};

static int compare_pids(const void *pa, const void *pb)
{
	const struct interpreter_process *a = pa, *b = pb;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

static struct interpreter_process *find_process(const struct interpreter *in, int32_t pid)
{
	struct interpreter_process key = { .pid = pid };

	return in->n ? bsearch(&key, in->of, in->n, sizeof(key), compare_pids) : NULL;
}

void interpreter_init(struct interpreter *in, const struct jit_maps *maps)
{
	uint32_t i;

	*in = (struct interpreter){ 0 };
	for (i = 0; i < maps->n; i++) {
		const struct jit_process *of = &maps->of[i];

		if (!of->map || !codemap_has_bytecode(of->map))
			continue;
		ARRAY_GROW(in->of, in->n, in->cap);
		in->of[in->n++] = (struct interpreter_process){
			.pid = of->pid,
			.map = of->map,
			.votes = xcalloc(SLOTS * AHEAD_BYTES, sizeof(uint32_t)),
		};
	}
}

void interpreter_release(struct interpreter *in)
{
	uint32_t i;

	for (i = 0; i < in->n; i++)
		free(in->of[i].votes);
	free(in->of);
}

/* A word that is a pointer to an object. */
static bool read_pointer(
	const struct unwind_memory *m, uint64_t fp, unsigned slot, uint64_t *pointer)
{
	uint64_t offset = fp - 8 * (uint64_t)slot - m->start;

	if (m->word_bytes != 8 || offset >= m->n || m->n - offset < 8)
		return false;
	memcpy(pointer, m->bytes + offset, sizeof(*pointer));
	if (m->swapped)
		*pointer = __builtin_bswap64(*pointer);
	return *pointer & TAG;
}

void interpreter_vote(
	struct interpreter *in, int32_t pid, const struct unwind_memory *memory, uint64_t fp)
{
	struct interpreter_process *p = fp ? find_process(in, pid) : NULL;
	uint64_t pointer, start;
	unsigned slot;

	for (slot = 1; p && slot < SLOTS; slot++) {
		if (!read_pointer(memory, fp, slot, &pointer) ||
			!codemap_next_bytecode(p->map, pointer, &start) ||
			start - pointer >= AHEAD_BYTES)
			continue;
		p->votes[slot * AHEAD_BYTES + (start - pointer)]++;
		p->n_votes++;
	}
}

bool interpreter_has_votes(const struct interpreter *in)
{
	uint32_t i;

	for (i = 0; i < in->n; i++)
		if (in->of[i].n_votes < VOTES_ENOUGH)
			return false;
	return true;
}

/* The slot and distance that hit most often, if no other comes near. */
static void decide_slot(struct interpreter_process *p)
{
	uint32_t best = 0, second = 0, hits, i, found = 0;

	for (i = 0; i < SLOTS * AHEAD_BYTES; i++) {
		hits = p->votes[i];
		if (hits > best) {
			second = best;
			best = hits;
			found = i;
		} else if (hits > second) {
			second = hits;
		}
	}
	if (best < HITS_MIN || second > best / 2)
		return;
	p->slot = (uint8_t)(found / AHEAD_BYTES);
	p->ahead_bytes = (uint8_t)(found % AHEAD_BYTES);
}

void interpreter_decide(struct interpreter *in, struct recording *r)
{
	const struct interpreter_process *p;
	uint32_t i;

	for (i = 0; i < in->n; i++) {
		decide_slot(&in->of[i]);
		free(in->of[i].votes);
		in->of[i].votes = NULL;
	}
	for (i = 0; i < r->n_processes; i++) {
		p = find_process(in, r->processes[i].pid);
		r->processes[i].interpreter_slot_bytes = p ? 8 * p->slot : 0;
	}
}

uint64_t interpreter_bytecode(
	const struct interpreter *in, int32_t pid, const struct unwind_memory *memory, uint64_t fp)
{
	const struct interpreter_process *p = fp ? find_process(in, pid) : NULL;
	uint64_t pointer;

	if (!p || !p->slot || !read_pointer(memory, fp, p->slot, &pointer))
		return 0;
	return pointer + p->ahead_bytes;
}

frame_id interpreter_find(const struct interpreter *in, int32_t pid, uint64_t bytecode)
{
	const struct interpreter_process *p = find_process(in, pid);

	return p && bytecode ? codemap_find_bytecode(p->map, bytecode) : 0;
}
