/*
 * Why libtraceevent gets one declaration at a time: the lines come from a file that may be damaged
 * or hostile, and its parser (event-parse.c, seen in 1.7.1) is written for formats of the running
 * kernel. On declarations of other forms it leaks memory, on some words it rewrites the text, a
 * mistake in one field costs all fields of the event, and "print fmt" is a language of its own that
 * is of no use here.
 *
 * So a line is tokenized first, and passes if it is a declaration as kernels write it:
 *
 *	TYPE... NAME		TYPE... *NAME		TYPE... NAME[N]
 *	__data_loc TYPE[] NAME	__rel_loc TYPE[] NAME
 *
 * Then it is wrapped in a format with this field alone and given to the library, which says what
 * the declaration means: array, string, pointer, dynamic, size of an element. Offset, size and sign
 * are those of the line. Sizes of elements in dynamic arrays are found here, as 1.7.1 knows few of
 * them.
 *
 * To be plain about it: once a line has passed, own code for the rest would be short. The library
 * stays for what it knows of C types in the kernel's formats, which is what perf goes by.
 */
#include "trace/field_list.h"

#include "base/chars.h"
#include "base/mem.h"

#include <stdlib.h>
#include <traceevent/event-parse.h>

enum {
	FIELDS_MAX = 256,
	DECLARATION_MAX = 200, /* bytes */
	FIELD_BYTES_MAX = 65535,
};

/* ---- lines that libtraceevent may see ------------------------------------------------------ */

/* Because of a fault in old kernels (mac80211) libtraceevent replaces these words by quoted
 * strings, wherever they are. */
static bool is_replaced(struct span word)
{
	return span_eq(word, SPAN("LOCAL_PR_FMT")) || span_eq(word, SPAN("STA_PR_FMT")) ||
	       span_eq(word, SPAN("VIF_PR_FMT"));
}

/* The first token of a declaration: a word, "*", or brackets with at most one word. */
enum token { TOKEN_NONE, TOKEN_WORD, TOKEN_STAR, TOKEN_BRACKETS };

static enum token pop_token(struct span *s)
{
	size_t n = 0;

	*s = span_trim(*s);
	if (span_starts(*s, SPAN("*"))) {
		*s = span_skip(*s, 1);
		return TOKEN_STAR;
	}
	n = span_starts(*s, SPAN("[")) ? 1 : 0;
	while (n < s->n && char_is_word(s->p[n]))
		n++;
	if (n && s->p[0] == '[') {
		if (n == s->n || s->p[n] != ']')
			return TOKEN_NONE;
		*s = span_skip(*s, n + 1);
		return TOKEN_BRACKETS;
	}
	if (!n || char_is_digit(s->p[0]) || is_replaced((struct span){ s->p, n }))
		return TOKEN_NONE;
	*s = span_skip(*s, n);
	return TOKEN_WORD;
}

/* A declaration in C: "unsigned long args[6]", "const char * filename", "__data_loc char[] name".
 * Not functions and attributes: nobody records these, and on them, and on other forms,
 * libtraceevent leaks memory. */
static bool is_declaration(struct span s)
{
	bool placed = span_starts(s, SPAN("__data_loc ")) || span_starts(s, SPAN("__rel_loc "));
	enum token token = TOKEN_NONE, last = TOKEN_NONE;
	unsigned words = 0, brackets = 0, after = 0; /* the brackets */

	if (s.n > DECLARATION_MAX)
		return false;
	while (s.n) {
		token = pop_token(&s);
		if (!token || (last == TOKEN_NONE && token != TOKEN_WORD))
			return false;
		after += brackets;
		words += token == TOKEN_WORD;
		brackets += token == TOKEN_BRACKETS;
		last = token;
	}
	if (words < (placed ? 3 : 2) || brackets > 1 || last == TOKEN_STAR)
		return false;
	return !brackets || (placed ? after == 1 && last == TOKEN_WORD : after == 0);
}

/* "KEY:NUMBER;" at the front of the rest of a line. */
static bool pop_number(struct span *rest, struct span key, uint64_t max, uint64_t *v)
{
	struct span s = span_trim(*rest);

	if (!span_starts(s, key))
		return false;
	s = span_skip(s, key.n);
	if (!span_scan_u64(&s, v) || *v > max || !s.n || s.p[0] != ';')
		return false;
	*rest = span_skip(s, 1);
	return true;
}

struct field_line {
	struct span declaration;
	uint64_t offset, size_bytes, is_signed;
};

static bool parse_line(struct span line, struct field_line *f)
{
	struct span rest = span_trim(line);
	ptrdiff_t end;

	if (!span_starts(rest, SPAN("field:")))
		return false;
	rest = span_skip(rest, 6);
	end = span_find(rest, SPAN(";"));
	if (end < 0)
		return false;
	f->declaration = span_trim((struct span){ rest.p, (size_t)end });
	rest = span_skip(rest, (size_t)end + 1);
	return is_declaration(f->declaration) &&
	       pop_number(&rest, SPAN("offset:"), FIELD_BYTES_MAX, &f->offset) &&
	       pop_number(&rest, SPAN("size:"), FIELD_BYTES_MAX, &f->size_bytes) &&
	       pop_number(&rest, SPAN("signed:"), 1, &f->is_signed);
}

