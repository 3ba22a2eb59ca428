/*
 * pipeline_fuzz_for_test.h - a profile through every writer, and what must be true of all they
 * write
 *
 * JSON is complete and UTF-8; an SVG is well-formed XML; a page has the scripts that html.c writes
 * and no other; messages of pprof end where they say; lines of folded stacks end in a number.
 * A writer may refuse a profile (a format of single samples refuses sums). Included by *_fuzz.c
 * only.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_PIPELINE_PIPELINE_FUZZ_FOR_TEST_H
#define PERFOLD_PIPELINE_PIPELINE_FUZZ_FOR_TEST_H

#include "base/json_reader.h"
#include "base/mem.h"
#include "base/protobuf_reader.h"
#include "base/utf8.h"
#include "collapse/collapse.h"
#include "output/output.h"

#include <stdio.h>
#include <stdlib.h>

#define FUZZ_FN __attribute__((unused)) static

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

FUZZ_FN void fuzz_fail(const char *format, const char *what, struct span near)
{
	fprintf(stderr, "%s: %s: %.*s\n", format, what, (int)(near.n < 200 ? near.n : 200), near.p);
	abort();
}

/* ---- JSON --------------------------------------------------------------------------------- */

FUZZ_FN bool fuzz_any_value(void *ctx, const struct json_reader *j, const struct json_value *v)
{
	(void)ctx, (void)j, (void)v;
	return true;
}

FUZZ_FN void fuzz_check_json(const char *format, struct span text)
{
	struct json_reader *j = json_reader_new(fuzz_any_value, NULL);
	struct err e = { 0 };

	if (json_reader_feed(j, text, &e) || json_reader_finish(j, &e))
		fuzz_fail(format, e.msg, text);
	json_reader_free(j);
	if (!utf8_valid(text))
		fuzz_fail(format, "not UTF-8", text);
}

/* A value on each line; a profile without samples has none. */
FUZZ_FN void fuzz_check_rows(struct span text)
{
	struct span line;

	while (span_next_line(&text, &line))
		fuzz_check_json("rows", line);
}

/* ---- XML ---------------------------------------------------------------------------------- */

FUZZ_FN bool fuzz_cut_through(struct span *s, const char *end)
{
	const char *at = memmem(s->p, s->n, end, strlen(end));

	if (at)
		*s = span_skip(*s, (size_t)(at - s->p) + strlen(end));
	return at != NULL;
}

/* Text or the value of an attribute: characters of XML, and references that it knows. */
FUZZ_FN void fuzz_check_xml_text(struct span s)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#" };
	size_t i;

	if (!utf8_valid(s))
		fuzz_fail("svg", "not UTF-8", s);
	for (; s.n; s = span_skip(s, 1)) {
		unsigned char c = (unsigned char)s.p[0];

		if (c == '<' || (c < ' ' && c != '\n' && c != '\t' && c != '\r'))
			fuzz_fail("svg", "character in a text", s);
		if (c != '&')
			continue;
		for (i = 0; i < ARRAY_LEN(known) && !span_starts(s, span_of(known[i])); i++)
			;
		if (i == ARRAY_LEN(known))
			fuzz_fail("svg", "unknown reference", s);
	}
}

/* From behind the name of an element to behind its ">"; true: it is empty, "/>". */
FUZZ_FN bool fuzz_cut_attributes(struct span *s)
{
	while (s->n && s->p[0] != '>' && s->p[0] != '/') {
		struct span value;

		if (s->p[0] != '"') {
			if (s->p[0] == '<')
				fuzz_fail("svg", "element in an element", *s);
			*s = span_skip(*s, 1);
			continue;
		}
		value = *s = span_skip(*s, 1);
		if (!fuzz_cut_through(s, "\""))
			fuzz_fail("svg", "attribute without end", value);
		fuzz_check_xml_text(span_range(value.p, s->p - 1));
	}
	if (s->n && s->p[0] == '/') {
		if (!fuzz_cut_through(s, "/>"))
			fuzz_fail("svg", "element without end", *s);
		return true;
	}
	if (!fuzz_cut_through(s, ">"))
		fuzz_fail("svg", "element without end", *s);
	return false;
}

FUZZ_FN struct span fuzz_xml_name(struct span s)
{
	size_t n = 0;

	while (n < s.n && !strchr(" \t\n/>", s.p[n]))
		n++;
	return (struct span){ s.p, n };
}

