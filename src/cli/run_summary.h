/*
 * run_summary.h - notes on standard error when the work is done
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_RUN_SUMMARY_H
#define PERFOLD_CLI_RUN_SUMMARY_H

#include "cli/options.h"
#include "model/frame_account.h"

/* A percentage with one digit, such as 99.8; not rounded up to 100.0 if anything is missing. */
double run_summary_percent(uint64_t part, uint64_t whole);
const char *run_summary_why(enum frame_why why);

/* Prints what was damaged. */
void run_summary_print_damage(const struct diag *d);
/* Prints the first files that are there and could not be read. */
void run_summary_print_unread(const struct symbolize_report *rep);
/* Prints that scripts have source maps, if nobody asked for these. */
void run_summary_note_source_maps(const struct recording *r, const struct options *o);
/* Prints notes and the closing line. */
void run_summary_print(const struct pipeline_result *r, const struct options *o);

#endif
