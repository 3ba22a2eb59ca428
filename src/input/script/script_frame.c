/*
 * script_frame.c - from a frame line to its sites
 *
 *	7f01 std::map<int, A (*)(B)>::at(int)+0x1f (/usr/lib/libx.so (deleted))
 *	     '----------- name ------------' offset '-------- module ---------'
 *
 * Names and paths may hold blanks and brackets, so the line is split from its end: "(MODULE)"
 * begins after the offset if there is one, else at the bracket that matches the last one, else at
 * the last " (". A line without modules (-F -dso) keeps its brackets in the name.
 *
 * The kind of a frame follows from its module, as in a recording (model/names/module_name.h). In
 * JIT code the name may be V8's, with file and tier, or "A->B->C", which is several frames.
 *
 * Source: sample__fprintf_callchain() in tools/perf/util/evsel_fprintf.c.
 */
#include "input/script/script_frame.h"

#include "base/chars.h"
#include "base/mem.h"
#include "model/names/module_name.h"

struct frame_line_parts {
	struct span name, module;
	bool inlined;
};

/* Length of s without "+0xOFFSET" at its end. */
static size_t without_offset(struct span s)
{
	size_t n = s.n;

	while (n && char_is_lower_hex(s.p[n - 1]))
		n--;
	return n < s.n && n >= 3 && !memcmp(s.p + n - 3, "+0x", 3) ? n - 3 : s.n;
}

/* Position of the bracket that is closed at the end of text; text.n if there is none. */
static size_t find_opening(struct span text)
{
	size_t i = text.n, depth = 0;

	while (i--) {
		if (text.p[i] == ')')
			depth++;
		else if (text.p[i] == '(' && !--depth)
			return i;
	}
	return text.n;
}

/* Where "(MODULE)" begins in a text that ends in ")": after the offset if there is one, else at the
 * matching bracket ("/a b (deleted)" has its own), else at the last " (". */
static size_t find_module(struct span text)
{
	size_t i, last = text.n, match;

	for (i = text.n; i-- > 1;) {
		struct span before = { text.p, i - 1 };

		if (text.p[i] != '(' || text.p[i - 1] != ' ')
			continue;
		if (without_offset(before) < before.n || span_eq(before, SPAN("[unknown]")))
			return i;
		if (last == text.n)
			last = i;
	}
	match = find_opening(text);
	if (match == 0 || (match < text.n && text.p[match - 1] == ' '))
		return match;
	return last;
}

static struct frame_line_parts split(struct span text, bool has_modules)
{
	struct frame_line_parts p = { .name = text };
	struct span inlined = SPAN(" (inlined)");
	size_t at;

	if (span_ends(text, inlined)) {
		p.inlined = true;
		p.name.n -= inlined.n;
	} else if (has_modules && text.n && text.p[text.n - 1] == ')') {
		at = find_module(text);
		if (at < text.n) {
			p.module = (struct span){ text.p + at + 1, text.n - at - 2 };
			p.name.n = at;
		}
	}
	if (p.name.n && p.name.p[p.name.n - 1] == ' ')
		p.name.n--;
	p.name.n = without_offset(p.name);
	p.module.n = without_offset(p.module); /* -F +dsoff */
	return p;
}

/* "FILE:LINE", with or without " (discriminator 3)" after it; "??:0",
 * "[kernel.kallsyms][ffffffff81]" and "main+1d" name no line. */
static void set_srcline(struct recording *r, struct frame *f, struct span srcline)
{
	const char *colon = srcline.n ? memrchr(srcline.p, ':', srcline.n) : NULL;
	struct span file, digits;
	uint64_t line;

	if (!colon)
		return;
	file = span_range(srcline.p, colon);
	digits = span_range(colon + 1, srcline.p + srcline.n);
	if (!file.n || span_starts(file, SPAN("??")) || !span_scan_u64(&digits, &line) ||
		(digits.n && digits.p[0] != ' ') || line > UINT32_MAX)
		return;
	f->file = strtab_add(r->strings, file);
	f->line = (uint32_t)line;
}

/* The sites of "A->B->C" in JIT code: A, then the functions inlined into it. */
static uint32_t add_pieces(
	struct recording *r, module_id module, struct frame *f, struct span name, site_id sites[])
{
	uint32_t n = 0;
	bool last;

	do {
		struct span rest = name, piece = runtime_name_next_piece(&rest);

		last = piece.n == name.n || n == SCRIPT_PIECES_MAX - 1;
		if (last)
			piece = name;
		name = rest;
		f->name = strtab_add(r->strings, piece);
		sites[n++] = text_frame_site(r, module, f);
		f->flags |= FRAME_INLINED;
	} while (!last && name.n);
	return n;
}

uint32_t script_frame_sites(struct recording *r, module_id text_module,
	const struct script_frame_line *line, site_id sites[SCRIPT_PIECES_MAX])
{
	struct frame_line_parts p = split(line->text, line->has_modules);
	struct span srcline = line->srcline;
	struct frame f = { .kind = module_name_kind(p.module) };
	bool v8_possible = f.kind == FRAME_JIT || !line->has_modules;
	struct v8_name v8;

	if (span_ends(srcline, SPAN(" (inlined)"))) {
		p.inlined = true;
		srcline.n -= 10;
	}
	if (p.inlined)
		f.flags = FRAME_INLINED;
	if (!span_eq(p.module, SPAN("[unknown]")))
		f.module = strtab_add(r->strings, p.module);
	if (span_eq(p.name, SPAN("(cookie)")))
		return 0;
	set_srcline(r, &f, srcline);
	if (!p.name.n || span_eq(p.name, SPAN("[unknown]"))) {
		f.kind = FRAME_UNKNOWN;
		f.why = WHY_IN_TEXT;
		f.address = line->address;
	} else if (v8_possible && runtime_name_parse(p.name, &v8)) {
		text_frame_set_v8(r, &f, &v8);
	} else if (f.kind == FRAME_JIT && !span_starts(p.name, SPAN("RegExp"))) {
		return add_pieces(r, text_module, &f, p.name, sites);
	}
	if (f.kind != FRAME_UNKNOWN)
		f.name = strtab_add(r->strings, p.name);
	sites[0] = text_frame_site(r, text_module, &f);
	return 1;
}
