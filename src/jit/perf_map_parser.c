/*
 * How it works: blocks of the file are cut into lines; what is left at the end of a block waits for
 * the next one. A line is one of:
 *
 *	START SIZE NAME       an entry
 *	anything else         the rest of a name with line breaks, if such a name is open; else bad
 *
 * V8 writes JavaScript names as they are, with line breaks. A name that begins like one of V8's
 * ("JS:", "Handler:") and does not end in a line number stays open, and is completed by the lines
 * that follow. An entry is handed to visit() when its name is known to be complete.
 *
 * Costs: lines are views of the block. Bytes are copied only for a line or name that crosses the
 * end of a block. The search for NUL bytes is made once for each block.
 *
 * Source: tools/perf/Documentation/jit-interface.txt; dso__load_perf_map() in
 * tools/perf/util/symbol.c; V8's src/diagnostics/perf-jit.cc and src/logging/log.cc.
 */
#include "jit/perf_map_parser.h"

#include "base/bisect.h"
#include "base/chars.h"
enum {
	LINE_BYTES_MAX = 64 * 1024, /* longer lines are cut, as V8 does at 4096 */
	/* The last line of a name begins within this many bytes of the first. */
	NAME_LINES_BYTES = PERF_MAP_ENTRY_BYTES - 2 * LINE_BYTES_MAX,
	/* Linux maps nothing below (vm.mmap_min_addr). */
	LOWEST_ADDRESS = 64 * 1024,
};

enum map_line_kind {
	LINE_ENTRY,
	LINE_REST, /* does not begin with an address */
	LINE_BAD,
};

/* ---- one line ----------------------------------------------------------------------------- */

/* Unlike char_is_blank(): CR is part of a name. */
static bool is_separator(char c)
{
	return c == ' ' || c == '\t';
}

static bool skip_blanks(struct span *s)
{
	size_t n = s->n;

	while (s->n && is_separator(s->p[0]))
		*s = span_skip(*s, 1);
	return s->n < n;
}

