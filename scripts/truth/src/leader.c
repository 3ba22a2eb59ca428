/*
 * The leader thread ends before the others, and the process lives on: its mappings must stay known,
 * for threads that were there, for one made later, and for a library that is loaded after it.
 */
#include <pthread.h>

#include "library.h"
#include "phase.h"

static unsigned rounds_per_ms;
static pthread_t leader;

NOINLINE static void spin_inner(unsigned rounds)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
}

NOINLINE static void spin_outer(unsigned rounds)
{
	for (volatile int i = 0; i < 4; i++)
		spin_inner(rounds / 4);
}

NOINLINE static void *before(void *arg)
{
	PHASE("with-leader", "before;spin_outer;spin_inner", spin_outer(150 * rounds_per_ms));
	pthread_join(leader, NULL);
	PHASE("orphan", "before;spin_outer;spin_inner", spin_outer(250 * rounds_per_ms));
	return arg;
}

NOINLINE static void *after(void *arg)
{
	library_fn work;

	library_open("gamma", &work);
	PHASE("late-thread", "after;spin_outer;spin_inner", spin_outer(150 * rounds_per_ms));
	PHASE("late-library", "after;gamma_work;gamma_inner", work(250 * rounds_per_ms));
	return arg;
}

static void *make_another(void *arg)
{
	pthread_t thread;

	pthread_join(leader, NULL);
	pthread_create(&thread, NULL, after, NULL);
	pthread_join(thread, NULL);
	return arg;
}

int main(void)
{
	pthread_t thread;

	library_init();
	phase_set_name(OUTSIDE);
	rounds_per_ms = phase_rounds_per_ms();
	leader = pthread_self();
	pthread_create(&thread, NULL, before, NULL);
	pthread_create(&thread, NULL, make_another, NULL);
	PHASE("leader-on", "main;spin_outer;spin_inner", spin_outer(100 * rounds_per_ms));
	pthread_exit(NULL);
}
