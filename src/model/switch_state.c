#include "model/switch_state.h"

const char *switch_state_name(enum switch_state s)
{
	static const char *const names[STATE_COUNT] = { "blocked", "interruptible", "disk",
		"preempted", "stopped", "other", "ended" };

	return names[s];
}
