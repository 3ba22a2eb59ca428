#include "base/amount.h"

#include "base/mem.h"

#include <inttypes.h>

struct amount_step {
	const char *name;
	uint64_t size;
};

/* The largest step first. One is taken from 999.5 of the next smaller one on, which would be
 * rounded to 1000 there. */
static const struct amount_step *step_of(const struct amount_step *steps, size_t n, uint64_t value)
{
	size_t i;

	for (i = 0; i + 1 < n; i++)
		if (value >= steps[i].size - steps[i + 1].size / 2)
			break;
	return &steps[i];
}

static void put_scaled(struct buf *b, uint64_t value, const struct amount_step *step)
{
	double scaled = (double)value / (double)step->size;
	int digits = step->size == 1 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;

	buf_printf(b, "%.*f %s", digits, scaled, step->name);
}

void amount_put(struct buf *b, uint64_t value, const char *unit)
{
	static const struct amount_step time[] = { { "s", 1000000000 }, { "ms", 1000000 },
		{ "us", 1000 }, { "ns", 1 } };
	static const struct amount_step count[] = { { "T", 1000000000000 }, { "G", 1000000000 },
		{ "M", 1000000 } };

	if (strcmp(unit, "nanoseconds") == 0) {
		put_scaled(b, value, step_of(time, ARRAY_LEN(time), value));
	} else if (value < 1000000) {
		buf_printf(b, "%" PRIu64 " %s", value, unit);
	} else {
		put_scaled(b, value, step_of(count, ARRAY_LEN(count), value));
		buf_printf(b, " %s", unit);
	}
}
