/*
 * calls.h - frames as V8's CPU profiles name them: function, url, line and column
 *
 * Frames that differ in none of these (the tiers of a JavaScript function) are one call.
 * https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-CallFrame
 *
 * Owns: the table; texts go into the profile's strtab. Threads: each has its own. Private to
 * output/.
 */
#ifndef PERFOLD_OUTPUT_CALLS_H
#define PERFOLD_OUTPUT_CALLS_H

#include "base/index.h"
#include "model/profile.h"

typedef uint32_t call_id;

struct call {
	str_id function, url;
	uint32_t line, column; /* from 1; 0: none */
};

struct calls {
	const struct profile *p; /* borrowed */
	struct call *call;
	uint32_t n, cap;
	call_id *by_frame; /* plus 1; 0: not yet asked for */
	struct index by_content;
	struct buf scratch;
};

void calls_init(struct calls *c, const struct profile *p);
void calls_release(struct calls *c);
call_id calls_of_frame(struct calls *c, frame_id frame);
/* A call that is no code: "(root)", "(idle)". */
call_id calls_named(struct calls *c, const char *function);

/* Is the frame the garbage collector of V8, or a rule's label for it? */
bool calls_is_gc(const struct profile *p, frame_id frame);

#endif
