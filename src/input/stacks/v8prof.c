/*
 * v8prof.c - ticks of `node --prof`, by way of `node --prof-process --preprocess -j isolate*.log`
 *
 *	{ "code": [ { "name": "fib /srv/app.js:1:13", "type": "JS", "kind": "Opt" }, ... ],
 *	  "functions": [...],
 *	  "ticks": [ { "tm": us, "vm": state, "s": [code, offset, ...] }, ... ], "scripts": [...] }
 *
 * A tick is a sample; "s" is its stack, innermost first: a number in "code" with the offset in it,
 * or -1 with an address. Names become those of a perf map ("JS:*fib /srv/app.js:1:13",
 * "Builtin:Add"). vm is V8's state: 1 is the garbage collector, which is added as the innermost
 * frame.
 *
 * The document is read as a stream of values; "code" precedes "ticks", so a tick is counted as soon
 * as it ends, and only the sites of "code" are held.
 *
 * Source: lib/internal/v8_prof_polyfill.js of Node.js, tools/profile.mjs of V8.
 */
#include "input/stacks/stacks.h"

#include "base/mem.h"

#include <stdlib.h>

enum { STACK_MAX = 1 << 15, VM_STATE_GC = 1 };

struct v8prof_reader {
	struct stacktext *out;
	struct strtab *strings;
	/* Sites of "code", by number, and the entry being read. */
	site_id *code;
	uint32_t n_code, cap_code;
	str_id name, type, kind;
	/* The tick being read: code and offset in turn. */
	struct text_sample sample;
	int64_t vm, pair[2];
	uint32_t n_pair;
	bool too_deep; /* frames of the tick were left out */
	bool ended;    /* the list of ticks, so the text is whole */
};

/* ---- code ---- */

static bool is(const struct v8prof_reader *p, str_id id, const char *text)
{
	return span_eq(strtab_get(p->strings, id), span_of(text));
}

/* The mark of a tier before a name, as in a perf map. */
static const char *tier_mark(const struct v8prof_reader *p)
{
	static const struct {
		const char *kind, *mark;
	} marks[] = {
		{ "Unopt", "~" },
		{ "Ignition", "~" },
		{ "Sparkplug", "^" },
		{ "Baseline", "^" },
		{ "Maglev", "+" },
		{ "Opt", "*" },
		{ "Turboprop", "+" },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(marks); i++)
		if (is(p, p->kind, marks[i].kind))
			return marks[i].mark;
	return "";
}

static void add_code(struct v8prof_reader *p)
{
	struct recording *r = p->out->reader->recording;
	struct span name = strtab_get(p->strings, p->name), module = { 0 };
	struct frame f = { .kind = FRAME_USER };
	struct buf b = { 0 };

	if (is(p, p->type, "JS"))
		buf_printf(&b, "JS:%s", tier_mark(p));
	else if (is(p, p->type, "CODE"))
		buf_printf(&b, "%s:", strtab_str(p->strings, p->kind));
	if (is(p, p->type, "SHARED_LIB"))
		module = name;
	else
		buf_put_span(&b, name);
	if (is(p, p->type, "CODE"))
		f.kind = FRAME_JIT;
	stacktext_name(r, &f, buf_span(&b), module);
	buf_release(&b);
	ARRAY_GROW(p->code, p->n_code, p->cap_code);
	p->code[p->n_code++] = text_frame_site(r, p->out->reader->module, &f);
	p->name = p->type = p->kind = 0;
}

static void read_code(
	struct v8prof_reader *p, const struct json_reader *j, const struct json_value *v)
{
	if (json_reader_key_is(j, 0, "name"))
		p->name = strtab_add(p->strings, v->text);
	else if (json_reader_key_is(j, 0, "type"))
		p->type = strtab_add(p->strings, v->text);
	else if (json_reader_key_is(j, 0, "kind"))
		p->kind = strtab_add(p->strings, v->text);
}

/* ---- ticks ---- */

static site_id site_named(struct v8prof_reader *p, const char *name)
{
	struct recording *r = p->out->reader->recording;
	struct frame f = { .kind = FRAME_USER };

	stacktext_name(r, &f, span_of(name), (struct span){ 0 });
	return text_frame_site(r, p->out->reader->module, &f);
}

static site_id site_unknown(struct v8prof_reader *p, int64_t address)
{
	struct recording *r = p->out->reader->recording;
	struct frame f = { .kind = FRAME_UNKNOWN, .why = WHY_IN_TEXT };

	if (p->out->reader->opts.addresses && address > 0)
		f.address = (uint64_t)address;
	return text_frame_site(r, p->out->reader->module, &f);
}

