#include "jit/perfmap.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdlib.h>

enum {
	LINE_BYTES_MAX = 64 * 1024, /* what is longer is cut, as V8 does at 4096 */
	BLOCK_BYTES = 256 * 1024,
	/* Linux maps nothing below (vm.mmap_min_addr). */
	LOWEST_ADDRESS = 64 * 1024,
};

struct map_line {
	uint64_t start, end;
	struct span name;
};

enum line_kind {
	LINE_CODE,
	LINE_OUTSIDE, /* names something that is no code */
	LINE_TEXT,    /* does not start with an address */
	LINE_BAD,
};

/* ------------------------------------------------------------------ one line */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool skip_blanks(struct span *s)
{
	size_t n = s->n;

	while (s->n && is_blank(s->p[0]))
		*s = span_from(*s, 1);
	return s->n < n;
}

static bool take_number(struct span *s, uint64_t *value)
{
	if (s->n > 2 && s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X'))
		*s = span_from(*s, 2);
	return scan_hex(s, value);
}

/* Does code from start until end touch executable memory? */
static bool is_code(struct perf_map_reader *r, uint64_t start, uint64_t end)
{
	const struct codemap_range *range = r->exec ? r->exec->range : NULL;
	size_t from = 0, until = r->exec ? r->exec->n : 0;

	if (!r->exec)
		return start >= LOWEST_ADDRESS;
	/* Lines come in bunches from one range. */
	if (r->exec_hint < until && start >= range[r->exec_hint].start &&
		start < range[r->exec_hint].end)
		return true;
	/* The first range that ends behind the start. */
	while (from < until) {
		size_t middle = from + (until - from) / 2;

		if (range[middle].end <= start)
			from = middle + 1;
		else
			until = middle;
	}
	r->exec_hint = from;
	return from < r->exec->n && range[from].start < end;
}

static struct span until_nul(struct span s)
{
	const char *nul = s.n ? memchr(s.p, '\0', s.n) : NULL;

	return nul ? span_range(s.p, nul) : s;
}

static enum line_kind parse_line(struct perf_map_reader *r, struct span line, struct map_line *out)
{
	uint64_t size_bytes;

	skip_blanks(&line);
	if (!take_number(&line, &out->start) || !skip_blanks(&line))
		return LINE_TEXT;
	/* "b c /srv/app.js:1:19", the second half of a name, reads as 12 bytes of code at 0xb. */
	if (out->start < LOWEST_ADDRESS && !(r->exec && is_code(r, out->start, out->start + 1)))
		return LINE_TEXT;
	if (!take_number(&line, &size_bytes) || !skip_blanks(&line))
		return LINE_BAD;
	/* A size of 0 names one address. */
	if (__builtin_add_overflow(out->start, size_bytes ? size_bytes : 1, &out->end))
		return LINE_BAD;
	out->name = until_nul(line);
	if (!out->name.n)
		return LINE_BAD;
	return is_code(r, out->start, out->end) ? LINE_CODE : LINE_OUTSIDE;
}

/* ------------------------------------------------------------------ names of several lines */

static bool ends_in_line_number(struct span name)
{
	size_t n = name.n;

	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	return n && n < name.n && name.p[n - 1] == ':';
}

/* V8 writes a JavaScript name as it is, line breaks and all, but ends it with a line number:
 * "JS:*a", "b /srv/app.js:1:19". A name without a kind before it is no such name. */
static bool may_go_on(struct span name)
{
	size_t n = 0;

	while (n < name.n && ((name.p[n] | 0x20) >= 'a' && (name.p[n] | 0x20) <= 'z'))
		n++;
	return n && n < name.n && name.p[n] == ':' && !ends_in_line_number(name);
}

static void open_name(struct perf_map_reader *r, struct span name, enum perf_map_name open)
{
	r->name = may_go_on(name) ? open : NAME_ENDED;
	r->name_bytes = name.n;
}

static void continue_name(struct perf_map_reader *r, struct span more)
{
	if (r->name == NAME_OPEN)
		codemap_continue_name(r->map, more);
	else if (r->name == NAME_OPEN_BYTECODE)
		bytecodes_continue_name(&r->map->bytecodes, more);
}

static void go_on_with_name(struct perf_map_reader *r, struct span line)
{
	bool ended = ends_in_line_number(line);

	line = until_nul(line);
	if (r->name_bytes + line.n < LINE_BYTES_MAX) {
		continue_name(r, SPAN(" "));
		continue_name(r, line);
		r->name_bytes += line.n + 1;
	}
	if (ended)
		r->name = NAME_ENDED;
}

static struct span without_cr(struct span line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

static void take_line_outside(struct perf_map_reader *r, const struct map_line *line)
{
	bool bytecode = r->exec && bytecodes_wants(line->name);

	r->map->facts.outside++;
	if (bytecode)
		bytecodes_add(&r->map->bytecodes, line->start, line->name);
	open_name(r, line->name, bytecode ? NAME_OPEN_BYTECODE : NAME_OPEN_UNUSED);
}

static void take_line(struct perf_map_reader *r, struct span line)
{
	struct map_line entry;

	line = without_cr(line);
	switch (parse_line(r, line, &entry)) {
	case LINE_CODE:
		codemap_add(r->map, entry.start, entry.end, entry.name);
		open_name(r, entry.name, NAME_OPEN);
		break;
	case LINE_OUTSIDE:
		take_line_outside(r, &entry);
		break;
	case LINE_TEXT:
		if (r->name != NAME_ENDED) {
			go_on_with_name(r, line);
			break;
		}
		/* fall through */
	case LINE_BAD:
		r->name = NAME_ENDED;
		if (line.n)
			diag_count(r->diag, DIAG_BAD_MAP_LINE, r->line);
	}
}

/* ------------------------------------------------------------------ lines as perf 6.1 reads them
 */

/* dso__load_perf_map() in tools/perf/util/symbol.c: it cuts the last byte of each line, thought
 * to be the LF, and wants names of three bytes or more. */
static void take_line_as_perf(struct perf_map_reader *r, struct span line, bool has_lf)
{
	struct span s = until_nul(line);
	uint64_t start, size_bytes;

	if (!has_lf && s.n)
		s.n--;
	skip_blanks(&s);
	if (!take_number(&s, &start) || s.n <= 3)
		return;
	s = span_from(s, 1);
	skip_blanks(&s);
	if (!take_number(&s, &size_bytes) || s.n <= 3)
		return;
	codemap_add(r->map, start, start + size_bytes, span_from(s, 1));
}

/* ------------------------------------------------------------------ blocks */

static void finish_line(struct perf_map_reader *r, struct span line, bool has_lf)
{
	r->line++;
	if (line.n > LINE_BYTES_MAX)
		line.n = LINE_BYTES_MAX;
	if (r->compat_perf)
		take_line_as_perf(r, line, has_lf);
	else
		take_line(r, line);
}

static void keep_unfinished(struct perf_map_reader *r, struct span part)
{
	size_t room = LINE_BYTES_MAX - r->unfinished.n;

	buf_put(&r->unfinished, part.p, part.n < room ? part.n : room);
}

void perf_map_take(struct perf_map_reader *r, struct span block)
{
	const char *lf;

	while (block.n && (lf = memchr(block.p, '\n', block.n))) {
		struct span line = span_range(block.p, lf);

		block = span_from(block, line.n + 1);
		if (r->unfinished.n) {
			keep_unfinished(r, line);
			line = buf_span(&r->unfinished);
			r->unfinished.n = 0;
		}
		finish_line(r, line, true);
	}
	keep_unfinished(r, block);
}

void perf_map_end(struct perf_map_reader *r)
{
	if (r->unfinished.n)
		finish_line(r, buf_span(&r->unfinished), false);
	buf_release(&r->unfinished);
	codemap_finish(r->map);
}

/* Up to the size at the beginning: a process that is alive goes on writing. */
static int read_file(struct perf_map_reader *r, const struct file *f, struct err *e)
{
	char *block = xmalloc(BLOCK_BYTES);
	uint64_t offset = 0;
	size_t got = 1;
	int rc = OK;

	while (!rc && got && offset < f->size_bytes) {
		uint64_t left = f->size_bytes - offset;
		size_t want = left < BLOCK_BYTES ? (size_t)left : BLOCK_BYTES;

		rc = file_read_some_at(f, block, want, offset, &got, e);
		perf_map_take(r, (struct span){ block, got });
		offset += got;
	}
	free(block);
	return rc;
}

int codemap_load_perf_map(struct codemap **out, const char *path, struct frames *frames,
	struct diag *diag, const struct codemap_ranges *exec, int32_t pid, bool compat_perf,
	struct err *e)
{
	struct perf_map_reader r = { .diag = diag, .exec = exec, .compat_perf = compat_perf };
	struct file f;
	int rc;

	*out = NULL;
	if (file_open_regular(&f, path, e))
		return e->code;
	r.map = codemap_new(frames, pid, compat_perf);
	rc = read_file(&r, &f, e);
	perf_map_end(&r);
	file_close(&f);
	if (rc)
		codemap_free(r.map);
	else
		*out = r.map;
	return rc;
}

/* Damage was counted when the map was read first. */
int codemap_date(struct codemap *m, const char *path, const struct codemap_ranges *exec,
	const struct codemap_seen *seen, struct err *e)
{
	struct diag unused = { 0 };
	struct perf_map_reader r = { .diag = &unused, .exec = exec };
	struct file f;
	int rc;

	if (file_open_regular(&f, path, e))
		return e->code;
	layers_begin(&m->layers, seen->pieces.range, seen->pieces.n);
	r.map = codemap_new(m->frames, 0, false);
	r.map->collect = &m->layers;
	rc = read_file(&r, &f, e);
	perf_map_end(&r);
	file_close(&f);
	codemap_free(r.map);
	if (rc)
		layers_release(&m->layers);
	else
		layers_date(&m->layers, seen->at, seen->n);
	return rc;
}
