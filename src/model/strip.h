/*
 * strip.h - what perfold strip leaves out of a copy of a recording, and what it made
 *
 * Owns: nothing; strings are borrowed. Threads: one writes.
 */
#ifndef PERFOLD_MODEL_STRIP_H
#define PERFOLD_MODEL_STRIP_H

#include <stdbool.h>
#include <stdint.h>

/* What is hidden beside stacks and registers, which always are. Written into the copy: numbers
 * stay. */
enum strip_hidden {
	STRIP_HOSTNAME = 1 << 0, /* name of the machine */
	STRIP_CMDLINE = 1 << 1,  /* command line of perf record */
	STRIP_DATA = 1 << 2,     /* names of mapped files that hold no code */
	STRIP_USERS = 1 << 3,    /* names of home directories in paths */
	STRIP_PATHS = 1 << 4,    /* directories of files of programs */
	STRIP_RAW = 1 << 5,      /* fields of tracepoints */
	STRIP_ALL = (1 << 6) - 1,
	STRIP_DEFAULT = STRIP_HOSTNAME | STRIP_CMDLINE | STRIP_DATA,
};

struct strip {
	const char *path; /* of the copy */
	uint32_t hidden;  /* enum strip_hidden */
	bool alone;       /* nothing else is made of the recording: samples get no names */

	/* The result. */
	uint64_t samples, unwound; /* of which unwound: with a copied stack */
	uint64_t left_out;         /* records that could not be decoded */
	uint64_t bytes_before, bytes_after;
};

#endif
