/*
 * The first bytes of a name say which mangling it may have. A demangler that gives its text in
 * pieces (C++, Rust) is stopped by longjmp() when there is too much of it; for the others the name
 * itself is examined first (demangle_limits.h). A name that no demangler could or may read stays as
 * it is.
 */
#include "symbolize/demangle/demangle.h"

#include "symbolize/demangle/demangle_limits.h"

#include <setjmp.h>
#include <stdlib.h>
/* Where libiberty comes with binutils, its headers are not in a directory of their own. */
#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif

/*
 * NAME_MAX_BYTES: longer names are attacks. DEEP_MAX_BYTES: libiberty refuses names of more than
 * 1024 bytes unless its limit is lifted; templates of today's C++ need more, and the recursion up
 * to here takes 0.9 MB of stack (a thread has THREAD_STACK_BYTES). For Rust the limit is never
 * lifted: there it also ends references that contain themselves. SHOWN_MAX_BYTES: back references
 * let a name of 100 bytes unfold to gigabytes.
 */
enum { NAME_MAX_BYTES = 64 << 10, DEEP_MAX_BYTES = 4 << 10, SHOWN_MAX_BYTES = 64 << 10 };

struct collector {
	struct buf *out;
	size_t from;
	jmp_buf too_long;
};

/* Called with pieces of the name. libiberty keeps its state on the stack, so leaving it like this
 * leaks nothing. */
static void collect(const char *p, size_t n, void *ctx)
{
	struct collector *c = ctx;

	if (c->out->n - c->from + n > SHOWN_MAX_BYTES)
		longjmp(c->too_long, 1);
	buf_put(c->out, p, n);
}

typedef int (*callback_demangler)(const char *, int, demangle_callbackref, void *);

static bool put_by(callback_demangler demangler, struct buf *out, const char *name, int options)
{
	struct collector c = { .out = out, .from = out->n };

	if (!setjmp(c.too_long) && demangler(name, options, collect, &c) && out->n > c.from)
		return true;
	out->n = c.from;
	return false;
}

/* "camlStdlib__List__map_123" is Stdlib.List.map_123; "$xx" is a byte in hexadecimal. */
static bool put_ocaml(struct buf *out, struct span name)
{
	struct span rest = span_skip(name, 4);

	if (!span_starts(name, SPAN("caml")) || !rest.n || rest.p[0] < 'A' || rest.p[0] > 'Z')
		return false;
	while (rest.n) {
		struct span digits = { rest.p + 1, rest.n > 2 ? 2 : 0 };
		uint64_t byte;

		if (span_starts(rest, SPAN("__"))) {
			buf_putc(out, '.');
			rest = span_skip(rest, 2);
		} else if (rest.p[0] == '$' && digits.n && span_scan_hex(&digits, &byte) &&
			   !digits.n) {
			buf_putc(out, (char)byte);
			rest = span_skip(rest, 3);
		} else {
			buf_putc(out, rest.p[0]);
			rest = span_skip(rest, 1);
		}
	}
	return true;
}

/* dlang_demangle() always gives parameters: "app.run!(int).run(int, char)". */
static bool put_d(struct buf *out, const char *name, bool full)
{
	char *text;
	struct span s;
	size_t depth = 0, i;

	if (!demangle_limits_allow_d(span_of(name)))
		return false;
	text = dlang_demangle(name, DMGL_DLANG);
	s = span_of(text);
	for (i = 0; !full && i < s.n; i++) {
		if (s.p[i] == '(' && !depth && i && s.p[i - 1] != '!')
			s.n = i;
		else if (s.p[i] == '(')
			depth++;
		else if (s.p[i] == ')' && depth)
			depth--;
	}
	buf_put(out, s.p, s.n < SHOWN_MAX_BYTES ? s.n : SHOWN_MAX_BYTES);
	free(text);
	return s.n != 0;
}