static void begin_tick(struct v8prof_reader *p)
{
	stacktext_drop(p->out);
	p->sample = stacktext_empty_sample(p->out);
	p->vm = -1;
	p->n_pair = 0;
	p->too_deep = false;
}

static void end_tick(struct v8prof_reader *p)
{
	if (p->too_deep)
		diag_count(&p->out->diag, DIAG_STACK_TOO_DEEP, 0);
	stacktext_end(p->out, &p->sample);
}

static void read_frame(struct v8prof_reader *p, const struct json_value *v)
{
	if (!json_reader_to_int(v, &p->pair[p->n_pair]))
		p->pair[p->n_pair] = 0;
	p->n_pair ^= 1;
	if (p->n_pair)
		return;
	if (p->out->log.n_entries >= STACK_MAX) {
		p->too_deep = true;
		return;
	}
	if (!p->out->log.n_entries && p->vm == VM_STATE_GC)
		text_log_push(&p->out->log, site_named(p, "(garbage collector)"));
	if (p->pair[0] >= 0 && p->pair[0] < p->n_code)
		text_log_push(&p->out->log, p->code[p->pair[0]]);
	else
		text_log_push(&p->out->log, site_unknown(p, p->pair[1]));
}

static void read_tick(
	struct v8prof_reader *p, const struct json_reader *j, const struct json_value *v)
{
	int64_t us;

	if (json_reader_key_is(j, 0, "vm")) {
		json_reader_to_int(v, &p->vm);
	} else if (json_reader_key_is(j, 0, "tm") && json_reader_to_int(v, &us) && us >= 0 &&
		   us < INT64_MAX / 1000) {
		p->sample.has_time = true;
		p->sample.time_ns = (uint64_t)us * 1000;
	}
}

/* ---- the format ---- */

/* An element of a list in the outermost map: depth is 2 where it begins and ends, 3 within. */
static bool on_value(void *ctx, const struct json_reader *j, const struct json_value *v)
{
	struct v8prof_reader *p = ctx;
	uint32_t depth = json_reader_depth(j);
	bool scalar = v->kind == JSON_STRING || v->kind == JSON_NUMBER;

	if (depth == 2 && json_reader_key_is(j, 0, "code") && v->kind == JSON_END)
		add_code(p);
	else if (depth == 3 && json_reader_key_is(j, 1, "code") && v->kind == JSON_STRING)
		read_code(p, j, v);
	else if (depth == 2 && json_reader_key_is(j, 0, "ticks") && v->kind == JSON_OBJECT)
		begin_tick(p);
	else if (depth == 2 && json_reader_key_is(j, 0, "ticks") && v->kind == JSON_END)
		end_tick(p);
	else if (depth == 3 && json_reader_key_is(j, 1, "ticks") && scalar)
		read_tick(p, j, v);
	else if (depth == 4 && json_reader_key_is(j, 2, "ticks") && json_reader_key_is(j, 0, "s") &&
		 scalar)
		read_frame(p, v);
	else if (depth == 1 && json_reader_key_is(j, 0, "ticks") && v->kind == JSON_END)
		p->ended = true;
	return true;
}

static const struct stacktext_format format = { .title = "ticks of node --prof" };

static int v8prof_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct v8prof_reader p = { .strings = r->strings };
	struct stacktext_reader reader;
	int rc;

	(void)pool;
	stacktext_open(&reader, &format, r, o);
	rc = stacktext_begin(&reader, &p.out, e);
	if (!rc)
		rc = text_read_json(f, head, o, on_value, &p, e);
	if (!rc && !p.ended)
		rc = err_set(e, ERR_FORMAT,
			"no ticks: not the output of node --prof-process --preprocess");
	rc = stacktext_finish(&reader, rc, e);
	stacktext_close(&reader);
	free(p.code);
	return rc;
}

static int v8prof_bid(const struct input_head *head)
{
	struct span s = span_trim(head->bytes);

	if (!s.n || s.p[0] != '{' ||
		span_find((struct span){ s.p, s.n < 64 ? s.n : 64 }, SPAN("\"code\"")) < 0)
		return 0;
	return span_find(s, SPAN("\"type\"")) >= 0 ? 90 : 0;
}

const struct input_format stacks_v8prof = {
	.name = "node-prof",
	.about = "ticks of node --prof: JSON of node --prof-process --preprocess",
	.json = true,
	.bid = v8prof_bid,
	.read = v8prof_read,
};
