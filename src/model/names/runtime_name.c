/*
 * A parser for each runtime, asked in turn until one accepts the name; V8's is first. Each knows
 * its runtime's by something at the front or the end that no function of another language has:
 * "py::", "[JIT] ", "TRACE_", a tier in brackets, a hash after "#". The result is the struct of
 * v8_name.h for all: function, file or URL, line, tier.
 *
 * A chain, "f->g->h", is what perf-map-agent writes where the JIT compiler of Java inlined g into f
 * and h into g. It becomes one frame for each piece. An arrow inside a regular expression, in an
 * operator's name or in a name of V8 is none.
 *
 * Source: the sources that write the names. CPython Python/perf_trampoline.c; Ruby yjit/ and zjit/;
 * LuaJIT lj_trace.c; PHP zend_jit_perf_dump.c; .NET perfmap.cpp; JavaScriptCore PerfLog.cpp;
 * perf-map-agent perf-map-agent.c.
 */
#include "model/names/runtime_name.h"

#include "base/mem.h"

/* py::FUNCTION:FILE. A function has no colon in its name, a file may. */
static bool parse_python(struct span s, struct v8_name *out)
{
	const char *colon;

	if (!span_starts(s, SPAN("py::")))
		return false;
	s = span_skip(s, 4);
	colon = s.n ? memchr(s.p, ':', s.n) : NULL;
	if (!colon || colon == s.p)
		return false;
	out->function = span_range(s.p, colon);
	out->url = span_range(colon + 1, s.p + s.n);
	/* Two colons are C++, in a namespace "py". */
	return out->url.n && out->url.p[0] != ':';
}

bool runtime_name_is_trampoline(struct span name)
{
	struct v8_name parts = { 0 };

	return parse_python(name, &parts);
}

/* FUNCTION@FILE:LINE. A method may be called "@-", a file have an "@" in its path. */
static bool parse_ruby(struct span s, struct v8_name *out)
{
	const char *at;

	if (span_starts(s, SPAN("[JIT] ")) || span_starts(s, SPAN("zjit::")))
		s = span_skip(s, 6);
	else
		return false;
	at = s.n > 1 ? memchr(s.p + 1, '@', s.n - 1) : NULL;
	if (!at || !span_scan_last_number(&s, &out->line) || !out->line || at >= s.p + s.n - 1)
		return false;
	out->function = span_range(s.p, at);
	out->url = span_range(at + 1, s.p + s.n);
	return true;
}

static bool parse_luajit(struct span s, struct v8_name *out)
{
	struct span rest = s;
	uint64_t number;

	if (!span_starts(s, SPAN("TRACE_")))
		return false;
	rest = span_skip(rest, 6);
	if (!span_scan_u64(&rest, &number) || !span_starts(rest, SPAN("::")))
		return false;
	out->function = span_range(s.p, rest.p);
	rest = span_skip(rest, 2);
	if (!span_scan_last_number(&rest, &out->line) || !out->line)
		return false;
	/* "@" is a file, "=" a name that the program gave the chunk. */
	if (rest.n && (rest.p[0] == '@' || rest.p[0] == '='))
		rest = span_skip(rest, 1);
	out->url = rest;
	return rest.n > 0;
}

/* TRACE-NUMBER$FUNCTION$LINE and JIT$FUNCTION. Code outside functions is named after its file. */
static bool parse_php(struct span s, struct v8_name *out)
{
	const char *dollar;
	uint64_t v;

	if (span_starts(s, SPAN("JIT$"))) {
		out->function = span_skip(s, 4);
		return out->function.n && out->function.p[0] != '$';
	}
	if (!span_starts(s, SPAN("TRACE-")))
		return false;
	s = span_skip(s, 6);
	if (!span_scan_u64(&s, &v) || !span_starts(s, SPAN("$")))
		return false;
	s = span_skip(s, 1);
	dollar = s.n ? memrchr(s.p, '$', s.n) : NULL;
	if (!dollar || dollar == s.p)
		return false;
	out->function = span_range(s.p, dollar);
	if (s.p[0] != '/')
		return true;
	s = span_range(dollar + 1, s.p + s.n);
	if (span_scan_u64(&s, &v) && !s.n && v <= UINT32_MAX) {
		out->url = out->function;
		out->line = (uint32_t)v;
	}
	return true;
}

static const struct {
	const char *word;
	uint8_t tier;
} dotnet_tiers[] = {
	{ "[PreJIT]", CODE_PREBUILT },
	{ "[ReadyToRun]", CODE_PREBUILT },
	{ "[QuickJitted]", CODE_QUICK },
	{ "[MinOptJitted]", CODE_QUICK },
	{ "[Tier0]", CODE_QUICK },
	{ "[Tier-0]", CODE_QUICK },
	{ "[InstrumentedTier]", CODE_QUICK },
	{ "[InstrumentedTierOptimized]", CODE_OPTIMIZED },
	{ "[InstrumentedTier0]", CODE_QUICK },
	{ "[InstrumentedTier1]", CODE_OPTIMIZED },
	{ "[Instrumented]", CODE_QUICK },
	{ "[Tier1]", CODE_OPTIMIZED },
	{ "[Tier-1]", CODE_OPTIMIZED },
	{ "[Optimized]", CODE_OPTIMIZED },
	{ "[OptimizedTier1]", CODE_OPTIMIZED },
	{ "[OptimizedTier1OSR]", CODE_OPTIMIZED },
	{ "[Unknown]", V8_NO_TIER },
};

