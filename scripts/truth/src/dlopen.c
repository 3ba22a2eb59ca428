/*
 * Two libraries are loaded, run and unloaded in turn, at one address: two answers for each address.
 */
#include "library.h"
#include "phase.h"

static void *first_address;

NOINLINE static void run_library(library_fn work, unsigned rounds)
{
	work(rounds);
	__asm__ volatile("");
}

NOINLINE static void turn(const char *name, const char *chain, unsigned rounds)
{
	library_fn work;
	void *handle = library_open(name, &work);

	if (!first_address)
		first_address = (void *)work;
	dprintf(1, "# %s at %p%s\n", name, (void *)work,
		(void *)work == first_address ? "" : ": not the address of the first");
	PHASE(name, chain, run_library(work, rounds));
	dlclose(handle);
}

int main(void)
{
	library_init();
	phase_set_name(OUTSIDE);
	unsigned rounds = 15 * phase_rounds_per_ms();

	for (int i = 0; i < 40; i++) {
		turn("alpha", "main;turn;run_library;alpha_work;alpha_inner", rounds);
		turn("beta", "main;turn;run_library;beta_work;beta_inner", rounds);
	}
	return 0;
}
