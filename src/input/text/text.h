/*
 * text.h - what the readers of text inputs share: blocks of a text, handed to workers
 *
 * A unit is a sample or a line; a format says where one ends (text_cut). Blocks are cut after the
 * last whole unit and numbered in the order of the text, so that what a worker stores with the
 * number of its block can be sorted afterwards. A regular file is read by position, a stream as it
 * comes; either way at most one block for each worker and one ahead are held, and a unit larger
 * than 64 MiB is cut where it must be. If units are lines of a file, workers read their blocks in
 * parallel.
 *
 * The other headers of text/ come with this one: text_sample.h (a sample as the text says it),
 * text_usage.h (events, threads, which samples count), text_fields.h (its fields), text_log.h
 * (stacks), text_frame.h (sites).
 *
 * Owns: what was read ahead. Borrows: the file. Threads: text_next() from any, the rest from one.
 */
#ifndef PERFOLD_INPUT_TEXT_TEXT_H
#define PERFOLD_INPUT_TEXT_TEXT_H

#include "base/json_reader.h"
#include "input/text/text_fields.h"
#include "input/text/text_frame.h"
#include "input/text/text_log.h"

#include <pthread.h>

/* Length of the whole units at the front of the n bytes at p, the last of which may be cut; 0 if
 * there is none. */
typedef size_t (*text_cut)(const char *p, size_t n);
/* A text_cut: after the last newline. */
size_t text_cut_lines(const char *p, size_t n);

struct text_reader {
	const struct file *file;
	text_cut cut;
	size_t block_bytes;
	pthread_mutex_t lock;
	struct buf ahead; /* read, and part of no block yet */
	uint64_t offset;  /* of what is read next */
	bool ended;       /* nothing is left to be read */
	int failed;       /* reading failed: the kind */
	uint32_t n_blocks;
	uint32_t *lines; /* of each block */
	uint32_t cap_lines;
	struct progress *progress; /* may be set after text_open() */
};

struct text_block {
	struct buf bytes;
	uint32_t number; /* from 0 */
};

void text_open(struct text_reader *r, const struct file *f, const struct input_head *head,
	text_cut cut, size_t block_bytes);
void text_close(struct text_reader *r);

/* The first bytes of the text: at least want, if it is that long; they stay unread. */
int text_peek(struct text_reader *r, size_t want, struct span *bytes, struct err *e);

/* The next block, in place of what is in *b; END after the last. For any thread. */
int text_next(struct text_reader *r, struct text_block *b, struct err *e);
void text_block_release(struct text_block *b);

/* A place in a text is (block, line in block), until all blocks are read: then text_merge_diag()
 * makes a line number of it, from 1. */
static inline uint64_t text_place(uint32_t block, uint32_t line)
{
	return (uint64_t)block << 32 | line;
}
/* Merges what a worker counted; its places become line numbers. */
void text_merge_diag(const struct text_reader *r, struct diag *into, const struct diag *from);

/* Passes all blocks to the workers of the pool; parse returns the number of lines in the block. */
typedef uint32_t (*text_parse)(void *worker, const struct text_block *b);
int text_run(struct text_reader *r, struct pool *pool, text_parse parse, void *const *workers,
	struct err *e);

/* All of f, a JSON document, whose first bytes are head. */
int text_read_json(const struct file *f, const struct input_head *head, const struct read_opts *o,
	json_reader_value_fn on_value, void *ctx, struct err *e);

#endif
