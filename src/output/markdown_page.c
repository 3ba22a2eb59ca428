#include "output/markdown_page.h"

#include "base/counted.h"

#include <inttypes.h>

double markdown_page_share(const struct markdown_page *g, uint64_t weight)
{
	return g->weight ? (double)weight / (double)g->weight : 0;
}

void markdown_page_put_share(struct markdown_page *g, uint64_t weight)
{
	buf_printf(g->b, "%.1f%%", 100 * markdown_page_share(g, weight));
}

/* The beginning and the end: what tells names apart may be in either. */
void markdown_page_put_short(struct buf *b, struct span name, size_t most)
{
	size_t first = most / 3, last = most - first - 3;

	if (name.n <= most) {
		buf_put_span(b, name);
		return;
	}
	while (first && ((unsigned char)name.p[first] & 0xc0) == 0x80)
		first--;
	while (last && ((unsigned char)name.p[name.n - last] & 0xc0) == 0x80)
		last--;
	buf_put(b, name.p, first);
	buf_puts(b, "...");
	buf_put(b, name.p + name.n - last, last);
}

void markdown_page_put_code(struct markdown_page *g, struct span name)
{
	struct buf text = { 0 };

	markdown_page_put_short(&text, name, MARKDOWN_NAME_MOST);
	markdown_text_put_code(g->b, buf_span(&text));
	buf_release(&text);
}

void markdown_page_put_more(struct markdown_page *g, uint32_t n, const char *one, const char *many)
{
	if (n)
		buf_printf(g->b, "- and %" PRIu32 " more %s\n", n, counted(n, one, many));
}

void markdown_page_put_place(struct markdown_page *g, function_id id)
{
	const struct function *f = &g->costs.functions.function[id];
	struct span file, name = functions_name(&g->costs.functions, id);
	struct buf place = { 0 };

	if (f->module) {
		buf_puts(g->b, " in ");
		markdown_page_put_code(g, span_basename(strtab_get(g->p->strings, f->module)));
	}
	file = strtab_get(g->p->strings, f->file);
	if (!file.n || (name.n && memmem(name.p, name.n, file.p, file.n)))
		return;
	buf_put_span(&place, file);
	if (f->line)
		buf_printf(&place, ":%" PRIu32, f->line);
	buf_puts(g->b, ", ");
	markdown_page_put_code(g, buf_span(&place));
	buf_release(&place);
}

struct span markdown_page_name(const struct markdown_page *g, function_id id)
{
	return functions_name(&g->costs.functions, id);
}

node_id markdown_page_busiest_caller(const struct markdown_page *g)
{
	const struct profile *p = g->p;
	node_id at = 0, i = 1;

	while (i < at + p->nodes[at].subtree)
		if (p->nodes[i].total * 2 >= g->weight) {
			at = i;
			i = at + 1;
		} else {
			i += p->nodes[i].subtree;
		}
	return at;
}

bool markdown_page_has_name(const struct markdown_page *g, function_id id)
{
	return !span_starts(markdown_page_name(g, id), SPAN("["));
}
