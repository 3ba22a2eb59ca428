/*
 * How it works. Names are asked for by DIE (a scope), and belong to its abstract origin: what was
 * inlined a thousand times is named once.
 *
 *	scopes[]   concrete DIE ─► number of its origin
 *	origins[]  abstract DIE ─► name, once name_requested() has been there
 *
 * An origin with a linkage name has the demangled form of that. One without has DW_AT_name, which
 * in C++ lacks what it is part of. Such unqualified names get the namespaces, classes and
 * functions around their declaration, as the demangler would print them; one walk over the unit
 * finds those of all (dwarf_scopes.h). A function inside another one is preceded by the name of
 * that, which may have to be found first, so qualify() recurses, to NESTING_MAX, and handles each
 * name once: damaged files have functions inside each other.
 *
 * Anything that is requested later only repeats this for the new origins. A table is valid as long
 * as the handles of its DIEs.
 */
#include "symbolize/dwarf/dwarf_names.h"

#include "base/hash.h"
#include "base/mem.h"
#include "symbolize/demangle/demangle.h"
#include "symbolize/dwarf/dwarf_scopes.h"

#include <stdlib.h>

enum { NO_ORIGIN = UINT32_MAX, NESTING_MAX = 64 };
/* Longer names are attacks: any number of them may begin a byte apart in one string. */
enum { NAME_MAX_BYTES = 64 << 10 };

/* DWARF 6 has a number for each edition of C++; gcc and clang use them already. */
enum { LANG_C_PLUS_PLUS_17 = 0x2b, LANG_C_PLUS_PLUS_20 = 0x2c, LANG_C_PLUS_PLUS_23 = 0x3a };

static bool is_c_plus_plus(int language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANG_C_PLUS_PLUS_17:
	case LANG_C_PLUS_PLUS_20:
	case LANG_C_PLUS_PLUS_23:
		return true;
	}
	return false;
}

bool dwarf_names_is_mangled(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	return is_c_plus_plus(language) || language == DW_LANG_Rust || language == DW_LANG_D;
}

/* ---- attributes ----------------------------------------------------------------------------- */

static const char *string_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute a;
	const char *string = dwarf_formstring(dwarf_attr_integrate(die, attribute, &a));

	return string && strnlen(string, NAME_MAX_BYTES) < NAME_MAX_BYTES ? string : NULL;
}

const char *dwarf_names_linkage(Dwarf_Die *die)
{
	const char *name = string_of(die, DW_AT_linkage_name);

	return name ? name : string_of(die, DW_AT_MIPS_linkage_name);
}

/* The DIE that an attribute refers to. */
static bool follow_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *to)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, attribute, &a) && dwarf_formref_die(&a, to);
}

/* ---- requested names ------------------------------------------------------------------------ */

static uint32_t origin_at(struct dwarf_names *t, const Dwarf_Die *die)
{
	uint64_t hash = hash_u64((uintptr_t)die->addr);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_origin, hash, c, i)
		if (t->origins[i].die.addr == die->addr)
			return i;
	ARRAY_GROW(t->origins, t->n_origins, t->cap_origins);
	t->origins[t->n_origins] = (struct dwarf_origin){ .die = *die };
	index_add(&t->by_origin, hash, t->n_origins);
	return t->n_origins++;
}

static uint32_t origin_of(struct dwarf_names *t, Dwarf_Die *scope)
{
	uint64_t hash = hash_u64((uintptr_t)scope->addr);
	struct index_cursor c;
	Dwarf_Die origin;
	uint32_t i;

	index_for_each (&t->by_scope, hash, c, i)
		if (t->scopes[i].die == scope->addr)
			return t->scopes[i].origin;
	i = origin_at(t, follow_reference(scope, DW_AT_abstract_origin, &origin) ? &origin : scope);
	ARRAY_GROW(t->scopes, t->n_scopes, t->cap_scopes);
	t->scopes[t->n_scopes] = (struct dwarf_names_scope){ scope->addr, i };
	index_add(&t->by_scope, hash, t->n_scopes++);
	return i;
}

