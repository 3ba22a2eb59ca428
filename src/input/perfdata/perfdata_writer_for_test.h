/*
 * perfdata_writer_for_test.h - recordings made byte by byte, for tests
 *
 * Included by *_test.c and *_fuzz.c only, and linked with zstd. A test writes what it wants read,
 * and then puts in what is wrong: sizes can be wrong, bytes can be overwritten. Numbers are written
 * in our byte order, or in the other one where swapped is set.
 *
 *	struct recording_writer w = WRITER_INIT;
 *	writer_attr(&w, &(struct test_attr){ .sample_type = SAMPLE_IP }, NULL, 0);
 *	at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_USER);
 *	put_u64(&w, 0x1234);
 *	writer_end(&w, at);
 *	writer_compress(&w, ...); or leave them as they are
 *	writer_finish(&w);        the whole file is in w.file; or writer_finish_pipe()
 *	writer_open(&w, &file);   the same as a struct file
 *	writer_release(&w);
 *
 * Owns: its buffers. Threads: one for each writer.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_WRITER_FOR_TEST_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_WRITER_FOR_TEST_H

#include "base/file.h"
#include "input/perfdata/perfdata.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

/* Not every test uses every helper. */
#define WRITER_FN __attribute__((unused)) static

enum { WRITER_ATTRS_MAX = 16, WRITER_FEATURES_MAX = 32 };

struct test_attr {
	uint32_t type;
	uint32_t size; /* 0: the true one */
	uint64_t config, config1, period, sample_type, read_format, flags, branch_sample_type;
	uint64_t regs_user, regs_intr;
	uint32_t stack_user;
	uint32_t clockid;     /* with FLAG_USE_CLOCKID_BIT in flags */
	uint32_t extra_bytes; /* of 0xee after the known fields: a newer perf */
};

enum {
	ATTR_BYTES = 136,
	FLAG_SAMPLE_ID_ALL_BIT = 18,
	FLAG_FREQ_BIT = 10,
	FLAG_USE_CLOCKID_BIT = 25
};

struct recording_writer {
	bool swapped;
	struct buf data; /* the records; put_*() append here */
	struct buf file; /* what writer_finish() makes */
	struct buf attrs[WRITER_ATTRS_MAX];
	struct buf ids[WRITER_ATTRS_MAX];
	unsigned n_attrs;
	struct {
		unsigned bit;
		size_t from, to;         /* in sections */
	} features[WRITER_FEATURES_MAX]; /* in ascending order of bits */
	unsigned n_features;
	struct buf sections;
	/* Where the parts begin in file, once it is finished. */
	size_t attrs_at, data_at, table_at;
	/* Wrong offsets and sizes for the header; UINT64_MAX: the right one. */
	uint64_t say_header_size, say_attr_size, say_data_size;
};

#define WRITER_INIT                                                                                \
	{                                                                                          \
		.say_header_size = UINT64_MAX, .say_attr_size = UINT64_MAX,                        \
		.say_data_size = UINT64_MAX                                                        \
	}

/* ---- numbers ------------------------------------------------------------------------------ */

WRITER_FN void buf_u16(struct buf *b, bool swapped, uint16_t v)
{
	v = swapped ? __builtin_bswap16(v) : v;
	buf_put(b, &v, sizeof(v));
}

WRITER_FN void buf_u32(struct buf *b, bool swapped, uint32_t v)
{
	v = swapped ? __builtin_bswap32(v) : v;
	buf_put(b, &v, sizeof(v));
}

WRITER_FN void buf_u64(struct buf *b, bool swapped, uint64_t v)
{
	v = swapped ? __builtin_bswap64(v) : v;
	buf_put(b, &v, sizeof(v));
}

WRITER_FN void put_u16(struct recording_writer *w, uint16_t v)
{
	buf_u16(&w->data, w->swapped, v);
}

WRITER_FN void put_u32(struct recording_writer *w, uint32_t v)
{
	buf_u32(&w->data, w->swapped, v);
}

WRITER_FN void put_u64(struct recording_writer *w, uint64_t v)
{
	buf_u64(&w->data, w->swapped, v);
}

WRITER_FN void put_zeros(struct recording_writer *w, size_t n)
{
	while (n--)
		buf_putc(&w->data, '\0');
}

