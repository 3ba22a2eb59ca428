/*
 * jit.h - names of JIT code
 *
 * A code map says which function of a process was at an address of JIT code, and when. It is made
 * from what the runtime wrote. That may be /tmp/perf-PID.map, in the format of
 * tools/perf/Documentation/jit-interface.txt:
 *
 *	START SIZE symbolname		START and SIZE are hex numbers without 0x
 *
 * A runtime only ever appends: where lines overlap, the later one is what was there in the end, and
 * the earlier one keeps the rest. The map has no times, so an answer is valid at any time; where
 * lines of several functions overlap it is known to be ambiguous. There the times of samples show
 * roughly when the code of each line was made (perf_map_layers.h).
 *
 * Or it is jit-PID.dump (jitdump.h), which says when code was placed at an address, or moved there:
 * from then on it covers what it overlaps. If dump and samples have no common clock, the code
 * placed there last is the answer, at any time.
 *
 * Owns: its ranges and names, and the open file; frames are borrowed. Threads: load from one, look
 * up from any.
 */
#ifndef PERFOLD_JIT_JIT_H
#define PERFOLD_JIT_JIT_H

#include "base/buf.h"
#include "base/file.h"
#include "model/diag.h"
#include "model/frames.h"
#include "model/stacklog.h"

struct codemap;
struct jitdump_lines;

/* Addresses that were executable at some time in the process: in order, without overlap. Lines
 * outside them are no code: V8 lists the bytecode of its interpreter, at addresses of its heap. */
struct codemap_ranges {
	const struct codemap_range {
		uint64_t start, end;
	} * range;
	size_t n;
};

struct perf_map_opts {
	int32_t pid;                       /* makes the frames' module "/tmp/perf-PID.map" */
	const struct codemap_ranges *exec; /* copied; NULL: all addresses count */
	bool bytecode; /* keep bytecode for codemap_find_bytecode(); needs exec */
	/* Choose among overlapping lines as perf 6.1 does, and lose the names that it loses. */
	bool compat_perf;
	size_t block_bytes; /* 0: 256 KiB; small in tests */
};

/* Has the beginning of a file a line of a perf map? */
bool perf_map_is(struct span head);
/* A regular file of less than 256 GiB, which is taken over in any case. Damaged lines are counted,
 * never an error.
 *
 * The file stays open, or is kept in memory if it is small (1 MiB); a name is read when its frame
 * is first looked up. The map needs 16 to 24 bytes for each range of addresses that has a name in
 * the end, of which there are as many as fit into the memory of the runtime's code, and what
 * samples hit; with compat_perf all lines are kept. If the file is overwritten meanwhile, names
 * that are gone are not found. */
int perf_map_load(struct codemap **out, struct file *file, struct frames *frames, struct diag *diag,
	const struct perf_map_opts *o, struct err *e);
void codemap_free(struct codemap *m);

/* How the times of samples relate to those in jitdumps. */
struct jit_clock {
	bool monotonic; /* samples have times of CLOCK_MONOTONIC, which runtimes use: -k mono */
	/* From the CPU's counter to the time of samples, as in PERF_RECORD_TIME_CONV. */
	struct jit_counter {
		bool known;                        /* it is known, and samples have that time */
		uint64_t zero, mult, cycles, mask; /* mask 0: counts are whole */
		uint8_t shift;
	} counter;
};

struct jitdump_header {
	int32_t pid; /* as the process sees it: in a container not the one that perf sees */
	uint32_t elf_machine;
	uint32_t size_bytes;
	bool swapped;        /* in the other byte order */
	bool arch_timestamp; /* times are values of the CPU's counter (TSC) */
};

/* From now on, frames from a jitdump have the line of the address; columns: those of V8 also its
 * column. */
void codemap_enable_lines(struct codemap *m, bool columns);
/* And their address (frame.at_address); build says which code it was. */
void codemap_enable_addresses(struct codemap *m);

int jitdump_peek(struct jitdump_header *h, const struct file *file, struct err *e);
/* A regular file, which is taken over in any case. The frames' module is "jit-PID.dump", as the
 * file is called. Damaged records are counted; a dump that is cut short is used as far as it goes.
 */
