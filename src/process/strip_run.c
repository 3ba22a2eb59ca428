/*
 * Workers take blocks in the order of the file; each rewrites the records of its block into a
 * buffer, waits for its turn, and writes that. Memory has no more than a block for each worker.
 *
 *	sample		encoded again, without registers and stack, with the unwound chain
 *	mapping		the path, and for hidden files what else identifies them
 *	COMM, KSYMBOL, CGROUP	the string, without what the recorder had behind its end
 *	CALLCHAIN_DEFERRED	as the chain of a sample
 *	other		as they are, if a copy has them at all (perfdata_copy_wants())
 *
 * What follows a broken chain of frame pointers is whatever was on the stack. An address of a chain
 * at which nothing was mapped names nothing: UNMAPPED is in its place.
 */
#include "process/strip_run.h"

#include "base/mem.h"
#include "base/sink.h"
#include "process/machine.h"

#include <pthread.h>
#include <stdlib.h>

enum {
	STRIP_VERSION = 1,
	UNMAPPED = 0x10, /* below vm.mmap_min_addr */
	KNOWN_SAMPLE_BITS = (SAMPLE_WEIGHT_STRUCT << 1) - 1,
	MMAP_PATH = 40, /* where strings of records begin */
	MMAP2_PATH = 72,
	MMAP2_FILE = 40, /* device and inode, or the build-id */
	MMAP2_FILE_BYTES = 24,
	COMM_NAME = 16,
	KSYMBOL_NAME = 24,
	CGROUP_PATH = 16,
	MISC_BUILD_ID = 1 << 14,
};

struct strip_pass {
	const struct pass2 *pass;
	struct strip *strip;
	const struct perfdata_attr *attrs;
	uint32_t n_attrs;
	uint64_t *sample_type; /* of the copy, by attribute */
	struct perfdata_stripped stripped;
	struct perfdata_copy copy;
	struct sink *to;
	pthread_mutex_t pop; /* for the order of blocks: */
	uint64_t popped;
	pthread_mutex_t turn; /* for what follows */
	pthread_cond_t next;
	uint64_t written; /* blocks */
	struct diag diag;
};

struct strip_worker {
	struct strip_pass *all;
	struct sample_stack stacks;
	struct buf out, chain, unwound;
	uint64_t samples, n_unwound, left_out;
};

/* ---- paths -------------------------------------------------------------------------------- */

/* "[heap]", "//anon": no file. */
static bool is_name(struct span path)
{
	return span_starts(path, SPAN("[")) || span_starts(path, SPAN("//")) || !path.n;
}

/* /home/ann/x is /home/user/x. */
static void put_without_user(struct buf *b, struct span path)
{
	static const char *const homes[] = { "/home/", "/Users/", "/var/home/", "/export/home/" };
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(homes); i++) {
		struct span home = span_of(homes[i]), rest;
		ptrdiff_t at = span_find(path, home);

		if (at < 0)
			continue;
		n = (size_t)at + home.n;
		rest = span_skip(path, n);
		buf_put(b, path.p, n);
		buf_puts(b, "user");
		at = span_find(rest, SPAN("/"));
		if (at >= 0)
			buf_put_span(b, span_skip(rest, (size_t)at));
		return;
	}
	buf_put_span(b, path);
}

static bool put_path(void *ctx, struct span path, bool kernel, struct buf *b)
{
	const struct strip_pass *all = ctx;
	const uint32_t hidden = all->strip->hidden;

	if (kernel || is_name(path)) {
		buf_put_span(b, path);
		return true;
	}
	if (hidden & STRIP_DATA &&
		!code_paths_has(all->pass->code_paths, all->pass->recording->strings, path))
		return false;
	if (hidden & STRIP_PATHS) {
		buf_putc(b, '/');
		buf_put_span(b, span_basename(path));
	} else if (hidden & STRIP_USERS) {
		put_without_user(b, path);
	} else {
		buf_put_span(b, path);
	}
	return true;
}