void dwarf_names_request(struct dwarf_names *t, Dwarf_Die *scope)
{
	origin_of(t, scope);
}

struct dwarf_origin *dwarf_names_origin(struct dwarf_names *t, Dwarf_Die *scope)
{
	return &t->origins[origin_of(t, scope)];
}

/* ---- names with their scopes ---------------------------------------------------------------- */

/* A name without its scopes. */
struct unqualified {
	Dwarf_Die declaration; /* the function, or where its class declares it */
	uint32_t origin;
	uint32_t function; /* the origin around it; NO_ORIGIN: none */
	str_id scopes;     /* "a::b::" inside of that; 0: none */
	bool done;
};

struct qualifying {
	struct unqualified *unqualified;
	uint32_t n, cap;
	uint32_t first; /* of the current unit */
	struct dwarf_names *names;
	const struct dwarf_naming *with;
};

/* C++ only. Units that dwz made of parts of others have no language. */
static bool wants_scope(const struct dwarf_naming *with, Dwarf_Die *die)
{
	int language = -1;
	Dwarf_Die unit;

	if (with->plain)
		return false;
	if (dwarf_diecu(die, &unit, NULL, NULL))
		language = dwarf_srclang(&unit);
	return is_c_plus_plus(language >= 0 ? language : dwarf_srclang(with->unit));
}

static str_id demangled(struct dwarf_names *t, const struct dwarf_naming *with, const char *name)
{
	if (!name)
		return 0;
	t->text.n = 0;
	demangle_put(&t->text, span_of(name), with->style);
	return t->text.n ? strtab_add(with->strings, buf_span(&t->text)) : 0;
}

static void name_origin(struct qualifying *b, uint32_t i)
{
	struct dwarf_origin *o = &b->names->origins[i];
	const char *linkage = dwarf_names_linkage(&o->die);
	Dwarf_Die declared;

	o->name = demangled(b->names, b->with, linkage ? linkage : string_of(&o->die, DW_AT_name));
	if (!o->name || linkage || !wants_scope(b->with, &o->die))
		return;
	ARRAY_GROW(b->unqualified, b->n, b->cap);
	b->unqualified[b->n++] = (struct unqualified){
		.declaration = follow_reference(&o->die, DW_AT_specification, &declared) ? declared
											 : o->die,
		.origin = i,
		.function = NO_ORIGIN,
	};
}

/* As the demangler writes it, but without its numbers for unnamed types. */
static void append_scope(struct buf *text, Dwarf_Die *scope, bool is_call)
{
	const char *name = string_of(scope, DW_AT_name);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		buf_puts(text, name ? name : "(anonymous namespace)");
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		buf_puts(text, name ? name : is_call ? "{lambda}" : "{unnamed}");
		break;
	default: /* a block */
		return;
	}
	buf_puts(text, "::");
}

/* The innermost function around a declaration is named by itself; scopes before it are dropped. */
static void collect_scopes(void *ctx, uint32_t which, const Dwarf_Die *scope, uint32_t n)
{
	struct qualifying *b = ctx;
	struct unqualified *u = &b->unqualified[b->first + which];
	const char *name = string_of(&u->declaration, DW_AT_name);
	bool is_call = name && !strncmp(name, "operator()", strlen("operator()"));
	struct buf *text = &b->names->text;
	uint32_t i;

	text->n = 0;
	for (i = 0; i < n; i++) {
		Dwarf_Die die = scope[i];

		if (dwarf_tag(&die) == DW_TAG_subprogram) {
			text->n = 0;
			u->function = origin_of(b->names, &die);
		} else {
			append_scope(text, &die, is_call);
		}
	}
	if (text->n)
		u->scopes = strtab_add(b->with->strings, buf_span(text));
}

static int compare_declarations(const void *pa, const void *pb)
{
	const struct unqualified *a = pa, *b = pb;

	return (a->declaration.addr > b->declaration.addr) -
	       (a->declaration.addr < b->declaration.addr);
}

