/*
 * thread.h - threads with a stack of a stated size
 *
 * The usual size is that of `ulimit -s`, which may be small, and how deep libraries recurse depends
 * on names in the input: the limits in symbolize/demangle/ are chosen for THREAD_STACK_BYTES. So
 * all work, that of main() too, is done in such threads. Memory that is not touched costs nothing.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_THREAD_H
#define PERFOLD_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

enum { THREAD_STACK_BYTES = 16 << 20 };

/* False if no thread could be created. */
bool thread_start(pthread_t *thread, void *(*fn)(void *ctx), void *ctx);
/* Call fn in a new thread and wait until it returns; in this thread if there can be no other. */
void thread_run(void *(*fn)(void *ctx), void *ctx);

#endif
