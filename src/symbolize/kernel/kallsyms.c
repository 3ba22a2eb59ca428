/*
 * How it works. The text stays as it was read, and symbols have their names in it. Nearly all
 * lines look alike ("ffffffff81000000 T _stext"), so these are parsed in one go, eight bytes at a
 * time; any other line is parsed word by word, and left out if it is broken.
 *
 * The list has no sizes. Symbols are sorted by start, which they nearly are, and end where the
 * next one begins. At the border between the kernel proper and a module, where memory of neither
 * may be between them, a symbol ends after a page.
 *
 *	sym[]   kernel  kernel  [ext4]  [ext4]  [xfs]  [ext4]
 *	next      └───────┘        └───────┴──────────────┘      a chain for each module
 *
 * Chains by module, found through an index, keep a recording with thousands of modules from
 * reading the list thousands of times.
 *
 * Source: s_show() in kernel/kallsyms.c of Linux; symbol_type__filter() in
 * tools/perf/util/symbol.c for the types that perf keeps.
 */
#include "symbolize/kernel/kallsyms.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/bisect.h"
#include "base/sort.h"
#include "model/perf_tree.h"

#include <endian.h>
#include <stdlib.h>

/* LINE_BYTES: the average in a list of a kernel of today. LIKELY_MAX: of all modules loaded. */
enum { LINE_BYTES = 44, LIKELY_MAX = 1 << 19 };

static struct span cut_word(struct span *rest)
{
	const char *space = memchr(rest->p, ' ', rest->n);
	size_t n = space ? (size_t)(space - rest->p) : rest->n;
	const char *tab = memchr(rest->p, '\t', n);
	struct span word;

	n = tab ? (size_t)(tab - rest->p) : n;
	word = (struct span){ rest->p, n };
	while (n < rest->n && (rest->p[n] == ' ' || rest->p[n] == '\t'))
		n++;
	*rest = span_skip(*rest, n);
	return word;
}

/* Local labels of compilers, and mapping symbols of ARM and RISC-V. */
static bool is_noise(struct span name, bool compat_perf)
{
	if (!name.n || name.p[0] == '$')
		return true;
	return !compat_perf && (span_starts(name, SPAN(".L")) || span_starts(name, SPAN("L0")));
}

/* Code and data, but nothing absolute, as in perf. */
static bool is_kept(char type)
{
	char kind = (char)(type & ~0x20);

	return kind == 'T' || kind == 'W' || kind == 'D' || kind == 'B';
}

/* Up to the first blank, tab or end of a line; all of s if there is none. */
static size_t word_length(struct span s)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t eight, low;
	size_t i;

	for (i = 0; s.n - i >= 8; i += 8) {
		memcpy(&eight, s.p + i, 8);
		eight = le64toh(eight);
		low = (eight - (' ' + 1) * ones) & ~eight & 0x80 * ones;
		if (low)
			return i + (size_t)__builtin_ctzll(low) / 8;
	}
	while (i < s.n && (unsigned char)s.p[i] > ' ')
		i++;
	return i;
}

/* Cuts off a line such as "ffffffff81000000 T _stext". False for any other one, which stays. */
static bool cut_plain_line(struct span *rest, struct kallsym *k)
{
	struct span s = *rest;
	size_t n;

	if (!span_scan_hex(&s, &k->start) || s.n < 4 || s.p[0] != ' ' || s.p[1] <= ' ' ||
		s.p[2] != ' ')
		return false;
	k->type = s.p[1];
	s = span_skip(s, 3);
	n = word_length(s);
	if (n == s.n || s.p[n] != '\n')
		return false;
	k->name = (struct span){ s.p, n };
	k->module = SPAN("");
	*rest = span_skip(s, n + 1);
	return true;
}

static bool parse_line(struct span line, struct kallsym *k)
{
	struct span rest = span_trim(line), type;

	if (!span_scan_hex(&rest, &k->start) || !rest.n || rest.p[0] != ' ')
		return false;
	rest = span_trim(rest);
	type = cut_word(&rest);
	k->type = type.n == 1 ? type.p[0] : 0;
	k->name = cut_word(&rest);
	k->module = cut_word(&rest);
	if (k->module.n && k->module.p[0] != '[')
		k->module.n = 0;
	return true;
}

