/*
 * call_frames.h - frames as V8's CPU profiles have them: function, url, line and column
 *
 * Frames that differ in none of these (the tiers of a JavaScript function) are one call frame.
 * https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-CallFrame
 *
 * Owns: the table; strings are the profile's. Threads: each has its own. Private to
 * output/.
 */
#ifndef PERFOLD_OUTPUT_CALL_FRAMES_H
#define PERFOLD_OUTPUT_CALL_FRAMES_H

#include "base/index.h"
#include "model/profile.h"

typedef uint32_t call_frame_id;

struct call_frame {
	str_id function, url;
	uint32_t line, column; /* from 1; 0: none */
};

struct call_frames {
	const struct profile *p; /* borrowed */
	struct call_frame *call;
	uint32_t n, cap;
	call_frame_id *by_frame; /* plus 1; 0: not made yet */
	struct index by_content;
	struct buf scratch;
	bool native_places;
};

/* native_places: native code has the URL of its source, where its line is known. */
void call_frames_init(struct call_frames *c, const struct profile *p, bool native_places);
void call_frames_release(struct call_frames *c);
call_frame_id call_frames_of_frame(struct call_frames *c, frame_id frame);
/* A call frame that is no code: "(root)", "(idle)". */
call_frame_id call_frames_special(struct call_frames *c, const char *function);

/* Is the frame the garbage collector of V8, or a rule's label for it? */
bool call_frames_is_gc(const struct profile *p, frame_id frame);

#endif
