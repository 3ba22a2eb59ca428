/*
 * code_addresses.h - which functions weigh so much that their places are wanted, and the addresses
 * of their code
 *
 * Owns: nothing. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_CODE_ADDRESSES_H
#define PERFOLD_COLLAPSE_CODE_ADDRESSES_H

#include "collapse/collapse.h"

/* By frame_id: is it of a function that may have o->places_min_percent of all weight? Those that
 * no site has are not; those that code_addresses_add() will add are. NULL: all functions may. Owned
 * by the caller: free(). */
bool *code_addresses_weigh(
	struct recording *const *recordings, unsigned n, const struct collapse_opts *o);
/* Moves the addresses that recordings have kept (symbolize_opts.code_later) into the frames of
 * their sites: those that are heavy; NULL: all. */
void code_addresses_add(struct recording *const *recordings, unsigned n, const bool *heavy);

#endif
