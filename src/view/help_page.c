#include "view/help_page.h"

#include "base/mem.h"

static const struct {
	const char *keys, *about;
} lines[] = {
	{ "arrows, j k", "move among frames or rows; PgUp, PgDn: further" },
	{ "Enter", "zoom to the frame; callers and callees of the row; follow the jump" },
	{ "Escape", "go back: end the help, the search, a zoom, a page, an interval" },
	{ "Backspace", "zoom out by one" },
	{ "Home", "zoom out to all; the first row" },
	{ "1 - 6, Tab", "the pages; the next one" },
	{ "s", "callers and callees of what is chosen" },
	{ "a", "its source; there, left and right: instructions" },
	{ "h, H", "the next hottest line, the one before" },
	{ "", "over time: Enter marks an interval, its start and its end" },
	{ "/", "search; with a capital, case matters" },
	{ "n, N or p", "the next match, the one before" },
	{ "o", "order: by weight, by name; of functions by self, total, name" },
	{ "c", "colours: category, module, package, palette" },
	{ "v", "upside down" },
	{ "mouse", "click: choose, again: zoom or open; wheel: move" },
	{ "?", "this help" },
	{ "q, Ctrl-C", "quit" },
};

void help_page_open(struct help_page *h)
{
	h->is_open = true;
	h->first = 0;
}

bool help_page_close(struct help_page *h)
{
	bool was_open = h->is_open;

	h->is_open = false;
	return was_open;
}

bool help_page_take(struct help_page *h, const struct view_event *event)
{
	uint32_t most = ARRAY_LEN(lines) > h->rows ? (uint32_t)ARRAY_LEN(lines) - h->rows : 0;

	if (!h->is_open)
		return false;
	if (!most || !page_move(event->key, &h->first, most + 1, h->rows))
		h->is_open = false;
	return true;
}

void help_page_draw(struct help_page *h, const struct page_area *area)
{
	enum { KEYS = 14 };
	unsigned i;

	h->rows = area->rows;
	for (i = 0; i < area->rows && h->first + i < ARRAY_LEN(lines); i++) {
		struct screen_line l =
			screen_line(area->screen, area->top + i, 1, area->screen->columns);

		screen_put(&l, span_of(lines[h->first + i].keys),
			(struct screen_style){ .attributes = SCREEN_BOLD });
		screen_pad(&l, KEYS, (struct screen_style){ 0 });
		screen_put(&l, span_of(lines[h->first + i].about), (struct screen_style){ 0 });
	}
}