/* A string with its NUL, padded to 8 bytes, as in records. */
WRITER_FN void put_string(struct recording_writer *w, const char *s)
{
	size_t n = strlen(s) + 1;

	buf_put(&w->data, s, n);
	put_zeros(w, -n & 7);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Begin a record; returns where, for writer_end(). */
WRITER_FN size_t writer_begin(struct recording_writer *w, uint32_t type, uint16_t misc)
{
	size_t at = w->data.n;

	put_u32(w, type);
	put_u16(w, misc);
	put_u16(w, 0);
	return at;
}

/* End the record begun at `at`, with any size. */
WRITER_FN void writer_end_as(struct recording_writer *w, size_t at, uint16_t size)
{
	uint16_t v = w->swapped ? __builtin_bswap16(size) : size;

	memcpy(w->data.p + at + 6, &v, sizeof(v));
}

WRITER_FN void writer_end(struct recording_writer *w, size_t at)
{
	writer_end_as(w, at, (uint16_t)(w->data.n - at));
}

/* A record of a header alone. */
WRITER_FN void put_finished_round(struct recording_writer *w)
{
	writer_end(w, writer_begin(w, RECORD_FINISHED_ROUND, 0));
}

WRITER_FN void put_comm(struct recording_writer *w, uint32_t pid, uint32_t tid, const char *name)
{
	size_t at = writer_begin(w, RECORD_COMM, 0);

	put_u32(w, pid);
	put_u32(w, tid);
	put_string(w, name);
	writer_end(w, at);
}

/* ---- attributes and sections -------------------------------------------------------------- */

/* On big-endian machines bit fields are filled from the other end of each byte. */
WRITER_FN void writer_put_flags(struct buf *b, bool swapped, uint64_t flags)
{
	bool big = swapped != HOST_IS_BIG_ENDIAN;
	unsigned byte, bit;

	for (byte = 0; byte < 8; byte++) {
		uint8_t v = 0;

		for (bit = 0; bit < 8; bit++)
			if (flags >> (byte * 8 + bit) & 1)
				v |= (uint8_t)(1 << (big ? 7 - bit : bit));
		buf_putc(b, (char)v);
	}
}

WRITER_FN void writer_attr(
	struct recording_writer *w, const struct test_attr *a, const uint64_t *ids, size_t n_ids)
{
	struct buf *b = &w->attrs[w->n_attrs], *list = &w->ids[w->n_attrs++];
	bool sw = w->swapped;
	size_t i;

	buf_u32(b, sw, a->type);
	buf_u32(b, sw, a->size ? a->size : ATTR_BYTES + a->extra_bytes);
	buf_u64(b, sw, a->config);
	buf_u64(b, sw, a->period);
	buf_u64(b, sw, a->sample_type);
	buf_u64(b, sw, a->read_format);
	writer_put_flags(b, sw, a->flags);
	buf_u64(b, sw, 0); /* wakeup, bp_type */
	buf_u64(b, sw, a->config1);
	buf_u64(b, sw, 0); /* config2 */
	buf_u64(b, sw, a->branch_sample_type);
	buf_u64(b, sw, a->regs_user);
	buf_u32(b, sw, a->stack_user);
	buf_u32(b, sw, a->clockid);
	buf_u64(b, sw, a->regs_intr);
	for (i = b->n; i < ATTR_BYTES; i++)
		buf_putc(b, '\0');
	for (i = 0; i < a->extra_bytes; i++)
		buf_putc(b, '\xee');
	for (i = 0; i < n_ids; i++)
		buf_u64(list, sw, ids[i]);
}

WRITER_FN void writer_feature(
	struct recording_writer *w, unsigned bit, const void *p, size_t size_bytes)
{
	size_t from = w->sections.n;

	buf_put(&w->sections, p, size_bytes);
	w->features[w->n_features].bit = bit;
	w->features[w->n_features].from = from;
	w->features[w->n_features++].to = w->sections.n;
}

/* u32 length, string with NUL padded to 64, as in sections. */
WRITER_FN void buf_section_string(struct buf *b, bool swapped, const char *s)
{
	size_t n = strlen(s) + 1, padded = (n + 63) & ~(size_t)63;

	buf_u32(b, swapped, (uint32_t)padded);
	buf_put(b, s, n);
	while (n++ < padded)
		buf_putc(b, '\0');
}

WRITER_FN void writer_feature_string(struct recording_writer *w, unsigned bit, const char *s)
{
	struct buf b = { 0 };

	buf_section_string(&b, w->swapped, s);
	writer_feature(w, bit, b.p, b.n);
	buf_release(&b);
}

/* ---- the file ----------------------------------------------------------------------------- */

WRITER_FN uint64_t writer_number(uint64_t wrong, uint64_t right)
{
	return wrong == UINT64_MAX ? right : wrong;
}

WRITER_FN void writer_put_header(struct recording_writer *w, size_t attrs_bytes, size_t entry)
{
	struct buf *b = &w->file;
	bool sw = w->swapped;
	uint64_t bits[4] = { 0 };
	unsigned i;

	buf_put(b, sw == HOST_IS_BIG_ENDIAN ? "PERFILE2" : "2ELIFREP", 8);
	buf_u64(b, sw, writer_number(w->say_header_size, 104));
	buf_u64(b, sw, writer_number(w->say_attr_size, entry));
	buf_u64(b, sw, w->attrs_at);
	buf_u64(b, sw, attrs_bytes);
	buf_u64(b, sw, w->data_at);
	buf_u64(b, sw, writer_number(w->say_data_size, w->data.n));
	buf_u64(b, sw, 0);
	buf_u64(b, sw, 0);
	for (i = 0; i < w->n_features; i++)
		bits[w->features[i].bit / 64] |= (uint64_t)1 << (w->features[i].bit % 64);
	for (i = 0; i < 4; i++)
		buf_u64(b, sw, bits[i]);
}

/* header, ids, attributes, records, table of sections, sections: as perf does. */
WRITER_FN void writer_finish(struct recording_writer *w)
{
	struct buf *b = &w->file;
	size_t entry = (w->n_attrs ? w->attrs[0].n : ATTR_BYTES) + 16, ids_bytes = 0, at = 104;
	unsigned i;

	for (i = 0; i < w->n_attrs; i++)
		ids_bytes += w->ids[i].n;
	w->attrs_at = at + ids_bytes;
	w->data_at = w->attrs_at + w->n_attrs * entry;
	w->table_at = w->data_at + w->data.n;
	b->n = 0;
	writer_put_header(w, w->n_attrs * entry, entry);
	for (i = 0; i < w->n_attrs; i++)
		buf_put(b, w->ids[i].p, w->ids[i].n);
	for (i = 0; i < w->n_attrs; i++) {
		buf_put(b, w->attrs[i].p, w->attrs[i].n);
		buf_u64(b, w->swapped, at);
		buf_u64(b, w->swapped, w->ids[i].n);
		at += w->ids[i].n;
	}
	buf_put(b, w->data.p, w->data.n);
	for (i = 0; i < w->n_features; i++) {
		buf_u64(b, w->swapped, w->table_at + w->n_features * 16 + w->features[i].from);
		buf_u64(b, w->swapped, w->features[i].to - w->features[i].from);
	}
	buf_put(b, w->sections.p, w->sections.n);
}

/* Pipe mode: 16 bytes, then only records; the last feature is a mark. */
WRITER_FN void writer_finish_pipe(struct recording_writer *w)
{
	struct buf records = w->data;
	unsigned i;
	size_t at;

	w->data = (struct buf){ 0 };
	for (i = 0; i < w->n_attrs; i++) {
		at = writer_begin(w, RECORD_HEADER_ATTR, 0);
		buf_put(&w->data, w->attrs[i].p, w->attrs[i].n);
		buf_put(&w->data, w->ids[i].p, w->ids[i].n);
		writer_end(w, at);
	}
	for (i = 0; i < w->n_features; i++) {
		at = writer_begin(w, RECORD_HEADER_FEATURE, 0);
		put_u64(w, w->features[i].bit);
		buf_put(&w->data, w->sections.p + w->features[i].from,
			w->features[i].to - w->features[i].from);
		writer_end(w, at);
	}
	at = writer_begin(w, RECORD_HEADER_FEATURE, 0);
	put_u64(w, 32);
	writer_end(w, at);
	w->file.n = 0;
	buf_put(&w->file, w->swapped == HOST_IS_BIG_ENDIAN ? "PERFILE2" : "2ELIFREP", 8);
	buf_u64(&w->file, w->swapped, 16);
	w->data_at = 16 + w->data.n;
	buf_put(&w->data, records.p, records.n);
	buf_put(&w->file, w->data.p, w->data.n);
	buf_release(&records);
}

/* ---- compression -------------------------------------------------------------------------- */

struct test_compression {
	uint32_t type;        /* RECORD_COMPRESSED, RECORD_COMPRESSED2 */
	size_t flush_bytes;   /* the stream is flushed after this many bytes; 0: 64 KiB */
	size_t payload_bytes; /* at most this many in a record; 0: what fits */
	int level;
};

/* One compressed record of n bytes. */
WRITER_FN void put_compressed(struct recording_writer *w, uint32_t type, const void *p, size_t n)
{
	size_t at = writer_begin(w, type, 0);

	if (type == RECORD_COMPRESSED2)
		put_u64(w, n);
	buf_put(&w->data, p, n);
	if (type == RECORD_COMPRESSED2)
		put_zeros(w, -n & 7);
	writer_end(w, at);
}

WRITER_FN void put_compressed_all(
	struct recording_writer *w, const struct test_compression *c, const struct buf *zstd)
{
	size_t max = c->payload_bytes ? c->payload_bytes : 65520, at, n;

	for (at = 0; at < zstd->n; at += n) {
		n = zstd->n - at < max ? zstd->n - at : max;
		put_compressed(w, c->type, zstd->p + at, n);
	}
}

/* Append records in compressed form to those of w; the stream continues, as perf's does. */
WRITER_FN void writer_put_packed(struct recording_writer *w, const struct test_compression *c,
	ZSTD_CStream *stream, const void *records, size_t n)
{
	size_t step = c->flush_bytes ? c->flush_bytes : 65536, at;
	struct buf zstd = { 0 };

	for (at = 0; at < n; at += step) {
		ZSTD_inBuffer in = { (const char *)records + at, n - at < step ? n - at : step, 0 };
		ZSTD_outBuffer out;
		size_t left;

		zstd.n = 0;
		do {
			buf_reserve(&zstd, 1 << 16);
			out = (ZSTD_outBuffer){ zstd.p + zstd.n, 1 << 16, 0 };
			left = ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush);
			if (ZSTD_isError(left))
				abort();
			zstd.n += out.pos;
		} while (left);
		put_compressed_all(w, c, &zstd);
	}
	buf_release(&zstd);
}