FUZZ_FN void fuzz_check_xml(struct span text)
{
	enum { DEEPEST = 64 };
	struct span s = text, open[DEEPEST];
	size_t depth = 0, elements = 0;

	while (s.n) {
		struct span rest = s, name;

		if (!fuzz_cut_through(&rest, "<"))
			rest = span_skip(s, s.n);
		fuzz_check_xml_text(span_range(s.p, rest.p - (rest.n ? 1 : 0)));
		s = rest;
		if (!s.n)
			break;
		if (s.p[0] == '!' || s.p[0] == '?') {
			if (!fuzz_cut_through(&s, span_starts(s, SPAN("![CDATA[")) ? "]]>"
						  : span_starts(s, SPAN("!--"))    ? "-->"
										   : ">"))
				fuzz_fail("svg", "markup without end", s);
			continue;
		}
		name = fuzz_xml_name(s.p[0] == '/' ? span_skip(s, 1) : s);
		if (s.p[0] == '/') {
			if (!depth || !span_eq(open[--depth], name))
				fuzz_fail("svg", "end of an element that is not open", s);
			fuzz_cut_through(&s, ">");
			continue;
		}
		elements++;
		s = span_skip(s, name.n);
		if (fuzz_cut_attributes(&s))
			continue;
		if (depth == DEEPEST)
			fuzz_fail("svg", "elements without end", s);
		open[depth++] = name;
	}
	if (depth || !elements)
		fuzz_fail("svg", "element without end", depth ? open[depth - 1] : text);
}

/* ---- the others --------------------------------------------------------------------------- */

FUZZ_FN void fuzz_check_html(struct span text)
{
	static const char *const known[] = { "<script>",
		"<script type=\"text/plain\" class=\"packed\">",
		"<script type=\"application/json\" id=\"facts\">" };
	unsigned count[ARRAY_LEN(known)] = { 0 };
	struct span s = text, content;
	size_t i;

	while (fuzz_cut_through(&s, "<script")) {
		struct span at = span_range(s.p - strlen("<script"), text.p + text.n);

		/* What is before the data; the last script is the same in every page. */
		if (!count[1] && !utf8_valid(span_range(text.p, at.p)))
			fuzz_fail("html", "not UTF-8", text);

		for (i = 0; i < ARRAY_LEN(known) && !span_starts(at, span_of(known[i])); i++)
			;
		if (i == ARRAY_LEN(known) || count[0])
			fuzz_fail("html", "a script that is not ours", at);
		count[i]++;
		content = s = span_skip(at, strlen(known[i]));
		if (!fuzz_cut_through(&s, "</script>"))
			fuzz_fail("html", "script without end", at);
		if (i == 2)
			fuzz_check_json("html", span_range(content.p, s.p - strlen("</script>")));
	}
	if (count[0] != 1 || count[2] != 1 || !count[1])
		fuzz_fail("html", "scripts are missing", text);
}

FUZZ_FN void fuzz_check_pprof(struct span text)
{
	struct protobuf_reader m = { .rest = text };
	struct protobuf_field f;

	while (protobuf_reader_next(&m, &f)) {
		struct protobuf_reader inner = { .rest = f.bytes };
		struct protobuf_field of;

		/* The table of strings is field 6; all else that has bytes is a message. */
		if (!f.is_bytes || f.number == 6)
			continue;
		while (protobuf_reader_next(&inner, &of))
			;
		if (inner.damaged)
			fuzz_fail("pprof", "damaged message", f.bytes);
	}
	if (m.damaged)
		fuzz_fail("pprof", "damaged", text);
}

FUZZ_FN void fuzz_check_folded(struct span text)
{
	struct span line, count;
	uint64_t weight;

	while (span_next_line(&text, &line)) {
		count = line;
		while (count.n && memchr(count.p, ' ', count.n))
			count = span_skip(count,
				(size_t)((char *)memchr(count.p, ' ', count.n) - count.p) + 1);
		if (count.n == line.n || !span_scan_u64(&count, &weight) || count.n)
			fuzz_fail("folded", "a line without a number", line);
	}
}

/* ---- Markdown ----------------------------------------------------------------------------- */

FUZZ_FN size_t fuzz_ticks(struct span s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == '`')
		n++;
	return n;
}

/* Behind a code span, whose end is as many backticks as its beginning. */
FUZZ_FN struct span fuzz_skip_code(struct span s)
{
	size_t ticks = fuzz_ticks(s), n;

	for (s = span_skip(s, ticks); s.n; s = span_skip(s, n ? n : 1)) {
		n = fuzz_ticks(s);
		if (n == ticks)
			return span_skip(s, n);
	}
	fuzz_fail("markdown", "code without end", s);
	return s;
}

/* What is not code is of the program: no markup, no mention, and lines begin as its own do. */
FUZZ_FN void fuzz_check_markdown(struct span text)
{
	static const char *const begins[] = { "# `", "## ", "- ", "`", "Shares are of all `",
		"Shares are of everything ", "Spans of `" };
	struct span line, rest, fence = { 0 };
	size_t i;

	if (!utf8_valid(text))
		fuzz_fail("markdown", "not UTF-8", text);
	while (span_next_line(&text, &line)) {
		if (fuzz_ticks(line) >= 3 && fuzz_ticks(line) == line.n &&
			(!fence.n || fence.n == line.n)) {
			fence = fence.n ? (struct span){ 0 } : line;
			continue;
		}
		for (i = 0; i < line.n; i++)
			if ((unsigned char)line.p[i] < ' ')
				fuzz_fail("markdown", "control character", line);
		if (fence.n || !line.n)
			continue;
		for (i = 0; i < ARRAY_LEN(begins) && !span_starts(line, span_of(begins[i])); i++)
			;
		if (i == ARRAY_LEN(begins))
			fuzz_fail("markdown", "a line of its own", line);
		for (rest = line; rest.n;
			rest = rest.p[0] == '`' ? fuzz_skip_code(rest) : span_skip(rest, 1))
			if (memchr("<@[]", rest.p[0], 4))
				fuzz_fail("markdown", "markup", line);
	}
	if (fence.n)
		fuzz_fail("markdown", "a block without end", text);
}

