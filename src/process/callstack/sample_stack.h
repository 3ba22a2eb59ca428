/*
 * sample_stack.h - the stack of a sample, from wherever the recording has it
 *
 * A recorded call chain, LBR branch records, or a user stack dump that is unwound; the kernel's
 * part always comes from the recorded chain. Where nothing is recorded, it is the sampled address
 * alone.
 *
 * Owns: the chain, the unwinder's worker. Threads: each has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CALLSTACK_SAMPLE_STACK_H
#define PERFOLD_PROCESS_CALLSTACK_SAMPLE_STACK_H

#include "input/perfdata/perfdata.h"
#include "process/callstack/callchain.h"
#include "process/callstack/deferred.h"
#include "process/jit_code/jit_code.h"
#include "process/process.h"
#include "process/world/world.h"
#include "unwind/unwind.h"

struct sample_stack {
	struct callchain chain; /* of the sample found last */
	const struct world *world;
	const struct jit_maps *jit_maps;
	const struct deferred *deferred;
	struct unwind_worker *unwind; /* NULL: there is nothing to unwind */
	const struct unwind_arch *arch;
	const struct interpreter *interpreter; /* NULL: their functions are not named */
	struct interpreter *votes;             /* NULL: nothing is measured */
	struct buf *copy;  /* gets a user stack dump as words of a chain (unwound.h); NULL: not
			    * wanted */
	struct buf linked; /* of sample_stack_link() */
	bool links;        /* as in struct sample_stack_copies */
	bool compat_perf;
	bool stitched; /* see sample_stack_is_stitched() */
	enum truncated_mode truncated;
	enum unwind_end end; /* of the last user stack dump; UNWIND_CONTINUE: there was none */
	struct diag diag;
};

/* Does an event that is wanted copy stacks? */
bool sample_stack_any_copied(const struct perfdata *pd, const struct recording *r);

/* Is the user's part of an event's stacks a copy? */
bool sample_stack_is_copied(const struct perfdata_attr *a);

/* What all workers share. */
struct sample_stack_copies {
	struct unwinder *unwinder; /* owned; NULL: there is nothing to unwind */
	bool copied;               /* an event copies stacks */
	bool links;                /* an event has the link register beside its chains */
	bool unwound;              /* chains of an event are copies that were unwound before */
};

struct sample_stack_copies sample_stack_copies_open(
	const struct perfdata *pd, const struct recording *r, const struct files *files);
void sample_stack_copies_close(struct sample_stack_copies *c);

/* Are truncated stacks to be stitched to others? Then those that end early get a mark. */
bool sample_stack_is_stitched(const struct sample_stack_copies *copies, const struct read_opts *o);

void sample_stack_init(struct sample_stack *s, const struct world *w, const struct jit_maps *m,
	const struct deferred *d, const struct sample_stack_copies *copies,
	const struct read_opts *o);
void sample_stack_release(struct sample_stack *s);

/* The sample with the caller that the link register says, if its chain lacks that; borrows from s
 * until the next. sample_stack_find() does this, too. */
struct perfdata_sample sample_stack_link(struct sample_stack *s, const struct perfdata_attr *a,
	const struct perfdata_sample *sample, space_id space, struct moment at);

/* Find the stack of an event's sample; false where it is to be left out. */
bool sample_stack_find(struct sample_stack *s, const struct perfdata_attr *a,
	const struct perfdata_sample *sample, space_id space, struct moment at);

#endif
