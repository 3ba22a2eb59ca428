/*
 * sourcemap_apply.h - V8's functions by the names and places that their source has
 *
 *	JS:*a /app/dist/x.js:1:7021  =>  JS:*fib /app/src/fib.ts:5:10
 *
 * Every distinct frame once. Kind and tier stay, so that all later stages take the frame for what
 * it is.
 *
 * Owns: nothing. Threads: one, when all sites have their frames. Private to symbolize/.
 */
#ifndef PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_APPLY_H
#define PERFOLD_SYMBOLIZE_SOURCEMAP_SOURCEMAP_APPLY_H

#include "model/recording.h"

/* dirs: NULL ended. What cannot be used is counted in r->diag. */
void sourcemap_apply(struct recording *r, const char *const *dirs);

#endif
