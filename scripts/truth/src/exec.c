/*
 * One process becomes one program after another (exec), each linked at the same fixed address with
 * its own functions there (-DSELF=one): `one two three four` is one process until its leader has
 * become two and a second thread of two has become three; three forks, and its child becomes four.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "phase.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define TEXT2(a)    #a
#define TEXT(a)     TEXT2(a)

static unsigned rounds;

NOINLINE void JOIN(SELF, _inner)(unsigned n)
{
	for (volatile unsigned i = 0; i < n; i++)
		;
}

NOINLINE void JOIN(SELF, _work)(unsigned n)
{
	for (volatile int i = 0; i < 4; i++)
		JOIN(SELF, _inner)(n / 4);
}

static char **next;

static void *exec_next(void *arg)
{
	execv(next[0], next);
	return arg;
}

NOINLINE static void exec_from_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exec_next, NULL);
	pthread_join(thread, NULL);
}

NOINLINE static void exec_from_child(void)
{
	if (!fork())
		exec_next(NULL);
	PHASE("still-" TEXT(SELF), "main;exec_from_child;" TEXT(SELF) "_work;" TEXT(SELF) "_inner",
		JOIN(SELF, _work)(rounds));
	wait(NULL);
}

int main(int argc, char **argv)
{
	phase_set_name(OUTSIDE);
	rounds = 150 * phase_rounds_per_ms();
	PHASE("run-" TEXT(SELF), "main;" TEXT(SELF) "_work;" TEXT(SELF) "_inner",
		JOIN(SELF, _work)(rounds));
	next = argv + 1;
	if (argc == 4)
		exec_next(NULL);
	else if (argc == 3)
		exec_from_thread();
	else if (argc == 2)
		exec_from_child();
	return 0;
}
