/*
 * diff_moved.c - folders and bundles that moved, found by the functions in them
 *
 *	name      get x /srv/r1/lib/main.9f3ac1.js:3:7
 *	          function  folder    base            place
 *	key       get x               main.*.js               a hash in the base does not count
 *
 *	1  Names whose file is on one side only, and whose key is on both, vote: their folders
 *	   without the end that they share are a move. /srv/r1/lib/ and /srv/r2/lib/ vote for
 *	   /srv/r1/ -> /srv/r2/. A name at the same line and column is the best proof there is, and
 *	   functions without a name vote only by that: every file has some.
 *	2  A move counts if nothing is left below the old folder, and nothing was below the new one.
 *	   It is sure if two functions or one with its place voted for it, and twice as many as for
 *	   any other that concerns the same folders. The others are unclear and left to the user.
 *	3  Then bundles: a file that is gone has become the one new file in the same folder that
 *	   differs from it in the hash only. Where there are several, nothing says which.
 *
 * Votes are counted by sorting. Functions of one key that are in very many folders ("index.js") are
 * bounded by MOST_OF_A_KEY: those that remain decide.
 */
#include "collapse/diff_moved.h"

#include "base/bisect.h"
#include "base/chars.h"
#include "base/mem.h"

#include <stdlib.h>

enum { MOST_OF_A_KEY = 64, HASH_LEAST = 6 };

struct located_name {
	struct span function, folder, base; /* the folder with its slash */
	struct span path;                   /* folder and base */
	struct span key;                    /* of the base: without a hash */
	uint64_t place;
};

struct located_names {
	struct located_name *of; /* by function, key, path, place */
	struct span *path;       /* all, sorted: of names that are on both sides as well */
	size_t n;
};

struct vote {
	struct span from, to;
	size_t voter; /* a function of one file */
	bool same_place;
};

struct votes {
	struct vote *item;
	size_t n, cap;
};

/* A move that was voted for. */
struct proposal {
	struct span from, to;
	size_t votes;
	bool same_place, unclear;
};

/* Names */

/* Where a path begins in "FUNCTION PATH": after the last blank before a slash or a file's URL. The
 * function and folders may have blanks. */
static bool find_path(struct span s, size_t *at)
{
	size_t i;

	for (i = s.n; i-- > 0;) {
		struct span rest = span_skip(s, i);

		if (i && s.p[i - 1] != ' ')
			continue;
		if (span_starts(rest, SPAN("/")) || span_starts(rest, SPAN("file:///"))) {
			*at = i;
			return true;
		}
	}
	return false;
}

static bool locate(struct span name, struct located_name *out)
{
	uint32_t number[2] = { 0, 0 };
	size_t at;
	int n;

	*out = (struct located_name){ 0 };
	for (n = 0; n < 2 && span_scan_last_number(&name, &number[n]); n++)
		;
	out->place = n == 2 ? (uint64_t)number[1] << 32 | number[0] : (uint64_t)number[0] << 32;
	if (!find_path(name, &at))
		return false;
	out->path = span_skip(name, at);
	out->base = span_basename(out->path);
	out->folder = (struct span){ out->path.p, out->path.n - out->base.n };
	out->function = (struct span){ name.p, at };
	return out->base.n && (n || span_find(out->base, SPAN(".")) > 0);
}

static bool is_anonymous(struct span function)
{
	return !function.n || span_starts(function, SPAN("(anonymous)"));
}

/* A bundler's hash: letters and digits, both. */
static bool is_hash(struct span s)
{
	size_t i, digits = 0;

	for (i = 0; i < s.n; i++)
		digits += char_is_digit(s.p[i]);
	return s.n >= HASH_LEAST && digits && digits < s.n;
}

/* The base with its last hash as a star: "main.*.js"; the base itself if it has none. A hash has
 * something before it and a suffix behind. */
static struct span key_of(struct span base, struct arena *strings)
{
	size_t end, start, i;

	for (end = base.n; end > 0; end = start ? start - 1 : 0) {
		for (start = end; start && char_is_alnum(base.p[start - 1]); start--)
			;
		if (start && end < base.n && is_hash(span_range(base.p + start, base.p + end))) {
			char *s = arena_string(strings, base.p, base.n);

			s[start] = '*';
			for (i = end; i < base.n; i++)
				s[start + 1 + i - end] = s[i];
			return (struct span){ s, base.n - (end - start) + 1 };
		}
	}
	return base;
}

