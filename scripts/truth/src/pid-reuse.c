/*
 * One process id lives four times: a child ends, and the next is given its number (ns_last_pid).
 * The children run different libraries at one address; only the time of a sample tells which.
 */
#include <fcntl.h>
#include <sys/wait.h>

#include "library.h"
#include "phase.h"

static unsigned rounds;

NOINLINE static void run_library(library_fn work)
{
	work(rounds);
	__asm__ volatile("");
}

NOINLINE static void child(const char *name, const char *chain)
{
	library_fn work;

	library_open(name, &work);
	dprintf(1, "# pid %d runs %s at %p\n", getpid(), name, (void *)work);
	PHASE(name, chain, run_library(work));
	_exit(0);
}

/* Asks the kernel to number the next process pid; others may be faster: the caller tries again. */
static void next_pid(pid_t pid)
{
	int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);

	if (fd < 0 || dprintf(fd, "%d", pid - 1) < 0)
		exit(2);
	close(fd);
}

int main(void)
{
	static const char *const names[] = { "alpha", "beta", "gamma", "beta" };
	static const char *const chains[] = {
		"main;child;run_library;alpha_work;alpha_inner",
		"main;child;run_library;beta_work;beta_inner",
		"main;child;run_library;gamma_work;gamma_inner",
		"main;child;run_library;beta_work;beta_inner",
	};
	pid_t wanted = 0;

	library_init();
	phase_set_name(OUTSIDE);
	rounds = 250 * phase_rounds_per_ms();
	for (int i = 0, tries = 0; i < 4 && tries < 1000; tries++) {
		if (wanted)
			next_pid(wanted);
		pid_t pid = fork();

		if (!pid && (!wanted || getpid() == wanted))
			child(names[i], chains[i]);
		if (!pid)
			_exit(1);
		if (!wanted)
			wanted = pid;
		i += pid == wanted;
		waitpid(pid, NULL, 0);
	}
	return 0;
}