static void put_line(struct buf *b, const struct field_line *f)
{
	buf_puts(b, "\tfield:");
	buf_put_span(b, f->declaration);
	buf_printf(b, ";\toffset:%u;\tsize:%u;\tsigned:%u;\n", (unsigned)f->offset,
		(unsigned)f->size_bytes, (unsigned)f->is_signed);
}

/* A format with this field alone. */
static void put_format(struct buf *b, const struct field_line *f, uint32_t number)
{
	buf_printf(b, "name: perfold\nID: %u\nformat:\n", number);
	/* It looks for an empty line after the common fields, even where there are none. */
	buf_puts(b, "\tfield:int common_none;\toffset:0;\tsize:4;\tsigned:1;\n\n");
	put_line(b, f);
	buf_puts(b, "\nprint fmt: \"\"\n");
}

/* ---- from its fields to ours -------------------------------------------------------------- */

static bool is_prev_state(const struct trace_format *f, const char *name)
{
	return strcmp(f->name, "sched_switch") == 0 && strcmp(name, "prev_state") == 0;
}

/* The element size of a dynamic array, which libtraceevent 1.7.1 knows for few types. */
static uint32_t element_bytes_of(const char *type, unsigned long_bytes)
{
	static const struct {
		const char *word;
		uint32_t bytes; /* 0: that of a long */
	} types[] = { { "long long", 8 }, { "64", 8 }, { "long", 0 }, { "32", 4 }, { "int", 4 },
		{ "16", 2 }, { "short", 2 } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(types); i++)
		if (strstr(type, types[i].word))
			return types[i].bytes ? types[i].bytes : long_bytes;
	return 1;
}

static uint32_t element_bytes(
	const struct tep_format_field *from, const struct field_line *line, unsigned long_bytes)
{
	if (from->flags & TEP_FIELD_IS_DYNAMIC)
		return element_bytes_of(from->type, long_bytes);
	if (!(from->flags & TEP_FIELD_IS_ARRAY))
		return (uint32_t)line->size_bytes;
	return from->elementsize && from->elementsize <= line->size_bytes ? from->elementsize : 1;
}

static void add_field(struct trace_format *f, struct arena *strings, unsigned long_bytes,
	const struct tep_format_field *from, const struct field_line *line)
{
	struct trace_field *to = &f->fields[f->n_fields];
	bool array = from->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC);

	*to = (struct trace_field){
		.offset = (uint32_t)line->offset,
		.size_bytes = (uint32_t)line->size_bytes,
		.is_array = array,
		.is_text = array && from->flags & TEP_FIELD_IS_STRING,
		.is_signed = line->is_signed,
		.is_address = !array && from->flags & TEP_FIELD_IS_POINTER,
		.is_dynamic = from->flags & TEP_FIELD_IS_DYNAMIC,
		.is_relative = from->flags & TEP_FIELD_IS_RELATIVE,
		.is_state = is_prev_state(f, from->name),
	};
	to->element_bytes = element_bytes(from, line, long_bytes);
	to->name = arena_string(strings, from->name, strlen(from->name));
	f->n_fields++;
}

static void parse_field(struct trace_format *f, struct arena *strings, struct tep_handle *tep,
	uint32_t number, const struct field_line *line)
{
	const struct tep_event *event;
	struct buf text = { 0 };

	put_format(&text, line, number);
	tep_parse_event(tep, buf_str(&text), text.n, "perfold");
	buf_release(&text);
	event = tep_find_event(tep, (int)number);
	if (event && event->format.nr_fields == 1 && event->format.fields->name)
		add_field(f, strings, (unsigned)tep_get_long_size(tep), event->format.fields, line);
}

void field_list_parse(struct trace_format *f, struct arena *strings, struct span lines,
	unsigned long_bytes, bool big_endian)
{
	struct tep_handle *tep = tep_alloc();
	struct field_line field;
	struct span line;
	uint32_t number = 0;

	tep_set_loglevel(TEP_LOG_NONE);
	f->fields = xcalloc(FIELDS_MAX, sizeof(*f->fields));
	tep_set_long_size(tep, long_bytes == 4 ? 4 : 8);
	tep_set_file_bigendian(tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	while (tep && number < FIELDS_MAX && span_next_line(&lines, &line)) {
		if (span_starts(line, SPAN("print fmt")))
			break;
		if (parse_line(line, &field))
			parse_field(f, strings, tep, ++number, &field);
	}
	f->fields = xreallocarray(f->fields, f->n_fields ? f->n_fields : 1, sizeof(*f->fields));
	tep_free(tep);
}
