/*
 * scan.h - what the two ways of pass 1 share
 *
 * A part of a recording is read by plain.c as far as it is plain, and from there on by scan.c.
 * Private to input/perfdata/.
 */
#ifndef PERFOLD_INPUT_PERFDATA_SCAN_H
#define PERFOLD_INPUT_PERFDATA_SCAN_H

#include "input/perfdata/private.h"

struct scan {
	struct perfdata *pd;
	uint32_t part;
	struct perfdata_visitor visitor;
	struct diag *diag;
};

/* Hand out a record if it is good. */
int scan_take_record(struct scan *s, const struct perfdata_record *r, struct err *e);

/* ---- plain.c ------------------------------------------------------------------------------ */

/* Hands out the part's records up to *to, which is where something is not plain or the part ends;
 * samples are summed up, or noted down in blocks. */
int scan_plain(struct scan *s, struct pool *pool, uint64_t *to, struct err *e);

#endif
