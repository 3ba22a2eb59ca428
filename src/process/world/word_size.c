#include "process/world/word_size.h"

#include "base/mem.h"

#include <stdlib.h>

enum { WORDS_DIFFER = UINT8_MAX };

static const uint64_t low_end = UINT64_C(1) << 32;
/* A 64-bit process that maps memory low (MAP_32BIT, programs at fixed addresses) gets it below. */
static const uint64_t low_half = UINT64_C(1) << 31;

/* By the space's own mappings; 0: they prove nothing, or an exec that was not recorded has mixed
 * those of two programs. */
static uint8_t word_bytes_of_own(const struct space *space, const struct modules *modules)
{
	bool high = false, low = false, low_vdso = false;
	uint32_t i;

	for (i = 0; i < space->own.n; i++) {
		const struct mapping *m = &space->own.mappings[i];

		high |= m->end > low_end;
		low |= m->executable && m->end > low_half && m->end <= low_end;
		low_vdso |=
			m->end <= low_end && modules_get(modules, m->module)->kind == MODULE_VDSO;
	}
	if (high)
		return low_vdso ? 0 : 8;
	return low || low_vdso ? 4 : 0;
}

/* Notes what one process says about each module that it mapped. */
static void note_modules(const struct space *space, uint8_t word_bytes, uint8_t *of_module)
{
	uint32_t i;

	for (i = 0; i < space->own.n; i++) {
		uint8_t *noted = &of_module[space->own.mappings[i].module];

		*noted = !*noted || *noted == word_bytes ? word_bytes : WORDS_DIFFER;
	}
}

void word_size_of_modules(const struct spaces *s, struct modules *modules)
{
	uint8_t *of_space = xcalloc(s->n + 1, sizeof(*of_space));
	uint8_t *of_module = xcalloc(modules_count(modules) + 1, sizeof(*of_module));
	uint32_t i, n = modules_count(modules);

	/* A parent has a lower number than its child. */
	for (i = 1; i < s->n; i++) {
		of_space[i] = word_bytes_of_own(&s->space[i], modules);
		if (!of_space[i])
			of_space[i] = of_space[s->space[i].parent];
		if (of_space[i])
			note_modules(&s->space[i], of_space[i], of_module);
	}
	for (i = 1; i < n; i++)
		if (of_module[i] && of_module[i] != WORDS_DIFFER)
			modules_set_word_bytes(modules, i, of_module[i]);
	free(of_module);
	free(of_space);
}
