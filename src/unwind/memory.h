/*
 * memory.h - reading the user stack dump (PERF_SAMPLE_STACK_USER)
 *
 * Owns: nothing. Threads: any. Private to unwind/.
 */
#ifndef PERFOLD_UNWIND_MEMORY_H
#define PERFOLD_UNWIND_MEMORY_H

#include "unwind/unwind.h"

/* The word at an address; false outside of the dump. */
static inline bool memory_word(const struct unwind_memory *m, uint64_t address, uint64_t *value)
{
	uint64_t offset = address - m->start;
	uint32_t half;

	if (offset >= m->n || m->n - offset < m->word_bytes)
		return false;
	if (m->word_bytes == 8) {
		memcpy(value, m->bytes + offset, sizeof(*value));
		if (m->swapped)
			*value = __builtin_bswap64(*value);
		return true;
	}
	memcpy(&half, m->bytes + offset, sizeof(half));
	*value = m->swapped ? __builtin_bswap32(half) : half;
	return true;
}

/* The kernel does not wait for pages (perf_output_sample_ustack() copies with page faults
 * disabled): where one is not in memory (just after fork() and exec(), or swapped out), the dump
 * ends before it, and is often empty. */
static inline bool memory_lacks_page(const struct unwind_memory *m, uint64_t offset)
{
	enum { PAGE_BYTES = 4096, NEAR_BYTES = 64 << 10 };
	bool at_page = !m->n || (m->start + m->n) % PAGE_BYTES == 0;

	return !m->cut && at_page && offset >= m->n && offset - m->n < NEAR_BYTES;
}

/* Why there is no word at an address. */
static inline enum unwind_end memory_miss(const struct unwind_memory *m, uint64_t address)
{
	/* No stack is larger: an address further away belongs to no stack. */
	static const uint64_t FAR_BYTES = 1ull << 32;
	uint64_t offset = address - m->start;

	if (memory_lacks_page(m, offset))
		return UNWIND_NO_PAGE;
	return m->cut && offset < FAR_BYTES ? UNWIND_TRUNCATED : UNWIND_LOST;
}

#endif