/* RETURNED [ASSEMBLY] TYPE::METHOD(ARGUMENTS)[TIER]: the function is TYPE::METHOD. */
static bool parse_dotnet(struct span s, struct v8_name *out)
{
	ptrdiff_t at;
	size_t i;

	for (i = 0; i < ARRAY_LEN(dotnet_tiers); i++)
		if (span_ends(s, span_of(dotnet_tiers[i].word)))
			break;
	if (i == ARRAY_LEN(dotnet_tiers))
		return false;
	out->tier = dotnet_tiers[i].tier;
	out->rest = out->function = (struct span){ s.p, s.n - strlen(dotnet_tiers[i].word) };
	at = span_find(out->function, SPAN("] "));
	if (at >= 0)
		out->function = span_skip(out->function, (size_t)at + 2);
	at = span_find(out->function, SPAN("("));
	if (at > 0)
		out->function.n = (size_t)at;
	return out->function.n > 0;
}

static const struct {
	const char *word;
	uint8_t tier;
} jsc_tiers[] = {
	{ "JSC-LLInt: ", V8_NO_TIER },
	{ "JSC-Baseline: ", CODE_QUICK },
	{ "JSC-DFG: ", CODE_OPTIMIZED },
	{ "JSC-FTL: ", CODE_OPTIMIZED },
};

enum { JSC_HASH_BYTES = 6 };

/* TIER: FUNCTION#HASH, with nothing before the hash where the function has no name. */
static bool parse_jsc(struct span s, struct v8_name *out)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(jsc_tiers); i++)
		if (span_starts(s, span_of(jsc_tiers[i].word)))
			break;
	if (i == ARRAY_LEN(jsc_tiers))
		return false;
	s = span_skip(s, strlen(jsc_tiers[i].word));
	if (s.n <= JSC_HASH_BYTES || s.p[s.n - JSC_HASH_BYTES - 1] != '#')
		return false;
	out->tier = jsc_tiers[i].tier;
	out->rest = s;
	out->function = (struct span){ s.p, s.n - JSC_HASH_BYTES - 1 };
	return true;
}

bool runtime_name_parse(struct span name, struct v8_name *out)
{
	static bool (*const parsers[])(struct span s, struct v8_name * out) = { parse_python,
		parse_ruby, parse_luajit, parse_php, parse_dotnet, parse_jsc };
	size_t i;

	if (v8_name_parse(name, out))
		return true;
	for (i = 0; i < ARRAY_LEN(parsers); i++) {
		out->rest = name;
		if (parsers[i](name, out))
			return true;
		*out = (struct v8_name){ 0 };
	}
	return false;
}

void runtime_name_describe(struct frame *f, struct strtab *strings, const struct v8_name *name)
{
	f->tier = name->tier;
	if (!name->url.n && !name->line)
		return;
	f->file = strtab_add(strings, name->url);
	f->line = name->line;
	f->column = name->column;
}

/* operator-> is a name. */
struct span runtime_name_next_piece(struct span *rest)
{
	struct span all = *rest;
	size_t i;

	for (i = 1; i + 1 < all.n; i++) {
		struct span piece = { all.p, i };

		if (all.p[i] == '-' && all.p[i + 1] == '>' && !span_ends(piece, SPAN("operator"))) {
			*rest = span_skip(all, i + 2);
			return piece;
		}
	}
	*rest = span_skip(all, all.n);
	return all;
}

bool runtime_name_is_php(struct span name)
{
	struct v8_name parts = { 0 };

	return span_starts(name, SPAN("JIT$$")) || parse_php(name, &parts);
}

bool runtime_name_is_luajit(struct span name)
{
	struct v8_name parts = { 0 };

	return parse_luajit(name, &parts);
}

bool runtime_name_is_qemu(struct span name)
{
	return span_starts(name, SPAN("guest-0x"));
}

/* RegExp:^(\w+)$, RegExp.> src: '^(\w+)$' flags: 'g', and by the rules [RegExp] /^(\w+)$/ */
bool runtime_name_is_regexp(struct span name)
{
	return span_starts(name, SPAN("RegExp:")) || span_starts(name, SPAN("RegExp.")) ||
	       span_starts(name, SPAN("JSC-YarrJIT: ")) || span_starts(name, SPAN("[RegExp] "));
}

bool runtime_name_is_chain(struct span name)
{
	struct span rest = name;
	struct v8_name parsed;

	if (span_find(name, SPAN("->")) < 0 || runtime_name_is_regexp(name) ||
		runtime_name_parse(name, &parsed))
		return false;
	runtime_name_next_piece(&rest);
	return rest.n > 0;
}
