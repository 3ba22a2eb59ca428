/*
 * diff_match.c - names in families, one representative each
 *
 *	displayed name        plain name     sides    family
 *	f.constprop.0         f              before   f: head is the plain one, or the first after
 *	f                     f              after
 *	fib /a.js:9:1         the same       before   without its place: fib /a.js, at line 9
 *	fib /a.js:12:1        the same       after    without its place: fib /a.js, at line 12
 *
 *	1  Every displayed name of both sides gets its plain name (plain_name()), those before with
 *	   the path that their file has after (diff_moved.h). Names are sorted by it, and equal ones
 *	   are a family.
 *	2  join_family(): in a family with both sides, names on one side only are matched with its
 *	   head; a name on both sides keeps to itself.
 *	3  join_moved(): families on one side only whose names end in a place are sorted by the name
 *	   without it; if as many are before as after, they are matched in the order of their lines.
 *	4  match_frames(): frames of one matched name and one module are one function, and the first
 *	   frame, of the side after if there is one, represents it.
 *
 * Costs two sorts of the distinct names; all orders are by content, as numbers depend on the
 * workers.
 */
#include "collapse/diff_match.h"

#include "base/arena.h"
#include "base/chars.h"
#include "base/mem.h"
#include "model/names/v8_name.h"

#include <stdlib.h>

/* Plain names */

/* s without ".12" at its end. */
static struct span without_number(struct span s)
{
	size_t n = s.n;

	while (n && char_is_digit(s.p[n - 1]))
		n--;
	if (n && n < s.n && s.p[n - 1] == '.')
		s.n = n - 1;
	return s;
}

/* name without the suffix of GCC and Clang for a copy of a function: ".constprop.0", ".cold". */
static struct span without_clone(struct span name)
{
	static const char *const clones[] = { ".constprop", ".isra", ".part", ".cold", ".lto_priv",
		".llvm", ".clone", ".localalias", ".ipa_ra" };
	struct span s = without_number(name);
	size_t i;

	for (i = 0; i < ARRAY_LEN(clones); i++) {
		struct span word = span_of(clones[i]);

		if (s.n > word.n && span_ends(s, word))
			return (struct span){ s.p, s.n - word.n };
	}
	return name;
}

/* s without Rust's "::h0123456789abcdef" at its end. */
static struct span without_hash(struct span s)
{
	enum { HASH = 3 + 16 };
	size_t i;

	if (s.n <= HASH || memcmp(s.p + s.n - HASH, "::h", 3) != 0)
		return s;
	for (i = s.n - HASH + 3; i < s.n; i++)
		if (!char_is_lower_hex(s.p[i]))
			return s;
	s.n -= HASH;
	return s;
}

/* "[perf-123.map]": generated code that no map names, of a process that is another one now. */
static bool is_perf_map(struct span s)
{
	struct span front = SPAN("[perf-"), end = SPAN(".map]");
	size_t i;

	if (!span_starts(s, front) || !span_ends(s, end) || s.n <= front.n + end.n)
		return false;
	for (i = front.n; i < s.n - end.n; i++)
		if (!char_is_digit(s.p[i]))
			return false;
	return true;
}

/* A name without what compilers and runtimes add to it, in text if it has to be put together. Only
 * the place in a source file stays. */
static struct span plain_name(struct span name, struct buf *text)
{
	struct v8_name v8;
	struct span s = display_names_plain(name), shorter;

	if (is_perf_map(s))
		return SPAN("[perf.map]");
	if (v8_name_parse(s, &v8) && (v8.tier || v8.line)) {
		if (v8.function.n)
			return v8.rest;
		/* As collapse/naming.c shows the function where its tiers are merged. */
		text->n = 0;
		buf_puts(text, v8.rest.n && v8.rest.p[0] == ' ' ? "(anonymous)" : "(anonymous) ");
		buf_put_span(text, v8.rest);
		return buf_span(text);
	}
	for (;; s = shorter) {
		shorter = without_hash(without_clone(s));
		if (shorter.n == s.n)
			return s;
	}
}