static int compare_keys(const struct located_name *a, const struct located_name *b)
{
	int order = span_cmp(a->function, b->function);

	return order ? order : span_cmp(a->key, b->key);
}

static int compare_located(const void *pa, const void *pb)
{
	const struct located_name *a = pa, *b = pb;
	int order = compare_keys(a, b);

	if (!order)
		order = span_cmp(a->path, b->path);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int compare_spans(const void *pa, const void *pb)
{
	return span_cmp(*(const struct span *)pa, *(const struct span *)pb);
}

static struct located_names locate_all(const struct span *name, size_t n, struct arena *strings)
{
	struct located_names all = { xcalloc(n + 1, sizeof(*all.of)),
		xcalloc(n + 1, sizeof(*all.path)), 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		struct located_name *l = &all.of[all.n];

		if (!locate(name[i], l))
			continue;
		l->key = key_of(l->base, strings);
		all.path[all.n++] = l->path;
	}
	qsort(all.of, all.n, sizeof(*all.of), compare_located);
	qsort(all.path, all.n, sizeof(*all.path), compare_spans);
	return all;
}

static void located_names_release(struct located_names *all)
{
	free(all->of);
	free(all->path);
}

/* Has it names in files whose path begins like that? */
static bool has_below(const struct located_names *all, struct span prefix)
{
	size_t at = bisect(i, (size_t)0, all->n, span_cmp(all->path[i], prefix) >= 0);

	return at < all->n && span_starts(all->path[at], prefix);
}

static bool has_path(const struct located_names *all, struct span path)
{
	size_t at = bisect(i, (size_t)0, all->n, span_cmp(all->path[i], path) >= 0);

	return at < all->n && span_eq(all->path[at], path);
}

/* Leaves out names in files of the other side, too. */
static size_t keep_one_sided(struct located_name *of, size_t n, const struct located_names *other)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++)
		if (!has_path(other, of[i].path))
			of[kept++] = of[i];
	return kept;
}

/* Votes */

/* Drops the last folder that both have: "/a/x/" and "/b/x/" become "/a/" and "/b/". */
static bool drop_shared_folder(struct span *a, struct span *b)
{
	size_t n = 0;

	while (n < a->n && n < b->n && a->p[a->n - 1 - n] == b->p[b->n - 1 - n]) {
		n++;
		if (n < a->n && n < b->n && a->p[a->n - 1 - n] == '/' && b->p[b->n - 1 - n] == '/')
			break;
	}
	if (!n || n >= a->n || n >= b->n || a->p[a->n - 1 - n] != '/' || b->p[b->n - 1 - n] != '/')
		return false;
	a->n -= n;
	b->n -= n;
	return true;
}

static void vote(struct votes *v, const struct located_name *before,
	const struct located_name *after, size_t voter)
{
	bool same_place = before->place == after->place;
	struct span from = before->folder, to = after->folder;

	if (span_eq(from, to) || (is_anonymous(before->function) && !same_place))
		return;
	while (drop_shared_folder(&from, &to))
		;
	ARRAY_GROW(v->item, v->n, v->cap);
	v->item[v->n++] = (struct vote){ from, to, voter, same_place };
}

static size_t end_of_key(const struct located_name *of, size_t n, size_t first)
{
	size_t i = first;

	while (i < n && !compare_keys(&of[i], &of[first]))
		i++;
	return i;
}

static size_t at_most(size_t n)
{
	return n < MOST_OF_A_KEY ? n : MOST_OF_A_KEY;
}

static void collect_votes(struct votes *v, const struct located_name *before, size_t n_before,
	const struct located_name *after, size_t n_after)
{
	size_t b = 0, a = 0, i, k, voter;

	while (b < n_before && a < n_after) {
		size_t end_b = end_of_key(before, n_before, b);
		size_t end_a = end_of_key(after, n_after, a);
		int order = compare_keys(&before[b], &after[a]);

		for (i = voter = b; !order && i < b + at_most(end_b - b); i++) {
			voter = span_eq(before[i].path, before[voter].path) ? voter : i;
			for (k = a; k < a + at_most(end_a - a); k++)
				vote(v, &before[i], &after[k], voter);
		}
		b = order <= 0 ? end_b : b;
		a = order >= 0 ? end_a : a;
	}
}

