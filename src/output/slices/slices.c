/*
 * slices.c - the three ways to turn samples into intervals; slices.h says what they mean
 *
 *	rows with times                  next_timed()    until the next row, cut at an absence
 *	rows of blocked time (rows_last) next_lasting()  as long as it weighs, gaps are idle
 *	no times, or no rows             next_stack()    laid end to end from SLICES_EARLIEST_NS
 *
 * slices_start() fixes which one a track has, and its period: the recording's, else the median gap.
 * The walk keeps two positions, in the thread's rows (or the tree's nodes) and in its off-CPU
 * intervals; both are in order of time, so a walk costs one step for each row and interval and no
 * memory. Writers walk a track several times (slices_rewind()) instead of keeping its slices, which
 * would be larger than the rows.
 *
 * Invariants: slices of a track are in order and do not overlap; the weights of its slices that are
 * not idle add up to the thread's weight. With off-CPU intervals a sample remains one slice, since
 * formats such as .cpuprofile count samples.
 */
#include "output/slices/slices.h"

#include "base/saturated.h"
#include "base/bisect.h"

#include <inttypes.h>

uint32_t slices_tracks(const struct profile *p)
{
	return p->n_rows ? p->n_threads : 1;
}

static size_t count_gaps_up_to(const struct timeline_row *rows, size_t n, uint64_t most_ns)
{
	size_t count = 0, i;

	for (i = 1; i < n; i++)
		count += rows[i].time_ns - rows[i - 1].time_ns <= most_ns;
	return count;
}

/* The median gap between samples, for recordings without a period. It is found by bisection over
 * its value: a list of the gaps would be a quarter as large as the rows. */
static uint64_t guess_period(const struct timeline_row *rows, size_t n)
{
	if (n < 2)
		return 1000000;
	return bisect(gap_ns, (uint64_t)1, rows[n - 1].time_ns - rows[0].time_ns,
		count_gaps_up_to(rows, n, gap_ns) > (n - 1) / 2);
}

/* The end of a weight, in nanoseconds: exact if it is time, by the recorded rate if that is known;
 * else a millisecond for a sample and a microsecond for anything else. */
static uint64_t weight_time(const struct slices *s, uint64_t weight)
{
	const struct profile *p = s->p;
	struct span unit = strtab_get(p->strings, p->unit);
	unsigned __int128 time = weight;

	if (span_eq(unit, SPAN("samples")))
		time *= s->period_ns;
	else if (p->period && p->period_ns)
		time = time * p->period_ns / p->period;
	else if (!span_eq(unit, SPAN("nanoseconds")))
		time *= s->period_ns;
	return SLICES_EARLIEST_NS + (time < INT64_MAX ? (uint64_t)time : INT64_MAX);
}

static void start_timed(struct slices *s)
{
	const struct timeline_row *rows = s->p->rows + s->thread->first_row;
	size_t n = s->thread->n_rows;

	s->period_ns = s->p->period_ns ? s->p->period_ns : guess_period(rows, n);
	s->start_ns = rows[0].time_ns;
	if (s->start_ns > s->period_ns + SLICES_EARLIEST_NS)
		s->start_ns -= s->period_ns;
	s->end_ns = saturated_add(rows[n - 1].time_ns, s->period_ns);
}

static void start_by_weight(struct slices *s)
{
	const struct profile *p = s->p;
	uint64_t weight = s->thread ? s->thread->weight : p->n_nodes ? p->nodes[0].total : 0;

	s->period_ns = p->period_ns;
	if (!s->period_ns)
		s->period_ns =
			span_eq(strtab_get(p->strings, p->unit), SPAN("samples")) ? 1000000 : 1000;
	s->start_ns = SLICES_EARLIEST_NS;
	s->end_ns = weight_time(s, weight);
}

static void find_off_cpu(struct slices *s, const struct output_opts *o)
{
	const struct off_cpu *off_cpu;

	if (s->thread->recording >= o->n_recordings)
		return;
	off_cpu = &o->recordings[s->thread->recording]->off_cpu;
	s->off_cpu = off_cpu_of_thread(off_cpu, s->thread->tid, &s->n_off_cpu);
	s->off_cpu_complete = off_cpu->complete;
}

/* The track ends with its last row. */
static void start_lasting(struct slices *s)
{
	const struct timeline_row *rows = s->p->rows + s->thread->first_row;
	size_t i;

	s->start_ns = rows[0].time_ns;
	for (i = 0, s->end_ns = s->start_ns; i < s->thread->n_rows; i++)
		if (saturated_add(rows[i].time_ns, rows[i].weight) > s->end_ns)
			s->end_ns = saturated_add(rows[i].time_ns, rows[i].weight);
}

bool slices_start(
	struct slices *s, const struct profile *p, const struct output_opts *o, uint32_t track)
{
	*s = (struct slices){ .p = p };
	if (p->n_rows) {
		s->thread = &p->threads[track];
		if (!s->thread->n_rows)
			return false;
		/* rows are in order of time: all have none, where the last one has none */
		s->timed = p->rows[s->thread->first_row + s->thread->n_rows - 1].time_ns != 0;
	}
	if (s->timed) {
		start_timed(s);
		find_off_cpu(s, o);
		if (p->rows_have_duration)
			start_lasting(s);
	} else {
		start_by_weight(s);
	}
	return true;
}