/* Pops ":12:5" or ":12" from the end of *s; false if there is none. */
static bool pop_place(struct span *s, uint64_t *place)
{
	uint32_t number[2] = { 0, 0 };
	struct span rest = *s;
	int n;

	for (n = 0; n < 2 && span_scan_last_number(&rest, &number[n]); n++)
		;
	*s = rest;
	*place = n == 2 ? (uint64_t)number[1] << 32 | number[0] : (uint64_t)number[0] << 32;
	return n > 0 && rest.n;
}

/* Names of both sides */

enum { BEFORE = 1, AFTER = 2, BOTH = 3 };

struct matched_name {
	struct span text, plain;
	uint32_t number;
	uint32_t listed; /* number of the profile, plus 1, that it was last listed for */
	uint8_t sides;
};

/* Names with one plain name. */
struct name_family {
	struct matched_name *name;
	uint32_t n;
	uint8_t sides;
	struct span placeless; /* the plain name without its place */
	uint64_t place;
	uint32_t head; /* number of the name that the others are matched with */
};

struct name_families {
	struct matched_name *names;
	uint32_t n_names, cap_names;
	uint32_t *at; /* by number of a displayed name: its place in names, plus 1 */
	uint32_t cap_at;
	struct name_family *of;
	uint32_t n;
	struct arena texts;
	struct buf scratch;
};

static void add_name(struct name_families *f, uint32_t number, struct span text, uint8_t side)
{
	struct span plain;

	if (number >= f->cap_at) {
		uint32_t old = f->cap_at;

		ARRAY_RESERVE(f->at, number + 1, f->cap_at);
		memset(f->at + old, 0, (f->cap_at - old) * sizeof(*f->at));
	}
	if (!f->at[number]) {
		ARRAY_GROW(f->names, f->n_names, f->cap_names);
		plain = plain_name(text, &f->scratch);
		f->names[f->n_names] = (struct matched_name){ .text = text,
			.plain = { arena_string(&f->texts, plain.p, plain.n), plain.n },
			.number = number };
		f->at[number] = ++f->n_names;
	}
	f->names[f->at[number] - 1].sides |= side;
}

static int compare_names(const void *pa, const void *pb)
{
	const struct matched_name *a = pa, *b = pb;
	int order = span_cmp(a->plain, b->plain);

	return order ? order : span_cmp(a->text, b->text);
}

/* The name that is plain already, else the first of the side after. */
static uint32_t head_of(const struct name_family *f)
{
	uint32_t i, head = 0;

	for (i = f->n; i-- > 0;)
		if (f->name[i].sides & AFTER)
			head = i;
	for (i = 0; i < f->n; i++)
		if (span_eq(f->name[i].text, f->name[i].plain))
			head = i;
	return f->name[head].number;
}

static void make_families(struct name_families *f)
{
	uint32_t i, cap = 0;

	qsort(f->names, f->n_names, sizeof(*f->names), compare_names);
	for (i = 0; i < f->n_names; i++) {
		struct matched_name *n = &f->names[i];

		if (!i || !span_eq(n->plain, n[-1].plain)) {
			ARRAY_GROW(f->of, f->n, cap);
			f->of[f->n++] = (struct name_family){ .name = n };
		}
		f->of[f->n - 1].n++;
		f->of[f->n - 1].sides |= n->sides;
	}
	for (i = 0; i < f->n; i++)
		f->of[i].head = head_of(&f->of[i]);
}

/* Matches names that are on one side only with a head. */
static void join_family(const struct name_family *f, uint32_t head, uint32_t *of_name)
{
	uint32_t i;

	for (i = 0; i < f->n; i++)
		if (f->name[i].sides != BOTH)
			of_name[f->name[i].number] = head;
}

static int compare_places(const void *pa, const void *pb)
{
	const struct name_family *a = pa, *b = pb;
	int order = span_cmp(a->placeless, b->placeless);

	if (!order)
		order = a->sides - b->sides;
	if (!order)
		order = (a->place > b->place) - (a->place < b->place);
	return order ? order : span_cmp(a->name->text, b->name->text);
}

/* Matches families on one side only that have a place: if as many of one name are before as after,
 * in the order of their lines. */
