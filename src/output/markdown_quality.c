#include "output/markdown_page.h"

#include "base/shell.h"
#include "model/frame_account.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void put_account(struct markdown_page *g)
{
	const struct frame_account *a = &g->headline.account;
	uint32_t n, i;
	struct frame_gap *gap = frame_account_gaps(g->o->recordings, g->o->n_recordings, &n);

	if (a->frames)
		buf_printf(g->b, "- %.1f%% of %" PRIu64 " frames have a name\n",
			floor(1000.0 * (double)a->why[WHY_HAS_NAME] / (double)a->frames) / 10,
			a->frames);
	for (i = 0; i < n && i < g->rows / 4 + 1; i++) {
		buf_printf(g->b, "- without a name: %.1f%% of the frames, in ",
			100.0 * (double)gap[i].frames / (double)a->frames);
		markdown_page_put_code(g, gap[i].module ? strtab_get(g->p->strings, gap[i].module)
							: SPAN("[nothing mapped]"));
		buf_printf(g->b, ", %s\n", frames_why_name(gap[i].why));
	}
	markdown_page_put_more(g, n - i, "module with such frames", "modules with such frames");
	free(gap);
}

static void put_losses(struct markdown_page *g)
{
	const struct diag *d = g->o->diag;
	int k;

	for (k = 0; d && k < DIAG_KINDS; k++) {
		if (!d->count[k])
			continue;
		buf_printf(g->b, "- %" PRIu64 " %s", d->count[k], diag_message(d, k));
		if (diag_info(k)->hint)
			buf_printf(g->b, ": %s", diag_info(k)->hint);
		buf_putc(g->b, '\n');
	}
}

void markdown_page_put_quality(struct markdown_page *g)
{
	const struct report *r = g->o->report;
	uint32_t i;

	buf_puts(g->b, "\n## How good the recording is\n\n");
	put_account(g);
	put_losses(g);
	for (i = 0; r && i < r->n_advice; i++) {
		buf_puts(g->b, "- advice: ");
		markdown_text_put_code(g->b, span_of(r->advice[i]));
		buf_putc(g->b, '\n');
	}
}

/* What to look at next */

static void put_command(struct markdown_page *g, const char *command, struct span function)
{
	struct buf line = { 0 };
	size_t i;

	buf_printf(&line, "perfold %s", command);
	if (function.n) {
		buf_putc(&line, ' ');
		shell_put_word(&line, function);
	}
	for (i = 0; i < g->o->n_recordings; i++) {
		buf_putc(&line, ' ');
		shell_put_word(&line, span_of(g->o->recordings[i]->path));
	}
	buf_puts(g->b, "- ");
	markdown_text_put_code(g->b, buf_span(&line));
	buf_release(&line);
}

void markdown_page_put_next(struct markdown_page *g)
{
	if (!g->o->n_recordings || g->o->n_recordings > 3)
		return;
	buf_puts(g->b, "\n## Next\n\n");
	put_command(g, "-o report.html", (struct span){ 0 });
	buf_puts(g->b, ": over time, with callers, callees and source\n");
	if (g->n_self && markdown_page_has_name(g, g->by_self->function)) {
		put_command(g, "annotate", markdown_page_name(g, g->by_self->function));
		buf_puts(g->b, ": the lines of the hottest function\n");
	}
	put_command(g, "top --tree", (struct span){ 0 });
	buf_puts(g->b, ": more of the tree\n");
	put_command(g, "info", (struct span){ 0 });
	buf_puts(g->b, ": what was recorded, and what has no name\n");
}
