/*
 * The parts of one `perf record --switch-output` run: files, each a whole recording, that one perf
 * process writes one after the other from the same open events.
 *
 * How it works: each part repeats, at time 0, where the kernel is and what the process that perf
 * started has mapped. What other processes mapped, their names and their parents are only in the
 * part in which that happened, so parts must be read as one recording. Parts belong together if
 * what a run cannot change is equal: byte order, host, perf's version and command line, the clock
 * that perf noted, the address of the kernel, and the ids that the kernel gave to the events. These
 * are concatenated into a key. A probe of the first round of records finds the kernel's address and
 * the earliest time, by which the caller orders the parts. The byte source of a later part is then
 * appended to the first, at higher positions.
 *
 * Costs: one round, or 64 MiB, of each part is read twice.
 * Source: tools/perf/builtin-record.c (record__switch_output).
 */
#include "input/perfdata/perfdata_private.h"

#include "base/mem.h"
#include "input/perfdata/zstd_source.h"
#include "input/perfdata/record_walk.h"

#include <stdlib.h>

enum { PROBE_BYTES = 64 << 20 };

/* ---- what identifies a run --------------------------------------------------------- */

struct run_probe {
	struct perfdata *pd;
	struct perfdata_part *part;
	uint64_t kernel; /* address of the kernel: mostly another one after each boot */
	uint64_t seen_bytes;
};

static void probe_time(struct run_probe *l, const struct perfdata_record *r)
{
	struct perfdata_trailer t = { 0 };
	uint32_t event;

	if (r->type == RECORD_SAMPLE) {
		if (!perfdata_sample_event(l->pd, r, &event) ||
			!perfdata_sample_time(&l->pd->attrs[event], r, &t.time_ns))
			return;
	} else if (!perfdata_record_decode_trailer(l->pd, r, &t) || !t.has_time) {
		return;
	}
	if (t.time_ns && t.time_ns < l->part->begun_ns)
		l->part->begun_ns = t.time_ns;
}

static void probe_kernel(struct run_probe *l, const struct perfdata_record *r)
{
	struct perfdata_mmap m;

	if (!l->kernel && perfdata_record_decode_mmap(l->pd, r, &m) && m.pid == -1)
		l->kernel = m.start;
}

/* Each round has records of every CPU: after the first round there are no earlier ones. */
static bool is_enough(const struct run_probe *l, const struct perfdata_record *r)
{
	return l->seen_bytes > PROBE_BYTES ||
	       (r->type == RECORD_FINISHED_ROUND && l->part->begun_ns != UINT64_MAX);
}

static int probe_records(struct run_probe *l, struct byte_source *s, struct err *e);

static int probe_compressed(struct run_probe *l, uint64_t at, struct err *e)
{
	struct perfdata *pd = l->pd;
	struct byte_source *rest = byte_source_of_file(pd->file, at, pd->parts[0]->end - at, 0),
			   *inner;
	int rc;

	inner = zstd_source_new(
		rest, pd->header.swapped, pd->block_bytes, pd->features.compressed.mmap_bytes);
	rc = probe_records(l, inner, e);
	byte_source_free(inner);
	return rc;
}

static int probe_records(struct run_probe *l, struct byte_source *s, struct err *e)
{
	struct perfdata_record r;
	struct record_walk w;
	int rc;

	record_walk_begin(&w, s, l->pd->header.swapped, l->pd->block_bytes);
	while (!(rc = record_walk_next(&w, &r, e))) {
		if (perfdata_record_is_compressed(r.type) && !s->no_payloads) {
			rc = probe_compressed(l, r.position, e);
			break;
		}
		l->seen_bytes += r.size;
		probe_time(l, &r);
		probe_kernel(l, &r);
		if (is_enough(l, &r))
			break;
	}
	record_walk_end(&w);
	return rc == END ? OK : rc;
}

/* ---- the key of a run ------------------------------------------------------------------- */

static void put_number(struct buf *b, uint64_t v)
{
	buf_put(b, &v, sizeof(v));
}