static void join_moved(struct name_family *f, uint32_t n, uint32_t *of_name)
{
	uint32_t i, k, first, n_before;

	if (n)
		qsort(f, n, sizeof(*f), compare_places);
	for (first = 0; first < n; first = i) {
		n_before = 0;
		for (i = first; i < n && span_eq(f[i].placeless, f[first].placeless); i++)
			n_before += f[i].sides == BEFORE;
		if (2 * n_before != i - first)
			continue;
		for (k = first; k < first + n_before; k++) {
			join_family(&f[k], f[k + n_before].head, of_name);
			join_family(&f[k + n_before], f[k + n_before].head, of_name);
		}
	}
}

static void join_names(struct name_families *f, uint32_t *of_name)
{
	uint32_t i, n_moved = 0;

	make_families(f);
	for (i = 0; i < f->n; i++) {
		struct name_family *one = &f->of[i];

		one->placeless = one->name->plain;
		if (one->sides == BOTH)
			join_family(one, one->head, of_name);
		else if (pop_place(&one->placeless, &one->place))
			f->of[n_moved++] = *one;
	}
	join_moved(f->of, n_moved, of_name);
}

/* Frames */

/* The frames in use, those of the side after first, each side in the order of its tree: frame
 * numbers depend on threads. */
struct used {
	frame_id *frame;
	uint32_t n, n_after, cap;
	bool *seen;
};

static void use_frames(struct used *u, const struct profile *p, const frame_id *as)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		frame_id frame = as[p->nodes[i].frame];

		if (u->seen[frame])
			continue;
		u->seen[frame] = true;
		ARRAY_GROW(u->frame, u->n, u->cap);
		u->frame[u->n++] = frame;
	}
}

static struct span module_of(const struct diff_match *m, frame_id frame)
{
	const struct profile *p = m->shown.p;

	return span_basename(strtab_get(p->strings, frames_get(p->frames, frame)->module));
}

/* The frames that represent functions, chained by name. */
struct representatives {
	frame_id *first; /* by number of the name */
	frame_id *next;  /* by frame */
};

static frame_id find_representative(const struct diff_match *m, const struct representatives *s,
	uint32_t name, frame_id frame, bool is_before)
{
	struct span module = module_of(m, frame);
	frame_id at;

	for (at = s->first[name]; at; at = s->next[at])
		if (span_eq(module_of(m, at), module))
			return at;
	/* The library's name may have another version in it now. */
	at = s->first[name];
	return is_before && at && !s->next[at] ? at : 0;
}

static void set_representative(
	struct diff_match *m, struct representatives *s, frame_id frame, bool is_before)
{
	uint32_t name = diff_match_name(m, frame);
	frame_id at = find_representative(m, s, name, frame, is_before);

	if (!at) {
		frame_id *end = &s->first[name];

		while (*end)
			end = &s->next[*end];
		*end = at = frame;
	}
	m->of_frame[frame] = at;
}

static void match_frames(struct diff_match *m, const struct used *u)
{
	struct representatives s = { xcalloc((size_t)m->shown.n + 1, sizeof(*s.first)),
		xcalloc(frames_count(m->shown.p->frames), sizeof(*s.next)) };
	uint32_t i;

	/* Frames with the head's name first: they are displayed. */
	for (i = 0; i < u->n; i++)
		if (display_names_number(&m->shown, u->frame[i]) == diff_match_name(m, u->frame[i]))
			set_representative(m, &s, u->frame[i], i >= u->n_after);
	for (i = 0; i < u->n; i++)
		if (!m->of_frame[u->frame[i]])
			set_representative(m, &s, u->frame[i], i >= u->n_after);
	free(s.first);
	free(s.next);
}

static void add_names(
	struct diff_match *m, struct name_families *f, const struct profile *p, uint8_t side)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		uint32_t number = display_names_number(&m->shown, m->as[p->nodes[i].frame]);

		add_name(f, number, display_names_get(&m->shown, number), side);
	}
}

/* Paths that have moved */

