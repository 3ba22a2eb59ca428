/*
 * thread.h - threads with a stack of a stated size
 *
 * The usual size is that of `ulimit -s`, which may be small, and how deep libraries recurse depends
 * on names in the input: the limits in symbolize/demangle/ are chosen for THREAD_STACK_BYTES. So
 * all work, that of main() too, is done on such stacks. Memory that is not touched costs nothing.
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
/* Called in main(): call fn on such a stack. That is in this thread where its stack may grow so
 * far, since malloc() of glibc asks the kernel for memory much more often in any other; else in a
 * new thread, whose end is waited for. */
void thread_run_main(void *(*fn)(void *ctx), void *ctx);

#endif
