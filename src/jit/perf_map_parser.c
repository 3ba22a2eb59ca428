#include "jit/perf_map_parser.h"

#include "base/bisect.h"
enum {
	LINE_BYTES_MAX = 64 * 1024, /* longer lines are cut, as V8 does at 4096 */
	/* The last line of a name begins no further away than this. */
	NAME_LINES_BYTES = PERF_MAP_ENTRY_BYTES - 2 * LINE_BYTES_MAX,
	/* Linux maps nothing below (vm.mmap_min_addr). */
	LOWEST_ADDRESS = 64 * 1024,
};

enum line_kind {
	LINE_ENTRY,
	LINE_TEXT, /* does not begin with an address */
	LINE_BAD,
};

/* ---- one line ----------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool skip_blanks(struct span *s)
{
	size_t n = s->n;

	while (s->n && is_blank(s->p[0]))
		*s = span_skip(*s, 1);
	return s->n < n;
}

static bool take_number(struct span *s, uint64_t *value)
{
	if (s->n > 2 && s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X'))
		*s = span_skip(*s, 2);
	return span_scan_hex(s, value);
}

/* Does code from start until end touch executable memory? */
static bool is_code(struct perf_map_parser *r, uint64_t start, uint64_t end)
{
	const struct codemap_range *range = r->exec ? r->exec->range : NULL;
	size_t first;

	if (!r->exec)
		return start >= LOWEST_ADDRESS;
	/* Successive lines often lie in one range. */
	if (r->exec_hint < r->exec->n && start >= range[r->exec_hint].start &&
		start < range[r->exec_hint].end)
		return true;
	first = bisect(i, 0, r->exec->n, range[i].end > start);
	r->exec_hint = first;
	return first < r->exec->n && range[first].start < end;
}

static struct span until_nul(const struct perf_map_parser *r, struct span s)
{
	const char *nul = s.n && r->any_nul ? memchr(s.p, '\0', s.n) : NULL;

	return nul ? span_range(s.p, nul) : s;
}

static enum line_kind parse_line(
	struct perf_map_parser *r, struct span line, struct perf_map_entry *out)
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
	/* No code is as large as 4 GiB. A size of 0 names one address. */
	if (size_bytes > UINT32_MAX ||
		__builtin_add_overflow(out->start, size_bytes ? size_bytes : 1, &out->end))
		return LINE_BAD;
	out->name = until_nul(r, line);
	if (!out->name.n)
		return LINE_BAD;
	out->is_code = is_code(r, out->start, out->end);
	return LINE_ENTRY;
}

/* ---- names of several lines --------------------------------------------------------------- */

static bool ends_in_line_number(struct span name)
{
	size_t n = name.n;

	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	return n && n < name.n && name.p[n - 1] == ':';
}

static bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') <= 'z' - 'a';
}

/* V8 writes a JavaScript name as it is, line breaks and all, but ends it with a line number:
 * "JS:*a", "b /srv/app.js:1:19". A name without a kind in front is no such name. */
static bool may_go_on(struct span name)
{
	size_t n = 0;

	if (ends_in_line_number(name))
		return false;
	while (n < name.n && is_letter(name.p[n]))
		n++;
	return n && n < name.n && name.p[n] == ':';
}

/* Called when its line is about to go. */
static void keep_open_name(struct perf_map_parser *r)
{
	if (r->name != NAME_ENDED && !r->open_name.n)
		buf_put_span(&r->open_name, r->open.name);
}

static void end_name(struct perf_map_parser *r)
{
	if (r->name == NAME_ENDED)
		return;
	r->name = NAME_ENDED;
	if (r->open_name.n)
		r->open.name = buf_span(&r->open_name);
	r->take(r->ctx, &r->open);
}

