#include "cli/progress_text.h"

#include <string.h>

enum { NAME_MOST = 40 };

/* The end of a path, without what would move the cursor. */
static void put_name(struct buf *b, const char *path)
{
	struct span name = span_basename(span_of(path));
	size_t i;

	if (name.n > NAME_MOST) {
		buf_puts(b, "...");
		name = span_skip(name, name.n - NAME_MOST);
	}
	for (i = 0; i < name.n; i++)
		buf_putc(b, (unsigned char)name.p[i] < ' ' || name.p[i] == 0x7f ? '?' : name.p[i]);
	buf_puts(b, ": ");
}

static void put_share(struct buf *b, double share, uint64_t bytes)
{
	buf_printf(b, ": %3.0f%% of %.0f MB", 100 * share, (double)bytes / 1e6);
}

/* How much of the current input is done. It is read in several passes, of which the one that reads
 * samples takes most of the time; until then a pass counts for a quarter of what it has seen. */
static double share_of_input(const struct progress *p, const char *stage)
{
	uint64_t done = atomic_load(&p->done), total = atomic_load(&p->total);
	double share = total ? (double)done / (double)total : 0;

	return strcmp(stage, "reading") == 0 ? share : share / 4;
}

static double share_of_all(const struct progress *p, const char *stage)
{
	double done = (double)atomic_load(&p->before_bytes) +
		      share_of_input(p, stage) * (double)atomic_load(&p->input_bytes);
	double share = done / (double)p->all_bytes;

	return share < 1 ? share : 1;
}

void progress_text_put(struct buf *b, const struct progress *p, double *shown)
{
	const char *stage = atomic_load(&p->stage), *input = atomic_load(&p->input);
	uint64_t done = atomic_load(&p->done), total = atomic_load(&p->total);

	if (!stage)
		return;
	if (p->all_bytes) {
		double share = share_of_all(p, stage);

		*shown = share > *shown ? share : *shown;
		if (input)
			put_name(b, input);
		buf_puts(b, stage);
		put_share(b, *shown, p->all_bytes);
	} else {
		buf_puts(b, stage);
		if (total)
			put_share(b, (double)done / (double)total, total);
	}
}
