/*
 * addresses.h - names for the addresses that stand in a text
 *
 * A text of some other tool (a backtrace of gdb or lldb, an ustack() of DTrace or bpftrace) has
 * addresses of a process, but no times, and mostly not the number of the process. They are named by
 * jitdumps, then files that a copy of /proc/PID/maps says were mapped there, then perf maps; the
 * first that knows an address says what it is. So an ELF symbol of a runtime's own code wins over
 * the line that the runtime wrote to its map, as in a recording.
 *
 * Without time, the code that was put to an address last is the answer. Where two files of one kind
 * name an address differently, neither is believed: wrong names are worse than none.
 *
 * How addresses are found in a text is in textnames.h.
 *
 * Owns: all maps and names. Threads: one.
 */
#ifndef PERFOLD_PROCESS_ADDRESSES_ADDRESSES_H
#define PERFOLD_PROCESS_ADDRESSES_ADDRESSES_H

#include "files/files.h"
#include "model/diag.h"
#include "process/addresses/text_names.h"

struct addresses_opts {
	const struct files_opts *files; /* maps, dumps, folders; borrowed while addresses live */
	const struct files_perf_map *proc_maps; /* copies of /proc/PID/maps; borrowed */
	uint32_t n_proc_maps;
	int32_t pid; /* whose addresses they are; -1: not said */
	bool full_names, no_demangle;
};

struct addresses;

/* A file that an option names and that cannot be read is an error; so is it if nothing names any
 * address (ERR_USAGE). */
int addresses_new(struct addresses **out, const struct addresses_opts *o, struct err *e);
void addresses_free(struct addresses *a);
/* What was damaged in maps and dumps. */
const struct diag *addresses_diag(const struct addresses *a);

/* A text_name of textnames.h; ctx is the struct addresses. */
enum text_answer addresses_name(void *ctx, const struct text_address *at, struct buf *name);

#endif
