/*
 * record_scan.h - what the two ways of pass 1 share
 *
 * A part of a recording is read by parallel_scan.c as far as it is plain, and from there on by
 * record_scan.c. Private to input/perfdata/.
 */
#ifndef PERFOLD_INPUT_PERFDATA_RECORD_SCAN_H
#define PERFOLD_INPUT_PERFDATA_RECORD_SCAN_H

#include "input/perfdata/perfdata_private.h"

struct record_scan {
	struct perfdata *pd;
	uint32_t part;
	struct perfdata_visitor visitor;
	struct diag *diag;
};

/* Visit a record if it is valid; else count it. */
int record_scan_visit(struct record_scan *s, const struct perfdata_record *r, struct err *e);

/* parallel_scan.c */

/* Visits the part's records up to *to, where something is not plain or the part ends; samples are
 * summed up. */
int parallel_scan_part(struct record_scan *s, struct pool *pool, uint64_t *to, struct err *e);

#endif
