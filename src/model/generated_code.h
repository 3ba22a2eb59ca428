/*
 * generated_code.h - how generated code fared: what its map leaves open, which interpreted
 * functions got their names
 *
 * Owns: nothing. Threads: any, once names are found.
 */
#ifndef PERFOLD_MODEL_GENERATED_CODE_H
#define PERFOLD_MODEL_GENERATED_CODE_H

#include "model/recording.h"

/* Fills r->generated, and counts what the user should know. */
void generated_code_account(struct recording *r);

#endif
