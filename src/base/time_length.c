#include "base/time_length.h"

#include "base/mem.h"

bool time_length_scan(struct span s, uint64_t *ns)
{
	static const struct {
		struct span name;
		double ns;
	} units[] = { { { "ns", 2 }, 1 }, { { "us", 2 }, 1e3 }, { { "ms", 2 }, 1e6 },
		{ { "s", 1 }, 1e9 }, { { "m", 1 }, 6e10 } };
	double value;
	size_t i;

	if (!span_scan_double(&s, &value))
		return false;
	for (i = 0; i < ARRAY_LEN(units); i++) {
		if (!span_eq(s, units[i].name))
			continue;
		value *= units[i].ns;
		*ns = value < 1e18 ? (uint64_t)(value + 0.5) : (uint64_t)1e18;
		return *ns > 0;
	}
	return false;
}
