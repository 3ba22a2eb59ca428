#include "base/thread.h"

#include <sys/resource.h>

bool thread_start(pthread_t *thread, void *(*fn)(void *ctx), void *ctx)
{
	pthread_attr_t attr;
	bool started;

	if (pthread_attr_init(&attr))
		return false;
	started = !pthread_attr_setstacksize(&attr, THREAD_STACK_BYTES) &&
		  !pthread_create(thread, &attr, fn, ctx);
	pthread_attr_destroy(&attr);
	return started;
}

/* The stack of the first thread may grow as far as the limit of the moment. An emulator of programs
 * (qemu-user) accepts another limit and keeps its own. */
static bool can_grow_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_max < THREAD_STACK_BYTES)
		return false;
	if (limit.rlim_cur >= THREAD_STACK_BYTES)
		return true;
	limit.rlim_cur = THREAD_STACK_BYTES;
	return !setrlimit(RLIMIT_STACK, &limit) && !getrlimit(RLIMIT_STACK, &limit) &&
	       limit.rlim_cur >= THREAD_STACK_BYTES;
}

void thread_run_main(void *(*fn)(void *ctx), void *ctx)
{
	pthread_t thread;

	if (!can_grow_stack() && thread_start(&thread, fn, ctx))
		pthread_join(thread, NULL);
	else
		fn(ctx);
}