WRITER_FN ZSTD_CStream *writer_stream(int level)
{
	ZSTD_CStream *s = ZSTD_createCStream();

	if (!s || ZSTD_isError(ZSTD_initCStream(s, level)))
		abort();
	return s;
}

/* Compress all records written so far. */
WRITER_FN void writer_compress(struct recording_writer *w, const struct test_compression *c)
{
	ZSTD_CStream *stream = writer_stream(c->level ? c->level : 1);
	struct buf records = w->data;

	w->data = (struct buf){ 0 };
	writer_put_packed(w, c, stream, records.p, records.n);
	ZSTD_freeCStream(stream);
	buf_release(&records);
}

/* What perf says of the compression: the most that a compressed record holds. */
WRITER_FN void writer_feature_compressed(struct recording_writer *w, uint32_t buffer_bytes)
{
	const uint32_t words[] = { 1, 1, 1, 5, buffer_bytes };
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < 5; i++)
		buf_u32(&b, w->swapped, words[i]);
	writer_feature(w, FEATURE_COMPRESSED, b.p, b.n);
	buf_release(&b);
}

/* ---- files -------------------------------------------------------------------------------- */

/* Bytes as a file; false if the system has no memory files. */
WRITER_FN bool memory_file_open(const void *p, size_t n, struct file *f)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct err e;

	if (fd < 0)
		return false;
	if (n && write(fd, p, n) != (ssize_t)n) {
		close(fd);
		return false;
	}
	return file_adopt(f, fd, "recording", &e) == OK;
}