FUZZ_FN void fuzz_check(const char *format, struct span text)
{
	static const struct {
		const char *format;
		void (*check)(struct span text);
	} own[] = { { "svg", fuzz_check_xml }, { "html", fuzz_check_html },
		{ "pprof", fuzz_check_pprof }, { "folded", fuzz_check_folded },
		{ "markdown", fuzz_check_markdown }, { "rows", fuzz_check_rows } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(own); i++)
		if (!strcmp(format, own[i].format)) {
			own[i].check(text);
			return;
		}
	if (strcmp(format, "callgrind") != 0)
		fuzz_check_json(format, text);
}

/* Lines of hexadecimal numbers and counts, with what is between them. */
FUZZ_FN void fuzz_check_branches(const char *format, struct span text)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		if (!strchr("0123456789abcdefBFS ->:\n", text.p[i]))
			fuzz_fail(format, "no branch", span_skip(text, i));
}

/* Those of lines have names of functions, in a text or in a binary format. */
FUZZ_FN void fuzz_check_counts(const char *format, struct span text)
{
	if (!text.n)
		fuzz_fail(format, "is empty", text);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* What a run of the program wants that has every output. */
enum {
	FUZZ_ALL_NEEDS =
		OUTPUT_FULL | OUTPUT_TIMELINE | OUTPUT_REPORT | OUTPUT_PICTURE | OUTPUT_BRANCHES
};

FUZZ_FN void fuzz_write(
	const struct output_format *format, const struct profile *p, const struct output_opts *o)
{
	struct buf text = { 0 };
	struct sink *to = sink_to_buf(&text);
	struct err e = { 0 };

	if (format->write(p, o, to, &e))
		sink_abort(to);
	else if (sink_commit(to, &e))
		fuzz_fail(format->name, e.msg, SPAN(""));
	else if (format->needs & OUTPUT_BY_LINE)
		fuzz_check_counts(format->name, buf_span(&text));
	else if (format->needs & OUTPUT_BRANCHES)
		fuzz_check_branches(format->name, buf_span(&text));
	else
		fuzz_check(format->name, buf_span(&text));
	buf_release(&text);
}

/* page: the report as well, which takes as long as all the others together. */
FUZZ_FN void fuzz_write_all(const struct profile *full, const struct output_opts *o, bool page)
{
	struct profile *by_name = collapse_by_name(full, true);
	size_t i;

	for (i = 0; output_formats[i]; i++)
		if (!(output_formats[i]->needs & OUTPUT_BRANCHES) &&
			(page || strcmp(output_formats[i]->name, "html") != 0))
			fuzz_write(output_formats[i],
				output_formats[i]->needs & OUTPUT_BY_NAME ? by_name : full, o);
	profile_free(by_name);
}

/* Counts of lines that are made up, of functions with the name of the binary. */
FUZZ_FN struct sample_profile *fuzz_count_lines(
	const struct branch_binary *b, const struct strtab *strings)
{
	const struct sample_place call = { 3, 1 }, line = { 65535, 0 };
	struct sample_profile *p = sample_profile_new(strings);
	uint32_t root = sample_profile_root(p, b->path),
		 inlined = sample_profile_inlined(p, root, call, b->path),
		 target = sample_profile_target(p, root, call, b->path), i;

	p->function[root].total = UINT64_MAX;
	i = sample_profile_line(p, root, call);
	p->line[i].count = b->module;
	i = sample_profile_line(p, inlined, line);
	p->line[i].count = 1;
	p->target[target].count = 2;
	sample_profile_sort(p);
	return p;
}

/* Those that are about a binary: of each. Names of events are any bytes. */
FUZZ_FN void fuzz_write_branches(
	const struct branch_profile *p, const struct strtab *strings, struct output_opts *o)
{
	uint32_t k;
	size_t i;

	for (k = 0; k < p->n && p->totals.entries; k++) {
		struct sample_profile *samples = fuzz_count_lines(&p->binary[k], strings);

		o->branches = &p->binary[k];
		o->samples = samples;
		for (i = 0; output_formats[i]; i++)
			if (output_formats[i]->needs & OUTPUT_BRANCHES)
				fuzz_write(output_formats[i], NULL, o);
		sample_profile_free(samples);
	}
}

/* Folded stacks then have two numbers. */
FUZZ_FN void fuzz_write_difference(const struct diff *d, const struct output_opts *o, bool page)
{
	struct profile *picture = diff_picture(d, false);
	size_t i;

	for (i = 0; output_formats[i]; i++) {
		const struct output_format *f = output_formats[i];

		if (f->needs & OUTPUT_DIFFERENCE && (page || strcmp(f->name, "html") != 0))
			fuzz_write(f, f->needs & OUTPUT_PICTURE ? picture : d->profile, o);
	}
	profile_free(picture);
}

#endif
