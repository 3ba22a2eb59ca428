/*
 * script_maps.c - the mappings of a text, by process
 *
 * Workers collect the mappings in their blocks; sorted by their places in the text they have
 * clocks: the first one holds from clock 1, and a sample's clock is how many mappings precede it.
 * Each process gets an overlay (model/overlay.h) of its own, and one has those of all.
 *
 * Lines are found by searching for "PERF_RECORD_MMAP", at the speed of memory: samples, which are
 * nearly all of a text, are not parsed here.
 */
#include "input/script/script_maps.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/sort.h"
#include "input/script/script_event.h"
#include "model/names/mapped_path.h"
#include "model/names/module_name.h"

#include <stdlib.h>

/* ---- a line ------------------------------------------------------------------------------- */

bool script_maps_is_mapping(struct span record)
{
	return span_starts(record, SPAN("PERF_RECORD_MMAP"));
}

/* "0x1000"; perf writes 0 without its prefix. */
static bool scan_number(struct span *s, uint64_t *v)
{
	span_take(s, SPAN("0x"));
	return span_scan_hex(s, v);
}

static bool scan_pid(struct span *s, int32_t *pid)
{
	bool negative = span_take(s, SPAN("-"));
	uint64_t v;

	if (!span_scan_u64(s, &v) || v > INT32_MAX)
		return false;
	*pid = negative ? -(int32_t)v : (int32_t)v;
	return true;
}

/* " fd:01 21244721 0", " <BUILD-ID>" or nothing, up to the bracket. */
static bool scan_file(struct span *s, struct build_id *id)
{
	ptrdiff_t end = span_find(*s, SPAN("]: "));
	struct span file;

	if (end < 0)
		return false;
	file = span_trim((struct span){ s->p, (size_t)end });
	if (span_starts(file, SPAN("<")) && span_ends(file, SPAN(">")))
		*id = build_id_parse((struct span){ file.p + 1, file.n - 2 });
	*s = span_skip(*s, (size_t)end + 3);
	return true;
}

bool script_maps_parse(struct span record, struct script_mapping *m)
{
	struct span s = record;
	int32_t tid;
	size_t n;

	*m = (struct script_mapping){ 0 };
	if (!span_take(&s, SPAN("PERF_RECORD_MMAP2 ")) && !span_take(&s, SPAN("PERF_RECORD_MMAP ")))
		return false;
	if (!scan_pid(&s, &m->pid) || !span_take(&s, SPAN("/")) || !scan_pid(&s, &tid) ||
		!span_take(&s, SPAN(": [")) || !scan_number(&s, &m->start) ||
		!span_take(&s, SPAN("(")) || !scan_number(&s, &m->length) ||
		!span_take(&s, SPAN(") @ ")) || !scan_number(&s, &m->file_offset) ||
		!scan_file(&s, &m->build_id))
		return false;
	for (n = 0; n < s.n && s.p[n] != ' '; n++)
		m->executable |= s.p[n] == 'x';
	m->path = span_trim(span_skip(s, n));
	return n > 0 && m->start <= UINT64_MAX - m->length;
}

/* ---- what is mapped ----------------------------------------------------------------------- */

static str_id kernel_name(struct strtab *strings, struct span path)
{
	struct span kernel = SPAN("[kernel.kallsyms]");

	return strtab_add(strings, span_starts(path, kernel) ? kernel : path);
}

static module_id kernel_module(struct recording *r, const struct script_mapping *m)
{
	str_id name = kernel_name(r->strings, m->path);
	bool text = span_starts(m->path, SPAN("[kernel."));
	struct module module = { .kind = text ? MODULE_KERNEL : MODULE_KMOD,
		.build_id = m->build_id,
		.path = name,
		.shown = name,
		.start = m->start,
		.end = m->start + m->length };

	return modules_add(r->modules, &module);
}

