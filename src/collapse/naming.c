/*
 * naming.c - argument lists and tiers, cut from names
 *
 * Names arrive demangled (symbolize/demangle) or from a map or a text. Once for each frame:
 *
 *	JS:*fib /srv/a.js:5:13          cut_v8_tier(): tiers of a function are one
 *	int32 [a] P::F(int32)[Tier0]    cut_tier(): so are the tiers of other runtimes
 *	f(int) const::{lambda()#1}()    arguments are cut at each level: f::{lambda()#1}
 *	Ljava/lang/String;              in a thread called java*: java/lang/String;
 *
 * Arguments begin at the first "(" outside of other brackets that is not part of the name, such as
 * "(anonymous namespace)", Go's "(*T)" or "operator()"; find_arguments() scans for it. "<", ">"
 * and "->" in operators and arrows are no brackets. What follows the arguments is kept if it
 * begins with "::", since it is the name of something nested.
 *
 * Names with a file (V8's) or a tier, labels and root frames are not cut: they may have paths with
 * brackets. Costs one scan of each distinct name; most have no bracket and end at first_bracket().
 */
#include "collapse/naming.h"

#include "base/buf.h"
#include "base/chars.h"
#include "base/mem.h"
#include "model/names/runtime_name.h"

#include <stdlib.h>

