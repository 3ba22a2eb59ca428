/*
 * html.c - a report in one file: flame graphs, tables and a heat map that follow one another
 *
 *	<head>  a policy: nothing may be loaded, and no script or style but those of this file, by
 *	        their hashes; the style sheet
 *	<body>  the fixed parts (assets/report/report_body.html)
 *	        <script type="application/json" id="facts">   facts of the recording
 *	        <script type="text/plain" class="packed">     the tree, then blocks of rows
 *	        <script type="text/plain" id="source">        source and code (html_source.h)
 *	        <script>                                      packed_reader.js, assets/shared/,
 *	                                                      assets/report/
 *
 * Apart from the title, which is escaped, nothing from a recording is in the script, the style
 * sheet or the markup: texts come as JSON, in which "<" is escaped, or as base64, and the script
 * puts them only into text nodes and onto the canvas.
 *
 * Workers make the head and the elements of data at once (base/chunks.h), mostly by deflating.
 * Before that two of them make the tree and the text of the source elements, which these share.
 */
#include "output/html/html.h"

#include "assets/amount_text_js.h"
#include "assets/copy_js.h"
#include "assets/crumbs_js.h"
#include "assets/heaviest_js.h"
#include "assets/labels_js.h"
#include "assets/link_state_js.h"
#include "assets/luminance_js.h"
#include "assets/packed_reader_js.h"
#include "assets/report_body_html.h"
#include "assets/report_card_js.h"
#include "assets/report_changes_js.h"
#include "assets/report_data_js.h"
#include "assets/report_flame_js.h"
#include "assets/report_heat_js.h"
#include "assets/report_keys_js.h"
#include "assets/report_layout_js.h"
#include "assets/report_jumps_js.h"
#include "assets/report_legend_js.h"
#include "assets/report_lines_js.h"
#include "assets/report_link_js.h"
#include "assets/report_looks_js.h"
#include "assets/report_main_js.h"
#include "assets/report_model_js.h"
#include "assets/report_panels_js.h"
#include "assets/report_path_js.h"
#include "assets/report_print_js.h"
#include "assets/report_rules_js.h"
#include "assets/report_search_js.h"
#include "assets/report_source_css.h"
#include "assets/report_source_data_js.h"
#include "assets/report_source_js.h"
#include "assets/report_source_rows_js.h"
#include "assets/report_strip_js.h"
#include "assets/report_style_css.h"
#include "assets/report_table_js.h"
#include "assets/report_threads_js.h"
#include "assets/report_time_js.h"
#include "assets/report_tracks_js.h"
#include "assets/search_text_js.h"
#include "assets/tooltip_css.h"
#include "assets/tooltip_js.h"
#include "base/base64.h"
#include "base/chunks.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "output/html/html_data.h"
#include "output/html/html_source.h"
#include "output/picture/picture.h"

#define ASSET(name)                                                                                \
	{                                                                                          \
		asset_##name, sizeof(asset_##name)                                                 \
	}

/* Later files use what earlier ones define. */
static const struct span scripts[] = {
	ASSET(packed_reader_js),
	ASSET(link_state_js),
	ASSET(search_text_js),
	ASSET(amount_text_js),
	ASSET(luminance_js),
	ASSET(labels_js),
	ASSET(crumbs_js),
	ASSET(heaviest_js),
	ASSET(copy_js),
	ASSET(tooltip_js),
	ASSET(report_data_js),
	ASSET(report_model_js),
	ASSET(report_rules_js),
	ASSET(report_layout_js),
	ASSET(report_time_js),
	ASSET(report_looks_js),
	ASSET(report_flame_js),
	ASSET(report_table_js),
	ASSET(report_changes_js),
	ASSET(report_source_data_js),
	ASSET(report_lines_js),
	ASSET(report_jumps_js),
	ASSET(report_source_rows_js),
	ASSET(report_source_js),
	ASSET(report_strip_js),
	ASSET(report_heat_js),
	ASSET(report_tracks_js),
	ASSET(report_panels_js),
	ASSET(report_legend_js),
	ASSET(report_threads_js),
	ASSET(report_card_js),
	ASSET(report_search_js),
	ASSET(report_path_js),
	ASSET(report_link_js),
	ASSET(report_keys_js),
	ASSET(report_print_js),
	ASSET(report_main_js),
};

static const struct span styles[] = { ASSET(report_style_css), ASSET(report_source_css),
	ASSET(tooltip_css) };

/* The hash by which a policy allows a script or a style: 'sha256-...' */
static void put_hash(struct sink *to, const struct span *parts, size_t n)
{
	uint8_t hash[SHA256_SIZE];
	struct sha256 s;
	size_t i;

	sha256_init(&s);
	for (i = 0; i < n; i++)
		sha256_add(&s, parts[i]);
	sha256_finish(&s, hash);
	sink_puts(to, "'sha256-");
	base64_encode(to, (struct span){ (const char *)hash, sizeof(hash) });
	sink_putc(to, '\'');
}

static void put_policy(struct sink *to)
{
	sink_puts(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "script-src ");
	put_hash(to, scripts, ARRAY_LEN(scripts));
	sink_puts(to, "; style-src ");
	put_hash(to, styles, ARRAY_LEN(styles));
	sink_puts(to, "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
		      "trusted-types 'none'\">\n");
}

static void put_parts(struct sink *to, const struct span *parts, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		sink_put_span(to, parts[i]);
}

