/*
 * Generated code whose places are used again for functions of other names, and which moves, named
 * by a jitdump that knows when: every sample has the name that was true then.
 *
 * No map without times can tell these generations apart.
 */
#include "jitdump.h"

enum { SLOT_BYTES = 0x100, SLOTS = 64, CODE_BYTES = 0x40, GENERATIONS = 6 };

static unsigned char *arena;
static unsigned rounds_per_ms;
static FILE *dump;
static uint64_t n_loaded;

NOINLINE static void run_code(jit_fn fn)
{
	for (volatile int i = 0; i < 30; i++)
		fn();
}

static jit_fn put(unsigned slot, jit_fn callee, const char *name)
{
	jit_fn fn = jit_emit(arena + slot * SLOT_BYTES, CODE_BYTES, rounds_per_ms * 3, callee);

	jitdump_load(dump, fn, CODE_BYTES, n_loaded++, name);
	return fn;
}

/* One place, one function after the other. */
NOINLINE static void reused(void)
{
	for (int i = 0; i < GENERATIONS; i++) {
		char name[32], chain[128];

		snprintf(name, sizeof(name), "tenant_%d", i);
		snprintf(chain, sizeof(chain), "main;reused;run_code;%s", name);
		jit_fn fn = put(0, NULL, name);

		PHASE(name, chain, run_code(fn));
	}
}

/* A function moves on, from slot to slot, and another takes the place that it left. */
NOINLINE static void moved(void)
{
	jit_fn mover = put(10, NULL, "mover");
	uint64_t index = n_loaded - 1;

	for (unsigned i = 0; i < GENERATIONS; i++) {
		unsigned char *to = arena + (11 + i) * SLOT_BYTES;
		char name[32], chain[128];

		snprintf(name, sizeof(name), "settler_%u", i);
		snprintf(chain, sizeof(chain), "main;moved;run_code;%s;mover", name);
		memcpy(to, (void *)mover, CODE_BYTES);
		jitdump_move(dump, mover, (jit_fn)(void *)to, CODE_BYTES, index);
		mover = (jit_fn)(void *)to;
		jit_fn settler = put(10 + i, mover, name);

		PHASE(name, chain, run_code(settler));
	}
}

int main(void)
{
	phase_set_name(OUTSIDE);
	rounds_per_ms = phase_rounds_per_ms();
	arena = jit_arena(NULL, SLOTS * SLOT_BYTES);
	dump = jitdump_open();
	reused();
	moved();
	fclose(dump);
	return 0;
}