void slices_rewind(struct slices *s)
{
	s->at = s->at_off_cpu = 0;
	s->weight = s->from_ns = 0;
	s->idle_from_ns = s->idle_until_ns = 0;
}

/* The time that the thread was off its CPU between a sample and the next one, in all, and since
 * when. Intervals that began before the sample are over: it ran then. */
static uint64_t off_cpu_between(
	struct slices *s, uint64_t sample_ns, uint64_t next_ns, uint64_t *first_ns)
{
	uint64_t sum = 0;

	for (; s->at_off_cpu < s->n_off_cpu && s->off_cpu[s->at_off_cpu].from_ns < next_ns;
		s->at_off_cpu++) {
		const struct off_cpu_interval *a = &s->off_cpu[s->at_off_cpu];

		if (a->from_ns <= sample_ns)
			continue;
		if (!sum)
			*first_ns = a->from_ns;
		sum += (a->until_ns < next_ns ? a->until_ns : next_ns) - a->from_ns;
	}
	return sum;
}

/* Was the thread waiting between a sample and the next one? */
static bool find_idle(struct slices *s, uint64_t sample_ns, uint64_t next_ns)
{
	uint64_t gap_ns = next_ns - sample_ns;
	uint64_t off_cpu_ns = off_cpu_between(s, sample_ns, next_ns, &s->idle_from_ns);

	if (off_cpu_ns) {
		s->idle_until_ns = s->idle_from_ns + off_cpu_ns;
		return true;
	}
	if (s->off_cpu_complete || gap_ns <= s->period_ns || gap_ns - s->period_ns <= s->period_ns)
		return false;
	s->idle_from_ns = sample_ns + s->period_ns;
	s->idle_until_ns = next_ns;
	return true;
}

static bool next_timed(struct slices *s, struct slice *out)
{
	const struct timeline_row *row = &s->p->rows[s->thread->first_row + s->at];
	uint64_t from_ns, until_ns = s->end_ns;

	if (s->idle_from_ns != s->idle_until_ns) {
		*out = (struct slice){
			.idle = true, .from_ns = s->idle_from_ns, .until_ns = s->idle_until_ns
		};
		s->from_ns = s->idle_until_ns;
		s->idle_from_ns = s->idle_until_ns = 0;
		return true;
	}
	if (s->at == s->thread->n_rows)
		return false;
	from_ns = s->from_ns ? s->from_ns : row->time_ns;
	if (++s->at < s->thread->n_rows)
		until_ns = find_idle(s, row->time_ns, row[1].time_ns) ? s->idle_from_ns
								      : row[1].time_ns;
	s->from_ns = 0;
	*out = (struct slice){ .stack = row->stack,
		.from_ns = from_ns,
		.until_ns = until_ns,
		.weight = row->weight,
		.samples = 1 };
	return true;
}

/* A row that lasts as long as it weighs, cut if the one before it has not ended; before it, idle
 * time about which nothing is known. */
static bool next_lasting(struct slices *s, struct slice *out)
{
	const struct timeline_row *row = &s->p->rows[s->thread->first_row + s->at];
	uint64_t until_ns;

	if (s->at == s->thread->n_rows)
		return false;
	if (s->at && s->from_ns < row->time_ns) {
		*out = (struct slice){
			.idle = true, .from_ns = s->from_ns, .until_ns = row->time_ns
		};
		s->from_ns = row->time_ns;
		return true;
	}
	if (s->from_ns < row->time_ns)
		s->from_ns = row->time_ns;
	until_ns = saturated_add(row->time_ns, row->weight);
	if (until_ns < s->from_ns)
		until_ns = s->from_ns;
	*out = (struct slice){ .stack = row->stack,
		.from_ns = s->from_ns,
		.until_ns = until_ns,
		.weight = row->weight,
		.samples = 1 };
	s->from_ns = until_ns;
	s->at++;
	return true;
}

/* The next stack that has weight, from the thread's rows or from the tree. */
static bool next_stack(struct slices *s, struct slice *out)
{
	const struct profile *p = s->p;

	if (s->thread) {
		const struct timeline_row *row = &p->rows[s->thread->first_row + s->at];

		if (s->at == s->thread->n_rows)
			return false;
		*out = (struct slice){ .stack = row->stack, .weight = row->weight, .samples = 1 };
		s->at++;
		return true;
	}
	while (s->at < p->n_nodes && !p->nodes[s->at].self)
		s->at++;
	if (s->at == p->n_nodes)
		return false;
	*out = (struct slice){ .stack = (node_id)s->at,
		.weight = p->nodes[s->at].self,
		.samples = profile_samples(p, (node_id)s->at).self };
	s->at++;
	return true;
}

bool slices_next(struct slices *s, struct slice *out)
{
	if (s->timed)
		return s->p->rows_have_duration ? next_lasting(s, out) : next_timed(s, out);
	if (!next_stack(s, out))
		return false;
	out->from_ns = weight_time(s, s->weight);
	s->weight = saturated_add(s->weight, out->weight);
	out->until_ns = weight_time(s, s->weight);
	return true;
}

void slices_put_track_name(const struct slices *s, struct buf *b)
{
	const struct profile *p = s->p;

	if (!s->thread) {
		buf_puts(b, "all");
		return;
	}
	buf_put_span(b, strtab_get(p->strings, s->thread->name));
	buf_printf(
		b, "%s(%" PRId32 "/%" PRId32 ")", b->n ? " " : "", s->thread->pid, s->thread->tid);
}