WRITER_FN bool writer_open(const struct recording_writer *w, struct file *f)
{
	return memory_file_open(w->file.p, w->file.n, f);
}

WRITER_FN void writer_release(struct recording_writer *w)
{
	unsigned i;

	for (i = 0; i < w->n_attrs; i++) {
		buf_release(&w->attrs[i]);
		buf_release(&w->ids[i]);
	}
	buf_release(&w->data);
	buf_release(&w->file);
	buf_release(&w->sections);
	*w = (struct recording_writer)WRITER_INIT;
}

/* ---- a recording that is open ------------------------------------------------------------- */

struct opened {
	struct file file;
	struct strtab *strings;
	struct perfdata *pd;
	struct diag diag;
	struct err err;
};

/* Finish and open; what perfdata_open() returned. Release it in any case. */
WRITER_FN int opened_from(struct opened *o, struct recording_writer *w, size_t block_bytes)
{
	*o = (struct opened){ .strings = strtab_new() };
	if (!w->file.n)
		writer_finish(w);
	if (!writer_open(w, &o->file))
		abort();
	return perfdata_open(&o->pd, &o->file, o->strings, block_bytes, &o->diag, &o->err);
}

WRITER_FN void opened_release(struct opened *o)
{
	perfdata_free(o->pd);
	file_close(&o->file);
	strtab_free(o->strings);
}

/* Pass 1, record by record: no samples are summed up. */
WRITER_FN int perfdata_scan_records(
	struct perfdata *pd, perfdata_visit visit, void *ctx, struct diag *d, struct err *e)
{
	const struct perfdata_visitor v = { .ctx = ctx, .record = visit };

	return perfdata_scan(pd, &v, NULL, d, e);
}

#endif
