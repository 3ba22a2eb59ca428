#include "base/thread.h"

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

void thread_run(void *(*fn)(void *ctx), void *ctx)
{
	pthread_t thread;

	if (thread_start(&thread, fn, ctx))
		pthread_join(thread, NULL);
	else
		fn(ctx);
}
