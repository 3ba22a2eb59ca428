/*
 * What is known of the quality of a recording: how many frames have names and why others have
 * none, what was lost or damaged, advice; and commands to look further with.
 */
#include "output/markdown_page.h"

#include "base/shell.h"
#include "model/frame_account.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { INPUTS_IN_COMMANDS = 3 };

#define NAMED_ENOUGH 0.95

struct markdown_side markdown_page_side(const struct output_side *of, const char *name)
{
	struct markdown_side s = { .of = *of, .name = name };
	size_t i;

	for (i = 0; i < of->n_recordings; i++)
		frame_account_add(&s.account, of->recordings[i]);
	s.gap = frame_account_gaps(of->recordings, of->n_recordings, &s.n_gaps);
	return s;
}

/* Rounded down: 100% are all of them. */
static double percent_named(const struct frame_account *a)
{
	return floor(1000.0 * (double)a->why[WHY_HAS_NAME] / (double)a->frames) / 10;
}

static void put_account(struct markdown_page *g, const struct markdown_side *s)
{
	const struct frame_account *a = &s->account;
	const struct frame_gap *gap = s->gap;
	uint32_t i;

	if (a->frames)
		buf_printf(g->b, "- %s%.1f%% of %" PRIu64 " frames have a name\n", s->name,
			percent_named(a), a->frames);
	for (i = 0; i < s->n_gaps && i < g->rows / 4 + 1; i++) {
		buf_printf(g->b, "- %swithout a name: %.1f%% of the frames, in ", s->name,
			100.0 * (double)gap[i].frames / (double)a->frames);
		markdown_page_put_code(g, gap[i].module ? strtab_get(g->p->strings, gap[i].module)
							: SPAN("[nothing mapped]"));
		buf_printf(g->b, ", %s\n", frames_why_name(gap[i].why));
	}
	markdown_page_put_more(
		g, s->n_gaps - i, "module with such frames", "modules with such frames");
}

static void put_losses(struct markdown_page *g, const struct diag *d, const char *side)
{
	int k;

	for (k = 0; d && k < DIAG_KINDS; k++) {
		if (!d->count[k])
			continue;
		buf_printf(g->b, "- %s%" PRIu64 " %s", side, d->count[k], diag_message(d, k));
		if (diag_info(k)->hint)
			buf_printf(g->b, ": %s", diag_info(k)->hint);
		buf_putc(g->b, '\n');
	}
}

void markdown_page_put_quality_of(struct markdown_page *g, const struct markdown_side *side)
{
	put_account(g, side);
	put_losses(g, side->of.diag, side->name);
}

/* Damage is. Of losses and stacks without their callers, a few change no share: here is said what
 * part of the samples makes them many. */
static bool is_doubt(const struct diag *d, enum diag_kind k, const struct output_side *of)
{
	static const unsigned char part[DIAG_KINDS] = { [DIAG_LOST] = 100,
		[DIAG_CHAIN_TO_DATA] = 20,
		[DIAG_STACK_TRUNCATED] = 20,
		[DIAG_STACK_TOO_DEEP] = 20,
		[DIAG_STACK_NO_FILE] = 20,
		[DIAG_STACK_BROKEN] = 20,
		[DIAG_STACK_FOREIGN] = 20,
		[DIAG_JIT_AMBIGUOUS] = 20 };
	uint64_t samples = 0;
	size_t i;

	if (!d->count[k] || diag_info(k)->strict)
		return d->count[k];
	for (i = 0; i < of->n_recordings; i++)
		samples += of->recordings[i]->samples_read;
	return part[k] && d->count[k] >= samples / part[k];
}

void markdown_page_put_doubts_of(struct markdown_page *g, const struct markdown_side *side)
{
	const struct frame_account *a = &side->account;
	const struct diag *d = side->of.diag;
	int k;

	for (k = 0; d && k < DIAG_KINDS; k++) {
		if (!is_doubt(d, (enum diag_kind)k, &side->of))
			continue;
		buf_printf(g->b, "- %sdoubtful: %" PRIu64 " %s", side->name, d->count[k],
			diag_message(d, k));
		if (diag_info(k)->hint)
			buf_printf(g->b, ": %s", diag_info(k)->hint);
		buf_putc(g->b, '\n');
	}
	if (a->frames && (double)a->why[WHY_HAS_NAME] < NAMED_ENOUGH * (double)a->frames)
		buf_printf(g->b, "- %sdoubtful: only %.1f%% of the frames have a name\n",
			side->name, percent_named(a));
}

void markdown_page_put_quality(struct markdown_page *g)
{
	const struct report *r = g->o->report;
	uint32_t i;

	buf_puts(g->b, "\n## How good the recording is\n\n");
	markdown_page_put_quality_of(g, &g->side);
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
		buf_puts(&line, function.p[0] == '-' ? " -- " : " ");
		shell_put_word(&line, function);
	}
	for (i = 0; i < g->o->n_recordings; i++) {
		buf_putc(&line, ' ');
		shell_put_file(&line, span_of(g->o->recordings[i]->path));
	}
	buf_puts(g->b, "- ");
	markdown_text_put_code(g->b, buf_span(&line));
	buf_release(&line);
}

/* Standard input has been read. */
static bool can_be_read_again(const struct markdown_page *g)
{
	size_t i;

	for (i = 0; i < g->o->n_recordings; i++)
		if (strcmp(g->o->recordings[i]->path, "-") == 0)
			return false;
	return g->o->n_recordings && g->o->n_recordings <= INPUTS_IN_COMMANDS;
}

/* Texts and profiles of other tools have neither addresses nor, most of them, lines. */
static bool can_be_annotated(const struct markdown_page *g, function_id id)
{
	size_t i;

	if (!markdown_page_has_name(g, id))
		return false;
	for (i = 0; i < g->o->n_recordings; i++)
		if (g->o->recordings[i]->facts.n_parts)
			return true;
	return g->costs.functions.function[id].file;
}

void markdown_page_put_next(struct markdown_page *g)
{
	if (!can_be_read_again(g))
		return;
	buf_puts(g->b, "\n## Next\n\n");
	put_command(g, "-o report.html", (struct span){ 0 });
	buf_puts(g->b, ": over time, with callers, callees and source\n");
	if (g->n_self && can_be_annotated(g, g->by_self->function)) {
		put_command(g, "annotate", markdown_page_name(g, g->by_self->function));
		buf_puts(g->b, ": the lines of the hottest function\n");
	}
	put_command(g, "top --tree", (struct span){ 0 });
	buf_puts(g->b, ": more of the tree\n");
	put_command(g, "info", (struct span){ 0 });
	buf_puts(g->b, ": what was recorded, and what has no name\n");
}
