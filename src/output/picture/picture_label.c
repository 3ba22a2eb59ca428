/*
 * picture_label.c - a name, ever shorter, until it fits
 *
 *	void net::Server::read<Chunk>(int) const       the whole name
 *	void net::Server::read<Chunk>                  no arguments
 *	void net::Server::read                         no template arguments
 *	Server::read, read                             no leading namespaces, one after the other
 *	Se…ad                                          no middle
 *
 *	load /srv/lib/store.js:5:13                    a name and its place
 *	load lib/store.js:5:13, load store.js:5:13     no leading folders, one after the other
 *	load                                           no place
 *
 *	[builtin] JsonParse                            a name and what kind of code it is
 *	JsonParse                                      no kind
 *
 *	(1,024 small), ⋯ 247 frames                    a box that stands for many
 *	1,024, 247                                     how many
 *
 * Two characters of each end are the least that tells one name from another: where fewer fit, there
 * is no label.
 *
 * A name is read as a series of characters outside of brackets and of pairs of brackets (struct
 * name_walk); where brackets do not pair, the rest is left alone. "operator<<" and such are
 * neither. Function by function this is assets/shared/labels.js.
 */
#include "output/picture/picture_label.h"

#include "base/chars.h"
#include "base/utf8.h"

/* Of a longer name only the begin and the end are ever written. */
enum { LONGEST_NAME = 2000 };

/* Of a name without its middle. */
enum { LEAST_KEPT = 4 };

static bool is_word(char c)
{
	return char_is_alnum(c) || c == '_';
}

static bool is_any_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool has_at(struct span s, size_t at, struct span what)
{
	return at <= s.n && span_starts(span_skip(s, at), what);
}

/* What arguments come after. */
static bool ends_identifier(char c)
{
	return is_word(c) || is_any_of(c, "$>)]") || (unsigned char)c >= 0x80;
}

/* The length of "operator" and its symbols, which are no brackets, if it is at a place. */
static size_t operator_length(struct span name, size_t at)
{
	enum { WORD = 8, LONGEST = 12 };
	size_t limit = name.n < at + LONGEST ? name.n : at + LONGEST, end = at + WORD;

	if (name.p[at] != 'o' || !has_at(name, at, SPAN("operator")))
		return 0;
	if (at && (is_word(name.p[at - 1]) || name.p[at - 1] == '$'))
		return 0;
	if (has_at(name, end, SPAN("()")) || has_at(name, end, SPAN("[]")))
		return WORD + 2;
	while (end < limit && is_any_of(name.p[end], "-<>=+*/%&|^!~,"))
		end++;
	if (end > at + WORD)
		return end - at + (end < limit && name.p[end] == ' ');
	return end < name.n && is_word(name.p[end]) ? 0 : WORD;
}

static int bracket_of(char c, const char *brackets)
{
	const char *at = c ? strchr(brackets, c) : NULL;

	return at ? (int)(at - brackets) : -1;
}

/* Where the brackets that open at a place have been closed; 0: they do not pair. */
static size_t group_end(struct span name, size_t at, struct buf *open)
{
	size_t i;

	open->n = 0;
	for (i = at; i < name.n; i++) {
		size_t skip = operator_length(name, i);
		int opens = bracket_of(name.p[i], "([<{");
		int closes = bracket_of(name.p[i], ")]>}");

		if (skip) {
			i += skip - 1;
		} else if (opens >= 0) {
			buf_putc(open, (char)opens);
		} else if (closes >= 0) {
			if (name.p[i] == '>' && is_any_of(name.p[i - 1], "-="))
				continue;
			if (!open->n || open->p[--open->n] != closes)
				return 0;
			if (!open->n)
				return i + 1;
		}
	}
	return 0;
}

/* A character outside of brackets, or a pair of brackets with what is in it. */
struct name_walk {
	struct span name;
	struct buf *open; /* scratch */
	size_t next, skip;
	size_t at, end; /* end 0: a character */
	bool is_named;  /* brackets right after an operator */
};