static bool put_mmap(struct strip_worker *w, const struct perfdata_record *r)
{
	const struct perfdata *pd = w->all->pass->pd;
	const bool second = r->type == RECORD_MMAP2;
	const size_t from = w->out.n;
	struct perfdata_mmap m;
	struct buf path = { 0 };
	bool shown, put;

	if (!perfdata_record_decode_mmap(pd, r, &m))
		return false;
	shown = put_path(w->all, m.path, m.cpumode == CPUMODE_KERNEL, &path);
	if (!shown)
		buf_puts(&path, "[data]");
	put = perfdata_copy_put_string(
		&w->out, pd, r, second ? MMAP2_PATH : MMAP_PATH, buf_span(&path));
	if (put && !shown && second) {
		char *copy = w->out.p + from;
		bool swapped = w->all->attrs[0].swapped;

		memset(copy + MMAP2_FILE, 0, MMAP2_FILE_BYTES);
		bytes_put_u16(copy + 4, r->misc & ~MISC_BUILD_ID, swapped);
	}
	buf_release(&path);
	return put;
}

/* ---- chains ------------------------------------------------------------------------------- */

/* Puts UNMAPPED in the place of addresses of user code that were not mapped. */
static void hide_unmapped(const struct strip_worker *w, uint8_t *ips, uint32_t n, bool swapped,
	space_id space, struct moment at)
{
	struct unwound_reader r = unwound_read(ips, n, swapped);
	struct unwound_address a;
	struct validity valid;

	while (unwound_next(&r, &a)) {
		uint64_t back = a.exact ? 0 : 1;

		if (a.mode == MODE_USER && a.ip &&
			!world_find_user(w->all->pass->world, space, a.ip - back, at, &valid)
				 .module)
			bytes_put(ips + (size_t)a.at * 8, UNMAPPED, 8, swapped);
	}
}

/* Up to a mark at which readers discard the chain, as an unwound stack is to follow it. */
static void put_recorded(struct buf *b, const struct perfdata_sample *s)
{
	struct unwound_reader r = unwound_read(s->ips, s->n_ips, s->swapped);
	struct unwound_address a;

	while (unwound_next(&r, &a))
		;
	buf_put(b, s->ips, (size_t)(r.unknown_mark ? r.at : s->n_ips) * 8);
}

static void find_chain(
	struct strip_worker *w, uint32_t event, const struct perfdata_sample *s, struct moment at)
{
	const struct perfdata_attr *a = &w->all->attrs[event];
	struct perfdata_sample linked;
	struct validity valid;
	space_id space = world_find_thread(w->all->pass->world, s->pid, s->tid, at, &valid).space;

	w->chain.n = w->unwound.n = 0;
	if (w->all->stripped.unwound[event] && !a->unwound) {
		put_recorded(&w->chain, s);
		sample_stack_find(&w->stacks, a, s, space, at);
		buf_put_span(&w->chain, buf_span(&w->unwound));
		w->n_unwound += w->unwound.n > 0;
	} else {
		linked = sample_stack_link(&w->stacks, a, s, space, at);
		buf_put(&w->chain, linked.ips, (size_t)linked.n_ips * 8);
	}
	if (w->chain.n)
		hide_unmapped(w, (uint8_t *)w->chain.p, (uint32_t)(w->chain.n / 8), s->swapped,
			space, at);
}

/* ---- records ------------------------------------------------------------------------------ */

static bool put_sample(struct strip_worker *w, const struct perfdata_record *r)
{
	const struct strip_pass *all = w->all;
	struct perfdata_sample s;
	uint32_t event;

	if (!perfdata_sample_event(all->pass->pd, r, &event) ||
		!perfdata_sample_decode(&all->attrs[event], r, &s))
		return false;
	find_chain(
		w, event, &s, (struct moment){ all->pass->has_times ? s.time_ns : 0, r->position });
	w->samples++;
	return perfdata_sample_encode(
		&w->out, &all->attrs[event], r, &s, all->sample_type[event], buf_span(&w->chain));
}

static bool put_deferred(struct strip_worker *w, const struct perfdata_record *r)
{
	const struct pass2 *p = w->all->pass;
	const size_t from = w->out.n;
	struct perfdata_deferred d;
	struct perfdata_trailer t;
	struct validity valid;
	struct moment at;

	if (!perfdata_record_decode_deferred(p->pd, r, &d) ||
		!perfdata_record_decode_trailer(p->pd, r, &t))
		return false;
	at = (struct moment){ p->has_times ? t.time_ns : 0, r->position };
	buf_put(&w->out, r->p, r->size);
	hide_unmapped(w, (uint8_t *)w->out.p + from + (d.ips - r->p), d.n_ips, d.swapped,
		world_find_thread(p->world, t.pid, t.tid, at, &valid).space, at);
	return true;
}

