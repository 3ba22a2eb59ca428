/*
 * wall.h - giving up what the process will not need, before it reads what strangers wrote
 *
 * Faults in parsers, ours or of libraries, are then worth less to whoever made the file: from
 * wall_raise() on, the process cannot run a program, open a connection, look into another process,
 * or administer the system; and where paths are given, it reads and writes nothing else. What
 * the kernel does not support is left out without a word, as is the whole in builds with
 * sanitizers, which look into their own process.
 *
 * Owns: nothing. Threads: all of the process are concerned; call it while there is one that works,
 * as Landlock binds only this one and those that it creates. Source: seccomp(2), landlock(7).
 */
#ifndef PERFOLD_BASE_WALL_H
#define PERFOLD_BASE_WALL_H

#include <stdbool.h>
#include <stdint.h>

struct wall {
	bool network; /* connections stay possible */
	/* Directories with all that is below, or files, NULL ended; what is not there does not
	 * matter. Both NULL: files are not concerned. With paths given, the memory and the files of
	 * other processes (/proc/PID/root) are out of reach, too. */
	const char *const *readable, *const *writable;
};

void wall_raise(const struct wall *w);
/* The process's private memory is not to grow beyond that: then malloc() fails. */
void wall_limit_memory(uint64_t bytes);
/* Of this machine, in bytes; 0: not known. */
uint64_t wall_machine_memory(void);

#endif