static bool walk(struct name_walk *w)
{
	while (w->next < w->name.n) {
		w->at = w->next;
		w->is_named = w->skip > 0;
		w->skip = operator_length(w->name, w->at);
		w->end = 0;
		if (!w->skip && bracket_of(w->name.p[w->at], "([<{") >= 0) {
			w->end = group_end(w->name, w->at, w->open);
			if (!w->end)
				return false;
		}
		w->next = w->end ? w->end : w->at + (w->skip ? w->skip : 1);
		if (!w->skip)
			return true;
	}
	return false;
}

/* The length of " const", " &" and such at the front, if no other word follows. */
static size_t qualifiers_length(struct span s)
{
	static const char *const words[] = { " const", " volatile", " noexcept", " &", "&" };
	size_t at = 0, good = 0, i = 0;

	while (i < sizeof(words) / sizeof(*words)) {
		if (!is_word(at < s.n ? s.p[at] : '\0') && !(at < s.n && s.p[at] == ' '))
			good = at;
		for (i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (has_at(s, at, span_of(words[i]))) {
				at += strlen(words[i]);
				break;
			}
	}
	return good;
}

/* Parts of names are kept in a buffer each, which the next step reads. */
struct label_work {
	struct buf open;
};

/* Without the arguments that begin with this bracket: those after an identifier. "(anonymous)",
 * Rust's "<Chunk as Read>" and Go's "(*Server)" are none. */
static void put_without_arguments(
	struct label_work *work, struct buf *kept, struct span name, char bracket)
{
	struct name_walk w = { .name = name, .open = &work->open };
	size_t from = 0;

	while (walk(&w)) {
		size_t colons =
			bracket == '<' && w.at >= 2 && has_at(name, w.at - 2, SPAN("::")) ? 2 : 0;

		if (!w.end || name.p[w.at] != bracket || has_at(name, w.at, SPAN("<lambda")))
			continue;
		if (!w.is_named &&
			(w.at < 1 + colons || !ends_identifier(name.p[w.at - 1 - colons])))
			continue;
		buf_put(kept, name.p + from, w.at - colons - from);
		from = w.end;
		if (bracket == '(')
			from += qualifiers_length(span_skip(name, w.end));
	}
	buf_put_span(kept, span_skip(name, from));
	while (kept->n && char_is_space(kept->p[kept->n - 1]))
		kept->n--;
}

/* "java.util.Map.get": packages in lower case, then a class. */
static bool is_java(struct span name)
{
	size_t at = 0, parts = 0;

	for (;; parts++) {
		if (at < name.n && char_is_upper(name.p[at]))
			return parts > 0;
		if (at >= name.n || !(char_is_lower(name.p[at]) || name.p[at] == '_'))
			return false;
		while (at < name.n && is_word(name.p[at]))
			at++;
		if (at >= name.n || name.p[at++] != '.')
			return false;
	}
}

static bool begins_part(struct span rest)
{
	if (span_starts(rest, SPAN("operator")) && (rest.n == 8 || !is_word(rest.p[8])))
		return false;
	return rest.n && (is_word(rest.p[0]) || is_any_of(rest.p[0], "$~@") ||
				 (unsigned char)rest.p[0] >= 0x80);
}

/* "a::b::c" is "b::c", "a/b.js" is "b.js", "java.util.Map.get" is "util.Map.get", "[builtin] Parse"
 * is "Parse"; false: it has one part only. */
static bool drop_first_part(struct label_work *work, struct span *name)
{
	struct name_walk w = { .name = *name, .open = &work->open };
	const bool java = is_java(*name);
	bool in_kind = false, kind_ends;
	struct span rest;

	while (walk(&w)) {
		bool colons = has_at(*name, w.at, SPAN("::"));

		if (w.end) {
			in_kind = !w.at && name->p[0] == '[';
			continue;
		}
		kind_ends = in_kind && name->p[w.at] == ' ';
		in_kind = false;
		if (!colons && name->p[w.at] != '/' && !(java && name->p[w.at] == '.') &&
			!kind_ends)
			continue;
		rest = span_skip(*name, w.at + (colons ? 2 : 1));
		if (!begins_part(rest))
			return false;
		*name = rest;
		return true;
	}
	return false;
}

static bool is_place(struct span s)
{
	size_t digits = s.n;

	if (!s.n)
		return false;
	if (memchr(s.p, '/', s.n))
		return true;
	while (digits && char_is_digit(s.p[digits - 1]))
		digits--;
	return digits < s.n && digits && s.p[digits - 1] == ':';
}

/* "load" and "/srv/store.js:5:13"; a function without a name is told by its place. */
static void split_place(
	struct label_work *work, struct span name, struct span *head, struct span *place)
{
	struct name_walk w = { .name = name, .open = &work->open };
	size_t space = 0;

	while (walk(&w))
		if (!w.end && name.p[w.at] == ' ')
			space = w.at;
	*head = name;
	*place = SPAN("");
	if (!space || !is_place(span_skip(name, space + 1)))
		return;
	*head = (struct span){ name.p, space };
	*place = span_skip(name, space + 1);
}

/* Steps: each is appended to b if it fits. */

static bool put_if_it_fits(struct buf *b, struct span head, struct span place, size_t columns)
{
	if (utf8_length(head) + (place.n ? 1 + utf8_length(place) : 0) > columns)
		return false;
	buf_put_span(b, head);
	if (place.n)
		buf_putc(b, ' ');
	buf_put_span(b, place);
	return true;
}

static struct span skip_characters(struct span s, size_t n)
{
	uint32_t code;
	unsigned bytes;

	for (; n && s.n; n--) {
		bytes = utf8_decode(s, &code);
		s = span_skip(s, bytes ? bytes : 1);
	}
	return s;
}

static void put_without_middle(struct buf *b, struct span head, struct span place, size_t columns)
{
	struct buf text = { 0 };
	struct span whole, rest;
	size_t n = columns ? columns - 1 : 0;

	if (n >= LEAST_KEPT) {
		put_if_it_fits(&text, head, place, SIZE_MAX);
		whole = buf_span(&text);
		rest = skip_characters(whole, (n + 1) / 2);
		buf_put_span(b, span_range(whole.p, rest.p));
		buf_puts(b, "\u2026");
		buf_put_span(b, skip_characters(whole, utf8_length(whole) - n / 2));
	}
	buf_release(&text);
}

/* Without folders, namespaces and the place, one after the other. */
static void put_parts(struct label_work *work, struct buf *b, struct span name, size_t columns)
{
	struct span head, place;

	split_place(work, name, &head, &place);
	while (place.n && drop_first_part(work, &place))
		if (put_if_it_fits(b, head, place, columns))
			return;
	while (drop_first_part(work, &head))
		if (put_if_it_fits(b, head, place, columns))
			return;
	if (place.n && !(head.n && is_any_of(head.p[0], "(<"))) {
		place = SPAN("");
		if (put_if_it_fits(b, head, place, columns))
			return;
	}
	put_without_middle(b, head, place, columns);
}

/* Of a box that stands for many frames: how many; empty: it is a frame. */
static struct span count_in(struct span name)
{
	bool is_small = span_starts(name, SPAN("(")), is_run = span_starts(name, SPAN("\u22ef "));
	struct span rest = span_skip(name, is_small ? 1 : is_run ? strlen("\u22ef ") : 0);
	size_t n = 0;

	while (n < rest.n && (char_is_digit(rest.p[n]) || rest.p[n] == ','))
		n++;
	return (is_small && span_eq(span_skip(rest, n), SPAN(" small)"))) ||
			       (is_run && span_eq(span_skip(rest, n), SPAN(" frames")))
		       ? span_range(rest.p, rest.p + n)
		       : SPAN("");
}

void picture_label_put(struct buf *b, struct span name, size_t columns)
{
	struct buf plain = { 0 }, bare = { 0 };
	struct label_work work = { 0 };

	if (put_if_it_fits(b, name, SPAN(""), columns))
		return;
	if (count_in(name).n) {
		put_if_it_fits(b, count_in(name), SPAN(""), columns);
		return;
	}
	if (name.n > LONGEST_NAME) {
		put_without_middle(b, name, SPAN(""), columns);
		return;
	}
	put_without_arguments(&work, &plain, name, '(');
	put_without_arguments(&work, &bare, buf_span(&plain), '<');
	if (!put_if_it_fits(b, buf_span(&plain), SPAN(""), columns) &&
		!put_if_it_fits(b, buf_span(&bare), SPAN(""), columns))
		put_parts(&work, b, buf_span(&bare), columns);
	buf_release(&plain);
	buf_release(&bare);
	buf_release(&work.open);
}
