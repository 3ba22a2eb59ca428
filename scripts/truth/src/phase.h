/*
 * What the truth programs share. A phase is a stretch of work under a thread name of its own, so
 * that a folded stack says by its first frame what the rest of it must be: the chain of functions
 * that the program announces on standard output before the phase begins ("name <tab>
 * outermost;...;leaf"). Lines with '#' log when each phase ran (CLOCK_MONOTONIC, as `perf record -k
 * mono` writes it).
 *
 * Inside a phase nothing but the chain runs: no call into libc, no look at the clock. Work is
 * counted, not timed, and the name is set by a system call made in place.
 */
#ifndef PHASE_H
#define PHASE_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Its name stands in a chain: neither inlined nor cloned. */
#define NOINLINE __attribute__((noipa))
#define INLINE   static inline __attribute__((always_inline))
#define OUTSIDE  "outside" /* the thread name between phases: not judged */

static inline uint64_t phase_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

INLINE void phase_set_name(const char *name)
{
	long result = SYS_prctl;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((long)PR_SET_NAME), "S"(name)
			 : "rcx", "r11", "memory");
}

static inline void phase_announce(const char *name, const char *chain)
{
	dprintf(1, "%s\t%s\n# %ld %s begins at %lu\n", name, chain, syscall(SYS_gettid), name,
		phase_now_ns());
}

/* Rounds of an empty loop that take about a millisecond here. */
static inline unsigned phase_rounds_per_ms(void)
{
	uint64_t best_ns = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t start_ns = phase_now_ns();

		for (volatile unsigned k = 0; k < 1000000; k++)
			;
		uint64_t took_ns = phase_now_ns() - start_ns;

		best_ns = took_ns < best_ns ? took_ns : best_ns;
	}
	return (unsigned)(1000000 * 1000000ull / best_ns);
}

/* Runs the expression CALL as phase NAME; CHAIN names what its samples may show. */
#define PHASE(name, chain, call)                                                                   \
	do {                                                                                       \
		phase_announce((name), (chain));                                                   \
		phase_set_name((name));                                                            \
		call;                                                                              \
		phase_set_name(OUTSIDE);                                                           \
	} while (0)

#endif
