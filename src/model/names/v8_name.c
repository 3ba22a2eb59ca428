/*
 * A name is KIND MARK FUNCTION URL LINE COLUMN, see v8_name.h. Kind and mark are recognised at the
 * front, ":LINE:COLUMN" at the end. Between them is one blank that separates function and URL, but
 * both may have blanks of their own ("get size", "/srv/my app.js"), so find_url() guesses:
 *
 *	the last blank before something that can only be a URL	"/", "file://", "node:"
 *	else the first before something that may be one		"ext:core/x.js", "C:\"
 *	else the last blank
 *
 * The kind and the mark change as V8 compiles a function anew, all else identifies it; so names are
 * compared and hashed without them.
 *
 * Source: V8 src/logging/log.cc (LowLevelLogger and PerfBasicLogger), Code::Kind and the markers in
 * src/objects/code-kind.cc (CodeKindToMarker); names recorded with Node.js 4 to 26.
 */
#include "model/names/v8_name.h"

#include "base/chars.h"
#include "base/hash.h"
#include "base/mem.h"

/* By first letter: no two begin with the same one, and most names are of no kind. */
static const struct v8_kind {
	const char *word;
	uint8_t tier; /* where no mark says otherwise */
} kinds['Z' - 'A' + 1] = {
	['J' - 'A'] = { "JS:", V8_NO_TIER }, /* V8 11 and later */
	['L' - 'A'] = { "LazyCompile:", V8_NO_TIER },
	['F' - 'A'] = { "Function:", V8_NO_TIER },
	['S' - 'A'] = { "Script:", V8_NO_TIER },
	['E' - 'A'] = { "Eval:", V8_NO_TIER },
	['I' - 'A'] = { "InterpretedFunction:", V8_INTERPRETED }, /* V8 6 to 8, by a flag */
};

static const struct v8_kind *pop_kind(struct span *s)
{
	size_t letter = s->n ? (size_t)(unsigned char)s->p[0] - 'A' : ARRAY_LEN(kinds);
	struct span word;

	if (letter >= ARRAY_LEN(kinds) || !kinds[letter].word)
		return NULL;
	word = span_of(kinds[letter].word);
	if (!span_starts(*s, word))
		return NULL;
	*s = span_skip(*s, word.n);
	return &kinds[letter];
}

/* The tier by the mark at the front of *s; the default where there is none. */
static uint8_t pop_mark(struct span *s, uint8_t otherwise)
{
	/* "o" is a mark before + and * only: JS:^on is the baseline code of a function "on". */
	size_t osr = s->n > 1 && s->p[0] == 'o' && (s->p[1] == '+' || s->p[1] == '*');
	struct span rest = span_skip(*s, osr);
	uint8_t tier;

	switch (rest.n ? rest.p[0] : 0) {
	case '~':
		tier = V8_INTERPRETED;
		break;
	case '^':
		tier = V8_BASELINE;
		break;
	case '+':
		tier = V8_MAGLEV;
		break;
	case '*':
		tier = V8_TURBOFAN;
		break;
	default:
		return otherwise;
	}
	rest = span_skip(rest, 1);
	if (tier >= V8_MAGLEV && rest.n && rest.p[0] == '\'')
		rest = span_skip(rest, 1);
	*s = rest;
	return tier;
}

/* Length of the scheme of a URL at the front, 0: none. A drive has one letter: "C:\". */
static size_t scheme_length(struct span s)
{
	size_t i = 0;

	while (i < s.n && (char_is_lower(s.p[i]) || s.p[i] == '-' || s.p[i] == '+'))
		i++;
	return i >= 2 && i < s.n && s.p[i] == ':' ? i : 0;
}

/* True where a URL begins that may have blanks: "/path with spaces/my file.js", "file:///..." */
static bool url_starts(struct span s)
{
	size_t scheme = scheme_length(s);

	if (scheme)
		return span_starts(s, SPAN("node:")) ||
		       span_starts(span_skip(s, scheme), SPAN("://"));
	/* V8 4 and 5 named its own scripts "native array.js". */
	return (s.n && s.p[0] == '/') || span_starts(s, SPAN("native "));
}

/* A URL by its look, but a name or a path with blanks may contain it as well: "ext:core/x.js",
 * "C:\". */
static bool url_may_start(struct span s)
{
	return scheme_length(s) || (s.n > 2 && s.p[1] == ':' && (s.p[2] == '\\' || s.p[2] == '/'));
}

