#include "process/running.h"

#include "base/mem.h"

#include <stdlib.h>

static struct running_log *make_logs(const struct perfdata *pd, uint32_t event, unsigned n)
{
	struct running_log *logs = xcalloc_apart(n, sizeof(*logs));
	unsigned k;

	for (k = 0; k < n; k++)
		running_log_init(&logs[k], pd, event);
	return logs;
}

struct running_log *running_logs_new(
	const struct perfdata *pd, const struct read_opts *o, unsigned n_workers)
{
	if (!o->weight_by_latency || !perfdata_has_switches(pd))
		return NULL;
	return make_logs(pd, RUNNING_SWITCHES, n_workers);
}

void running_logs_free(struct running_log *logs, unsigned n_workers)
{
	unsigned k;

	for (k = 0; logs && k < n_workers; k++)
		running_log_release(&logs[k]);
	free(logs);
}

struct running_reader {
	struct perfdata *pd;
	struct running_log *logs;
};

static int run_reader(void *ctx, unsigned number, struct err *e)
{
	struct running_reader *r = ctx;
	struct perfdata_block block = { 0 };
	int rc;

	while ((rc = perfdata_pop_block(r->pd, &block, e)) == OK)
		running_log_add_block(&r->logs[number], &block);
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

/* Of several chosen events: two samples of one moment would look like a short interval. */
static uint32_t event_with_most_samples(const struct recording *r)
{
	uint32_t i, most = 0;

	for (i = 0; i < r->n_events; i++)
		if (r->events[i].chosen &&
			(!r->events[most].chosen || r->events[i].samples > r->events[most].samples))
			most = i;
	return most;
}

static void make_parallelism(
	struct parallelism *to, const struct pass2 *p, struct running_log *from, unsigned n)
{
	struct parallelism_opts o = {
		.by_process = p->opts->parallelism_of == PARALLELISM_OF_PROCESS,
		.from_samples = p->recording->facts.parallelism_estimated,
		.count_at_most = p->recording->facts.n_cpus,
	};
	struct switch_log *logs = xcalloc(n, sizeof(*logs));
	unsigned k;

	for (k = 0; k < n; k++) {
		logs[k] = from[k].log;
		from[k].log = (struct switch_log){ 0 };
	}
	parallelism_make(to, logs, n, &o);
	for (k = 0; k < n; k++)
		switch_log_release(&logs[k]);
	free(logs);
}

/* The blocks that are left, or with no logs yet, all. */
static int read_blocks(
	struct running_log **logs, const struct pass2 *p, struct pool *pool, struct err *e)
{
	struct running_reader reader = { .pd = p->pd };
	int rc;

	p->recording->facts.parallelism_estimated = !*logs;
	if (*logs)
		perfdata_rewind_unread(p->pd);
	else
		*logs = make_logs(p->pd, event_with_most_samples(p->recording), pool_workers(pool));
	reader.logs = *logs;
	rc = pool_run(pool, run_reader, &reader, e);
	perfdata_rewind(p->pd);
	return rc;
}

int running_read(struct parallelism *to, struct running_log **logs, const struct pass2 *p,
	struct pool *pool, struct err *e)
{
	int rc;

	if (!p->opts->weight_by_latency)
		return OK;
	if (!p->has_times)
		return err_set(e, ERR_UNSUPPORTED,
			"--weight latency needs the times of samples, which the "
			"recording does not have");
	rc = read_blocks(logs, p, pool, e);
	if (!rc)
		make_parallelism(to, p, *logs, pool_workers(pool));
	running_logs_free(*logs, pool_workers(pool));
	*logs = NULL;
	return rc;
}

/* A fixed period, of what is no time: nanoseconds are small enough. */
static bool is_coarse(const struct event *v)
{
	return v->chosen && v->samples && !v->time_ns_unit && v->period && v->period < 1000;
}

uint64_t running_unit(struct recording *r, const struct read_opts *o)
{
	bool coarse = false;
	struct buf unit = { 0 };
	uint32_t i;

	if (!o->weight_by_latency)
		return 1;
	r->weighs = strtab_add_str(r->strings, "Latency");
	for (i = 0; i < r->n_events; i++)
		coarse |= is_coarse(&r->events[i]);
	if (!coarse)
		return 1;
	buf_printf(&unit, "1/1000 %s", strtab_str(r->strings, recording_unit(r, false)));
	r->weight_unit = strtab_add(r->strings, buf_span(&unit));
	buf_release(&unit);
	return 1000;
}