/* The name without "@VERSION" or "@@VERSION", which glibc's debug files have in .symtab. */
static struct span without_version(struct span name)
{
	const char *at = name.n > 1 ? memchr(name.p + 1, '@', name.n - 1) : NULL;

	return at ? span_range(name.p, at) : name;
}

/* The older names of Rust look like those of C++, with a hash at the end: "17h" and 16 digits.
 * libiberty would read a whole name before it says no. name is followed by a NUL. */
static bool may_be_rust(struct span name)
{
	return (span_starts(name, SPAN("_R")) && demangle_limits_allow_rust(name)) ||
	       (span_starts(name, SPAN("_ZN")) && strstr(name.p, "17h"));
}

/* Where the bracket at *from ends, which may hold others: Sort[go.shape.[]string]. */
static size_t end_of_bracket(struct span name, size_t from)
{
	size_t depth = 0, i;

	for (i = from; i < name.n; i++) {
		depth += name.p[i] == '[';
		if (name.p[i] == ']' && !--depth)
			return i + 1;
	}
	return name.n;
}

/* Go's own tools leave out which ABI a function has, and for which shapes of types it was compiled:
 * "main.Map[go.shape.int]" is main.Map[...]. The table of functions of a stripped program has names
 * like that (symbolize/go/). */
static void put_go(struct buf *out, struct span name)
{
	static const struct span abi[] = { { ".abi0", 5 }, { ".abiinternal", 12 } };
	const struct span shape = SPAN("[go.shape.");
	ptrdiff_t at;
	size_t i;

	for (i = 0; i < sizeof(abi) / sizeof(*abi); i++)
		if (span_ends(name, abi[i]))
			name.n -= abi[i].n;
	while (name.n && memchr(name.p, '[', name.n) && (at = span_find(name, shape)) >= 0) {
		buf_put(out, name.p, (size_t)at);
		buf_puts(out, "[...]");
		name = span_skip(name, end_of_bracket(name, (size_t)at));
	}
	buf_put_span(out, name);
}

/* name is followed by a NUL. */
static bool put_demangled(struct buf *out, struct span name, const struct demangle_style *style)
{
	int options = style->full ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;

	if (may_be_rust(name) && put_by(rust_demangle_callback, out, name.p, options))
		return true;
	if (style->kernel)
		return false;
	if (!style->compat_perf && name.n <= DEEP_MAX_BYTES)
		options |= DMGL_NO_RECURSE_LIMIT;
	if (span_starts(name, SPAN("_Z")) || span_starts(name, SPAN("_GLOBAL_")))
		return put_by(cplus_demangle_v3_callback, out, name.p, options);
	if (!style->compat_perf && span_starts(name, SPAN("_D")))
		return put_d(out, name.p, style->full);
	return put_ocaml(out, name);
}

/* A name that begins otherwise is as it was written. */
static bool may_be_mangled(struct span name, const struct demangle_style *style)
{
	return !style->off && name.n && name.n <= NAME_MAX_BYTES &&
	       (name.p[0] == '_' || name.p[0] == 'c') && !(style->kernel && style->compat_perf);
}

void demangle_put(struct buf *out, struct span name, const struct demangle_style *style)
{
	struct span base = style->compat_perf ? name : without_version(name);
	struct buf copy = { 0 };
	char few[512];
	bool done = false;

	if (may_be_mangled(base, style) && base.n < sizeof(few)) {
		memcpy(few, base.p, base.n);
		few[base.n] = '\0';
		done = put_demangled(out, (struct span){ few, base.n }, style);
	} else if (may_be_mangled(base, style)) {
		buf_put_span(&copy, base);
		done = put_demangled(out, (struct span){ buf_str(&copy), base.n }, style);
	}
	buf_release(&copy);
	if (!done && (style->off || style->full || style->kernel || style->compat_perf))
		buf_put_span(out, base);
	else if (!done)
		put_go(out, base);
}
