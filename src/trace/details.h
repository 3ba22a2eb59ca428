/*
 * details.h - what a pair of events was about, as a user reads it
 *
 *	fd=24 count=262144 ret=-115 EINPROGRESS
 *	ip=127.0.0.1 port=8080
 *	R     75 socket:[127823]
 *	dev=254,0 sector=442664960 nr_sector=128 rwbs=RS
 *
 * File descriptors get paths from a list, and from calls that open, duplicate and close.
 *
 * Owns: the table of descriptors. Threads: one.
 */
#ifndef PERFOLD_TRACE_DETAILS_H
#define PERFOLD_TRACE_DETAILS_H

#include "base/index.h"
#include "trace/spans.h"

/* A zeroed struct is empty. */
struct descriptors {
	struct descriptor {
		int32_t pid; /* DESCRIPTOR_ANY: from a list that does not say */
		int32_t fd;
		str_id path; /* 0: not known, or closed */
		uint64_t since_ns;
	} * of;
	uint32_t n, cap;
	struct index by_number;
};

enum { DESCRIPTOR_ANY = -1 };

/* Reads lines of `ls -l /proc/PID/fd`, or "24 /tmp/x". Returns how many were understood. */
size_t details_read_descriptors(struct descriptors *d, struct span text, struct strtab *strings);
void details_release_descriptors(struct descriptors *d);

/* For spans_opts.describe; ctx is a struct details. */
struct details {
	const struct recording *recording; /* borrowed */
	const struct mark_fields *fields;  /* borrowed */
	bool files;                        /* of files: direction, bytes, path */
	struct descriptors descriptors;
};

str_id details_describe(void *ctx, struct span_pair *p);

#endif
