#include "model/diag.h"

#include "base/counted.h"

#include <stddef.h>

static const struct diag_info infos[] = {
#define DIAG(id, strict, one, many, rest, hint) { #id, one rest, many rest, hint, strict },
#include "model/diag.def"
#undef DIAG
};

const struct diag_info *diag_info(enum diag_kind kind)
{
	return &infos[kind];
}

const char *diag_message(const struct diag *d, enum diag_kind kind)
{
	return counted(d->count[kind], infos[kind].one, infos[kind].many);
}

void diag_add(struct diag *d, enum diag_kind kind, uint64_t n, uint64_t at)
{
	if (!d->count[kind])
		d->first_at[kind] = at;
	if (__builtin_add_overflow(d->count[kind], n, &d->count[kind]))
		d->count[kind] = UINT64_MAX;
}

uint64_t diag_truncated(const struct diag *d)
{
	return d->count[DIAG_STACK_TRUNCATED] + d->count[DIAG_STACK_NO_PAGE] +
	       d->count[DIAG_STACK_TO_DATA] + d->count[DIAG_STACK_OTHER] +
	       d->count[DIAG_STACK_TOO_DEEP];
}

void diag_merge(struct diag *into, const struct diag *from)
{
	int k;

	for (k = 0; k < DIAG_KINDS; k++) {
		bool seen = into->count[k] != 0;

		if (!from->count[k])
			continue;
		diag_add(into, k, from->count[k], from->first_at[k]);
		if (seen && from->first_at[k] < into->first_at[k])
			into->first_at[k] = from->first_at[k];
	}
}

bool diag_strict_failure(const struct diag *d, enum diag_kind *which)
{
	int k;

	for (k = 0; k < DIAG_KINDS; k++) {
		if (infos[k].strict && d->count[k]) {
			*which = k;
			return true;
		}
	}
	return false;
}
