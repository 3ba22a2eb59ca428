/*
 * switch_state.h - why a thread left the CPU
 *
 * Source: prev_state of sched:sched_switch (include/trace/events/sched.h).
 */
#ifndef PERFOLD_MODEL_SWITCH_STATE_H
#define PERFOLD_MODEL_SWITCH_STATE_H

enum switch_state {
	STATE_UNKNOWN,       /* the event does not say */
	STATE_INTERRUPTIBLE, /* S: waits for something, signals wake it */
	STATE_DISK,          /* D: waits for something that does not take long, as a rule */
	STATE_PREEMPTED,     /* R: could have run on */
	STATE_STOPPED,       /* T, t: by a signal or a debugger */
	STATE_OTHER,         /* P, I: parked, idle */
	STATE_ENDED,         /* X, Z: has exited, and does not come back */
	STATE_COUNT
};

/* "blocked" where it is not known, "interruptible", "disk", ... */
const char *switch_state_name(enum switch_state s);

#endif
