/*
 * value.h - what the values of options may be
 *
 * Used by the table in options.c. A function gets the text of a value and stores its meaning in a
 * field of the type that its comment names, or (the second list) where it belongs in the options.
 *
 * Owns: nothing. Threads: one. Errors: ERR_USAGE with a message that says what is allowed.
 * Private to cli/.
 */
#ifndef PERFOLD_CLI_VALUE_H
#define PERFOLD_CLI_VALUE_H

#include "cli/options.h"

/* Which of the words, which have blanks between them, the text is: its number from 0. */
int value_choose(unsigned *number, const char *words, struct span text, struct err *e);

int value_waker_depth(void *field, const char *text, struct err *e); /* unsigned */
int value_positive(void *field, const char *text, struct err *e);    /* unsigned, not 0 */
int value_number(void *field, const char *text, struct err *e);      /* double, not negative */
int value_percent(void *field, const char *text, struct err *e);     /* double, 0 to 100 */
int value_duration(void *field, const char *text, struct err *e);    /* uint64_t: ns, not 0 */
int value_numbers(void *field, const char *text, struct err *e);     /* struct number_list */
int value_pattern(void *field, const char *text, struct err *e);     /* struct name_pattern * */
/* struct numbered_files: [PID=]FILE, PID=DIR */
int value_pid_file(void *field, const char *text, struct err *e);
int value_pid_dir(void *field, const char *text, struct err *e);

#define VALUE_SPLIT_WORDS    "process thread event cpu cgroup label:KEY time:1s"
#define VALUE_REDACT_WORDS   "hostname cmdline data users paths raw all none"
#define VALUE_ANNOTATE_WORDS "kernel jit inline all"

int value_from(struct options *o, const char *text, struct err *e);
int value_to(struct options *o, const char *text, struct err *e);
int value_label(struct options *o, const char *text, struct err *e);
int value_output(struct options *o, const char *text, struct err *e);
int value_spill_limit(struct options *o, const char *text, struct err *e);
int value_symbol_cache_limit(struct options *o, const char *text, struct err *e);
int value_source_limit(struct options *o, const char *text, struct err *e);
int value_max_memory(struct options *o, const char *text, struct err *e);
int value_split(struct options *o, const char *text, struct err *e);
int value_time(struct options *o, const char *text, struct err *e);
int value_where(struct options *o, const char *text, struct err *e);
int value_outside(struct options *o, const char *text, struct err *e);
int value_during(struct options *o, const char *text, struct err *e);
int value_weight(struct options *o, const char *text, struct err *e);
int value_root(struct options *o, const char *text, struct err *e);
int value_annotate(struct options *o, const char *text, struct err *e);
int value_redact(struct options *o, const char *text, struct err *e);
int value_filter(struct options *o, const char *text, struct err *e);
int value_rule(struct options *o, const char *text, struct err *e);
int value_explain(struct options *o, const char *text, struct err *e);
int value_source_prefix(struct options *o, const char *text, struct err *e);
int value_min_width(struct options *o, const char *text, struct err *e);
int value_colors(struct options *o, const char *text, struct err *e);
int value_fail_if(struct options *o, const char *text, struct err *e);
int value_require(struct options *o, const char *text, struct err *e);
int value_confidence(struct options *o, const char *text, struct err *e);

#endif
