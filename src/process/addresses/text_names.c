/*
 * An address is found and named in one pass over a text, which copies only what is put out:
 *
 *	find_run	the next run of at least DIGITS_LEAST hexadecimal digits, looking at one
 *			byte in five: no such run is between two of those
 *	parse_word	is the run a word by itself, and in the form of an address?
 *	look_around	the rest of its line, and whether the line above is one of a stack
 *	has_name	a name that the tool has printed is kept
 *	is_repeated_*	gdb and bpftrace print an unknown address twice
 *	find_room	"??", "[unknown]" or "0 + 123" is replaced by the name
 *	is_return	the call is in the byte before a return address
 *	t->name()	the caller's look-up
 *
 * Text comes in pieces that end anywhere. text_names_put() handles whole lines and returns how many
 * bytes it has used; the caller passes the rest again. Of used text it remembers only the last
 * byte, or that the last line was one of a stack. A line without end is cut after TEXT_LINE_MAX
 * bytes, between words, with CONTEXT_BYTES left on either side. So the result does not depend on
 * where the text was cut, which text_names_fuzz.c checks.
 */
#include "process/addresses/text_names.h"

#include "base/chars.h"
#include "base/mem.h"
#include "files/files.h"

enum {
	DIGITS_LEAST = 5, /* after 0x: nothing is mapped below 64 KiB */
	DIGITS_ALONE = 8,
	DIGITS_MOST = 16,
	DECIMAL_MOST = 12,   /* a longer number without a letter is more likely something else */
	CONTEXT_BYTES = 512, /* of a line, on either side of an address */
	WORD_BYTES_MAX = 64, /* anything longer is no address */
};

/* char_is_hex() as a table: find_run() looks at one byte in five of all text. */
static const uint8_t hex_digit[256] = { ['0' ... '9'] = 1, ['a' ... 'f'] = 1, ['A' ... 'F'] = 1 };

/* ---- words -------------------------------------------------------------------------------- */

struct word {
	size_t start, end; /* with its 0x */
	uint64_t value;
	bool prefixed;
};

/* The next run of digits that is long enough. Looks at one byte in DIGITS_LEAST: no such run is
 * between two of those. */
static bool find_run(struct span text, size_t from, size_t *start, size_t *end)
{
	const uint8_t *p = (const uint8_t *)text.p;
	size_t i = from + DIGITS_LEAST - 1;

	while (i < text.n) {
		if (!hex_digit[p[i]]) {
			i += DIGITS_LEAST;
			continue;
		}
		for (*start = i; *start > from && hex_digit[p[*start - 1]];)
			--*start;
		for (*end = i + 1; *end < text.n && hex_digit[p[*end]];)
			++*end;
		if (*end - *start >= DIGITS_LEAST)
			return true;
		from = *end;
		i = from + DIGITS_LEAST;
	}
	return false;
}

/* +0x1f is an offset, 0x12/0x40 is followed by a size. */
static bool may_precede(char c, bool prefixed)
{
	if (char_is_word(c) || (uint8_t)c >= 0x80)
		return false;
	return prefixed ? !strchr("+-./\\", c) || !c : strchr(" \t\r\n([{<,;:=|'\"`>", c) && c;
}

/* A name or a range goes on with these, a sentence ends with a full stop. */
static bool may_follow(struct span after)
{
	char c = after.n ? after.p[0] : '\n';

	if (c == '.')
		return after.n == 1 || char_is_space(after.p[1]) || !after.p[1];
	return !char_is_word(c) && (uint8_t)c < 0x80 && !strchr("+-/\\@", c);
}

static bool is_decimal(struct span digits)
{
	size_t i = 0;

	while (i < digits.n && char_is_digit(digits.p[i]))
		i++;
	return i == digits.n;
}