static bool is_word(char c)
{
	return char_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Length of an operator's name at the front of s ("operator<<", "operator()"), 0: none. */
static size_t operator_length(struct span s)
{
	static const struct span word = { "operator", 8 };
	static const char *const signs[] = { "()", "<=>", "<<=", ">>=", "->*", "<<", ">>",
		"<=", ">=", "->", "<", ">" };
	struct span rest = span_skip(s, word.n);
	size_t i;

	if (!span_starts(s, word))
		return 0;
	for (i = 0; i < ARRAY_LEN(signs); i++)
		if (span_starts(rest, span_of(signs[i])))
			return word.n + strlen(signs[i]);
	return 0;
}

/* The position after the bracket that closes the one at s.p[at]; s.n if none does. */
static size_t skip_group(struct span s, size_t at)
{
	size_t depth = 0;

	for (; at < s.n; at++) {
		char c = s.p[at];

		if (c == '(' || c == '<' || c == '[' || c == '{')
			depth++;
		else if (c == '>' && at && s.p[at - 1] == '-')
			continue; /* an arrow, as in decltype(p->x) */
		else if ((c == ')' || c == '>' || c == ']' || c == '}') && !--depth)
			return at + 1;
	}
	return s.n;
}

/* A "(" that belongs to the name: (anonymous namespace), Go's .(*T), or the very first byte. */
static bool group_is_name(struct span s, size_t at)
{
	return at == 0 || s.p[at - 1] == '.' || (at > 1 && s.p[at - 1] == ':') ||
	       span_starts(span_skip(s, at), SPAN("(anonymous "));
}

/* The position of the first bracket: names of C have none, nor have most others. */
static size_t first_bracket(struct span s)
{
	static const bool opens[256] = { ['('] = true, ['<'] = true, ['['] = true, ['{'] = true };

	return span_until(s, opens);
}

/* The position of the argument list; s.n: none. One after a blank usually is none: f (app.py:7),
 * decltype (x) f, StubRoutines (1). */
static size_t find_arguments(struct span s, bool after_blank)
{
	size_t i = first_bracket(s);

	if (i == s.n)
		return i;
	/* It may be part of "operator<". */
	i = i > strlen("operator") ? i - strlen("operator") : 0;
	while (i < s.n) {
		size_t op = i && is_word(s.p[i - 1]) ? 0 : operator_length(span_skip(s, i));

		if (op)
			i += op;
		else if (s.p[i] == '(' && !group_is_name(s, i) &&
			 (after_blank || s.p[i - 1] != ' '))
			return i;
		else if (s.p[i] == '(' || s.p[i] == '<' || s.p[i] == '[' || s.p[i] == '{')
			i = skip_group(s, i);
		else
			i++;
	}
	return s.n;
}

/* The name nested in the function whose argument list begins at arguments:
 * "::{lambda()#1}::operator()() const" of "f(int) const::{lambda()#1}::operator()() const". Empty
 * if it is the function itself. */
static struct span inside_of(struct span s, size_t arguments)
{
	static const char *const qualifiers[] = { " const", " volatile", " &&", " &" };
	struct span rest = span_skip(s, skip_group(s, arguments));
	size_t i;

	for (i = 0; i < ARRAY_LEN(qualifiers); i++)
		if (span_starts(rest, span_of(qualifiers[i])))
			rest = span_skip(rest, strlen(qualifiers[i]));
	return span_starts(rest, SPAN("::")) ? rest : (struct span){ 0 };
}

/* A name without its argument list, and without that of a function it is nested in: f::g for
 * "f(int)::g(char)". Usually part of the name itself, else built in scratch. */
static struct span cut_arguments(struct span name, struct buf *scratch)
{
	struct span rest = name;

	scratch->n = 0;
	while (rest.n) {
		struct span own = { rest.p, find_arguments(rest, false) };

		rest = inside_of(rest, own.n);
		if (!rest.n && own.p == name.p)
			return own;
		buf_put_span(scratch, own);
	}
	return buf_span(scratch);
}

void naming_init(
	struct naming *n, struct frames *frames, uint32_t n_frames, const struct collapse_opts *o)
{
	frame_id i;

	*n = (struct naming){ .frames = frames, .opts = o };
	builds_init(&n->builds, frames, 1);
	for (i = 1; i < n_frames; i++)
		builds_add(&n->builds, i, 1);
}

void naming_release(struct naming *n)
{
	free(n->memo[0]);
	free(n->memo[1]);
	buf_release(&n->scratch);
	builds_release(&n->builds);
}

/* Names with a file (V8's) have paths, in which brackets may be. */
static bool has_file(const struct frame *f)
{
	return f->file && !(f->flags & FRAME_DECLARED);
}

bool naming_is_plain(const struct frame *f)
{
	return (f->kind == FRAME_USER || f->kind == FRAME_KERNEL) && f->name && !f->tier &&
	       !has_file(f);
}

static bool has_arguments(const struct naming *n, const struct frame *f)
{
	struct span name = strtab_get(frames_strings(n->frames), f->name);

	return !n->opts->full_names && !has_file(f) && !f->tier && f->kind != FRAME_LABEL &&
	       f->kind != FRAME_ROOT &&
	       (n->opts->cut_at_first || f->kind != FRAME_JIT || !runtime_name_is_regexp(name));
}

static struct span without_arguments(struct naming *n, struct span name)
{
	return n->opts->cut_at_first ? (struct span){ name.p, find_arguments(name, true) }
				     : cut_arguments(name, &n->scratch);
}

/* "JS:A::f(int)-3-liftoff" of WebAssembly keeps its suffix. */
static struct span without_inner_arguments(
	struct naming *n, const struct frame *f, struct span name, struct buf *whole)
{
	size_t suffix = f->kind == FRAME_JIT ? v8_name_wasm_suffix(name) : 0;

	if (!suffix || n->opts->cut_at_first)
		return without_arguments(n, name);
	buf_put_span(whole, without_arguments(n, (struct span){ name.p, name.n - suffix }));
	buf_put(whole, name.p + name.n - suffix, suffix);
	return buf_span(whole);
}

/* "int32 [app] P::Fib(int32)[OptimizedTier1]" is "int32 [app] P::Fib" in any tier, and
 * "JSC-FTL: #AHMaik" is "(anonymous)#AHMaik". */
static bool cut_tier(struct naming *n, struct span name, str_id *cut)
{
	struct buf text = { 0 };
	struct v8_name other;
	struct span rest;

	if (!runtime_name_parse(name, &other) || other.rest.n == name.n)
		return false;
	rest = n->opts->full_names ? other.rest : without_arguments(n, other.rest);
	if (!other.function.n)
		buf_puts(&text, "(anonymous)");
	buf_put_span(&text, rest);
	*cut = strtab_add(frames_strings(n->frames), buf_span(&text));
	buf_release(&text);
	return true;
}

/* "JS:*fib /srv/app.js:5:13" is fib /srv/app.js:5:13 in any tier. WebAssembly, which borrows the
 * prefix, has neither mark nor line; its names stay. */
static bool cut_v8_tier(struct naming *n, const struct frame *f, struct span name, str_id *merged)
{
	struct buf text = { 0 };
	struct v8_name v8;

	if (n->opts->tiers || f->kind != FRAME_JIT)
		return false;
	if (!v8_name_parse(name, &v8))
		return cut_tier(n, name, merged);
	if (!(v8.tier || v8.line))
		return false;
	if (!v8.function.n)
		buf_puts(&text, v8.rest.n && v8.rest.p[0] == ' ' ? "(anonymous)" : "(anonymous) ");
	buf_put_span(&text, v8.rest);
	*merged = strtab_add(frames_strings(n->frames), buf_span(&text));
	buf_release(&text);
	return true;
}

/* false: it stays as it is. */
static bool shorten(struct naming *n, struct frame *f, bool java)
{
	struct strtab *strings = frames_strings(n->frames);
	struct span name = strtab_get(strings, f->name), tidy = name;
	struct buf whole = { 0 };
	bool changed;

	if (cut_v8_tier(n, f, name, &f->name) || (f->tier && !n->opts->tiers)) {
		f->tier = 0;
		return true;
	}
	if (has_arguments(n, f))
		tidy = without_inner_arguments(n, f, tidy, &whole);
	if (java && f->kind != FRAME_ROOT && tidy.n && tidy.p[0] == 'L' &&
		memchr(tidy.p, '/', tidy.n))
		tidy = span_skip(tidy, 1);
	changed = !span_eq(tidy, name);
	if (changed)
		f->name = strtab_add(strings, tidy);
	buf_release(&whole);
	return changed;
}

static bool is_code_without_name(const struct frame *f)
{
	return f->flags & FRAME_FUNCTION && !f->name;
}

bool naming_tidy_copy(struct naming *n, frame_id id, bool java, struct frame *f)
{
	frame_id shown;

	*f = *frames_get(n->frames, id);
	if (!is_code_without_name(f))
		return shorten(n, f, java);
	shown = builds_shown(&n->builds, id);
	*f = *frames_get(n->frames, shown);
	return shown != id;
}

static frame_id make_tidy(struct naming *n, frame_id id, bool java)
{
	struct frame f;

	return naming_tidy_copy(n, id, java, &f) ? frames_add(n->frames, &f) : id;
}

frame_id naming_tidy(struct naming *n, frame_id id, bool java)
{
	uint32_t *cap = &n->cap[java];

	if (id >= *cap) {
		uint32_t old = *cap, need = frames_count(n->frames);

		need = need > id ? need : id + 1;
		ARRAY_RESERVE(n->memo[java], need, *cap);
		memset(n->memo[java] + old, 0, (*cap - old) * sizeof(frame_id));
	}
	if (!n->memo[java][id])
		n->memo[java][id] = make_tidy(n, id, java);
	return n->memo[java][id];
}
