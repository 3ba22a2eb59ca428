/*
 * call_frames.c - function, URL, line and column of a frame
 *
 * A call frame is made once for each frame (by_frame), and equal ones share a number (by_content),
 * so that the tiers and inlined copies of a function are one. Three steps make it from a name:
 *
 *	JS:*fib /srv/app.js:5:13    code_name_parse(): function, url, line, column (V8's mark goes)
 *	fib /srv/app.js:5:13        without_place(): the end goes if the url already says it
 *	/srv/app.js                 url_of(): file:///srv/app.js, percent-encoded
 *
 * Native code (kernel, user code with a module, unknown) gets no URL and keeps its whole name:
 * DevTools and VS Code take what has no URL for native code. Only with --lines it has the URL of
 * its source. The names of V8's collector are those of src/heap/ in V8.
 */
#include "output/call_frames.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/names/runtime_name.h"

#include <stdlib.h>

void call_frames_init(struct call_frames *c, const struct profile *p, bool native_places)
{
	*c = (struct call_frames){ .p = p, .native_places = native_places };
	c->by_frame = xcalloc(frames_count(p->frames) + 1, sizeof(*c->by_frame));
}

void call_frames_release(struct call_frames *c)
{
	free(c->call);
	free(c->by_frame);
	index_release(&c->by_content);
	buf_release(&c->scratch);
}

static call_frame_id calls_add(struct call_frames *c, const struct call_frame *call)
{
	uint64_t hash = hash_pair(
		hash_pair(call->function, call->url), hash_pair(call->line, call->column));
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_content, hash, cursor, i)
		if (c->call[i].function == call->function && c->call[i].url == call->url &&
			c->call[i].line == call->line && c->call[i].column == call->column)
			return i;
	ARRAY_GROW(c->call, c->n, c->cap);
	c->call[c->n] = *call;
	index_add(&c->by_content, hash, c->n);
	return c->n++;
}

call_frame_id call_frames_special(struct call_frames *c, const char *function)
{
	struct call_frame call = { .function = strtab_add_str(c->p->strings, function) };

	return calls_add(c, &call);
}

/* Without ":5" or ":5:13" at the end. */
static struct span without_position(struct span s)
{
	int i;

	for (i = 0; i < 2; i++) {
		size_t n = s.n;

		while (n && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
			n--;
		if (n == s.n || !n || s.p[n - 1] != ':')
			break;
		s.n = n - 1;
	}
	return s;
}

/* "fib /srv/app.js:5:13" without its end, which repeats url, line and column; code from eval() has
 * a line and no url: "fib :5:13". */
static struct span without_place(struct span name, struct span url)
{
	struct span rest = without_position(name);

	if ((!url.n && rest.n == name.n) || !span_ends(rest, url))
		return name;
	rest.n -= url.n;
	if (rest.n && rest.p[rest.n - 1] != ' ')
		return name;
	return (struct span){ rest.p, rest.n ? rest.n - 1 : 0 };
}

static bool is_plain_in_url(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("/:@!$&'()*+,;=~-._", c));
}

/* Node.js names files as URLs; what already has a scheme (node:fs, wasm://...) stays. */
static str_id url_of(struct call_frames *c, struct span file)
{
	size_t i;

	if (!file.n || file.p[0] != '/')
		return strtab_add(c->p->strings, file);
	c->scratch.n = 0;
	buf_puts(&c->scratch, "file://");
	for (i = 0; i < file.n; i++) {
		if (is_plain_in_url(file.p[i]))
			buf_putc(&c->scratch, file.p[i]);
		else
			buf_printf(&c->scratch, "%%%02X", (unsigned char)file.p[i]);
	}
	return strtab_add(c->p->strings, buf_span(&c->scratch));
}

/* "main:app.c:12" without the line that --lines adds: it is the same call at all its lines. */
static struct span without_line(
	struct span name, const struct call_frames *c, const struct frame *f)
{
	struct span file = span_basename(strtab_get(c->p->strings, f->file));
	struct span rest = without_position(name);

	if (rest.n <= file.n || !span_ends(rest, file))
		return name;
	rest.n -= file.n;
	return rest.p[rest.n - 1] == ':' ? (struct span){ rest.p, rest.n - 1 } : name;
}

/* Native code: clients treat what has no url as such, and mark or hide it. With --lines it has the
 * url of its source. */
static bool is_native(const struct frame *f)
{
	return f->kind == FRAME_KERNEL || f->kind == FRAME_UNKNOWN ||
	       (f->kind == FRAME_USER && f->module);
}

static struct call_frame make_call_frame(struct call_frames *c, frame_id id)
{
	const struct frame *f = frames_get(c->p->frames, id);
	struct span name = frames_name(c->p->frames, id);
	struct span file = strtab_get(c->p->strings, f->file);
	struct call_frame call = { 0 };
	struct v8_name v8;

	if (!name.n) {
		c->scratch.n = 0;
		profile_put_name(c->p, id, &c->scratch);
		call.function = strtab_add(c->p->strings, buf_span(&c->scratch));
		return call;
	}
	call.function = f->name;
	if (is_native(f) && (!c->native_places || !f->at_line || f->at_file))
		return call;
	if (is_native(f))
		name = without_line(name, c, f);
	call.line = f->line;
	call.column = f->column;
	if (runtime_name_parse(name, &v8)) {
		name = v8.function;
		if (!file.n) {
			file = v8.url;
			call.line = v8.line;
			call.column = v8.column;
		}
	}
	name = without_place(name, file);
	/* Clients have a word of their own for functions without a name. */
	if (span_eq(name, SPAN("(anonymous)")))
		name.n = 0;
	call.function = strtab_add(c->p->strings, name);
	call.url = url_of(c, file);
	return call;
}

call_frame_id call_frames_of_frame(struct call_frames *c, frame_id frame)
{
	if (!c->by_frame[frame]) {
		struct call_frame call = make_call_frame(c, frame);

		c->by_frame[frame] = calls_add(c, &call) + 1;
	}
	return c->by_frame[frame] - 1;
}

bool call_frames_is_gc(const struct profile *p, frame_id frame)
{
	static const struct span collector = { "v8::internal::", 14 };
	static const char *const parts[] = { "Heap::CollectGarbage",
		"Heap::PerformGarbageCollection", "Heap::Scavenge", "Heap::MarkCompact",
		"Scavenger", "MarkCompactCollector", "MinorMarkSweep", "IncrementalMarking",
		"ConcurrentMarking", "Sweeper", "CppHeap" };
	struct span name = frames_name(p->frames, frame);
	size_t i;

	if (span_eq(name, SPAN("(garbage collector)")))
		return true;
	if (!span_starts(name, collector))
		return false;
	name = span_skip(name, collector.n);
	for (i = 0; i < ARRAY_LEN(parts); i++)
		if (span_starts(name, span_of(parts[i])))
			return true;
	return false;
}
