/*
 * addresses.h - names for the addresses in a text
 *
 * The output of some other tool (a backtrace of gdb or lldb, an ustack() of DTrace or bpftrace) has
 * addresses of a process, but no times, and mostly no pid. They are named by jitdumps, then by
 * files that a copy of /proc/PID/maps lists, then by perf maps; the first that has an address names
 * it. So an ELF symbol of a runtime's own code wins over the line that the runtime wrote to its
 * map, as in a recording.
 *
 * Without time, the code that was put to an address last is the answer. If two files of one kind
 * name an address differently, neither is used: wrong names are worse than none.
 *
 * How addresses are found in a text is in text_names.h.
 *
 * Owns: all maps and names. Threads: one.
 */
#ifndef PERFOLD_PROCESS_ADDRESSES_ADDRESSES_H
#define PERFOLD_PROCESS_ADDRESSES_ADDRESSES_H

#include "files/files.h"
#include "model/diag.h"
#include "process/addresses/text_names.h"

struct addresses_opts {
	const struct files_opts
		*files; /* maps, dumps, directories; borrowed for the life of addresses */
	const struct files_perf_map *proc_maps; /* copies of /proc/PID/maps; borrowed */
	uint32_t n_proc_maps;
	int32_t pid; /* of the addresses; -1: not known */
	bool full_names, no_demangle;
};

struct addresses;

/* It is an error if a file that an option names cannot be read, or if nothing is there to name
 * addresses by (ERR_USAGE). */
int addresses_new(struct addresses **out, const struct addresses_opts *o, struct err *e);
void addresses_free(struct addresses *a);
/* The damage in maps and dumps. */
const struct diag *addresses_diag(const struct addresses *a);

/* A text_name of text_names.h; ctx is the struct addresses. */
enum text_answer addresses_name(void *ctx, const struct text_address *at, struct buf *name);

#endif
