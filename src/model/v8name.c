#include "model/v8name.h"

#include "base/hash.h"
#include "base/mem.h"

/* By their first letter: no two begin with the same one, and most names are of no kind. */
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

static const struct v8_kind *take_kind(struct span *s)
{
	size_t letter = s->n ? (size_t)(unsigned char)s->p[0] - 'A' : ARRAY_LEN(kinds);
	struct span word;

	if (letter >= ARRAY_LEN(kinds) || !kinds[letter].word)
		return NULL;
	word = span_of(kinds[letter].word);
	if (!span_starts(*s, word))
		return NULL;
	*s = span_from(*s, word.n);
	return &kinds[letter];
}

/* The mark at the front of *s; otherwise, if there is none. */
static uint8_t take_mark(struct span *s, uint8_t otherwise)
{
	/* "o" is a mark before + and * only: JS:^on is the baseline code of a function "on". */
	size_t osr = s->n > 1 && s->p[0] == 'o' && (s->p[1] == '+' || s->p[1] == '*');
	struct span rest = span_from(*s, osr);
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
	rest = span_from(rest, 1);
	if (tier >= V8_MAGLEV && rest.n && rest.p[0] == '\'')
		rest = span_from(rest, 1);
	*s = rest;
	return tier;
}

/* Does a URL that may hold blanks begin here? "/path with spaces/my file.js", "file:///..." */
static bool url_starts(struct span s)
{
	size_t i = 0;

	if (s.n && s.p[0] == '/')
		return true;
	while (i < s.n && ((s.p[i] >= 'a' && s.p[i] <= 'z') || s.p[i] == '-' || s.p[i] == '+'))
		i++;
	/* "node:internal/x", "webpack://app", "http://..."; a drive has one letter: "C:\". */
	if (i >= 2 && i < s.n && s.p[i] == ':')
		return true;
	if (s.n > 2 && s.p[1] == ':' && (s.p[2] == '\\' || s.p[2] == '/'))
		return true;
	/* V8 4 and 5 named its own scripts "native array.js". */
	return span_starts(s, SPAN("native "));
}

/* Where the URL begins in "NAME URL": at the first blank before something that must be one (names
 * hold blanks: "get size"; so do paths), else at the last blank. */
static size_t find_url(struct span s)
{
	size_t i, last = s.n;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] != ' ')
			continue;
		if (url_starts(span_from(s, i + 1)))
			return i;
		last = i;
	}
	return last;
}

bool v8_name_parse(struct span name, struct v8_name *out)
{
	struct span s = name;
	const struct v8_kind *kind = take_kind(&s);
	uint32_t number;
	size_t at;

	*out = (struct v8_name){ 0 };
	if (!kind)
		return false;
	out->tier = take_mark(&s, kind->tier);
	out->rest = out->function = s;
	if (!scan_last_number(&s, &out->line)) {
		/* Cut at V8's limit of length, wasm ("f-0-turbofan"), or "Script:~events.js" of
		 * V8 4, which is all URL. */
		if (span_starts(name, SPAN("Script:"))) {
			out->url = span_trim(s);
			out->function = (struct span){ s.p, 0 };
		}
		return true;
	}
	if (scan_last_number(&s, &number)) {
		out->column = out->line;
		out->line = number;
	}
	at = find_url(s);
	out->function = (struct span){ s.p, at };
	out->url = span_from(s, at + 1);
	return true;
}

uint8_t v8_name_tier(struct span name)
{
	const struct v8_kind *kind = take_kind(&name);

	return kind ? take_mark(&name, kind->tier) : V8_NO_TIER;
}

bool v8_same_function(struct span a, struct span b)
{
	struct v8_name x, y;

	if (span_eq(a, b))
		return true;
	return v8_name_parse(a, &x) && v8_name_parse(b, &y) && span_eq(x.function, y.function) &&
	       span_eq(x.url, y.url) && x.line == y.line && x.column == y.column;
}

/* What lies behind kind and mark identifies the function. */
uint64_t v8_hash_function(struct span name)
{
	const struct v8_kind *kind = take_kind(&name);

	if (!kind)
		return hash_span(name);
	take_mark(&name, kind->tier);
	return ~hash_span(name);
}

/* Bytecodes with wide operands have handlers of their own: Builtins_LdaSmiWideHandler. */
enum v8_machine v8_machine_of(struct span name)
{
	static const char *const prefixes[] = { "Builtins_", "Builtin:" };
	size_t i;

	if (span_starts(name, SPAN("BytecodeHandler:")))
		return V8_BYTECODE_HANDLER;
	for (i = 0; i < ARRAY_LEN(prefixes); i++) {
		if (!span_starts(name, span_of(prefixes[i])))
			continue;
		name = span_from(name, strlen(prefixes[i]));
		if (span_starts(name, SPAN("InterpreterEntryTrampoline")))
			return V8_INTERPRETER_ENTRY;
		return span_ends(name, SPAN("Handler")) ? V8_BYTECODE_HANDLER : V8_BUILTIN;
	}
	return V8_OTHER_CODE;
}
