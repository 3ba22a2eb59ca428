/*
 * values.h - what the values of options may be
 *
 * Private to cli/: used by the table in options.c. All return ERR_USAGE with a message that says
 * what is allowed.
 */
#ifndef PERFOLD_CLI_VALUES_H
#define PERFOLD_CLI_VALUES_H

#include "cli/options.h"

void string_list_add(struct string_list *l, const char *text);
int value_unsigned(unsigned *field, const char *text, unsigned least, struct err *e);
int value_double(double *field, const char *text, struct err *e);

int value_min_percent(struct options *o, const char *text, struct err *e);
int value_from(struct options *o, const char *text, struct err *e);
int value_split(struct options *o, const char *text, struct err *e);
int value_to(struct options *o, const char *text, struct err *e);
int value_output(struct options *o, const char *text, struct err *e);
int value_pid(struct options *o, const char *text, struct err *e);
int value_tid(struct options *o, const char *text, struct err *e);
int value_cpu(struct options *o, const char *text, struct err *e);
int value_comm(struct options *o, const char *text, struct err *e);
int value_process(struct options *o, const char *text, struct err *e);
int value_cgroup(struct options *o, const char *text, struct err *e);
int value_spill_limit(struct options *o, const char *text, struct err *e);
int value_time(struct options *o, const char *text, struct err *e);
int value_where(struct options *o, const char *text, struct err *e);
int value_off_cpu(struct options *o, const char *text, struct err *e);
int value_wall(struct options *o, const char *text, struct err *e);
int value_wakers(struct options *o, const char *text, struct err *e);
int value_min_block(struct options *o, const char *text, struct err *e);
int value_max_block(struct options *o, const char *text, struct err *e);
int value_weight(struct options *o, const char *text, struct err *e);
int value_root(struct options *o, const char *text, struct err *e);
int value_annotate(struct options *o, const char *text, struct err *e);
int value_filter(struct options *o, const char *text, struct err *e);
int value_rule(struct options *o, const char *text, struct err *e);
int value_explain(struct options *o, const char *text, struct err *e);
int value_perf_map(struct options *o, const char *text, struct err *e);
int value_container(struct options *o, const char *text, struct err *e);
int value_proc_maps(struct options *o, const char *text, struct err *e);
int value_jitdump(struct options *o, const char *text, struct err *e);
int value_min_width(struct options *o, const char *text, struct err *e);
int value_colors(struct options *o, const char *text, struct err *e);
int value_verbose(struct options *o, const char *text, struct err *e);
int value_progress(struct options *o, const char *text, struct err *e);
int value_truncated(struct options *o, const char *text, struct err *e);
int value_lost(struct options *o, const char *text, struct err *e);
int value_slower(struct options *o, const char *text, struct err *e);
int value_by(struct options *o, const char *text, struct err *e);
int value_normalize(struct options *o, const char *text, struct err *e);
int value_widths(struct options *o, const char *text, struct err *e);
int value_match(struct options *o, const char *text, struct err *e);
int value_fail_if(struct options *o, const char *text, struct err *e);
int value_variation(struct options *o, const char *text, struct err *e);
int value_require(struct options *o, const char *text, struct err *e);
int value_confidence(struct options *o, const char *text, struct err *e);
int value_compat(struct options *o, const char *text, struct err *e);

/* To call before, and after, the options are read. */
void options_defaults(struct options *o);
int options_finish(struct options *o, struct err *e);

#endif
