/*
 * A child keeps what its parent had mapped when it was forked. The parent unloads the library and
 * loads another at its address, while the child runs on; a grandchild inherits through two forks; a
 * child that loads a library of its own does not change its parent.
 */
#include <sys/wait.h>

#include "library.h"
#include "phase.h"

static unsigned rounds;

NOINLINE static void run_library(library_fn work)
{
	work(rounds);
	__asm__ volatile("");
}

NOINLINE static void grandchild(library_fn inherited)
{
	PHASE("grandchild", "main;child;grandchild;run_library;alpha_work;alpha_inner",
		run_library(inherited));
	_exit(0);
}

NOINLINE static void child(library_fn inherited)
{
	library_fn own;

	PHASE("child", "main;child;run_library;alpha_work;alpha_inner", run_library(inherited));
	pid_t pid = fork();

	if (!pid)
		grandchild(inherited);
	library_open("gamma", &own);
	PHASE("child-own", "main;child;run_library;gamma_work;gamma_inner", run_library(own));
	PHASE("child-old", "main;child;run_library;alpha_work;alpha_inner", run_library(inherited));
	waitpid(pid, NULL, 0);
	_exit(0);
}

int main(void)
{
	library_fn work;

	library_init();
	phase_set_name(OUTSIDE);
	rounds = 150 * phase_rounds_per_ms();
	void *handle = library_open("alpha", &work);
	library_fn first = work;

	PHASE("parent", "main;run_library;alpha_work;alpha_inner", run_library(work));
	pid_t pid = fork();

	if (!pid)
		child(work);
	dlclose(handle);
	library_open("beta", &work);
	dprintf(1, "# alpha at %p, then beta at %p\n", (void *)first, (void *)work);
	PHASE("parent-beta", "main;run_library;beta_work;beta_inner", run_library(work));
	waitpid(pid, NULL, 0);
	PHASE("parent-end", "main;run_library;beta_work;beta_inner", run_library(work));
	return 0;
}
