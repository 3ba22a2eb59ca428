/*
 * generated_code.h - how well generated code was named: addresses that a map gives to several
 * functions, and interpreted functions without a name
 *
 * Owns: nothing. Threads: any, once names are found.
 */
#ifndef PERFOLD_MODEL_GENERATED_CODE_H
#define PERFOLD_MODEL_GENERATED_CODE_H

#include "model/recording.h"

/* Fills r->generated, and counts in r->diag. */
void generated_code_account(struct recording *r);

/* Why the generated code of a process has no name, if reading gave it none. */
enum frame_why generated_code_why(const struct recording *r, int32_t pid);

#endif
