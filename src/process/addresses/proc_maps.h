/*
 * proc_maps.h - the files that were mapped in a process, by a copy of /proc/PID/maps (proc(5))
 *
 *	7f2a1c200000-7f2a1c3b5000 r-xp 00028000 fe:01 1835021      /usr/lib/libc.so.6
 *	START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH
 *
 * The file at PATH today may be another one. If it has the device and inode of the line, it is that
 * file of this machine, and the mapping's module gets its build-id.
 *
 * Owns: the list; modules and strings are the recording's. Threads: one. Private to addresses/.
 */
#ifndef PERFOLD_PROCESS_ADDRESSES_PROC_MAPS_H
#define PERFOLD_PROCESS_ADDRESSES_PROC_MAPS_H

#include "base/err.h"
#include "model/recording.h"

struct proc_mapping {
	uint64_t start, end, offset; /* [start, end) is the file from offset on */
	module_id module;            /* a file, or the vdso */
};

/* A zeroed list is empty. */
struct proc_maps {
	struct proc_mapping *at; /* in order of start; only those of files */
	uint32_t n, cap;
};

/* look_here: files of this machine may be opened for their build-id. pid: of the process, for
 * --container; 0: of none. Lines of another form (those of smaps) are left out; a text without
 * any is an error. */
int proc_maps_parse(struct proc_maps *m, struct span text, struct recording *r, int32_t pid,
	bool look_here, struct err *e);
void proc_maps_release(struct proc_maps *m);

const struct proc_mapping *proc_maps_find(const struct proc_maps *m, uint64_t address);
/* Could the number also be an offset in the file? perf script prints those for the code of
 * files. */
bool proc_maps_may_be_offset(const struct proc_maps *m, module_id module, uint64_t number);

#endif
