/*
 * Generated code that is written again over time, named by a map file that knows no time.
 *
 * Decidable: a function is generated again at its old place under its old name, shorter, and
 * another takes the bytes that became free, which its long form never executed (the last line of
 * the map for an address is right for every sample); code moves to places that were never used.
 *
 * With the argument `ambiguous`, places are also reused for functions with other names: samples
 * from before carry the later name, and no reader of the map alone can know better. Those phases
 * are announced with a third column: counted, not judged.
 */
#include "jit.h"
#include "phase.h"

enum { SLOT_BYTES = 0x100, SLOTS = 256 };

static unsigned char *arena;
static unsigned rounds_per_ms;
static FILE *map;

NOINLINE static void run_code(jit_fn fn)
{
	for (volatile int i = 0; i < 30; i++)
		fn();
}

static jit_fn put(unsigned slot, size_t offset, size_t size_bytes, jit_fn callee, const char *name)
{
	jit_fn fn =
		jit_emit(arena + slot * SLOT_BYTES + offset, size_bytes, rounds_per_ms * 3, callee);

	jit_map_add(map, fn, size_bytes, name);
	return fn;
}

NOINLINE static void same_name_again(void)
{
	jit_fn leaf = put(1, 0, 0x40, NULL, "kept_leaf");

	for (int i = 0; i < 5; i++) {
		jit_fn top = put(0, 0, 0x100, leaf, "kept_top");

		PHASE("kept", "main;same_name_again;run_code;kept_top;kept_leaf", run_code(top));
		top = put(0, 0, 0x40, leaf, "kept_top");
		jit_fn tenant = put(0, 0x40, 0x40, leaf, "tail_tenant");

		PHASE("shrunk", "main;same_name_again;run_code;kept_top;kept_leaf", run_code(top));
		PHASE("tenant", "main;same_name_again;run_code;tail_tenant;kept_leaf",
			run_code(tenant));
		/* the next round writes kept_top in full again: from then on only its first bytes
		 * run */
	}
	/* the last word on the tail is the tenant's */
	put(0, 0, 0x40, leaf, "kept_top");
	put(0, 0x40, 0x40, leaf, "tail_tenant");
}

NOINLINE static void moved(void)
{
	for (unsigned i = 0; i < 10; i++) {
		jit_fn leaf = put(10 + 2 * i, 0, 0x40, NULL, "moved_leaf");
		jit_fn top = put(11 + 2 * i, 0, 0x80, leaf, "moved_top");

		PHASE("moved", "main;moved;run_code;moved_top;moved_leaf", run_code(top));
		memset(arena + (10 + 2 * i) * SLOT_BYTES, 0xcc, 2 * SLOT_BYTES);
	}
}

NOINLINE static void other_names(void)
{
	static const char *const names[] = { "tenant_0", "tenant_1", "tenant_2", "tenant_3" };

	for (unsigned i = 0; i < 4; i++) {
		char chain[128];
		jit_fn fn = put(100, 0, 0x40, NULL, names[i]);

		snprintf(chain, sizeof(chain), "main;other_names;run_code;%s%s", names[i],
			i < 3 ? "\tambiguous" : "");
		PHASE(names[i], chain, run_code(fn));
	}
}

int main(int argc, char **argv)
{
	phase_set_name(OUTSIDE);
	rounds_per_ms = phase_rounds_per_ms();
	arena = jit_arena(NULL, SLOTS * SLOT_BYTES);
	map = jit_map_open();
	same_name_again();
	moved();
	if (argc > 1 && !strcmp(argv[1], "ambiguous"))
		other_names();
	fclose(map);
	return 0;
}