static bool cut_line(struct span *rest, struct kallsym *k)
{
	struct span line;

	return cut_plain_line(rest, k) || (span_next_line(rest, &line) && parse_line(line, k));
}

static int by_start(const void *pa, const void *pb)
{
	const struct kallsym *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* A symbol ends where the next begins; at the border between the kernel and a module it ends after
 * a page, as the gap between them belongs to neither. */
static void set_ends(struct kallsyms *k, bool compat_perf)
{
	uint32_t i, next;

	for (i = 0; i < k->n; i = next) {
		const struct kallsym *s = &k->sym[i];

		/* To perf all but the last of those that start together are empty. */
		for (next = i + 1; next < k->n && k->sym[next].start == s->start; next++)
			;
		for (; i < next; i++) {
			uint64_t end = perf_tree_page_after(k->sym[i].start);

			if (next < k->n && (!k->sym[i].module.n == !k->sym[next].module.n ||
						   k->sym[next].start < end))
				end = k->sym[next].start;
			if (!compat_perf || i + 1 == next)
				k->sym[i].end = end;
		}
	}
}

uint32_t kallsyms_first(const struct kallsyms *k, struct span module)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&k->by_module, hash_span(module), c, i)
		if (span_eq(k->sym[i].module, module))
			return i;
	return KALLSYMS_END;
}

/* Chain the symbols of each module, so that a recording with thousands of modules does not read
 * the list thousands of times. */
static void chain_modules(struct kallsyms *k)
{
	uint32_t *last = xcalloc((size_t)k->n + 1, sizeof(*last)), i, first = 0;

	for (i = 0; i < k->n; i++) {
		/* Those of one module are neighbours, as a rule. */
		if (!i || !span_eq(k->sym[i].module, k->sym[i - 1].module))
			first = kallsyms_first(k, k->sym[i].module);
		k->sym[i].next = KALLSYMS_END;
		if (first == KALLSYMS_END) {
			first = i;
			index_add(&k->by_module, hash_span(k->sym[i].module), i);
		} else {
			k->sym[last[first]].next = i;
		}
		last[first] = i;
	}
	free(last);
}

void kallsyms_parse(struct kallsyms *k, struct buf *text, bool compat_perf)
{
	k->text = *text;
	*text = (struct buf){ 0 };
	kallsyms_parse_borrowed(k, buf_span(&k->text), compat_perf);
}

void kallsyms_borrow(struct kallsyms *k, const struct kallsyms *from)
{
	k->borrowed = true;
	k->sym = from->sym;
	k->n = from->n;
	k->by_module = from->by_module;
}

void kallsyms_parse_borrowed(struct kallsyms *k, struct span text, bool compat_perf)
{
	struct span rest = text;
	size_t likely;

	likely = rest.n / LINE_BYTES < LIKELY_MAX ? rest.n / LINE_BYTES : LIKELY_MAX;
	ARRAY_RESERVE(k->sym, likely, k->cap);
	while (rest.n && k->n < SYMTAB_MAX) {
		struct kallsym *s;

		ARRAY_GROW(k->sym, k->n, k->cap);
		s = &k->sym[k->n];
		if (!cut_line(&rest, s) || !is_kept(s->type) || is_noise(s->name, compat_perf))
			continue;
		s->end = s->start;
		s->order = k->n++;
	}
	sort_in_place(k->sym, k->n, sizeof(*k->sym), by_start);
	set_ends(k, compat_perf);
	chain_modules(k);
}

void kallsyms_release(struct kallsyms *k)
{
	buf_release(&k->text);
	if (!k->borrowed) {
		free(k->sym);
		index_release(&k->by_module);
	}
	files_trail_release(&k->trail);
	*k = (struct kallsyms){ 0 };
}

bool kallsyms_address(const struct kallsyms *k, struct span name, uint64_t *address)
{
	uint32_t i;

	for (i = kallsyms_first(k, SPAN("")); i != KALLSYMS_END; i = k->sym[i].next) {
		if (span_eq(k->sym[i].name, name)) {
			*address = k->sym[i].start;
			return true;
		}
	}
	return false;
}

bool kallsyms_module_at(const struct kallsyms *k, uint64_t address, struct span *module)
{
	uint32_t after = bisect(i, 0, k->n, k->sym[i].start > address);

	if (!after || k->sym[after - 1].end <= address)
		return false;
	*module = k->sym[after - 1].module;
	return true;
}
