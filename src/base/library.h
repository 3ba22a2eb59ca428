/*
 * library.h - functions of a library that is loaded only where it is needed
 *
 * Owns: nothing. Threads: any. Source: dlopen(3), dlsym(3).
 */
#ifndef PERFOLD_BASE_LIBRARY_H
#define PERFOLD_BASE_LIBRARY_H

#include <stdbool.h>

/* function: points to the pointer to be set; NULL in it where the library has no such function. */
bool library_get(void *handle, const char *name, void *function);

#endif