static const struct dwarf_image *image_of(const struct dwarf_naming *with, const Dwarf_Die *die)
{
	const char *at = die->addr;
	size_t i;

	for (i = 0; i < ARRAY_LEN(with->image); i++) {
		const struct dwarf_image *m = with->image[i];

		if (m && m->bytes && at >= m->bytes && at < m->bytes + m->size_bytes)
			return m;
	}
	return NULL;
}

/* Finds the scopes of all declarations of one unit, from first on; returns how many these are. */
static uint32_t scopes_of_unit(struct qualifying *b)
{
	const struct unqualified *u = &b->unqualified[b->first];
	const struct dwarf_image *image = image_of(b->with, &u->declaration);
	uint32_t n = 0, i;
	Dwarf_Die *declaration;

	while (b->first + n < b->n && u[n].declaration.cu == u->declaration.cu)
		n++;
	if (!image)
		return n;
	declaration = xcalloc(n, sizeof(*declaration));
	for (i = 0; i < n; i++)
		declaration[i] = u[i].declaration;
	dwarf_scopes_find(image, declaration, n, b->with->budget, collect_scopes, b);
	free(declaration);
	return n;
}

static void qualify(struct qualifying *b, uint32_t i, unsigned depth);

/* The qualified name of the function around. */
static str_id enclosing_name(struct qualifying *b, const struct unqualified *u, unsigned depth)
{
	struct dwarf_origin *o = &b->names->origins[u->function];

	if (o->unqualified < b->n && b->unqualified[o->unqualified].origin == u->function &&
		depth < NESTING_MAX)
		qualify(b, o->unqualified, depth + 1);
	return o->name;
}

/* Each name is qualified once, even if damaged functions contain each other. */
static void qualify(struct qualifying *b, uint32_t i, unsigned depth)
{
	struct unqualified *u = &b->unqualified[i];
	struct dwarf_origin *o = &b->names->origins[u->origin];
	struct buf *text = &b->names->text;
	str_id around = 0;

	if (u->done)
		return;
	u->done = true;
	if (u->function != NO_ORIGIN)
		around = enclosing_name(b, u, depth);
	text->n = 0;
	if (around) {
		buf_put_span(text, strtab_get(b->with->strings, around));
		buf_puts(text, "::");
	}
	if (u->scopes)
		buf_put_span(text, strtab_get(b->with->strings, u->scopes));
	buf_put_span(text, strtab_get(b->with->strings, o->name));
	o->name = strtab_add(b->with->strings, buf_span(text));
}

static void name_requested(struct dwarf_names *t, const struct dwarf_naming *with)
{
	struct qualifying b = { .names = t, .with = with };
	uint32_t i;

	/* Functions around others become origins on the way. */
	while (t->n_named < t->n_origins) {
		while (t->n_named < t->n_origins)
			name_origin(&b, t->n_named++);
		if (b.n > b.first)
			qsort(b.unqualified + b.first, b.n - b.first, sizeof(*b.unqualified),
				compare_declarations);
		while (b.first < b.n)
			b.first += scopes_of_unit(&b);
	}
	for (i = 0; i < b.n; i++)
		t->origins[b.unqualified[i].origin].unqualified = i;
	for (i = 0; i < b.n; i++)
		qualify(&b, i, 0);
	free(b.unqualified);
}

str_id dwarf_names_get(struct dwarf_names *t, const struct dwarf_naming *with, Dwarf_Die *scope)
{
	uint32_t i = origin_of(t, scope);

	if (i >= t->n_named)
		name_requested(t, with);
	return t->origins[i].name;
}

/* ---- release -------------------------------------------------------------------------------- */

void dwarf_names_clear(struct dwarf_names *t)
{
	index_release(&t->by_scope);
	index_release(&t->by_origin);
	t->by_scope = t->by_origin = (struct index){ 0 };
	t->n_scopes = t->n_origins = t->n_named = 0;
}

void dwarf_names_release(struct dwarf_names *t)
{
	dwarf_names_clear(t);
	free(t->scopes);
	free(t->origins);
	buf_release(&t->text);
	*t = (struct dwarf_names){ 0 };
}