/* before: the byte in front of the text; 0 at the start of a line. */
static bool parse_word(struct span text, char before, size_t start, size_t end, struct word *w)
{
	struct span digits = { text.p + start, end - start };
	char front;

	*w = (struct word){ .start = start, .end = end };
	if (digits.n > DIGITS_MOST)
		return false;
	if (start >= 2 && (text.p[start - 1] | 0x20) == 'x' && text.p[start - 2] == '0') {
		w->prefixed = true;
		w->start -= 2;
	}
	front = w->start ? text.p[w->start - 1] : before ? before : '\n';
	if (!w->prefixed &&
		(digits.n < DIGITS_ALONE || (digits.n < DECIMAL_MOST && front != '\n' &&
						    !char_is_blank(front) && is_decimal(digits))))
		return false;
	return may_precede(front, w->prefixed) && may_follow(span_skip(text, end)) &&
	       span_scan_hex(&digits, &w->value);
}

/* ---- the line of an address --------------------------------------------------------------- */

struct address_context {
	struct span before, after; /* of the line, as far as it matters */
	bool has_start;            /* before begins where the line does */
	bool after_frame;          /* the line above is one of a stack */
};

static struct span skip_blanks(struct span s)
{
	while (s.n && char_is_blank(s.p[0]))
		s = span_skip(s, 1);
	return s;
}

