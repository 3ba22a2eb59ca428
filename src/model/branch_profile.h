/*
 * branch_profile.h - the branches in each binary, by the addresses that its ELF file has
 *
 * What profile-guided optimization reads: of one binary, edges between instructions and ranges of
 * code that ran from one taken branch to the next, over all recordings of a run. Addresses are
 * those that objdump shows. Those in no other binary make sense to whoever has this one, so they
 * are all BRANCH_ELSEWHERE. Of a kernel they are the addresses in its vmlinux.
 *
 * A binary is a file, by path and build-id, or the kernel. Its traces are those of
 * model/branch_traces.h that begin or end in it; a trace from one binary to another is in both.
 *
 *	branch_profile_edges()		sums over next	{from, to, count, mispredicted}
 *	branch_profile_ranges()		sums over from	{start, end, count, entered}
 *	branch_profile_addresses()	BRANCH_SAMPLE	{address, count}
 *
 * Owns: binaries and their rows; strings belong to the strtab of the run. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_BRANCH_PROFILE_H
#define PERFOLD_MODEL_BRANCH_PROFILE_H

#include "model/branch_traces.h"

#include <stddef.h>

#define BRANCH_ELSEWHERE 0

struct branch_row {
	uint64_t from, to; /* addresses, or BRANCH_ELSEWHERE */
	uint64_t next;     /* an address, or BRANCH_NO_NEXT */
	uint64_t count, mispredicted;
	uint8_t reading; /* enum branch_reading */
	bool entered;    /* `from` is not in the function of `to`, as far as is known */
	bool to_kernel;  /* `to` is in the kernel, and elsewhere */
	/* It is in a stub of the procedure linkage table. */
	bool from_stub, to_stub;
	bool only_range; /* the branch that led to the range is in another row */
};

enum branch_why {
	BRANCH_FOUND,
	BRANCH_NO_FILE, /* without the file, addresses are not known: there are no rows */
};

struct branch_binary {
	str_id path;
	struct build_id build_id;
	uint8_t kind; /* enum module_kind */
	enum branch_why why;
	size_t recording;          /* number of the first one that has it, */
	module_id module;          /* and what it is there */
	uint64_t text_base;        /* address of its first page with code */
	uint64_t entries, samples; /* branches that end in it; addresses of samples in it */
	const char *written_as;    /* the output format of the profile it is of; NULL: none */
	uint64_t outside;          /* if written_as unsymbolized: what stands there for
				    * BRANCH_ELSEWHERE; 0: not known */
	struct branch_row *row;    /* by to, next, from, reading */
	uint32_t n, cap;
};

struct branch_profile {
	struct branch_binary *binary; /* the one with the most entries first */
	uint32_t n, cap;
	struct branch_totals totals;
};

/* The binary of that identity, made if there is none. */
struct branch_binary *branch_profile_binary(
	struct branch_profile *p, const struct module *m, size_t recording, module_id module);
void branch_profile_add_row(struct branch_binary *b, const struct branch_row *row);
/* Branches of a profile that was written before, which does not say of which binary: the sum of all
 * such profiles of a format. The rows of `from` are moved to it. False: they are of different ones.
 */
bool branch_profile_add_written(
	struct branch_profile *p, struct branch_binary *from, struct strtab *strings);
/* Once all is added: sorts, and adds up equal rows. */
void branch_profile_finish(struct branch_profile *p, const struct strtab *strings);
void branch_profile_release(struct branch_profile *p);

struct branch_edge {
	uint64_t from, to; /* not both BRANCH_ELSEWHERE */
	uint64_t count, mispredicted;
};

struct branch_range {
	uint64_t start, end; /* end: of the branch instruction that was taken; start <= end */
	uint64_t count;      /* of these, reached from another function: */
	uint64_t entered;
};

struct branch_address {
	uint64_t address, count;
};

/* Those of one reading, in order of addresses; the caller frees them. NULL: there are none. In
 * BRANCH_INTERRUPTED stubs of the procedure linkage table are elsewhere: llvm-profgen knows the
 * code of symbols only. */
struct branch_edge *branch_profile_edges(
	const struct branch_binary *b, enum branch_reading reading, uint32_t *n);
struct branch_range *branch_profile_ranges(
	const struct branch_binary *b, enum branch_reading reading, uint32_t *n);
struct branch_address *branch_profile_addresses(const struct branch_binary *b, uint32_t *n);

#endif
