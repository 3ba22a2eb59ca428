/*
 * stack_delta.h - how a stack differs from the one before it, in few bytes
 *
 * Where stacks hardly repeat, these are most of what is kept until frames have names. A delta is
 *
 *	root, keep, n << 2 | (site_bytes - 1)	in LEB128
 *	n sites, the outermost first		of site_bytes each, little-endian: as many as the
 *						largest of them needs
 *
 * All sites of a delta have the same size, so that decoding them needs no branches.
 *
 * Owns: nothing. Threads: any number may read.
 */
#ifndef PERFOLD_MODEL_STACK_DELTA_H
#define PERFOLD_MODEL_STACK_DELTA_H

#include "base/buf.h"
#include "base/cursor.h"
#include "model/sites.h"

struct stack_delta {
	uint32_t root;    /* a root_id */
	uint32_t keep, n; /* n sites, after so many of the stack before */
	unsigned site_bytes;
};

/* Appends a delta; its site_bytes are found out. */
void stack_delta_put(struct buf *b, const struct stack_delta *d, const site_id *sites);
/* Decode what stack_delta_put() wrote: a delta, and then its sites. */
struct stack_delta stack_delta_decode(struct cursor *c);
void stack_delta_decode_sites(struct cursor *c, const struct stack_delta *d, site_id *sites);

#endif
