/*
 * foreign.c - what a text seems to be that is no input of perfold
 *
 * Rows of signatures[] are compared with the front of the input, in order; the first that is there
 * says what it is. Those of programs are certain: a profile of GHC is a table whose rows look like
 * folded stacks to a reader that does not know better. The others only say what a file is that no
 * format claims.
 */
#include "input/input.h"

#include "base/chars.h"
#include "base/mem.h"

enum where {
	AT_START, /* the first bytes */
	ON_TOP,   /* in the first 2 KiB */
	IN_JSON,  /* a key or string at the front of a JSON document */
	LINE,     /* at the start of a line of the first 2 KiB */
};

enum { TOP_BYTES = 2 << 10, JSON_BYTES = 8 << 10 };

static const struct {
	enum where where;
	struct span text;
	struct input_foreign is;
} signatures[] = {
#define TEXT(s)                                                                                    \
	{                                                                                          \
		s, sizeof(s) - 1                                                                   \
	}
	/* clang-format off */
	{ IN_JSON, TEXT("\"dhatFileVersion\""), { "a heap profile of DHAT", true } },
	{ IN_JSON, TEXT("\"selfSize\""), { "a V8 heap profile, without times", true } },
	{ IN_JSON, TEXT("\"snapshot\":{\"meta\""), { "a V8 heap snapshot", true } },
	{ IN_JSON, TEXT("\"missed_samples\""), { "a profile of stackprof", true } },
	{ IN_JSON, TEXT("speedscope.app/file-format-schema"), { "a profile of speedscope", true } },
	{ IN_JSON, TEXT("\"traceEvents\""), { "a trace of Chrome", true } },
	{ IN_JSON, TEXT("\"preprocessedProfileVersion\""),
		{ "a profile of the Firefox Profiler", true } },
	{ IN_JSON, TEXT("\"perfold-summary\""), { "a summary written by perfold", true } },
	{ IN_JSON, TEXT("\"perfold-verdict\""), { "a verdict written by perfold", true } },
	{ ON_TOP, TEXT("Time and Allocation Profiling Report"),
		{ "a profile of GHC (+RTS -p)", true } },
	{ LINE, TEXT(" Performance counter stats for "),
		{ "the output of perf stat, which has no samples", true } },
	{ LINE, TEXT("# Total Lost Samples:"),
		{ "the output of perf report: name the recording itself", true } },
	{ LINE, TEXT("# callgrind format"), { "a profile of callgrind", true } },
	{ LINE, TEXT("time_unit: "), { "a profile of massif", true } },
	{ LINE, TEXT("Flat profile:"), { "the output of gprof", true } },
	{ AT_START, TEXT("v8-version,"),
		{ "a log of node --prof: node --prof-process --preprocess -j "
		"makes of it what perfold reads", true } },
	{ AT_START, TEXT("adcg"),
		{ "a profile for GCC (gcov): profile_merger adds up several", true } },
	{ AT_START, TEXT("FLR\0"), { "a recording of Java Flight Recorder", true } },
	{ AT_START, TEXT("SQLite format 3"), { "a database of SQLite", true } },
	{ AT_START, TEXT("\177ELF"), { "a program or library (ELF)", true } },
	{ AT_START, TEXT("BZh"), { "compressed by bzip2: unpack it", true } },
	{ AT_START, TEXT("PK\003\004"), { "a ZIP archive: unpack it", true } },
	{ AT_START, TEXT("%PDF-"), { "a PDF document", true } },
	{ AT_START, TEXT("\xff\xfe"), { "text in UTF-16: convert it to UTF-8", true } },
	{ AT_START, TEXT("\xfe\xff"), { "text in UTF-16: convert it to UTF-8", true } },
	{ LINE, TEXT("<svg"), { "a picture (SVG)", false } },
	{ ON_TOP, TEXT("<html"), { "a page of HTML", false } },
	{ ON_TOP, TEXT("<!DOCTYPE html"), { "a page of HTML", false } },
	{ AT_START, TEXT("<?xml"), { "XML", false } },
	{ AT_START, TEXT("#!"), { "a script", false } },
	{ LINE, TEXT("import "), { "a program's source", false } },
	{ LINE, TEXT("from __future__ "), { "a program's source", false } },
	{ LINE, TEXT("#include "), { "a program's source", false } },
	{ LINE, TEXT("package "), { "a program's source", false } },
	{ LINE, TEXT("use strict;"), { "a program's source", false } },
	{ LINE, TEXT("def "), { "a program's source", false } },
	/* clang-format on */
};

static struct span skip_blanks(struct span s)
{
	while (s.n && (char_is_blank(s.p[0]) || s.p[0] == '\n' || s.p[0] == '\r'))
		s = span_skip(s, 1);
	return s;
}

/* "[[kernel.kallsyms]];main 1" and "{main};f 1" are folded stacks. */
static bool is_json(struct span s)
{
	char first;

	s = skip_blanks(s);
	if (!s.n || (s.p[0] != '{' && s.p[0] != '['))
		return false;
	first = s.p[0];
	s = skip_blanks(span_skip(s, 1));
	if (!s.n)
		return false;
	return s.p[0] == '"' || s.p[0] == (first == '{' ? '}' : '{');
}

static struct span front_of(struct span s, size_t n)
{
	return (struct span){ s.p, s.n < n ? s.n : n };
}

static bool has_line(struct span s, struct span start)
{
	struct span line;

	while (span_next_line(&s, &line))
		if (span_starts(line, start))
			return true;
	return false;
}

static bool is_there(struct span bytes, enum where where, struct span text)
{
	switch (where) {
	case AT_START:
		return span_starts(bytes, text);
	case ON_TOP:
		return span_find(front_of(bytes, TOP_BYTES), text) >= 0;
	case IN_JSON:
		return is_json(bytes) && span_find(front_of(bytes, JSON_BYTES), text) >= 0;
	case LINE:
		return has_line(front_of(bytes, TOP_BYTES), text);
	}
	return false;
}

/* ":NUMBER" at the end. */
static bool cut_number(struct span *s)
{
	size_t n = s->n;

	while (n && char_is_digit(s->p[n - 1]))
		n--;
	if (!n || n == s->n || s->p[n - 1] != ':')
		return false;
	s->n = n - 1;
	return true;
}

/* "main:1234:5" and " 2: 17", of clang's profiles by line. */
static bool is_autofdo(struct span bytes)
{
	struct span first, second;
	uint64_t n;

	if (!span_next_line(&bytes, &first) || !span_next_line(&bytes, &second))
		return false;
	second = skip_blanks(second);
	return cut_number(&first) && cut_number(&first) && first.n && first.p[0] != ' ' &&
	       span_scan_u64(&second, &n) && second.n && (second.p[0] == ':' || second.p[0] == '.');
}

bool input_is_json(const struct input_head *head)
{
	return is_json(head->bytes);
}

const struct input_foreign *input_find_foreign(const struct input_head *head)
{
	static const struct input_foreign json = { "JSON of another program", false },
					  autofdo = { "a profile for clang (autofdo): "
						      "llvm-profdata merge --sample adds up "
						      "several",
						  true };
	size_t i;

	for (i = 0; i < ARRAY_LEN(signatures); i++)
		if (is_there(head->bytes, signatures[i].where, signatures[i].text))
			return &signatures[i].is;
	if (is_json(head->bytes))
		return &json;
	return is_autofdo(head->bytes) ? &autofdo : NULL;
}
