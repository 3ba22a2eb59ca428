/*
 * pprof_types.h - what the values of a sample in pprof count
 *
 * Each event has a type of value, and in a profile that is not weighed by samples another one
 * before it, which counts samples:
 *
 *	cpu-clock          samples/count cpu/nanoseconds
 *	cycles:u           samples/count cycles/count
 *	several events     cycles_samples/count cycles/count faults_samples/count faults/count
 *
 * Readers (Grafana, Parca) take [a-z0-9_]+ as the name of a type, and `go build -pgo` wants
 * samples/count or cpu/nanoseconds. So the event's name is made to fit; where that changes it, a
 * comment says so, which our own reader understands: "event cpu: cpu-clock".
 *
 * Owns: its list. Threads: one. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_PPROF_TYPES_H
#define PERFOLD_OUTPUT_PPROF_TYPES_H

#include "output/output.h"
#include "output/pprof_message.h"

struct pprof_types {
	const struct profile *p; /* borrowed */
	struct pprof_value {
		str_id event; /* 0: the profile has no event */
		char *type;
		bool renamed; /* the type is not the event's name */
	} * value;            /* one for each event, in order of first use */
	uint32_t n, cap;
	bool weighed; /* each has two values: samples, if they are known, and weight */
};

/* Finds the events of all rows. */
void pprof_types_init(struct pprof_types *t, const struct profile *p, const struct output_opts *o);
void pprof_types_release(struct pprof_types *t);
/* The event of a row; 0: none. */
str_id pprof_types_event(
	const struct profile *p, const struct output_opts *o, const struct timeline_row *row);
/* The number of an event that a row has. */
uint32_t pprof_types_number(const struct pprof_types *t, str_id event);
void pprof_types_write(const struct pprof_types *t, struct pprof_message *m);
/* Adds a comment for each event whose type does not say its name, to the body. */
void pprof_types_put_comments(const struct pprof_types *t, struct pprof_message *m);

#endif