static bool put_name(struct strip_worker *w, const struct perfdata_record *r, uint32_t front_bytes,
	struct span name)
{
	return perfdata_copy_put_string(&w->out, w->all->pass->pd, r, front_bytes, name);
}

/* False where it is damaged. */
static bool put_record(struct strip_worker *w, const struct perfdata_record *r)
{
	const struct perfdata *pd = w->all->pass->pd;
	struct perfdata_ksymbol symbol;
	struct perfdata_cgroup cgroup;
	struct perfdata_comm comm;

	switch (r->type) {
	case RECORD_SAMPLE:
		return put_sample(w, r);
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return put_mmap(w, r);
	case RECORD_CALLCHAIN_DEFERRED:
		return put_deferred(w, r);
	case RECORD_COMM:
		return perfdata_record_decode_comm(pd, r, &comm) &&
		       put_name(w, r, COMM_NAME, comm.name);
	case RECORD_KSYMBOL:
		return perfdata_record_decode_ksymbol(pd, r, &symbol) &&
		       put_name(w, r, KSYMBOL_NAME, symbol.name);
	case RECORD_CGROUP:
		return perfdata_record_decode_cgroup(pd, r, &cgroup) &&
		       put_name(w, r, CGROUP_PATH, cgroup.path);
	}
	if (perfdata_copy_wants(pd, r->type))
		buf_put(&w->out, r->p, r->size);
	return true;
}

/* ---- blocks ------------------------------------------------------------------------------- */

static int pop_block(
	struct strip_pass *all, struct perfdata_block *b, uint64_t *number, struct err *e)
{
	int rc;

	pthread_mutex_lock(&all->pop);
	rc = perfdata_pop_block(all->pass->pd, b, e);
	*number = all->popped++;
	pthread_mutex_unlock(&all->pop);
	return rc;
}

/* What was not read is waited for by nobody: a worker that fails has its turn, too. */
static void take_turn(struct strip_worker *w, uint64_t number)
{
	struct strip_pass *all = w->all;

	pthread_mutex_lock(&all->turn);
	while (all->written != number)
		pthread_cond_wait(&all->next, &all->turn);
	sink_put(all->to, w->out.p, w->out.n);
	all->copy.data_bytes += w->out.n;
	all->written++;
	pthread_cond_broadcast(&all->next);
	pthread_mutex_unlock(&all->turn);
}

