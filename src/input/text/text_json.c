#include "input/text/text.h"

enum { BLOCK_BYTES = 256 << 10 };

/* A block may end anywhere. */
static size_t cut_anywhere(const char *p, size_t n)
{
	(void)p;
	return n;
}

int text_read_json(const struct file *f, const struct input_head *head, const struct read_opts *o,
	json_reader_value_fn on_value, void *ctx, struct err *e)
{
	struct json_reader *json = json_reader_new(on_value, ctx);
	struct text_block b = { { 0 }, 0 };
	struct text_reader text;
	int rc;

	text_open(&text, f, head, cut_anywhere, o->block_bytes ? o->block_bytes : BLOCK_BYTES);
	text.progress = o->progress;
	while (!(rc = text_next(&text, &b, e)) &&
		!(rc = json_reader_feed(json, buf_span(&b.bytes), e)))
		;
	if (rc == END)
		rc = json_reader_finish(json, e);
	text_block_release(&b);
	text_close(&text);
	json_reader_free(json);
	return rc;
}
