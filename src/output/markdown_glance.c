#include "output/markdown_page.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

#define ACTIVITY_LEAST_SHARE 0.01

static void put_hottest(struct markdown_page *g)
{
	const struct function_cost *hot = g->by_self;

	if (!g->n_self || !hot->self.weight)
		return;
	buf_puts(g->b, "- most time in one function itself: ");
	markdown_page_put_share(g, hot->self.weight);
	buf_puts(g->b, " in ");
	markdown_page_put_code(g, markdown_page_name(g, hot->function));
	markdown_page_put_place(g, hot->function);
	buf_putc(g->b, '\n');
}

static void put_busiest_caller(struct markdown_page *g)
{
	node_id at = markdown_page_busiest_caller(g);
	const struct node *n = &g->p->nodes[at];
	function_id f;

	if (!at || !stack_path_is_code(g->p, at))
		return;
	f = functions_of_frame(&g->costs.functions, n->frame);
	if (g->n_self && f == g->by_self->function && n->self * 2 >= n->total)
		return;
	buf_puts(g->b, "- innermost caller of at least half of everything: ");
	markdown_page_put_code(g, markdown_page_name(g, f));
	buf_puts(g->b, ", with ");
	markdown_page_put_share(g, n->total);
	buf_puts(g->b, " total\n");
}

/* By what functions are known to do: of each function, once. */
void markdown_page_prepare_activities(struct markdown_page *g)
{
	uint32_t n = g->costs.functions.n, i;
	uint8_t *activity = xcalloc(n, sizeof(*activity));
	bool *marked = xcalloc(n, sizeof(*marked));
	uint32_t known[ACTIVITY_COUNT] = { 0 };
	int a;

	for (i = 0; i < g->n_total; i++) {
		function_id f = g->by_total[i].function;

		a = (int)activity_name_of(display_names_plain(markdown_page_name(g, f)));
		activity[f] = (uint8_t)a;
		if (!known[a]++)
			g->activity[a].most = f;
	}
	for (a = ACTIVITY_NONE + 1; a < ACTIVITY_COUNT; a++) {
		if (!known[a])
			continue;
		for (i = 0; i < n; i++)
			marked[i] = activity[i] == a;
		g->activity[a].weight = costs_sum(&g->costs, marked, BY_TOTAL, false).weight;
	}
	free(activity);
	free(marked);
}

static void put_activity(struct markdown_page *g, enum activity a)
{
	const struct markdown_activity *of = &g->activity[a];

	if (!of->weight || markdown_page_share(g, of->weight) < ACTIVITY_LEAST_SHARE)
		return;
	buf_printf(g->b, "- %s: ", activity_name_text(a));
	markdown_page_put_share(g, of->weight);
	buf_puts(g->b, " (");
	markdown_page_put_code(g, markdown_page_name(g, of->most));
	buf_puts(g->b, " and the like)\n");
}

static void put_doubts(struct markdown_page *g)
{
	const struct report *r = g->o->report;

	markdown_page_put_doubts_of(g, &g->side);
	if (r && r->n_advice) {
		buf_puts(g->b, "- better recorded: ");
		markdown_text_put_code(g->b, span_of(r->advice[0]));
		buf_putc(g->b, '\n');
	}
}

void markdown_page_put_glance(struct markdown_page *g)
{
	int a;

	buf_puts(g->b, "\n## At a glance\n\n");
	put_hottest(g);
	put_busiest_caller(g);
	for (a = ACTIVITY_NONE + 1; a < ACTIVITY_COUNT; a++)
		put_activity(g, (enum activity)a);
	put_doubts(g);
}