static int run_worker(void *ctx, unsigned number, struct err *e)
{
	struct strip_worker *w = (struct strip_worker *)ctx + number;
	struct strip_pass *all = w->all;
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	uint64_t turn;
	int rc;

	do {
		rc = pop_block(all, &block, &turn, e);
		w->out.n = 0;
		while (rc == OK && perfdata_block_next(&block, &r))
			if (!put_record(w, &r))
				w->left_out++;
		take_turn(w, turn);
		if (all->strip->alone)
			progress_add(all->pass->opts->progress, block.n_bytes);
	} while (rc == OK && !sink_failed(all->to));
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

static void worker_init(struct strip_worker *w, struct strip_pass *all)
{
	const struct pass2 *p = all->pass;

	w->all = all;
	sample_stack_init(&w->stacks, p->world, p->jit_maps, p->deferred, &p->copies, p->opts);
	w->stacks.interpreter = p->interpreter;
	w->stacks.copy = &w->unwound;
}

static void worker_finish(struct strip_worker *w)
{
	struct strip *strip = w->all->strip;

	strip->samples += w->samples;
	strip->unwound += w->n_unwound;
	strip->left_out += w->left_out;
	if (strip->alone)
		diag_merge(&w->all->pass->recording->diag, &w->stacks.diag);
	sample_stack_release(&w->stacks);
	buf_release(&w->out);
	buf_release(&w->chain);
	buf_release(&w->unwound);
}

static int put_records(struct strip_pass *all, struct pool *pool, struct err *e)
{
	unsigned n = pool_workers(pool), i;
	struct strip_worker *workers = xcalloc(n, sizeof(*workers));
	int rc;

	for (i = 0; i < n; i++)
		worker_init(&workers[i], all);
	perfdata_rewind_in_order(all->pass->pd);
	rc = pool_run(pool, run_worker, workers, e);
	perfdata_rewind(all->pass->pd);
	for (i = 0; i < n; i++)
		worker_finish(&workers[i]);
	free(workers);
	return rc;
}

/* ---- the file ----------------------------------------------------------------------------- */

static void choose_parts(struct strip_pass *all)
{
	const uint64_t never = SAMPLE_REGS_USER | SAMPLE_STACK_USER | SAMPLE_REGS_INTR | SAMPLE_AUX;
	const struct recording *r = all->pass->recording;
	uint32_t i;

	all->sample_type = xcalloc(all->n_attrs, sizeof(*all->sample_type));
	all->stripped.unwound = xcalloc(all->n_attrs, sizeof(*all->stripped.unwound));
	all->stripped.n_attrs = all->n_attrs;
	for (i = 0; i < all->n_attrs; i++) {
		const struct perfdata_attr *a = &all->attrs[i];
		uint64_t *type = &all->sample_type[i];

		all->stripped.unwound[i] = a->unwound || sample_stack_is_copied(a);
		*type = a->sample_type & KNOWN_SAMPLE_BITS & ~never;
		if (all->stripped.unwound[i])
			*type |= SAMPLE_CALLCHAIN;
		/* The raw part of a wait is its stack. */
		if (all->strip->hidden & STRIP_RAW &&
			!offcpu_is_event(a, strtab_get(r->strings, a->name)))
			*type &= ~(uint64_t)SAMPLE_RAW;
	}
}

/* What a copy of a copy does not have any more is hidden in it, too. */
static void describe(struct strip_pass *all)
{
	const struct recording *r = all->pass->recording;
	const struct perfdata_stripped *before = &perfdata_features(all->pass->pd)->stripped;
	struct perfdata_stripped *s = &all->stripped;

	s->version = STRIP_VERSION;
	s->hidden = all->strip->hidden | before->hidden;
	if (before->has_machine) {
		s->has_machine = true;
		memcpy(s->machine, before->machine, sizeof(s->machine));
	} else if (r->facts.same_machine) {
		s->has_machine =
			machine_hash(strtab_get(r->strings, r->facts.os_release), s->machine);
	}
}

static int write_copy(struct strip_pass *all, struct pool *pool, struct err *e)
{
	const struct perfdata_copy_opts o = { .sample_type = all->sample_type,
		.stripped = &all->stripped,
		.path = put_path,
		.ctx = all };

	if (sink_open_private(&all->to, all->strip->path, SINK_PLAIN, e))
		return e->code;
	if (perfdata_copy_begin(&all->copy, all->pass->pd, &o, all->to, e) ||
		put_records(all, pool, e) || perfdata_copy_finish(&all->copy, e)) {
		sink_abort(all->to);
		return e->code;
	}
	return sink_commit(all->to, e);
}

int strip_run(const struct pass2 *p, struct pool *pool, struct err *e)
{
	struct strip_pass all = { .pass = p, .strip = p->opts->strip };
	int rc;

	all.attrs = perfdata_attrs(p->pd, &all.n_attrs);
	if (perfdata_features(p->pd)->simpleperf)
		return err_set(e, ERR_UNSUPPORTED,
			"%s: recordings of simpleperf have call chains of another kind",
			p->recording->path);
	if (!all.n_attrs)
		return err_set(e, ERR_UNSUPPORTED, "%s: has no events", p->recording->path);
	pthread_mutex_init(&all.pop, NULL);
	pthread_mutex_init(&all.turn, NULL);
	pthread_cond_init(&all.next, NULL);
	choose_parts(&all);
	describe(&all);
	rc = write_copy(&all, pool, e);
	all.strip->bytes_before = perfdata_size_bytes(p->pd);
	all.strip->bytes_after = rc ? 0 : file_size_bytes(all.strip->path);
	pthread_mutex_destroy(&all.pop);
	pthread_mutex_destroy(&all.turn);
	pthread_cond_destroy(&all.next);
	free(all.sample_type);
	free(all.stripped.unwound);
	return rc;
}