static int compare_votes(const void *pa, const void *pb)
{
	const struct vote *a = pa, *b = pb;
	int order = span_cmp(a->from, b->from);

	if (!order)
		order = span_cmp(a->to, b->to);
	return order ? order : (a->voter > b->voter) - (a->voter < b->voter);
}

static int most_votes_first(const void *pa, const void *pb)
{
	const struct proposal *a = pa, *b = pb;

	if (a->votes != b->votes)
		return a->votes < b->votes ? 1 : -1;
	return span_cmp(a->from, b->from) ? span_cmp(a->from, b->from) : span_cmp(a->to, b->to);
}

/* What was voted for, if the old path is gone and the new one is new. Owned by the caller. */
static struct proposal *count_votes(struct votes *v, const struct located_names *before,
	const struct located_names *after, size_t *n)
{
	struct proposal *p = NULL;
	size_t i, cap = 0;

	*n = 0;
	if (v->n)
		qsort(v->item, v->n, sizeof(*v->item), compare_votes);
	for (i = 0; i < v->n; i++) {
		const struct vote *one = &v->item[i];
		bool first =
			!i || !span_eq(one->from, one[-1].from) || !span_eq(one->to, one[-1].to);

		if (first) {
			ARRAY_GROW(p, *n, cap);
			p[(*n)++] = (struct proposal){ .from = one->from, .to = one->to };
		}
		p[*n - 1].votes += first || one->voter != one[-1].voter;
		p[*n - 1].same_place |= one->same_place;
	}
	for (i = 0, cap = *n, *n = 0; i < cap; i++)
		if (!has_below(after, p[i].from) && !has_below(before, p[i].to))
			p[(*n)++] = p[i];
	if (*n)
		qsort(p, *n, sizeof(*p), most_votes_first);
	return p;
}

static bool overlap(struct span a, struct span b)
{
	return span_starts(a, b) || span_starts(b, a);
}

static bool concern_the_same(const struct proposal *a, const struct proposal *b)
{
	return overlap(a->from, b->from) || overlap(a->to, b->to);
}

static void add_path(struct diff_moved *m, struct span from, struct span to, bool unclear)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (span_eq(m->item[i].from, from) && span_eq(m->item[i].to, to))
			return;
	ARRAY_GROW(m->item, m->n, m->cap);
	m->item[m->n++] = (struct diff_path){ { arena_string(&m->strings, from.p, from.n), from.n },
		{ arena_string(&m->strings, to.p, to.n), to.n }, unclear };
}

/* The most votes first: what concerns the same folders as one before it is unclear, or, with less
 * than half of its votes, nothing. */
static void choose(struct diff_moved *m, struct proposal *p, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++) {
		bool outvoted = false;

		p[i].unclear |= p[i].votes < 2 && !p[i].same_place;
		for (k = i + 1; k < n && 2 * p[k].votes > p[i].votes; k++)
			p[i].unclear |= concern_the_same(&p[i], &p[k]);
		for (k = 0; k < i && !outvoted; k++)
			outvoted = concern_the_same(&p[i], &p[k]) && 2 * p[i].votes <= p[k].votes;
		for (k = 0; k < i && !outvoted; k++)
			p[i].unclear |= concern_the_same(&p[i], &p[k]);
		if (!outvoted)
			add_path(m, p[i].from, p[i].to, p[i].unclear);
	}
}

/* Bundles */

/* A file of one side only, with the folder that it has after. */
struct bundle {
	struct span folder, key, path;
};

static int compare_bundles(const void *pa, const void *pb)
{
	const struct bundle *a = pa, *b = pb;
	int order = span_cmp(a->folder, b->folder);

	if (!order)
		order = span_cmp(a->key, b->key);
	return order ? order : span_cmp(a->path, b->path);
}

static bool same_bundle(const struct bundle *a, const struct bundle *b)
{
	return span_eq(a->folder, b->folder) && span_eq(a->key, b->key);
}

/* Is it that bundle, or in that folder? */
static bool is_below(struct span path, struct span of)
{
	return span_ends(of, SPAN("/")) ? span_starts(path, of) : span_eq(path, of);
}

/* How the path has moved; a bundle before its folder. */
static const struct diff_path *path_of(const struct diff_moved *m, struct span path)
{
	const struct diff_path *found = NULL;
	size_t i;

	for (i = 0; i < m->n; i++)
		if (!m->item[i].unclear && is_below(path, m->item[i].from) &&
			(!found || found->from.n < m->item[i].from.n))
			found = &m->item[i];
	return found;
}

