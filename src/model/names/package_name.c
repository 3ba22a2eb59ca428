/*
 * package_name.c - the package of a function, by the form of its name
 *
 *	C++, Rust, .NET    a::b::f, <&mut a::B as c::D>::f, System.String::Concat    first_scope()
 *	Java               java.util.Map.get, Lcom/acme/shop/Cart;::total            java_package()
 *	Go                 net/http.(*conn).serve, github.com/acme/shop.Total        go_package()
 *
 * Forms are tried in this order; a name that fits none has no package. One scan of the name each;
 * names come from strangers, so nothing recurses.
 */
#include "model/names/package_name.h"

#include "base/chars.h"

#include <stdbool.h>
#include <string.h>

static bool is_word(char c)
{
	return char_is_alnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* How many characters from a place on are of a word. */
static size_t word_at(struct span s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && is_word(s.p[at + n]))
		n++;
	return n;
}

/* How many bytes of what may be before a type in Rust begin s; 0: none. */
static size_t prefix_of(struct span s)
{
	static const char *const prefixes[] = { "<", "&", "mut ", "dyn ", "*const ", "*mut " };
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (span_starts(s, span_of(prefixes[i])))
			return strlen(prefixes[i]);
	return 0;
}

/* Of Rust: the type that "<&mut a::B as c::D>::f" is about. A hostile name has any number of
 * prefixes. */
static struct span without_prefix(struct span s)
{
	size_t n;

	while ((n = prefix_of(s)))
		s = span_skip(s, n);
	return s;
}

/* From the name of the function on, without the type that it returns: "void a::f<int>(int)" is
 * "a::f<int>", up to its arguments. */
static struct span without_type_and_arguments(struct span s)
{
	size_t from = 0, i;
	int depth = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '<')
			depth++;
		else if (s.p[i] == '>')
			depth--;
		else if (s.p[i] == '(' && depth <= 0 && i > from)
			break;
		else if (s.p[i] == ' ' && depth <= 0)
			from = i + 1;
	}
	return span_range(s.p + from, s.p + i);
}

/* "a" of "a::f", "System" of "System.String::Concat". */
static struct span first_scope(struct span s)
{
	size_t n = word_at(s, 0), at = n;
	int depth = 0;

	while (at + 1 < s.n && s.p[at] == '.' && word_at(s, at + 1))
		at += 1 + word_at(s, at + 1);
	for (; at < s.n && (depth || s.p[at] != ':'); at++)
		if (s.p[at] == '<')
			depth++;
		else if (s.p[at] == '>')
			depth--;
		else if (!depth && s.p[at] != '`' && !is_word(s.p[at]))
			return SPAN("");
	if (!n || at + 1 >= s.n || s.p[at] != ':' || s.p[at + 1] != ':')
		return SPAN("");
	return (struct span){ s.p, n };
}

/* A package of Java: lower case parts, then a class, all with dots or all with slashes. */
static struct span java_package(struct span s)
{
	size_t end[2] = { 0 }, parts = 0, at = 0, n;
	char mark = 0;

	if (s.n > 1 && s.p[0] == 'L' && char_is_lower(s.p[1]))
		s = span_skip(s, 1);
	while ((n = word_at(s, at)) && char_is_lower(s.p[at]) && at + n + 1 < s.n &&
		(mark ? s.p[at + n] == mark : s.p[at + n] == '.' || s.p[at + n] == '/')) {
		mark = s.p[at + n];
		if (parts < 2)
			end[parts] = at + n;
		parts++;
		at += n + 1;
	}
	if (!parts || at >= s.n || !char_is_upper(s.p[at]))
		return SPAN("");
	return (struct span){ s.p, parts > 1 && end[0] <= 3 ? end[1] : end[0] };
}

/* What compilers add to a name. */
static bool is_clone(struct span suffix)
{
	static const char *const clones[] = { "constprop", "isra", "part", "cold", "llvm",
		"lto_priv", "localalias", "clone" };
	size_t i;

	if (!suffix.n || !is_word(*suffix.p) || char_is_digit(*suffix.p))
		return !suffix.n || *suffix.p != '(';
	for (i = 0; i < sizeof(clones) / sizeof(*clones); i++)
		if (span_starts(suffix, span_of(clones[i])))
			return true;
	return false;
}

/* A path of Go up to the first dot after its last slash; of one that begins with a host, three
 * parts. */
static struct span go_package(struct span s)
{
	size_t from = 0, slashes = 0, limit = 0, i;
	bool has_host = false;

	if (!s.n || !char_is_lower(*s.p))
		return SPAN("");
	for (i = 0; i < s.n && (is_word(s.p[i]) || s.p[i] == '/' || s.p[i] == '.' || s.p[i] == '-');
		i++) {
		has_host |= s.p[i] == '.' && !slashes;
		if (s.p[i] != '/')
			continue;
		if (++slashes == 3)
			limit = i;
		from = i + 1;
	}
	for (i = from; i < s.n && is_word(s.p[i]); i++)
		;
	if (i == from || i + 1 >= s.n || s.p[i] != '.' || is_clone(span_skip(s, i + 1)))
		return SPAN("");
	if (!slashes && memchr(s.p, '_', i))
		return SPAN(""); /* of C */
	return (struct span){ s.p, slashes && has_host && limit ? limit : i };
}

struct span package_name_of(struct span function)
{
	bool is_rust = function.n && (*function.p == '<' || *function.p == '&');
	struct span package = first_scope(
		is_rust ? without_prefix(function) : without_type_and_arguments(function));

	if (!package.n)
		package = java_package(function);
	/* A name with a place after it is of no Go: "load lib/store.js:5". */
	if (!package.n && function.n && !memchr(function.p, ' ', function.n))
		package = go_package(function);
	return package;
}
