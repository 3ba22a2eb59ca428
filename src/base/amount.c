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

static uint64_t rounded(uint64_t value, uint64_t step)
{
	return value / step + (value % step >= step - step / 2);
}

/* In whole numbers: printf() would round 1.005, which a double cannot hold, down. */
static void put_scaled(struct buf *b, uint64_t value, const struct amount_step *step)
{
	double scaled = (double)value / (double)step->size;
	uint64_t n;

	if (step->size == 1 || scaled >= 99.95) {
		buf_printf(b, "%" PRIu64 " %s", rounded(value, step->size), step->name);
	} else if (scaled >= 9.995) {
		n = rounded(value, step->size / 10);
		buf_printf(b, "%" PRIu64 ".%" PRIu64 " %s", n / 10, n % 10, step->name);
	} else {
		n = rounded(value, step->size / 100);
		buf_printf(b, "%" PRIu64 ".%02" PRIu64 " %s", n / 100, n % 100, step->name);
	}
}

/* "1 min 40 s", "7 h 11 min", "4 d 4 h": nobody divides 25900 s in their head. */
static void put_long_time(struct buf *b, uint64_t ns)
{
	const uint64_t s = rounded(ns, 1000000000), min = rounded(ns, 60000000000);
	const uint64_t h = rounded(ns, 3600000000000);

	if (s < 60 * 60)
		buf_printf(b, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else if (min < 100 * 60)
		buf_printf(b, "%" PRIu64 " h %" PRIu64 " min", min / 60, min % 60);
	else
		buf_printf(b, "%" PRIu64 " d %" PRIu64 " h", h / 24, h % 24);
}

void amount_put_time(struct buf *b, uint64_t ns)
{
	static const struct amount_step time[] = { { "s", 1000000000 }, { "ms", 1000000 },
		{ "\u00b5s", 1000 }, { "ns", 1 } };

	if (ns < 99950000000)
		put_scaled(b, ns, step_of(time, ARRAY_LEN(time), ns));
	else
		put_long_time(b, ns);
}

/* "1,234,567" */
static void put_count(struct buf *b, uint64_t n)
{
	char digits[32], *end = digits + sizeof(digits), *p = end;
	unsigned placed = 0;

	do {
		if (placed && placed % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + n % 10);
		placed++;
	} while (n /= 10);
	buf_put_span(b, span_range(p, end));
}

void amount_put(struct buf *b, uint64_t value, const char *unit)
{
	static const struct amount_step count[] = { { "T", 1000000000000 }, { "G", 1000000000 },
		{ "M", 1000000 } };

	if (value == 1 && strcmp(unit, "samples") == 0)
		unit = "sample";
	if (strcmp(unit, "nanoseconds") == 0) {
		amount_put_time(b, value);
	} else if (value < 1000000) {
		put_count(b, value);
		buf_printf(b, " %s", unit);
	} else {
		put_scaled(b, value, step_of(count, ARRAY_LEN(count), value));
		buf_printf(b, " %s", unit);
	}
}
