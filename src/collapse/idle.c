#include "collapse/idle.h"

#include "base/mem.h"

#include <stdlib.h>

enum { MEMO_UNKNOWN, MEMO_NO, MEMO_YES, MEMO_END };

void idle_init(struct idle *i, struct frames *frames)
{
	*i = (struct idle){ .frames = frames };
	i->preempted = strtab_add_str(frames_strings(frames), "preempted");
}

void idle_release(struct idle *i)
{
	free(i->memo);
}

/* The functions of libc and the kernel in which an event loop waits. */
static bool is_wait(struct span name)
{
	static const struct span names[] = { { "epoll_wait", 10 }, { "epoll_pwait", 11 },
		{ "epoll_pwait2", 12 }, { "do_epoll_wait", 13 }, { "ep_poll", 7 },
		{ "__epoll_wait", 12 }, { "__x64_sys_epoll_wait", 20 },
		{ "__x64_sys_epoll_pwait", 21 }, { "__arm64_sys_epoll_pwait", 23 } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (span_eq(name, names[i]))
			return true;
	return false;
}

/* The memo of a frame. After "--" comes the stack of the thread that ended the wait. */
static uint8_t memo_of(const struct idle *i, frame_id f)
{
	struct span name = frames_name(i->frames, f);

	return is_wait(name) ? MEMO_YES : span_eq(name, SPAN("--")) ? MEMO_END : MEMO_NO;
}

static uint8_t find_memo(struct idle *i, frame_id f)
{
	if (f >= i->cap) {
		uint32_t old = i->cap;

		ARRAY_RESERVE(i->memo, f + 1, i->cap);
		memset(i->memo + old, MEMO_UNKNOWN, i->cap - old);
	}
	if (i->memo[f] == MEMO_UNKNOWN)
		i->memo[f] = memo_of(i, f);
	return i->memo[f];
}

bool idle_is_stack(struct idle *i, const struct root *root, const frame_id *frames, uint32_t n)
{
	uint8_t memo = MEMO_NO;
	uint32_t k;

	if (!root->state || root->state == i->preempted)
		return false;
	for (k = 0; k < n && memo == MEMO_NO; k++)
		memo = find_memo(i, frames[k]);
	return memo == MEMO_YES;
}

frame_id idle_frame(struct idle *i)
{
	struct frame f = { .kind = FRAME_LABEL };

	if (!i->frame) {
		f.name = strtab_add_str(frames_strings(i->frames), "[idle]");
		i->frame = frames_add(i->frames, &f);
	}
	return i->frame;
}
