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
#include "base/mem.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "output/html/html_data.h"
#include "output/html/html_source.h"
#include "output/picture/picture.h"

#include <stdlib.h>

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
static void put_title(struct sink *to, const char *title)
{
	struct buf text = { 0 }, escaped = { 0 };

	packed_put_text(&text, span_of(title));
	utf8_put_xml(&escaped, buf_span(&text));
	sink_puts(to, "<title>");
	sink_put_span(to, buf_span(&escaped));
	sink_puts(to, "</title>\n");
	buf_release(&text);
	buf_release(&escaped);
}

static void put_head(struct sink *to, const char *title)
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

static void begin_packed(struct sink *to)
{
	sink_puts(to, "<script type=\"text/plain\" class=\"packed\">");
}

static int put_data(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct html_frames frames = { 0 };
	size_t row;
	int ret;

	begin_packed(to);
	ret = html_data_put_tree(p, o, &frames, to, e);
	sink_puts(to, "</script>\n");
	if (!ret)
		html_source_put(o->annotations, p, &frames, to);
	free(frames.id);
	for (row = 0; row < p->n_rows && !ret && !sink_failed(to); row += HTML_DATA_BLOCK_ROWS) {
		begin_packed(to);
		html_data_put_rows(p, o, row, to);
		sink_puts(to, "</script>\n");
	}
	return ret;
}

static int html_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct picture_title title;
	int ret;

	picture_title_make(&title, p, o, 0);
	put_head(to, buf_str(&title.title));
	sink_puts(to, "<script type=\"application/json\" id=\"facts\">");
	html_data_put_facts(p, o, &title, to);
	picture_title_release(&title);
	sink_puts(to, "</script>\n");
	ret = put_data(p, o, to, e);
	sink_puts(to, "<script>");
	put_parts(to, scripts, ARRAY_LEN(scripts));
	sink_puts(to, "</script>\n</body>\n</html>\n");
	return ret;
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