static struct span trim_end(struct span s)
{
	while (s.n && char_is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

static bool is_frame_line(struct span line)
{
	return line.n && char_is_blank(line.p[0]) && span_trim(line).n;
}

/* The part of the line of text.p[end] before that byte. False if it is longer than CONTEXT_BYTES,
 * whether or not its start is in the text. */
static bool line_before(struct span text, size_t end, struct span *line)
{
	size_t reach = end <= CONTEXT_BYTES ? end : CONTEXT_BYTES + 1;
	const char *from = text.p + end - reach, *lf = memrchr(from, '\n', reach);

	*line = span_range(lf ? lf + 1 : from, text.p + end);
	return lf || end <= CONTEXT_BYTES;
}

static bool is_after_frame(const struct text_names *t, struct span text, const char *line)
{
	size_t end = (size_t)(line - text.p);
	struct span above;

	if (!end)
		return t->after_frame;
	if (!line_before(text, end - 1, &above))
		return false;
	return !(above.p == text.p && t->before) && is_frame_line(above);
}

static struct address_context look_around(
	const struct text_names *t, struct span text, const struct word *w)
{
	struct address_context at = { .after = span_skip(text, w->end) };
	const char *lf;

	at.has_start = line_before(text, w->start, &at.before);
	if (at.before.p == text.p && t->before)
		at.has_start = false;
	if (at.has_start)
		at.after_frame = is_after_frame(t, text, at.before.p);
	if (at.after.n > CONTEXT_BYTES)
		at.after.n = CONTEXT_BYTES;
	lf = memchr(at.after.p, '\n', at.after.n);
	if (lf)
		at.after = span_range(at.after.p, lf);
	if (at.after.n && at.after.p[at.after.n - 1] == '\r')
		at.after.n--;
	return at;
}

/* "#3", "frame #3:", "* frame #3:" */
static bool frame_number(struct span before, uint64_t *number)
{
	struct span s = skip_blanks(before);

	if (span_starts(s, SPAN("* ")))
		s = skip_blanks(span_skip(s, 2));
	if (span_starts(s, SPAN("frame ")))
		s = span_skip(s, 6);
	if (!span_starts(s, SPAN("#")))
		return false;
	s = span_skip(s, 1);
	return span_scan_u64(&s, number);
}

/* "in" between an address and what is there. */
static struct span skip_in(struct span s)
{
	struct span in = skip_blanks(s);

	if (in.n < s.n && span_starts(in, SPAN("in ")))
		return skip_blanks(span_skip(in, 3));
	return s;
}

static bool starts_with_value(struct span s, uint64_t value)
{
	uint64_t number;

	if (span_starts(s, SPAN("0x")))
		s = span_skip(s, 2);
	return span_scan_hex(&s, &number) && number == value && (!s.n || !char_is_word(s.p[0]));
}

/* May the address be followed by itself, in place of a name? "#5 0x00001b63 in 0x1b63 ()", and
 * bpftrace's "1b63 0x1b63 ([unknown])". */
static bool may_be_repeated(struct span before, bool has_start, bool prefixed, bool with_in)
{
	uint64_t number;

	if (with_in)
		return frame_number(before, &number);
	return has_start && !prefixed && !span_trim(before).n;
}

static bool is_repeated_after(const struct address_context *at, const struct word *w)
{
	struct span s = skip_in(at->after);
	bool with_in = s.p > at->after.p;

	s = skip_blanks(s);
	return s.p > at->after.p && starts_with_value(s, w->value) &&
	       may_be_repeated(at->before, at->has_start, w->prefixed, with_in);
}

/* Is the word before this one the same address? Then it is removed from at->before. */
static bool is_repeated_before(struct address_context *at, const struct word *w)
{
	struct span s = trim_end(at->before), word;
	bool with_in = span_ends(s, SPAN(" in"));

	if (with_in)
		s = trim_end((struct span){ s.p, s.n - 3 });
	if (s.n == at->before.n)
		return false;
	for (word = s; word.n && char_is_word(word.p[word.n - 1]);)
		word.n--;
	s = span_skip(s, word.n);
	if (s.n > DIGITS_MOST + 2 || !starts_with_value(s, w->value) ||
		!may_be_repeated(word, at->has_start, span_starts(s, SPAN("0x")), with_in))
		return false;
	at->before = word;
	return true;
}

/* "0 + 19947": the symbol that macOS prints for unknown code. */
static struct span find_offset_from_zero(struct span s)
{
	struct span rest;
	uint64_t number;

	if (!span_starts(s, SPAN("0 + ")))
		return (struct span){ 0 };
	rest = span_skip(s, 4);
	if (!span_scan_u64(&rest, &number))
		return (struct span){ 0 };
	return span_range(s.p, rest.p);
}

/* The placeholder that a tool printed instead of a name. */
static struct span find_room(const struct address_context *at)
{
	struct span s = skip_in(at->after);

	if (s.p > at->after.p && span_starts(s, SPAN("??")))
		return (struct span){ s.p, 2 };
	if (span_starts(s, SPAN(": ???")))
		return (struct span){ s.p + 2, 3 };
	s = skip_blanks(at->after);
	if (s.p > at->after.p && span_starts(s, SPAN("[unknown]")))
		return (struct span){ s.p, 9 };
	return find_offset_from_zero(s);
}

static bool is_first_word(const struct address_context *at)
{
	return at->has_start && !span_trim(at->before).n;
}

static struct span first_word(struct span s)
{
	size_t n = 0;

	while (n < s.n && !char_is_blank(s.p[n]))
		n++;
	return (struct span){ s.p, n };
}

/* "main + 13", "main+0xd", "libc.so`main" */
static bool is_symbol(struct span s)
{
	struct span word = first_word(s), after = span_skip(s, word.n);

	if (!word.n || word.p[0] == '(')
		return false;
	return span_find(word, SPAN("`")) >= 0 || span_find(word, SPAN("+0x")) > 0 ||
	       (span_starts(after, SPAN(" + ")) && after.n > 3 && char_is_digit(after.p[3]));
}

/* Has the line a name for the address already? */
static bool has_name(const struct address_context *at, const struct word *w)
{
	struct span after = skip_blanks(at->after);
	uint64_t number;

	if (after.n == at->after.n) /* Valgrind's "at 0x4C2A: malloc" */
		return span_starts(after, SPAN(": ")) &&
		       (span_ends(at->before, SPAN(" at ")) || span_ends(at->before, SPAN(" by ")));
	if (!w->prefixed && is_first_word(at))
		return after.n;
	if (frame_number(at->before, &number)) /* "#1  0x4C2A in main ()", "#1  0x4C2A main" */
		return after.n && after.p[0] != '(';
	return is_symbol(after);
}

static bool is_return(const struct address_context *at)
{
	struct span front = at->before;
	uint64_t number;

	if (at->after.n && at->after.p[0] == ';')
		return true;
	if (!at->has_start)
		return false;
	if (frame_number(front, &number))
		return number > 0;
	if (!at->after_frame || !front.n || !char_is_blank(front.p[0]))
		return false;
	front = span_trim(front); /* nothing, or the module: "node`" */
	return !front.n || (span_ends(front, SPAN("`")) && first_word(front).n == front.n);
}

/* perf script's "(/tmp/perf-17.map)", after the placeholder. */
static void find_module(const struct address_context *at, struct span room, struct text_address *a)
{
	struct span s = span_range(room.p + room.n, at->after.p + at->after.n);

	s = span_trim(s);
	if (!span_starts(s, SPAN("(")) || !span_ends(s, SPAN(")")))
		return;
	s = (struct span){ s.p + 1, s.n - 2 };
	if (files_is_perf_map_name(s, &a->pid))
		return;
	/* Memory of these names may hold JIT code, too. */
	if (span_starts(s, SPAN("/")) && !span_starts(s, SPAN("//")) &&
		!span_starts(s, SPAN("/memfd:")) && !span_ends(s, SPAN(" (deleted)")))
		a->file = s;
}

/* ---- putting names ------------------------------------------------------------------------ */

struct text_piece {
	struct span text;
	size_t copied; /* how much of the text is in out */
	struct buf *out;
};

static void copy_until(struct text_piece *p, size_t end)
{
	if (end > p->copied)
		buf_put(p->out, p->text.p + p->copied, end - p->copied);
	p->copied = end;
}

static void put_name(struct text_names *t, struct text_piece *p, const struct word *w,
	struct span room, bool replace)
{
	if (room.n) {
		copy_until(p, (size_t)(room.p - p->text.p));
		p->copied += room.n;
	} else if (replace) {
		copy_until(p, w->start);
		p->copied = w->end;
	} else {
		copy_until(p, w->end);
		buf_putc(p->out, ' ');
	}
	buf_put_span(p->out, buf_span(&t->scratch));
}

static void name_address(struct text_names *t, struct text_piece *p, const struct word *w)
{
	struct address_context at = look_around(t, p->text, w);
	struct text_address a = { .address = w->value, .pid = -1 };
	struct span room = find_room(&at);
	bool repeated = is_repeated_before(&at, w);
	enum text_answer answer;

	if (!room.n && (is_repeated_after(&at, w) || (!repeated && has_name(&at, w))))
		return;
	a.is_return = is_return(&at);
	if (room.n)
		find_module(&at, room, &a);
	t->scratch.n = 0;
	answer = t->name(t->ctx, &a, &t->scratch);
	t->count[answer]++;
	if (answer >= TEXT_NAMED)
		put_name(t, p, w, room, t->in_place || repeated);
}

/* Names the words that begin before end, and copies the text up to there at least. */
static void put_piece(struct text_names *t, struct text_piece *p, size_t end)
{
	size_t from = 0, start;
	struct word w;

	while (find_run(p->text, from, &start, &from) && start < end)
		if (start >= p->copied && parse_word(p->text, t->before, start, from, &w))
			name_address(t, p, &w);
	if (p->copied < end)
		copy_until(p, end);
}

/* The place to cut a line that is too long: between words, with enough text after it. */
static size_t cut_line(struct span text)
{
	size_t end = text.n - CONTEXT_BYTES, i;

	for (i = end; i > end - WORD_BYTES_MAX; i--)
		if (!char_is_word(text.p[i - 1]))
			return i;
	return end;
}

static void remember_end(struct text_names *t, const struct text_piece *p)
{
	struct span line;
	size_t n = p->copied;

	if (n && p->text.p[n - 1] != '\n') {
		t->before = p->text.p[n - 1] ? p->text.p[n - 1] : ' ';
		t->after_frame = false;
		return;
	}
	if (n && line_before(p->text, n - 1, &line))
		t->after_frame = !(line.p == p->text.p && t->before) && is_frame_line(line);
	else if (n)
		t->after_frame = false;
	t->before = 0;
}

size_t text_names_put(struct text_names *t, struct span text, bool last, struct buf *out)
{
	struct text_piece p = { .text = text, .out = out };
	const char *lf = text.n ? memrchr(text.p, '\n', text.n) : NULL;
	size_t end = text.n;

	if (!text.n)
		return 0;
	if (!last && lf)
		end = (size_t)(lf + 1 - text.p);
	else if (!last && text.n < TEXT_LINE_MAX)
		return 0;
	else if (!last)
		end = cut_line(text);
	put_piece(t, &p, end);
	remember_end(t, &p);
	return p.copied;
}

void text_names_release(struct text_names *t)
{
	buf_release(&t->scratch);
}