static void go_on_with_name(struct perf_map_parser *r, struct span line, uint64_t place)
{
	bool ended = ends_in_line_number(line);

	line = until_nul(r, line);
	keep_open_name(r);
	if (r->open_name.n + line.n >= LINE_BYTES_MAX || place - r->open.place > NAME_LINES_BYTES)
		r->name = NAME_FULL;
	if (r->name == NAME_OPEN) {
		buf_putc(&r->open_name, ' ');
		buf_put_span(&r->open_name, line);
	}
	if (ended)
		end_name(r);
}

static void take_entry(struct perf_map_parser *r, const struct perf_map_entry *entry)
{
	end_name(r);
	if (!may_go_on(entry->name)) {
		r->take(r->ctx, entry);
		return;
	}
	r->name = NAME_OPEN;
	r->open = *entry;
	r->open_name.n = 0;
}

static struct span without_cr(struct span line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

static void take_line(struct perf_map_parser *r, struct span line, uint64_t place)
{
	struct perf_map_entry entry = { .place = place };

	line = without_cr(line);
	switch (parse_line(r, line, &entry)) {
	case LINE_ENTRY:
		take_entry(r, &entry);
		break;
	case LINE_TEXT:
		if (r->name != NAME_ENDED) {
			go_on_with_name(r, line, place);
			break;
		}
		/* fall through */
	case LINE_BAD:
		end_name(r);
		if (line.n)
			diag_count(r->diag, DIAG_BAD_MAP_LINE, r->line);
	}
}

/* ---- lines as perf 6.1 reads them --------------------------------------------------------- */

/* dso__load_perf_map() in tools/perf/util/symbol.c: it cuts off the last byte of each line, which
 * it takes for the LF, and wants names of three bytes or more. */
static void take_line_as_perf(
	struct perf_map_parser *r, struct span line, uint64_t place, bool has_lf)
{
	struct span s = until_nul(r, line);
	uint64_t start, size_bytes;

	if (!has_lf && s.n)
		s.n--;
	skip_blanks(&s);
	if (!take_number(&s, &start) || s.n <= 3)
		return;
	s = span_skip(s, 1);
	skip_blanks(&s);
	if (!take_number(&s, &size_bytes) || s.n <= 3)
		return;
	r->take(r->ctx, &(struct perf_map_entry){
				start, start + size_bytes, place, span_skip(s, 1), true });
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void finish_line(struct perf_map_parser *r, struct span line, uint64_t place, bool has_lf)
{
	r->line++;
	if (line.n > LINE_BYTES_MAX)
		line.n = LINE_BYTES_MAX;
	if (r->compat_perf)
		take_line_as_perf(r, line, place, has_lf);
	else
		take_line(r, line, place);
}

static void keep_unfinished(struct perf_map_parser *r, struct span part)
{
	size_t room = LINE_BYTES_MAX - r->unfinished.n;

	buf_put(&r->unfinished, part.p, part.n < room ? part.n : room);
}

void perf_map_parser_feed(struct perf_map_parser *r, struct span block)
{
	uint64_t end = r->block + block.n;
	const char *lf;

	/* If it has none, no line has one. */
	r->any_nul = r->any_nul || (block.n && memchr(block.p, '\0', block.n));
	while (block.n && (lf = memchr(block.p, '\n', block.n))) {
		struct span line = span_range(block.p, lf);
		uint64_t place = r->place;

		block = span_skip(block, line.n + 1);
		r->place = end - block.n;
		if (r->unfinished.n) {
			keep_unfinished(r, line);
			line = buf_span(&r->unfinished);
			r->unfinished.n = 0;
		}
		finish_line(r, line, place, true);
		if (r->enough)
			return;
	}
	keep_open_name(r);
	keep_unfinished(r, block);
	r->block = end;
}

void perf_map_parser_end(struct perf_map_parser *r)
{
	if (r->unfinished.n)
		finish_line(r, buf_span(&r->unfinished), r->place, false);
	end_name(r);
	buf_release(&r->unfinished);
	buf_release(&r->open_name);
}
