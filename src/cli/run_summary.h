/*
 * summary.h - what is told when the work is done
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_SUMMARY_H
#define PERFOLD_CLI_SUMMARY_H

#include "cli/options.h"
#include "model/frame_account.h"

/* 99.8; never rounded up to 100.0 if anything is missing. */
double run_summary_percent(uint64_t part, uint64_t whole);
const char *run_summary_why(enum frame_why why);

/* What was damaged, on standard error. */
void run_summary_print_damage(const struct diag *d);
/* Notes and the closing line on standard error. */
void run_summary_print(const struct pipeline_result *r, const struct options *o);

#endif