/* The plain names of a profile, each once. Owned by the caller. */
static struct span *list_plain_names(struct diff_match *m, struct name_families *f,
	const struct profile *p, uint32_t profile, size_t *n)
{
	struct span *list = xcalloc((size_t)f->n_names + 1, sizeof(*list));
	node_id i;

	*n = 0;
	for (i = 1; i < p->n_nodes; i++) {
		uint32_t number = display_names_number(&m->shown, m->as[p->nodes[i].frame]);
		struct matched_name *name = &f->names[f->at[number] - 1];

		if (name->listed == profile + 1)
			continue;
		name->listed = profile + 1;
		list[(*n)++] = name->plain;
	}
	return list;
}

/* Each profile before is compared alone: several releases may have been recorded. */
static void follow_moved(struct diff_match *m, struct name_families *f,
	const struct profile *const *before, size_t n_before, const struct profile *after)
{
	size_t n_new, n_old, k;
	struct span *new = list_plain_names(m, f, after, 0, &n_new);
	uint32_t i;

	for (k = 0; k < n_before; k++) {
		struct span *old = list_plain_names(m, f, before[k], (uint32_t)k + 1, &n_old);

		diff_moved_find(&m->moved, old, n_old, new, n_new);
		free(old);
	}
	free(new);
	for (i = 0; i < f->n_names; i++) {
		struct matched_name *name = &f->names[i];
		struct span moved;

		m->unclear[name->number] = diff_moved_is_unclear(&m->moved, name->plain);
		if (name->sides != BEFORE)
			continue;
		moved = diff_moved_name(&m->moved, name->plain, &f->scratch);
		if (moved.p != name->plain.p)
			name->plain =
				(struct span){ arena_string(&f->texts, moved.p, moved.n), moved.n };
	}
}

static void add_builds(struct builds *b, const struct profile *p, uint8_t side)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i++)
		builds_add(b, p->nodes[i].frame, side);
}

/* What each frame counts as. This may add frames. */
static frame_id *find_as(struct frames *frames, const struct profile *const *before,
	size_t n_before, const struct profile *after)
{
	struct builds b;
	uint32_t i, n = frames_count(frames), all;
	frame_id *as;
	size_t k;

	builds_init(&b, frames, BOTH);
	add_builds(&b, after, AFTER);
	for (k = 0; k < n_before; k++)
		add_builds(&b, before[k], BEFORE);
	for (i = 1; i < n; i++)
		builds_shown(&b, i);
	all = frames_count(frames);
	as = xcalloc(all, sizeof(*as));
	for (i = 1; i < all; i++)
		as[i] = builds_shown(&b, i);
	builds_release(&b);
	return as;
}

void diff_match_init(struct diff_match *m, const struct profile *p,
	const struct profile *const *before, size_t n_before, const struct profile *after,
	bool exact)
{
	frame_id *as = find_as(p->frames, before, n_before, after);
	struct used used = { .seen = xcalloc(frames_count(p->frames), sizeof(bool)) };
	struct name_families f = { 0 };
	uint32_t i;
	size_t k;

	*m = (struct diff_match){ .as = as,
		.of_frame = xcalloc(frames_count(p->frames), sizeof(frame_id)) };
	display_names_init(&m->shown, p);
	add_names(m, &f, after, AFTER);
	use_frames(&used, after, as);
	used.n_after = used.n;
	for (k = 0; k < n_before; k++) {
		add_names(m, &f, before[k], BEFORE);
		use_frames(&used, before[k], as);
	}
	m->of_name = xcalloc((size_t)m->shown.n + 1, sizeof(*m->of_name));
	for (i = 0; i < m->shown.n; i++)
		m->of_name[i] = i;
	m->unclear = xcalloc((size_t)m->shown.n + 1, sizeof(*m->unclear));
	if (!exact && f.n_names) {
		follow_moved(m, &f, before, n_before, after);
		join_names(&f, m->of_name);
	}
	match_frames(m, &used);
	free(f.at);
	free(used.frame);
	free(used.seen);
	free(f.names);
	free(f.of);
	arena_release(&f.texts);
	buf_release(&f.scratch);
}

void diff_match_release(struct diff_match *m)
{
	display_names_release(&m->shown);
	free(m->of_name);
	free(m->of_frame);
	free(m->unclear);
	diff_moved_release(&m->moved);
	free(m->as);
}
