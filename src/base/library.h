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

#include <stdbool.h>

/* NULL if it cannot be loaded; *why is the reason. flags are those of dlopen(). */
void *library_load(const char *name, int flags, const char **why);
/* function: points to the pointer to be set; NULL in it where the library has no such function. */
bool library_get(void *handle, const char *name, void *function);

#endif
