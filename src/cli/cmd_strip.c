/*
 * perfold strip: a copy of a recording that can be given to others (process/strip_run.h).
 *
 * The recording goes through the pipeline as for a flame graph of all events, up to where samples
 * would get names: unwinding needs the binaries, names do not.
 */
#include "base/counted.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/run_command.h"
#include "cli/run_summary.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_size(struct buf *b, const struct strip *s)
{
	buf_printf(b, "; %" PRIu64 " bytes, %.1f %% of %" PRIu64, s->bytes_after,
		s->bytes_before ? 100.0 * (double)s->bytes_after / (double)s->bytes_before : 0.0,
		s->bytes_before);
}

static void report(const struct strip *s)
{
	struct buf b = { 0 }, safe = { 0 };

	buf_printf(&b, "%s: %" PRIu64 " %s", s->path, s->samples,
		counted(s->samples, "sample", "samples"));
	if (s->unwound)
		buf_printf(&b, ", %" PRIu64 " with a copied stack, which was unwound", s->unwound);
	if (s->left_out)
		buf_printf(&b, "; %" PRIu64 " damaged %s left out", s->left_out,
			counted(s->left_out, "record", "records"));
	put_size(&b, s);
	utf8_put_terminal(&safe, buf_span(&b));
	fprintf(stderr, "%s\n", buf_str(&safe));
	buf_release(&b);
	buf_release(&safe);
}

static int check(const struct options *o, struct err *e)
{
	if (!o->strip.path)
		return err_set(e, ERR_USAGE, "strip: -o FILE is missing");
	if (strcmp(o->strip.path, "-") == 0)
		return err_set(e, ERR_USAGE, "strip: the copy must be a file");
	if (o->run.n_inputs != 1)
		return err_set(e, ERR_USAGE, "strip: takes one recording");
	return OK;
}

static int run_strip(struct options *o, int *status, struct err *e)
{
	static const char *const all_events[] = { "all", NULL };
	struct pipeline_result result;
	int rc;

	(void)status;
	if (check(o, e))
		return e->code;
	o->strip.alone = true;
	o->run.n_outputs = 0;
	o->run.from = "perf.data";
	o->run.read.events = all_events;
	o->run.read.strip = &o->strip;
	rc = run_command_pipeline(o, &result, e);
	if (!rc && !o->quiet) {
		run_summary_print_damage(&result.recordings[0]->diag);
		run_summary_print_unread(&result.reports[0]);
		report(&o->strip);
	}
	pipeline_release(&result);
	return rc;
}

int cmd_strip(int argc, char **argv, int *status, struct err *e)
{
	return run_command(FOR_STRIP, (struct command_line){ argc, argv },
		"perfold strip [OPTION...] [INPUT] -o FILE\n\n"
		"Writes a copy of a recording without copied stacks and registers: each stack is\n"
		"unwound, and its frames are in the place of the copy. perf reads it, too.",
		run_strip, status, e);
}
