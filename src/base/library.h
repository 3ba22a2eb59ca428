/*
 * library.h - functions of a library that is loaded only where it is needed
 *
 * A program that is linked statically (make static, PERFOLD_STATIC) loads none: a second C library
 * would come along, and would have to be of the version that is linked in.
 *
 * Owns: nothing; the handle is the caller's, for dlclose(). Threads: any. Source: dlopen(3),
 * dlsym(3).
 */
#ifndef PERFOLD_BASE_LIBRARY_H
#define PERFOLD_BASE_LIBRARY_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* NULL if it cannot be loaded; *why is the reason. flags are those of dlopen(). */
void *library_load(const char *name, int flags, const char **why);
/* function: points to the pointer to be set; NULL in it where the library has no such function. */
bool library_get(void *handle, const char *name, void *function);

struct library_function {
	const char *name;
	void *function; /* as of library_get() */
};

/* Loads a library and gets all n functions; an error if one is lacking. It stays loaded to the end
 * of the program, so that what it set up at its first use, or memory of libraries that it is built
 * on, does not leak. what: which one it is, in words: "that disassembles". */
int library_load_functions(const char *name, const char *what, const struct library_function *f,
	size_t n, struct err *e);

#endif
