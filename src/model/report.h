/*
 * report.h - parts of a report that only rooms above output/ know
 *
 * Filled by the pipeline: what each rule did (filter/), and advice to the user (cli/).
 *
 * Owns: copies of all strings. Threads: one.
 */
#ifndef PERFOLD_MODEL_REPORT_H
#define PERFOLD_MODEL_REPORT_H

#include <stdint.h>

struct report_rule {
	char *place; /* "nodejs.rules:12" or "-e 1" */
	char *text;
	uint64_t hits, weight;
};

struct report {
	struct report_rule *rules;
	uint32_t n_rules, cap_rules;
	char **advice;
	uint32_t n_advice, cap_advice;
};

void report_add_rule(
	struct report *r, const char *place, const char *text, uint64_t hits, uint64_t weight);
void report_add_advice(struct report *r, const char *line);
void report_release(struct report *r);

#endif
