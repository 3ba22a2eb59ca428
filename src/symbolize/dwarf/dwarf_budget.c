#include "symbolize/dwarf/dwarf_budget.h"

#include <time.h>

uint64_t dwarf_budget_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void dwarf_budget_start(struct dwarf_budget *b, uint64_t limit_ns)
{
	*b = (struct dwarf_budget){ .until_ns = dwarf_budget_clock_ns() + limit_ns };
}

bool dwarf_budget_check(struct dwarf_budget *b)
{
	b->spent |= dwarf_budget_clock_ns() > b->until_ns;
	return !b->spent;
}
