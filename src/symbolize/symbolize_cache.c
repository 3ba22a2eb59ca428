#include "symbolize/symbolize_cache.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

struct symbolize_cache {
	struct dwarf_store *dwarf;
	pthread_mutex_t lock;
	bool has_kallsyms;
	struct kallsyms kallsyms; /* changes no more once it is there */
};

struct symbolize_cache *symbolize_cache_new(size_t most_bytes, bool only_lines)
{
	struct symbolize_cache *c = xcalloc(1, sizeof(*c));

	c->dwarf = dwarf_store_new(most_bytes, only_lines);
	pthread_mutex_init(&c->lock, NULL);
	return c;
}

void symbolize_cache_free(struct symbolize_cache *c)
{
	if (!c)
		return;
	dwarf_store_free(c->dwarf);
	kallsyms_release(&c->kallsyms);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

struct dwarf_store *symbolize_cache_dwarf(const struct symbolize_cache *c)
{
	return c ? c->dwarf : NULL;
}

static const struct kallsyms *parse_own(
	struct symbolize_cache *c, struct span text, bool compat_perf)
{
	pthread_mutex_lock(&c->lock);
	if (!c->has_kallsyms)
		kallsyms_parse_borrowed(&c->kallsyms, text, compat_perf);
	c->has_kallsyms = true;
	pthread_mutex_unlock(&c->lock);
	return &c->kallsyms;
}

void symbolize_cache_read_kallsyms(struct symbolize_cache *c, struct kallsyms *k,
	struct files_kallsyms *text, bool compat_perf)
{
	if (text->own.n)
		kallsyms_parse(k, &text->own, compat_perf);
	else if (c)
		kallsyms_borrow(k, parse_own(c, text->text, compat_perf));
	else
		kallsyms_parse_borrowed(k, text->text, compat_perf);
}
