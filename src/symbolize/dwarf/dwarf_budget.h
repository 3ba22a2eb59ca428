/*
 * dwarf_budget.h - a limit on the CPU time that reading debug information may take
 *
 * Debug information comes from strangers: a small file can describe endless work. Whoever walks it
 * spends a step of a budget for each thing looked at, and stops when the time is over; what is not
 * found by then is left out. A step is no constant: one range of a list, or all of an entry that is
 * skipped.
 *
 * Owns: nothing. Threads: one for each budget.
 */
#ifndef PERFOLD_SYMBOLIZE_DWARF_DWARF_BUDGET_H
#define PERFOLD_SYMBOLIZE_DWARF_DWARF_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct dwarf_budget {
	uint64_t until_ns;
	uint32_t steps;
	bool spent;
};

enum { DWARF_BUDGET_STEPS_PER_LOOK = 256 };

/* CPU time of this thread. */
uint64_t dwarf_budget_clock_ns(void);
void dwarf_budget_start(struct dwarf_budget *b, uint64_t limit_ns);
/* Looks at the clock. False where the time is over. */
bool dwarf_budget_check(struct dwarf_budget *b);

/* False where the time is over. */
static inline bool dwarf_budget_step(struct dwarf_budget *b)
{
	return ++b->steps % DWARF_BUDGET_STEPS_PER_LOOK ? !b->spent : dwarf_budget_check(b);
}

#endif
