#include "cli/top_cpu_time.h"

#include "base/mem.h"
#include "cli/run_command.h"
#include "compare/costs.h"

#include <stdlib.h>

/* What there is to say of the recording was said of the first reading. */
static int read_by_period(struct top_cpu_time *t, struct options *o, struct err *e)
{
	bool quiet = o->quiet;
	int rc;

	o->quiet = true;
	o->run.read.weight_by_latency = false;
	rc = run_command_pipeline(o, &t->result, e);
	o->run.read.weight_by_latency = true;
	o->quiet = quiet;
	return rc;
}

int top_cpu_time_read(struct top_cpu_time *t, struct options *o,
	const struct pipeline_result *first, struct err *e)
{
	int rc;

	*t = (struct top_cpu_time){ .known = o->top.latency };
	if (!t->known)
		return OK;
	o->run.share = first;
	rc = read_by_period(t, o, e);
	o->run.share = NULL;
	return rc ? rc : top_query_make(&t->q, &o->top, t->result.by_name, e);
}

void top_cpu_time_release(struct top_cpu_time *t)
{
	if (!t->known)
		return;
	top_query_release(&t->q);
	pipeline_release(&t->result);
}

struct function_cost *top_cpu_time_of_rows(const struct top_cpu_time *t,
	const struct function_cost *row, uint32_t n, const frame_id *frame)
{
	struct function_cost *of = xcalloc((size_t)n + 1, sizeof(*of));
	struct costs costs;
	uint32_t i, known;

	costs_init(&costs, t->q.p);
	known = costs.functions.n;
	for (i = 0; i < n; i++) {
		function_id f = functions_of_frame(&costs.functions, frame[row[i].function]);

		if (f < known)
			of[i] = costs.of[f];
	}
	costs_release(&costs);
	return of;
}
