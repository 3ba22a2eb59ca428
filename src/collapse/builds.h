/*
 * builds.h - functions without a name, told apart only within one build of their module
 *
 * Such a function is known by where it begins: [libx.so+0x6d110]. In another build of the library
 * there is something else at that address, or the same code is at another one. So where profiles
 * have several builds of a module, or it is not known that they have the same, its functions
 * without a name are one frame again, [libx.so].
 *
 * Owns: its list. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_BUILDS_H
#define PERFOLD_COLLAPSE_BUILDS_H

#include "base/index.h"
#include "model/frames.h"

/* sides: bits that builds_add() has to have seen for a module, such as both sides of a difference.
 */
struct builds {
	struct frames *frames; /* borrowed */
	uint8_t sides;
	struct index by_module;
	struct builds_module {
		struct span name;
		str_id build;
		uint8_t sides;
		bool several;
	} * module;
	uint32_t n, cap;
};

void builds_init(struct builds *b, struct frames *frames, uint8_t sides);
void builds_release(struct builds *b);
/* A profile on that side has this frame. */
void builds_add(struct builds *b, frame_id frame, uint8_t side);
/* The frame, or that of its module. All that profiles have must have been added. */
frame_id builds_shown(struct builds *b, frame_id frame);

#endif