static void put_string(struct buf *b, const struct perfdata *pd, str_id text)
{
	buf_put_span(b, strtab_get(pd->strings, text));
	buf_putc(b, '\0');
}

/* The kernel numbers the counters of all events since it started, so equal numbers are the same
 * counter. */
static void put_event(struct buf *b, const struct perfdata *pd, const struct perfdata_attr *a)
{
	uint32_t i;

	put_string(b, pd, a->name);
	put_number(b, a->type);
	put_number(b, a->config);
	put_number(b, a->period);
	put_number(b, a->frequency_hz);
	put_number(b, a->sample_type);
	put_number(b, a->read_format);
	put_number(b, a->sample_id_all);
	for (i = 0; i < a->n_ids; i++)
		put_number(b, a->ids[i]);
}

/* What all parts of a run have in common. */
static void put_run(struct buf *b, const struct perfdata *pd, uint64_t kernel)
{
	const struct perfdata_features *f = &pd->features;
	uint32_t i;

	put_number(b, pd->header.swapped);
	put_number(b, kernel);
	put_number(b, f->clock_data.wall_ns);
	put_number(b, f->clock_data.clock_ns);
	put_string(b, pd, f->hostname);
	put_string(b, pd, f->os_release);
	put_string(b, pd, f->arch);
	put_string(b, pd, f->version);
	put_string(b, pd, f->cpu_desc);
	put_string(b, pd, f->cmdline);
	for (i = 0; i < pd->n_attrs; i++)
		put_event(b, pd, &pd->attrs[i]);
}

/* perf accepts any unambiguous prefix of an option. */
static bool is_switch_output(const struct perfdata *pd)
{
	struct span cmdline = strtab_get(pd->strings, pd->features.cmdline);

	return pd->n_parts == 1 && !pd->header.pipe && span_find(cmdline, SPAN(" --switch-o")) >= 0;
}

int perfdata_find_run(struct perfdata *pd, struct perfdata_part *part, struct err *e)
{
	struct run_probe l = { .pd = pd, .part = part };
	uint32_t i;

	*part = (struct perfdata_part){ .begun_ns = UINT64_MAX };
	if (!is_switch_output(pd))
		return OK;
	for (i = 0; i < pd->n_attrs; i++)
		if (!(pd->attrs[i].sample_type & SAMPLE_TIME))
			return OK;
	if (probe_records(&l, pd->parts[0], e))
		return e->code;
	if (part->begun_ns != UINT64_MAX)
		put_run(&part->run, pd, l.kernel);
	return OK;
}

/* ---- reading parts as one ----------------------------------------------------------------- */

static void append_build_ids(struct perfdata_features *f, const struct perfdata_features *later)
{
	uint32_t i;

	for (i = 0; i < later->n_build_ids; i++) {
		ARRAY_GROW(f->build_ids, f->n_build_ids, f->cap_build_ids);
		f->build_ids[f->n_build_ids++] = later->build_ids[i];
	}
}

int perfdata_append(struct perfdata *pd, struct perfdata *later, uint64_t begun_ns, struct err *e)
{
	uint64_t number = pd->n_appended + 1;

	if (number == PARTS_MAX)
		return err_set(e, ERR_LIMIT, "%s: more than %d parts of one run", pd->file->path,
			PARTS_MAX);
	ARRAY_GROW(pd->appended, pd->n_appended, pd->cap_appended);
	pd->appended[pd->n_appended++] = (struct appended_part){ begun_ns, later->file };
	byte_source_shift(later->parts[0], number << PART_POSITION_BITS);
	perfdata_add_part(pd, later->parts[0]);
	later->n_parts = 0;
	append_build_ids(&pd->features, &later->features);
	pd->n_header_build_ids = pd->features.n_build_ids;
	pd->features.unfinished |= later->features.unfinished;
	return OK;
}

uint64_t perfdata_begun_ns(const struct perfdata *pd, uint64_t position)
{
	uint64_t number = position >> PART_POSITION_BITS;

	return number && number <= pd->n_appended ? pd->appended[number - 1].begun_ns : 0;
}
