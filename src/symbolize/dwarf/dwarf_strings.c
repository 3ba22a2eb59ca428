#include "symbolize/dwarf/dwarf_strings.h"

#include "base/cursor.h"
#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

/* Where an entry of the table of offsets points to. */
struct pointer {
	uint64_t at;
	size_t entry; /* place in the table */
};

struct gathering {
	const struct dwarf_strings *from;
	struct buf *to;
	uint64_t start, end; /* of the last run of strings that was copied, and */
	size_t start_in_to;
	uint64_t page_at;
	size_t page_bytes;
	char page[PAGE_BYTES];
};

/* Bytes of the table from there on; empty at its end, or where the file has no more. */
static struct span bytes_at(struct gathering *g, uint64_t at)
{
	const struct dwarf_strings *from = g->from;
	uint64_t in = at - g->page_at, left = from->size_bytes - at;

	if (from->all.n)
		return span_skip(from->all, at);
	if (at < g->page_at || in >= g->page_bytes) {
		ssize_t got = files_pread(from->origin, from->fd, g->page,
			left < PAGE_BYTES ? left : PAGE_BYTES, from->offset + at);

		g->page_at = at;
		g->page_bytes = got > 0 ? (size_t)got : 0;
		in = 0;
	}
	return (struct span){ g->page + in, g->page_bytes - in };
}

/* Copies one string to the end of the run. False where it has no end. */
static bool copy_string(struct gathering *g)
{
	for (;;) {
		struct span s = g->end < g->from->size_bytes ? bytes_at(g, g->end) : SPAN("");
		const char *nul = s.n ? memchr(s.p, 0, s.n) : NULL;
		size_t n = nul ? (size_t)(nul - s.p) + 1 : s.n;

		buf_put(g->to, s.p, n);
		g->end += n;
		if (nul || !n)
			return nul;
	}
}

/* The offset of a string in the copy. Pointers come in ascending order, so a string is in the last
 * run or after it. */
static bool offset_of_string(struct gathering *g, uint64_t at, uint64_t *place)
{
	bool fine = true;

	if (at > g->end) {
		g->start = g->end = at;
		g->start_in_to = g->to->n;
	}
	if (at == g->end)
		fine = copy_string(g);
	*place = at - g->start + g->start_in_to;
	return fine;
}

static int by_place(const void *pa, const void *pb)
{
	const struct pointer *a = pa, *b = pb;

	return (a->at > b->at) - (a->at < b->at);
}

/* DWARF 5: { u32 ~0, u64 length or u32 length, u16 version, u16 padding }. */
static unsigned skip_header(struct cursor *c)
{
	unsigned bytes = 4;

	if (cursor_u32(c) == UINT32_MAX) {
		bytes = 8;
		cursor_u64(c);
	}
	cursor_u32(c);
	return bytes;
}

bool dwarf_strings_gather(const struct dwarf_strings *from, struct buf *offsets, bool swapped,
	uint16_t version, struct buf *to)
{
	struct cursor c = {
		.p = (const uint8_t *)offsets->p, .left = offsets->n, .swapped = swapped
	};
	unsigned bytes = version < 5 ? 4 : skip_header(&c);
	size_t n = c.left / bytes, first = offsets->n - c.left, i;
	struct pointer *pointer = xcalloc(n + 1, sizeof(*pointer));
	struct gathering *g = xcalloc(1, sizeof(*g));
	bool fine = !c.failed;

	*g = (struct gathering){ .from = from, .to = to, .start_in_to = to->n };
	for (i = 0; i < n; i++)
		pointer[i] = (struct pointer){ bytes == 8 ? cursor_u64(&c) : cursor_u32(&c),
			first + i * bytes };
	sort_in_place(pointer, n, sizeof(*pointer), by_place);
	for (i = 0; i < n && fine; i++) {
		uint64_t place = UINT64_MAX; /* not a string: nowhere */

		fine = pointer[i].at >= from->size_bytes ||
		       offset_of_string(g, pointer[i].at, &place);
		bytes_put(offsets->p + pointer[i].entry, place, bytes, swapped);
	}
	free(pointer);
	free(g);
	return fine && to->n < UINT32_MAX;
}