/* Where the URL begins in "NAME URL". Both may hold blanks: "get size", "GET /users /srv/app.js",
 * "f /srv/my app.js". A directory whose name ends with a blank is rarer than a name with a path. */
static size_t find_url(struct span s)
{
	size_t i, last = s.n, likely = s.n, possible = s.n;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] != ' ')
			continue;
		last = i;
		if (url_starts(span_skip(s, i + 1)))
			likely = i;
		else if (possible == s.n && url_may_start(span_skip(s, i + 1)))
			possible = i;
	}
	if (likely < s.n)
		return likely;
	return possible < s.n ? possible : last;
}

bool v8_name_parse(struct span name, struct v8_name *out)
{
	struct span s = name;
	const struct v8_kind *kind = pop_kind(&s);
	uint32_t number;
	size_t at;

	*out = (struct v8_name){ 0 };
	if (!kind)
		return false;
	out->tier = pop_mark(&s, kind->tier);
	out->rest = out->function = s;
	if (!span_scan_last_number(&s, &out->line)) {
		/* Cut at V8's limit of length, wasm ("f-0-turbofan"), or "Script:~events.js" of
		 * V8 4, which is all URL. */
		if (span_starts(name, SPAN("Script:"))) {
			out->url = span_trim(s);
			out->function = (struct span){ s.p, 0 };
		}
		return true;
	}
	if (span_scan_last_number(&s, &number)) {
		out->column = out->line;
		out->line = number;
	}
	at = find_url(s);
	out->function = (struct span){ s.p, at };
	out->url = span_skip(s, at + 1);
	return true;
}

/* "-12", "-12-liftoff", "-12-turbofan" */
size_t v8_name_wasm_suffix(struct span name)
{
	static const char *const tiers[] = { "-liftoff", "-turbofan" };
	struct span s = name;
	size_t i, digits = 0;

	if (!pop_kind(&s) || pop_mark(&s, V8_NO_TIER))
		return 0;
	for (i = 0; i < ARRAY_LEN(tiers); i++)
		if (span_ends(s, span_of(tiers[i])))
			s.n -= strlen(tiers[i]);
	while (digits < s.n && char_is_digit(s.p[s.n - 1 - digits]))
		digits++;
	s.n -= digits;
	if (!digits || s.n < 2 || s.p[s.n - 1] != '-')
		return 0;
	return (size_t)(name.p + name.n - (s.p + s.n - 1));
}

uint8_t v8_name_tier(struct span name)
{
	const struct v8_kind *kind = pop_kind(&name);

	return kind ? pop_mark(&name, kind->tier) : V8_NO_TIER;
}

bool v8_name_same_function(struct span a, struct span b)
{
	struct v8_name x, y;

	if (span_eq(a, b))
		return true;
	return v8_name_parse(a, &x) && v8_name_parse(b, &y) && span_eq(x.function, y.function) &&
	       span_eq(x.url, y.url) && x.line == y.line && x.column == y.column;
}

/* What follows kind and mark identifies the function. */
uint64_t v8_name_hash_function(struct span name)
{
	const struct v8_kind *kind = pop_kind(&name);

	if (!kind)
		return hash_span(name);
	pop_mark(&name, kind->tier);
	return ~hash_span(name);
}

/* Bytecodes with wide operands have handlers of their own: Builtins_LdaSmiWideHandler. */
bool v8_name_is_built_in(struct span url)
{
	return span_starts(url, SPAN("node:")) || span_starts(url, SPAN("ext:"));
}

enum v8_machine v8_name_machine(struct span name)
{
	static const char *const prefixes[] = { "Builtins_", "Builtin:" };
	size_t i;

	if (span_starts(name, SPAN("BytecodeHandler:")))
		return V8_BYTECODE_HANDLER;
	for (i = 0; i < ARRAY_LEN(prefixes); i++) {
		if (!span_starts(name, span_of(prefixes[i])))
			continue;
		name = span_skip(name, strlen(prefixes[i]));
		if (span_starts(name, SPAN("InterpreterEntryTrampoline")))
			return V8_INTERPRETER_ENTRY;
		return span_ends(name, SPAN("Handler")) ? V8_BYTECODE_HANDLER : V8_BUILTIN;
	}
	return V8_OTHER_CODE;
}
