/*
 * Lists of shares: kinds of code, modules, functions, and where threads waited. All rank by weight;
 * what has no room is counted in the last row.
 */
#include "output/markdown_page.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where the time goes */

static int compare_parts(const void *pa, const void *pb)
{
	const struct markdown_part *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return span_cmp(a->name, b->name);
}

/* Takes the parts. */
static struct markdown_parts rank(struct markdown_part *part, uint32_t n)
{
	uint32_t used = 0, i;

	for (i = 0; i < n; i++)
		if (part[i].weight)
			part[used++] = part[i];
	if (used)
		qsort(part, used, sizeof(*part), compare_parts);
	return (struct markdown_parts){ part, used };
}

static void put_parts(struct markdown_page *g, const struct markdown_parts *of, const char *what,
	const char *one, const char *many)
{
	uint32_t i;

	for (i = 0; i < of->n && i < g->rows / 2 + 1; i++) {
		buf_puts(g->b, "- ");
		markdown_page_put_share(g, of->part[i].weight);
		buf_printf(g->b, " self in %s ", what);
		markdown_page_put_code(g, of->part[i].name);
		buf_putc(g->b, '\n');
	}
	markdown_page_put_more(g, of->n - i, one, many);
}

static void rank_kinds(struct markdown_page *g)
{
	static const char *const name[] = {
		[FRAME_UNKNOWN] = "unknown",
		[FRAME_USER] = "user",
		[FRAME_KERNEL] = "kernel",
		[FRAME_JIT] = "generated",
		[FRAME_ROOT] = "none",
		[FRAME_LABEL] = "label",
	};
	struct markdown_part *part = xcalloc(ARRAY_LEN(name), sizeof(*part));
	node_id at;
	size_t i;

	for (i = 0; i < ARRAY_LEN(name); i++)
		part[i].name = span_of(name[i]);
	for (at = 0; at < g->p->n_nodes; at++)
		part[at ? profile_frame_kind(g->p, g->p->nodes[at].frame) : FRAME_ROOT].weight +=
			g->p->nodes[at].self;
	g->kinds = rank(part, ARRAY_LEN(name));
}

static void rank_modules(struct markdown_page *g)
{
	const struct profile *p = g->p;
	uint32_t n = strtab_count(p->strings), i;
	struct markdown_part *part = xcalloc((size_t)n + 1, sizeof(*part));
	node_id at;

	for (i = 1; i < n; i++)
		part[i].name = strtab_get(p->strings, i);
	part[0].name = SPAN("[unknown]");
	for (at = 0; at < p->n_nodes; at++)
		part[frames_get(p->frames, p->nodes[at].frame)->module].weight += p->nodes[at].self;
	g->modules = rank(part, n);
}

void markdown_page_put_where(struct markdown_page *g)
{
	buf_puts(g->b, "\n## Where it goes\n\n");
	put_parts(g, &g->kinds, "code of kind", "kind of code", "kinds of code");
	put_parts(g, &g->modules, "module", "module", "modules");
}

/* Functions */

static void put_function(struct markdown_page *g, const struct function_cost *c)
{
	buf_puts(g->b, "- ");
	markdown_page_put_share(g, c->self.weight);
	buf_puts(g->b, " self, ");
	markdown_page_put_share(g, c->total.weight);
	buf_puts(g->b, " total: ");
	markdown_page_put_code(g, markdown_page_name(g, c->function));
	markdown_page_put_place(g, c->function);
	buf_putc(g->b, '\n');
}

void markdown_page_put_by_self(struct markdown_page *g)
{
	uint32_t i;

	buf_puts(g->b, "\n## Functions by self\n\n");
	for (i = 0; i < g->n_self && i < g->rows; i++)
		put_function(g, &g->by_self[i]);
	markdown_page_put_more(g, g->n_self - i, "function", "functions");
}

/* Without what leads to the innermost of the busiest callers, main() and the like: nearly
 * everything is below each of them, and the tree shows them. */
void markdown_page_put_by_total(struct markdown_page *g)
{
	uint64_t most = g->p->nodes[markdown_page_busiest_caller(g)].total;
	uint32_t first = 0, i;

	buf_puts(g->b, "\n## Functions by total");
	while (first < g->n_total && g->by_total[first].total.weight > most)
		first++;
	if (first) {
		buf_puts(g->b, ", from ");
		markdown_page_put_share(g, most);
		buf_printf(g->b, " down; %" PRIu32 " more lead there", first);
	}
	buf_puts(g->b, "\n\n");
	for (i = first; i < g->n_total && i < first + g->rows / 2 + 1; i++)
		put_function(g, &g->by_total[i]);
	markdown_page_put_more(g, g->n_total - i, "function", "functions");
}

/* Threads wait in the kernel's scheduler; what for, the function that went into the kernel says. */
static bool is_of_waits(const struct markdown_page *g)
{
	return g->o->n_recordings && g->o->recordings[0]->rows_have_duration;
}

/* Without frames of the kernel around it. */
static node_id user_caller(const struct markdown_page *g, node_id at)
{
	while (at && profile_frame_kind(g->p, g->p->nodes[at].frame) == FRAME_KERNEL)
		at = g->p->nodes[at].parent;
	return at;
}

static void rank_waits(struct markdown_page *g)
{
	const struct profile *p = g->p;
	uint32_t n = g->costs.functions.n, i;
	struct markdown_part *part = xcalloc((size_t)n + 1, sizeof(*part));
	node_id at;

	for (i = 0; i < n; i++)
		part[i].name = markdown_page_name(g, i);
	part[n].name = SPAN("[kernel]");
	for (at = 1; at < p->n_nodes; at++) {
		node_id user = user_caller(g, at);
		bool known = user && stack_path_is_code(p, user);

		part[known ? functions_of_frame(&g->costs.functions, p->nodes[user].frame) : n]
			.weight += p->nodes[at].self;
	}
	g->waits = rank(part, n + 1);
}

void markdown_page_put_waits(struct markdown_page *g)
{
	if (!is_of_waits(g))
		return;
	buf_puts(g->b, "\n## Where threads waited\n\n");
	put_parts(g, &g->waits, "what is called by", "caller", "callers");
}

void markdown_page_prepare_where(struct markdown_page *g)
{
	rank_kinds(g);
	rank_modules(g);
	if (is_of_waits(g))
		rank_waits(g);
}