int jitdump_load(struct codemap **out, struct file *file, struct frames *frames, struct diag *diag,
	const struct jit_clock *clock, struct err *e);

/* The lines of one piece of code of a jitdump. Zeroed: none. */
struct codemap_lines {
	const struct codemap *m; /* borrowed */
	struct jitdump_lines *table;
	frame_id function;
};

/* Those of the code that was loaded by the record at an offset in the dump. False: it has none. To
 * be closed in any case. */
bool codemap_open_lines(struct codemap *m, uint64_t loaded_at, struct codemap_lines *l);
/* The line of the instruction at an offset in the code, and its file, as in frames with lines. */
bool codemap_find_line(
	const struct codemap_lines *l, uint64_t offset, str_id *file, uint32_t *line);
void codemap_close_lines(struct codemap_lines *l);

/* The frame of the code at an address, 0 if the map has none; *valid is the interval in which that
 * holds. */
frame_id codemap_find(
	const struct codemap *m, uint64_t address, struct moment at, struct validity *valid);
/* Does the map have a name for the address, at any time? */
bool codemap_knows(const struct codemap *m, uint64_t address);

/* Were several functions at the address, so that the answer is just the last of them? Never in a
 * jitdump. */
bool codemap_is_ambiguous(const struct codemap *m, uint64_t address);
/* Is there any such address? */
bool codemap_is_ambiguous_anywhere(const struct codemap *m);

/* A perf map gets times from samples (perf_map_layers.h). What the map has at the address of a
 * sample: */
enum codemap_hit {
	CODEMAP_HIT_NONE,      /* no code that the map lists */
	CODEMAP_HIT_LINE,      /* code of a single line: *entry is its offset in the file */
	CODEMAP_HIT_REUSED,    /* code of one function, listed in several lines */
	CODEMAP_HIT_AMBIGUOUS, /* code of several functions, at different times: *piece is their
				  range */
};
enum codemap_hit codemap_classify(
	const struct codemap *m, uint64_t address, uint64_t *entry, struct codemap_range *piece);

/* The time of the first sample in the code of an entry. */
struct codemap_first_seen {
	uint64_t entry;
	uint64_t time_ns;
};

/* The first and last sample at an address of several functions. */
struct codemap_seen_address {
	uint64_t address;
	uint64_t first_ns, last_ns;
};

struct codemap_seen {
	const struct codemap_first_seen *at; /* in order of entries, each once */
	size_t n;
	const struct codemap_seen_address *spot; /* in order of addresses, each once */
	size_t n_spots;
	struct codemap_ranges pieces; /* ranges of several functions that samples hit */
};

/* Reads the map again. From then on the answer for these pieces depends on the time. */
int perf_map_date(struct codemap *m, const struct codemap_seen *seen, struct err *e);

/* The frame of the function whose bytecode is listed at exactly that address, if the map was loaded
 * with bytecode; 0 if there is none, or were several. */
frame_id codemap_find_bytecode(const struct codemap *m, uint64_t address);
bool codemap_has_bytecode(const struct codemap *m);
/* The first bytecode that is listed at or after the address. */
bool codemap_next_bytecode(const struct codemap *m, uint64_t address, uint64_t *start);

/* How to unwind the code at an address: .eh_frame and .eh_frame_hdr as the runtime wrote them (V8;
 * LLVM has the header first). */
struct codemap_unwinding {
	uint32_t code;         /* number of the piece of code, in this map */
	uint64_t start;        /* its address */
	uint64_t header_bytes; /* of .eh_frame_hdr, if the sections are read */
};

/* The sections are appended to b, which may be NULL. False if the map has none for the address;
 * *valid is set in either case. */
bool codemap_find_unwinding(const struct codemap *m, uint64_t address, struct moment at,
	struct validity *valid, struct codemap_unwinding *out, struct buf *b);

struct codemap_facts {
	uint64_t entries;           /* lines that name code; pieces of code */
	uint64_t outside;           /* lines outside executable memory */
	uint64_t ranges;            /* of addresses that have a name */
	uint64_t overwritten_bytes; /* named by several lines: the map may be wrong there */
	bool timed;                 /* its code has times */
};

struct codemap_facts codemap_facts(const struct codemap *m);

#endif