static struct span path_after(const struct diff_moved *m, struct span path, struct buf *text)
{
	const struct diff_path *p = path_of(m, path);

	if (!p)
		return path;
	text->n = 0;
	buf_put_span(text, p->to);
	buf_put_span(text, span_skip(path, p->from.n));
	return buf_span(text);
}

/* The distinct files with a hash. Owned by the caller. */
static struct bundle *find_bundles(
	struct diff_moved *m, const struct located_name *of, size_t n, bool before, size_t *n_found)
{
	struct bundle *found = xcalloc(n + 1, sizeof(*found));
	struct buf text = { 0 };
	size_t i, kept = 0;

	*n_found = 0;
	for (i = 0; i < n; i++) {
		struct span folder = of[i].folder;

		if (of[i].key.n == of[i].base.n && span_eq(of[i].key, of[i].base))
			continue;
		if (before)
			folder = path_after(m, folder, &text);
		found[(*n_found)++] = (struct bundle){
			{ arena_string(&m->strings, folder.p, folder.n), folder.n }, of[i].key,
			of[i].path
		};
	}
	qsort(found, *n_found, sizeof(*found), compare_bundles);
	for (i = 0; i < *n_found; i++)
		if (!i || !span_eq(found[i].path, found[kept - 1].path))
			found[kept++] = found[i];
	*n_found = kept;
	buf_release(&text);
	return found;
}

/* The only one of its folder and key? */
static bool is_only_one(const struct bundle *of, size_t n, size_t i)
{
	return (!i || !same_bundle(&of[i], &of[i - 1])) &&
	       (i + 1 >= n || !same_bundle(&of[i], &of[i + 1]));
}

static void match_bundles(struct diff_moved *m, const struct located_name *before, size_t n_before,
	const struct located_name *after, size_t n_after)
{
	size_t nb, na, b, a = 0;
	struct bundle *old = find_bundles(m, before, n_before, true, &nb);
	struct bundle *new = find_bundles(m, after, n_after, false, &na);

	for (b = 0; b < nb; b++) {
		while (a < na && (span_cmp(new[a].folder, old[b].folder) < 0 ||
					 (span_eq(new[a].folder, old[b].folder) &&
						 span_cmp(new[a].key, old[b].key) < 0)))
			a++;
		if (a < na && same_bundle(&old[b], &new[a]) && is_only_one(old, nb, b) &&
			is_only_one(new, na, a))
			add_path(m, old[b].path, new[a].path, false);
	}
	free(old);
	free(new);
}

/* All */

void diff_moved_find(struct diff_moved *m, const struct span *before, size_t n_before,
	const struct span *after, size_t n_after)
{
	struct arena keys = ARENA_INIT;
	struct located_names old = locate_all(before, n_before, &keys);
	struct located_names new = locate_all(after, n_after, &keys);
	size_t gone = keep_one_sided(old.of, old.n, &new);
	size_t added = keep_one_sided(new.of, new.n, &old), n;
	struct votes votes = { 0 };
	struct proposal *p;

	collect_votes(&votes, old.of, gone, new.of, added);
	p = count_votes(&votes, &old, &new, &n);
	choose(m, p, n);
	match_bundles(m, old.of, gone, new.of, added);
	free(p);
	free(votes.item);
	located_names_release(&old);
	located_names_release(&new);
	arena_release(&keys);
}

void diff_moved_release(struct diff_moved *m)
{
	free(m->item);
	arena_release(&m->strings);
	*m = (struct diff_moved){ 0 };
}

struct span diff_moved_name(const struct diff_moved *m, struct span name, struct buf *text)
{
	const struct diff_path *p;
	struct located_name l;

	if (!m->n || !locate(name, &l))
		return name;
	p = path_of(m, l.path);
	if (!p)
		return name;
	text->n = 0;
	buf_put_span(text, l.function);
	buf_put_span(text, p->to);
	buf_put_span(text, span_skip(span_range(l.path.p, name.p + name.n), p->from.n));
	return buf_span(text);
}

bool diff_moved_is_unclear(const struct diff_moved *m, struct span name)
{
	struct located_name l;
	size_t i;

	if (!m->n || !locate(name, &l))
		return false;
	for (i = 0; i < m->n; i++)
		if (m->item[i].unclear &&
			(is_below(l.path, m->item[i].from) || is_below(l.path, m->item[i].to)))
			return true;
	return false;
}
