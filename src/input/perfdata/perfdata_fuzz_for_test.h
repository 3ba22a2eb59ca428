/*
 * perfdata_fuzz_for_test.h - any bytes as a recording
 *
 * Both passes over the bytes, with all views and all parts of samples. Both must see the same
 * records. Included by *_fuzz.c only.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_FUZZ_FOR_TEST_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_FUZZ_FOR_TEST_H

#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/hash.h"

#define FUZZ_FN __attribute__((unused)) static

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
	struct perfdata *pd;
	uint64_t records; /* hash of all that was seen */
	uint64_t sum;     /* of all bytes pointed to, so that they are read */
};

FUZZ_FN void use(struct fuzz *f, const void *p, size_t n)
{
	if (n)
		f->sum += hash_bytes(p, n);
}

FUZZ_FN void use_regs(struct fuzz *f, const struct perfdata_regs *regs)
{
	use(f, regs->values, (size_t)__builtin_popcountll(regs->mask) * 8);
}

FUZZ_FN void use_sample(
	struct fuzz *f, const struct perfdata_attr *a, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	uint32_t i;

	if (!perfdata_sample_decode(a, r, &s))
		return;
	for (i = 0; i < s.n_ips; i++)
		f->sum += perfdata_sample_ip(&s, i);
	for (i = 0; i < s.n_branches; i++)
		f->sum += perfdata_sample_branch(&s, i).to;
	for (i = 0; i < s.n_reads; i++)
		f->sum += perfdata_sample_read(a, &s, i).lost;
	use_regs(f, &s.regs_user);
	use_regs(f, &s.regs_intr);
	use(f, s.raw, s.raw_bytes);
	use(f, s.stack, s.stack_bytes);
	use(f, s.aux, s.aux_bytes);
}

FUZZ_FN void use_view(struct fuzz *f, const struct perfdata_record *r)
{
	union {
		struct perfdata_trailer trailer;
		struct perfdata_mmap mmap;
		struct perfdata_comm comm;
		struct perfdata_task task;
		struct perfdata_lost lost;
		struct perfdata_throttle throttle;
		struct perfdata_ksymbol ksymbol;
		struct perfdata_switch change;
		struct perfdata_cgroup cgroup;
		struct perfdata_deferred deferred;
	} v;

	if (perfdata_record_decode_mmap(f->pd, r, &v.mmap))
		use(f, v.mmap.path.p, v.mmap.path.n);
	if (perfdata_record_decode_comm(f->pd, r, &v.comm))
		use(f, v.comm.name.p, v.comm.name.n);
	if (perfdata_record_decode_ksymbol(f->pd, r, &v.ksymbol))
		use(f, v.ksymbol.name.p, v.ksymbol.name.n);
	if (perfdata_record_decode_cgroup(f->pd, r, &v.cgroup))
		use(f, v.cgroup.path.p, v.cgroup.path.n);
	if (perfdata_record_decode_deferred(f->pd, r, &v.deferred))
		use(f, v.deferred.ips, v.deferred.n_ips * 8u);
	f->sum += perfdata_record_decode_trailer(f->pd, r, &v.trailer);
	f->sum += perfdata_record_decode_task(f->pd, r, &v.task);
	f->sum += perfdata_record_decode_lost(f->pd, r, &v.lost);
	f->sum += perfdata_record_decode_throttle(f->pd, r, &v.throttle);
	f->sum += perfdata_record_decode_switch(f->pd, r, &v.change);
}

FUZZ_FN void use_facts(struct fuzz *f)
{
	use(f, perfdata_features(f->pd), sizeof(struct perfdata_features));
	f->sum += perfdata_size_bytes(f->pd) + perfdata_block_count(f->pd);
}

FUZZ_FN int use_record(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct fuzz *f = ctx;
	uint32_t n, attr;
	const struct perfdata_attr *attrs = perfdata_attrs(f->pd, &n);

	(void)e;
	f->sum += perfdata_begun_ns(f->pd, r->position);
	f->records = hash_pair(f->records, hash_pair(r->position, hash_bytes(r->p, r->size)));
	if (r->type != RECORD_SAMPLE)
		use_view(f, r);
	else if (perfdata_sample_event(f->pd, r, &attr))
		use_sample(f, &attrs[attr], r);
	return OK;
}

/* Symbols in the recording; and if it is a part of a run, appended to itself. */
FUZZ_FN void use_whole(struct opened *o)
{
	struct recorded_symbols symbols = { 0 };
	struct perfdata_part part;
	struct perfdata *later;

	perfdata_read_symbols(o->pd, &symbols, &o->diag);
	recorded_symbols_release(&symbols);
	if (perfdata_find_run(o->pd, &part, &o->err))
		abort();
	if (part.run.n &&
		perfdata_open(&later, &o->file, o->strings, 64, &o->diag, &o->err) == OK) {
		if (perfdata_append(o->pd, later, part.begun_ns, &o->err))
			abort();
		perfdata_free(later);
	}
	buf_release(&part.run);
}

/* Read a file that is open, and close it. */
FUZZ_FN void fuzz_file(struct file f)
{
	struct opened o = { .file = f, .strings = strtab_new() };
	struct perfdata_block b = { 0 };
	struct perfdata_record r;
	struct fuzz scan = { 0 }, blocks = { 0 };

	if (perfdata_open(&o.pd, &o.file, o.strings, 64, &o.diag, &o.err) == OK) {
		scan.pd = blocks.pd = o.pd;
		use_whole(&o);
		if (perfdata_scan_records(o.pd, use_record, &scan, &o.diag, &o.err))
			abort();
		while (perfdata_pop_block(o.pd, &b, &o.err) == OK)
			while (perfdata_block_next(&b, &r))
				use_record(&blocks, &r, &o.err);
		if (scan.records != blocks.records)
			abort();
		use_facts(&blocks);
	}
	perfdata_block_release(&b);
	opened_release(&o);
}

FUZZ_FN void fuzz_recording(const void *data, size_t size)
{
	struct file f;

	if (!memory_file_open(data, size, &f))
		abort();
	fuzz_file(f);
}

#endif
