/*
 * lock.h - a lock that is held for moments
 *
 * A thread that finds it locked tries again for a while before it sleeps: sleeping and waking up
 * costs ten times as much as the lock is held. Two workers lost a third of their time that way
 * while most names were new.
 *
 * Source: PTHREAD_MUTEX_ADAPTIVE_NP in glibc.
 */
#ifndef PERFOLD_BASE_LOCK_H
#define PERFOLD_BASE_LOCK_H

#include <pthread.h>

static inline void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(lock, &kind);
	pthread_mutexattr_destroy(&kind);
}

/* To call between two looks at what another thread is about to change. */
static inline void lock_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

#endif