static module_id user_module(struct recording *r, const struct script_mapping *m)
{
	struct module module = { .kind = MODULE_ANON, .path = strtab_add(r->strings, m->path) };

	switch (mapped_path_kind(m->path)) {
	case MAPPED_FILE:
	case MAPPED_DETACHED_FILE:
		module.kind = MODULE_FILE;
		module.build_id = m->build_id;
		break;
	case MAPPED_VDSO:
		module.kind = MODULE_VDSO;
		break;
	default:
		break;
	}
	module.shown = module.path;
	return modules_add(r->modules, &module);
}

static struct mapping make_mapping(struct recording *r, const struct script_mapping *m)
{
	struct mapping out = { .start = m->start,
		.end = m->start + m->length,
		.owner_pid = m->pid,
		.executable = m->executable };

	out.module = m->pid < 0 ? kernel_module(r, m) : user_module(r, m);
	if (m->pid < 0)
		return out;
	if (modules_get(r->modules, out.module)->kind == MODULE_FILE)
		out.shift = m->file_offset - m->start;
	else if (modules_get(r->modules, out.module)->kind == MODULE_VDSO)
		out.shift = -m->start;
	return out;
}

/* ---- all lines ---------------------------------------------------------------------------- */

struct found_mapping {
	uint64_t place;
	struct mapping mapping;
};

struct maps_worker {
	struct recording *recording;
	struct found_mapping *found;
	uint32_t n, cap;
};

static void add_line(struct maps_worker *w, struct span line, uint64_t place)
{
	struct script_event v;
	struct script_mapping m;

	if (script_event_parse(line, &v) == SCRIPT_NO || v.kind != SCRIPT_RECORD ||
		!script_maps_parse(v.sample.event, &m))
		return;
	ARRAY_GROW(w->found, w->n, w->cap);
	w->found[w->n].place = place;
	w->found[w->n++].mapping = make_mapping(w->recording, &m);
}

static uint32_t count_lines(struct span s)
{
	struct span line;
	uint32_t n = 0;

	while (span_next_line(&s, &line))
		n++;
	return n;
}

/* A text_parse. */
static uint32_t find_mappings(void *worker, const struct text_block *b)
{
	struct span rest = buf_span(&b->bytes), line;
	const char *counted = rest.p;
	uint32_t number = 0; /* of the line at `counted` */
	ptrdiff_t at;

	while ((at = span_find(rest, SPAN("PERF_RECORD_MMAP"))) >= 0) {
		const char *hit = rest.p + at;
		const char *lf = memrchr(counted, '\n', (size_t)(hit - counted));
		const char *start = lf ? lf + 1 : counted;

		number += count_lines(span_range(counted, start));
		counted = start;
		rest = span_range(start, rest.p + rest.n);
		if (!span_next_line(&rest, &line))
			break;
		add_line(worker, line, text_place(b->number, number));
	}
	return 0; /* nothing is reported by the number of its line */
}

static int compare_places(const void *pa, const void *pb)
{
	const struct found_mapping *a = pa, *b = pb;

	return sort_compare_u64(a->place, b->place);
}

static uint32_t lower_space(const struct script_maps *m, int32_t pid)
{
	return bisect(i, 0u, m->n_spaces, m->space[i].pid >= pid);
}

