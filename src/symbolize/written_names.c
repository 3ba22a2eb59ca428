/*
 * written_names.c - mangled names in texts, once for each distinct frame
 *
 * A name that begins like a mangled one goes through demangle.c, without what the text added to the
 * symbol ("@plt", the "_" of macOS). Any other name may be half demangled: Rust's older mangling is
 * that of C++, with escapes and a hash, which a demangler of C++ leaves in the name. A hash, or an
 * escape that is no Java class, proves it; then all escapes are replaced.
 *
 * Source: legacy.rs of the crate rustc-demangle.
 */
#include "symbolize/written_names.h"

#include "base/chars.h"
#include "base/mem.h"

/* Cuts "::h" and the 16 digits of Rust's hash, and " (.llvm.123)" after it, off the end. */
static bool cut_hash(struct span *name)
{
	enum { HASH_BYTES = 19 };
	struct span s = *name, hash;
	ptrdiff_t llvm = span_find(s, SPAN(" (.llvm."));
	size_t i;

	if (llvm > 0 && s.p[s.n - 1] == ')')
		s.n = (size_t)llvm;
	if (s.n <= HASH_BYTES)
		return false;
	s.n -= HASH_BYTES;
	hash = (struct span){ s.p + s.n, HASH_BYTES };
	if (!span_starts(hash, SPAN("::h")))
		return false;
	for (i = 3; i < HASH_BYTES; i++)
		if (!char_is_lower_hex(hash.p[i]))
			return false;
	*name = s;
	return true;
}

/* "$LT$" at the front of s: its length, and the character that it stands for. */
static size_t escape_length(struct span s, char *c)
{
	static const struct {
		struct span text;
		char c;
	} escapes[] = {
		/* clang-format off */
		{ { "$LT$", 4 }, '<' }, { { "$GT$", 4 }, '>' }, { { "$LP$", 4 }, '(' },
		{ { "$RP$", 4 }, ')' }, { { "$RF$", 4 }, '&' }, { { "$BP$", 4 }, '*' },
		{ { "$SP$", 4 }, '@' }, { { "$C$", 3 }, ',' },
		/* clang-format on */
	};
	struct span digits = span_skip(s, 2);
	uint64_t number;
	size_t i;

	for (i = 0; i < ARRAY_LEN(escapes); i++) {
		if (span_starts(s, escapes[i].text)) {
			*c = escapes[i].c;
			return escapes[i].text.n;
		}
	}
	if (!span_starts(s, SPAN("$u")) || !span_scan_hex(&digits, &number) || !digits.n ||
		digits.p[0] != '$' || digits.p - s.p != 4 || number < ' ' || number > '~')
		return 0;
	*c = (char)number;
	return 5;
}

/* "Outer$C$Inner" is a class of Java: "$C$" alone is no sign of Rust. */
static bool has_escape(struct span name)
{
	enum { COMMA_BYTES = 3 };
	const char *at = name.p, *end = name.p + name.n;
	char c;

	while (at < end && (at = memchr(at, '$', (size_t)(end - at)))) {
		if (escape_length(span_range(at, end), &c) > COMMA_BYTES)
			return true;
		at++;
	}
	return false;
}

/* An element of a path that begins with an escape has "_" before it; ".." in one is "::". */
static void put_unescaped(struct buf *out, struct span s)
{
	bool begins = true;
	size_t n;
	char c;

	while (s.n) {
		if (begins && s.p[0] == '_' && escape_length(span_skip(s, 1), &c))
			s = span_skip(s, 1);
		begins = false;
		n = escape_length(s, &c);
		if (n) {
			buf_putc(out, c);
		} else if (span_starts(s, SPAN("..")) || span_starts(s, SPAN("::"))) {
			buf_puts(out, "::");
			begins = true;
			n = 2;
		} else {
			buf_putc(out, s.p[0]);
			n = 1;
		}
		s = span_skip(s, n);
	}
}

static bool put_half_demangled(struct buf *out, struct span name)
{
	bool hash = cut_hash(&name);

	if (!hash && !has_escape(name))
		return false;
	put_unescaped(out, name);
	return true;
}

/* What has nothing of a mangled name is not read to its end. */
static bool may_be_mangled(struct span name)
{
	return span_starts(name, SPAN("_Z")) || span_starts(name, SPAN("_R")) ||
	       span_starts(name, SPAN("_D")) || span_starts(name, SPAN("_GLOBAL_")) ||
	       span_starts(name, SPAN("caml"));
}

/* Symbols of macOS have one more "_" at the front; "@plt" is the text's, not the symbol's. */
static bool put_demangled(struct buf *out, struct span name, const struct demangle_style *style)
{
	struct span symbol = name, plt = SPAN("@plt");

	if (span_starts(name, SPAN("__Z")) || span_starts(name, SPAN("__R")))
		symbol = span_skip(symbol, 1);
	if (!may_be_mangled(symbol))
		return false;
	if (!span_ends(symbol, plt))
		plt.n = 0;
	symbol.n -= plt.n;
	if (memchr(symbol.p, '@', symbol.n))
		return false;
	demangle_put(out, symbol, style);
	if (span_eq(buf_span(out), symbol))
		return false;
	buf_put_span(out, plt);
	return true;
}

frame_id written_names_frame(
	struct recording *r, frame_id written, const struct demangle_style *style)
{
	struct frame f = *frames_get(r->frames, written);
	struct demangle_style own = *style;
	struct span name = frames_name(r->frames, written);
	struct buf text = { 0 };

	if (style->off || f.kind == FRAME_JIT || f.kind == FRAME_UNKNOWN || !name.n)
		return written;
	own.kernel = f.kind == FRAME_KERNEL;
	if (!put_demangled(&text, name, &own)) {
		text.n = 0;
		if (!put_half_demangled(&text, name))
			text.n = 0;
	}
	if (text.n) {
		f.name = strtab_add(r->strings, buf_span(&text));
		written = frames_add(r->frames, &f);
	}
	buf_release(&text);
	return written;
}