/* The title, as UTF-8 and without characters that change the direction of text. */
static void put_title(struct sink *to, struct span title)
{
	struct buf text = { 0 }, escaped = { 0 };

	packed_put_text(&text, title);
	utf8_put_xml(&escaped, buf_span(&text));
	sink_puts(to, "<title>");
	sink_put_span(to, buf_span(&escaped));
	sink_puts(to, "</title>\n");
	buf_release(&text);
	buf_release(&escaped);
}

static void put_head(struct sink *to, struct span title)
{
	sink_puts(to, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	put_policy(to);
	sink_puts(to, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		      "<meta name=\"color-scheme\" content=\"light dark\">\n");
	put_title(to, title);
	sink_puts(to, "<style>");
	put_parts(to, styles, ARRAY_LEN(styles));
	sink_puts(to, "</style>\n</head>\n<body>\n");
	sink_put(to, asset_report_body_html, sizeof(asset_report_body_html));
}

/* ---- elements ------------------------------------------------------------------------------- */

/* What elements are made from. */
struct page {
	const struct profile *p;
	const struct output_opts *o;
	const struct picture_title *title;
	struct html_tree tree;
	struct html_source *source; /* NULL: there is none */
};

enum page_part { PART_SOURCE, PART_TREE, PARTS }; /* the one that takes longest first */

struct page_preparation {
	struct page *page;
	_Atomic uint32_t next;
};

static int prepare_parts(void *ctx, unsigned worker, struct err *e)
{
	struct page_preparation *all = ctx;
	struct page *page = all->page;
	int ret = OK;
	uint32_t i;

	(void)worker;
	while ((i = pool_next(&all->next)) < PARTS)
		if (i == PART_SOURCE)
			page->source = html_source_new(page->o->annotations, page->p);
		else
			ret = html_data_make_tree(&page->tree, page->p, page->o, e);
	return ret;
}

/* On failure there is nothing to release. */
static int page_prepare(struct page *page, struct err *e)
{
	struct page_preparation all = { .page = page };
	int ret = pool_run(page->o->pool, prepare_parts, &all, e);

	if (ret)
		html_source_free(page->source);
	return ret;
}

static void page_release(struct page *page)
{
	html_source_free(page->source);
	html_data_release_tree(&page->tree);
}

/* Elements of the page: its head, whose hashes take as long as some of the others, facts, the tree,
 * those of source, blocks of rows. */
enum { ELEMENT_HEAD, ELEMENT_FACTS, ELEMENT_TREE, ELEMENT_SOURCE };

static uint32_t count_elements(const struct page *page)
{
	size_t blocks = (page->p->n_rows + HTML_DATA_BLOCK_ROWS - 1) / HTML_DATA_BLOCK_ROWS;

	return ELEMENT_SOURCE + html_source_pieces(page->source) + (uint32_t)blocks;
}

static void put_facts(const struct page *page, struct sink *to)
{
	sink_puts(to, "<script type=\"application/json\" id=\"facts\">");
	html_data_put_facts(page->p, page->o, page->title, &page->tree.colors, to);
	sink_puts(to, "</script>\n");
}

static void begin_packed(struct sink *to)
{
	sink_puts(to, "<script type=\"text/plain\" class=\"packed\">");
}

static void put_tree(const struct page *page, struct sink *to)
{
	begin_packed(to);
	html_data_put_tree(&page->tree, to);
	sink_puts(to, "</script>\n");
}

static void put_rows(const struct page *page, uint32_t block, struct sink *to)
{
	begin_packed(to);
	html_data_put_rows(page->p, page->o, (size_t)block * HTML_DATA_BLOCK_ROWS, to);
	sink_puts(to, "</script>\n");
}

static void put_element(void *ctx, uint32_t element, struct sink *to)
{
	const struct page *page = ctx;
	uint32_t rows = ELEMENT_SOURCE + html_source_pieces(page->source);

	if (element == ELEMENT_HEAD)
		put_head(to, buf_span(&page->title->title));
	else if (element == ELEMENT_FACTS)
		put_facts(page, to);
	else if (element == ELEMENT_TREE)
		put_tree(page, to);
	else if (element < rows)
		html_source_put(page->source, element - ELEMENT_SOURCE, &page->tree.frames, to);
	else
		put_rows(page, element - rows, to);
}

static void put_elements(struct page *page, struct sink *to)
{
	chunks_write(page->o->pool, count_elements(page), put_element, page, to);
}

/* ---- the page ------------------------------------------------------------------------------- */

static int html_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct picture_title title;
	struct page page = { .p = p, .o = o, .title = &title };
	int ret = page_prepare(&page, e);

	if (ret)
		return ret;
	picture_title_make(&title, p, o, 0);
	put_elements(&page, to);
	sink_puts(to, "<script>");
	put_parts(to, scripts, ARRAY_LEN(scripts));
	sink_puts(to, "</script>\n</body>\n</html>\n");
	picture_title_release(&title);
	page_release(&page);
	return OK;
}

static const char *const suffixes[] = { ".html", ".htm", NULL };

const struct output_format html_format = {
	.name = "html",
	.suffixes = suffixes,
	.about = "a report with flame graphs, tables and a heat map, for a browser",
	.needs = OUTPUT_BY_NAME | OUTPUT_TIMELINE | OUTPUT_REPORT | OUTPUT_DIFFERENCE |
		 OUTPUT_PICTURE | OUTPUT_PLACES,
	.write = html_write,
};