static bool parse_number(struct span *s, uint64_t *value)
{
	if (s->n > 2 && s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X'))
		*s = span_skip(*s, 2);
	return span_scan_hex(s, value);
}

/* Does code from start until end touch executable memory? */
static bool is_code(struct perf_map_parser *p, uint64_t start, uint64_t end)
{
	const struct codemap_range *range = p->exec ? p->exec->range : NULL;
	size_t first;

	if (!p->exec)
		return start >= LOWEST_ADDRESS;
	/* Successive lines are often in one range. */
	if (p->exec_hint < p->exec->n && start >= range[p->exec_hint].start &&
		start < range[p->exec_hint].end)
		return true;
	first = bisect(i, 0, p->exec->n, range[i].end > start);
	p->exec_hint = first;
	return first < p->exec->n && range[first].start < end;
}

static struct span until_nul(const struct perf_map_parser *p, struct span s)
{
	const char *nul = s.n && p->any_nul ? memchr(s.p, '\0', s.n) : NULL;

	return nul ? span_range(s.p, nul) : s;
}

static enum map_line_kind parse_line(
	struct perf_map_parser *p, struct span line, struct perf_map_entry *out)
{
	uint64_t size_bytes;

	skip_blanks(&line);
	if (!parse_number(&line, &out->start) || !skip_blanks(&line))
		return LINE_REST;
	/* "b c /srv/app.js:1:19", the second half of a name, reads as 12 bytes of code at 0xb. */
	if (out->start < LOWEST_ADDRESS && !(p->exec && is_code(p, out->start, out->start + 1)))
		return LINE_REST;
	if (!parse_number(&line, &size_bytes) || !skip_blanks(&line))
		return LINE_BAD;
	/* No code is as large as 4 GiB. A size of 0 names one address. */
	if (size_bytes > UINT32_MAX ||
		__builtin_add_overflow(out->start, size_bytes ? size_bytes : 1, &out->end))
		return LINE_BAD;
	out->name = until_nul(p, line);
	if (!out->name.n)
		return LINE_BAD;
	out->is_code = is_code(p, out->start, out->end);
	return LINE_ENTRY;
}

/* ---- names of several lines --------------------------------------------------------------- */

static bool ends_in_line_number(struct span name)
{
	size_t n = name.n;

	while (n && char_is_digit(name.p[n - 1]))
		n--;
	return n && n < name.n && name.p[n - 1] == ':';
}

/* V8 writes a JavaScript name as it is, line breaks and all, but ends it with a line number:
 * "JS:*a", "b /srv/app.js:1:19". A name without a kind in front is no such name. */
static bool may_continue(struct span name)
{
	size_t n = 0;

	if (ends_in_line_number(name))
		return false;
	while (n < name.n && char_is_letter(name.p[n]))
		n++;
	return n && n < name.n && name.p[n] == ':';
}

/* Called when its line is about to go. */
static void keep_open_name(struct perf_map_parser *p)
{
	if (p->name != NAME_ENDED && !p->open_name.n)
		buf_put_span(&p->open_name, p->open.name);
}

static void end_name(struct perf_map_parser *p)
{
	if (p->name == NAME_ENDED)
		return;
	p->name = NAME_ENDED;
	if (p->open_name.n)
		p->open.name = buf_span(&p->open_name);
	p->visit(p->ctx, &p->open);
}

static void continue_name(struct perf_map_parser *p, struct span line, uint64_t offset)
{
	bool ended = ends_in_line_number(line);

	line = until_nul(p, line);
	keep_open_name(p);
	if (p->open_name.n + line.n >= LINE_BYTES_MAX || offset - p->open.offset > NAME_LINES_BYTES)
		p->name = NAME_FULL;
	if (p->name == NAME_OPEN) {
		buf_putc(&p->open_name, ' ');
		buf_put_span(&p->open_name, line);
	}
	if (ended)
		end_name(p);
}

static void begin_entry(struct perf_map_parser *p, const struct perf_map_entry *entry)
{
	end_name(p);
	if (!may_continue(entry->name)) {
		p->visit(p->ctx, entry);
		return;
	}
	p->name = NAME_OPEN;
	p->open = *entry;
	p->open_name.n = 0;
}

static struct span without_cr(struct span line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

static void handle_line(struct perf_map_parser *p, struct span line, uint64_t offset)
{
	struct perf_map_entry entry = { .offset = offset };

	line = without_cr(line);
	switch (parse_line(p, line, &entry)) {
	case LINE_ENTRY:
		begin_entry(p, &entry);
		break;
	case LINE_REST:
		if (p->name != NAME_ENDED) {
			continue_name(p, line, offset);
			break;
		}
		/* fall through */
	case LINE_BAD:
		end_name(p);
		if (line.n)
			diag_count(p->diag, DIAG_BAD_MAP_LINE, p->line);
	}
}

/* ---- lines as perf 6.1 reads them --------------------------------------------------------- */

/* dso__load_perf_map() in tools/perf/util/symbol.c: it cuts off the last byte of each line, even if
 * that is not LF, and requires names of three bytes or more. */
static void handle_line_as_perf(
	struct perf_map_parser *p, struct span line, uint64_t offset, bool has_lf)
{
	struct span s = until_nul(p, line);
	uint64_t start, size_bytes;

	if (!has_lf && s.n)
		s.n--;
	skip_blanks(&s);
	if (!parse_number(&s, &start) || s.n <= 3)
		return;
	s = span_skip(s, 1);
	skip_blanks(&s);
	if (!parse_number(&s, &size_bytes) || s.n <= 3)
		return;
	p->visit(p->ctx, &(struct perf_map_entry){
				 start, start + size_bytes, offset, span_skip(s, 1), true });
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void finish_line(struct perf_map_parser *p, struct span line, uint64_t offset, bool has_lf)
{
	p->line++;
	if (line.n > LINE_BYTES_MAX)
		line.n = LINE_BYTES_MAX;
	if (p->compat_perf)
		handle_line_as_perf(p, line, offset, has_lf);
	else
		handle_line(p, line, offset);
}

static void keep_unfinished(struct perf_map_parser *p, struct span part)
{
	size_t room = LINE_BYTES_MAX - p->unfinished.n;

	buf_put(&p->unfinished, part.p, part.n < room ? part.n : room);
}

void perf_map_parser_feed(struct perf_map_parser *p, struct span block)
{
	uint64_t end = p->block + block.n;
	const char *lf;

	/* If the block has none, no line has one. */
	p->any_nul = p->any_nul || (block.n && memchr(block.p, '\0', block.n));
	while (block.n && (lf = memchr(block.p, '\n', block.n))) {
		struct span line = span_range(block.p, lf);
		uint64_t offset = p->offset;

		block = span_skip(block, line.n + 1);
		p->offset = end - block.n;
		if (p->unfinished.n) {
			keep_unfinished(p, line);
			line = buf_span(&p->unfinished);
			p->unfinished.n = 0;
		}
		finish_line(p, line, offset, true);
		if (p->stop)
			return;
	}
	keep_open_name(p);
	keep_unfinished(p, block);
	p->block = end;
}

void perf_map_parser_end(struct perf_map_parser *p)
{
	if (p->unfinished.n)
		finish_line(p, buf_span(&p->unfinished), p->offset, false);
	end_name(p);
	buf_release(&p->unfinished);
	buf_release(&p->open_name);
}