static int compare_pids(const void *pa, const void *pb)
{
	const struct script_maps_space *a = pa, *b = pb;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* One for each process that has mappings. */
static void make_spaces(struct script_maps *m, const struct found_mapping *all)
{
	uint32_t i, n = 0;

	m->space = xcalloc((size_t)m->n + 1, sizeof(*m->space));
	for (i = 0; i < m->n; i++)
		m->space[i].pid = all[i].mapping.owner_pid;
	sort_in_place(m->space, m->n, sizeof(*m->space), compare_pids);
	for (i = 0; i < m->n; i++)
		if (m->space[i].pid >= 0 && (!n || m->space[n - 1].pid != m->space[i].pid))
			m->space[n++].pid = m->space[i].pid;
	m->n_spaces = n;
}

static void fill(struct script_maps *m, const struct found_mapping *all)
{
	uint32_t i;

	m->place = xcalloc((size_t)m->n + 1, sizeof(*m->place));
	make_spaces(m, all);
	for (i = 0; i < m->n; i++) {
		struct mapping one = all[i].mapping;

		m->place[i] = all[i].place;
		one.from = i + 1;
		if (one.owner_pid < 0) {
			overlay_add(&m->kernel, &one);
			continue;
		}
		overlay_add(&m->space[lower_space(m, one.owner_pid)].own, &one);
		overlay_add(&m->any, &one);
	}
	overlay_freeze(&m->any);
	overlay_freeze(&m->kernel);
	for (i = 0; i < m->n_spaces; i++)
		overlay_freeze(&m->space[i].own);
}

static void collect(struct script_maps *m, struct maps_worker *workers, unsigned n)
{
	struct found_mapping *all;
	uint32_t at = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		m->n += workers[i].n;
	all = xcalloc((size_t)m->n + 1, sizeof(*all));
	for (i = 0; i < n; i++) {
		if (workers[i].n)
			memcpy(all + at, workers[i].found, workers[i].n * sizeof(*all));
		at += workers[i].n;
	}
	sort_in_place(all, m->n, sizeof(*all), compare_places);
	fill(m, all);
	free(all);
}

int script_maps_read(struct script_maps *m, struct recording *r, struct text_reader *t,
	struct pool *pool, struct err *e)
{
	unsigned n = pool_workers(pool), i;
	struct maps_worker *workers = xcalloc(n, sizeof(*workers));
	void **each = xcalloc(n, sizeof(*each));
	int rc;

	for (i = 0; i < n; i++) {
		workers[i].recording = r;
		each[i] = &workers[i];
	}
	rc = text_run(t, pool, find_mappings, each, e);
	if (!rc)
		collect(m, workers, n);
	for (i = 0; i < n; i++)
		free(workers[i].found);
	free(workers);
	free(each);
	return rc;
}

void script_maps_release(struct script_maps *m)
{
	uint32_t i;

	overlay_release(&m->any);
	overlay_release(&m->kernel);
	for (i = 0; i < m->n_spaces; i++)
		overlay_release(&m->space[i].own);
	free(m->space);
	free(m->place);
}

/* ---- look-ups ----------------------------------------------------------------------------- */

uint32_t script_maps_space_of(const struct script_maps *m, int32_t pid, bool *known)
{
	uint32_t i = lower_space(m, pid);

	*known = i < m->n_spaces && m->space[i].pid == pid;
	return *known ? i + 1 : 0;
}

struct moment script_maps_moment(const struct script_maps *m, uint64_t place)
{
	return (struct moment){ .position = bisect(i, 0u, m->n, m->place[i] > place) };
}

static const struct mapping *find_mapping(
	const struct overlay *o, uint64_t address, struct moment at, struct validity *valid)
{
	struct overlay_hit hit = overlay_find(o, address, (clock_id)at.position);
	struct validity holds = VALIDITY_ALWAYS;

	if (hit.now)
		holds.from.position = hit.now->from;
	if (hit.next)
		holds.until = (struct moment){ .position = hit.next->from };
	validity_narrow(valid, holds);
	return hit.now || !hit.always_same ? hit.now : hit.next;
}

struct branch_place script_maps_find(
	void *ctx, uint64_t address, uint32_t space, struct moment at, struct validity *valid)
{
	const struct script_maps *m = ctx;
	const struct mapping *found = NULL;

	if (branch_history_is_kernel(address))
		found = find_mapping(&m->kernel, address, at, valid);
	else if (space)
		found = find_mapping(&m->space[space - 1].own, address, at, valid);
	if (!found && !branch_history_is_kernel(address))
		found = find_mapping(&m->any, address, at, valid);
	if (!found)
		return (struct branch_place){ 0 };
	return (struct branch_place){ .rel = address + found->shift, .module = found->module };
}
