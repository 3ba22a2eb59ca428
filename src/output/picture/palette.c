/*
 * palette.c - flamegraph.pl's palettes, to the last bit
 *
 * A colour is made in two steps:
 *
 *	hue      from the palette: fixed, or chosen by the name (java, js, perl, chain)
 *	values   three numbers from 0 to 1, from the name; a part is base + range * value
 *
 * so functions of one kind have one hue, and a function has one colour everywhere. The values come
 * from the sum of the name's characters through Perl's generator (value_of_sum()), or with --hash
 * from its first and last characters (value_of_start()), so that similar names look alike.
 *
 * flamegraph.pl chooses by the annotation of a name ("_[k]", "_[j]", "_[i]"). Names are not
 * annotated here unless that was asked for, so the caller passes the letter that the annotation
 * would have (struct color_subject).
 *
 * Source: color(), namehash() and random_namehash() of flamegraph.pl.
 */
#include "output/picture/palette.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "output/output.h"
#include "model/display_names.h"

#include <stdlib.h>

enum hue_id { HOT, MEM, IO, RED, GREEN, BLUE, YELLOW, PURPLE, AQUA, ORANGE };

/* A part of a colour: base + a share of range, where v says which of three numbers is the share. */
struct color_part {
	uint8_t base, range, v;
};

static const struct color_part hues[][3] = {
	[HOT] = { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } },
	[MEM] = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 } },
	[IO] = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } },
	[RED] = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } },
	[GREEN] = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
	[BLUE] = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } },
	[YELLOW] = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 } },
	[PURPLE] = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 } },
	[AQUA] = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
	[ORANGE] = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } },
};

/* The input of choose_*(). */
struct palette_clues {
	struct span name; /* with its annotation */
	char kind;        /* that of the annotation, or of the frame if there is none */
};

struct palette {
	const char *name;
	const char *background;
	enum hue_id hue;
	enum hue_id (*choose)(const struct palette_clues *c); /* NULL: always hue */
	bool wakers;
};

static bool has(struct span s, const char *what)
{
	return span_find(s, span_of(what)) >= 0;
}

static bool is_java_package(struct span name)
{
	static const char *const first[] = { "java/", "javax/", "jdk/", "net/", "org/", "com/",
		"io/", "sun/" };
	size_t i;

	if (name.n && name.p[0] == 'L')
		name = span_skip(name, 1);
	for (i = 0; i < ARRAY_LEN(first); i++)
		if (span_starts(name, span_of(first[i])))
			return true;
	return false;
}

static enum hue_id choose_java(const struct palette_clues *c)
{
	if (c->kind == 'j')
		return GREEN;
	if (c->kind == 'i')
		return AQUA;
	if (is_java_package(c->name) || has(c->name, ":::"))
		return GREEN;
	if (has(c->name, "::"))
		return YELLOW;
	return c->kind == 'k' ? ORANGE : RED;
}

/* A "/" and, after it, ".js". */
static bool is_js_path(struct span name)
{
	ptrdiff_t slash = span_find(name, SPAN("/"));

	return slash >= 0 && has(span_skip(name, (size_t)slash), ".js");
}

static enum hue_id choose_js(const struct palette_clues *c)
{
	if (c->kind == 'j')
		return has(c->name, "/") ? GREEN : AQUA;
	if (has(c->name, "::"))
		return YELLOW;
	if (is_js_path(c->name))
		return GREEN;
	if (has(c->name, ":"))
		return AQUA;
	if (span_eq(c->name, SPAN(" ")))
		return GREEN;
	return c->kind == 'k' || has(c->name, "_[k]") ? ORANGE : RED;
}

static enum hue_id choose_perl(const struct palette_clues *c)
{
	if (has(c->name, "::"))
		return YELLOW;
	if (has(c->name, "Perl") || has(c->name, ".pl"))
		return GREEN;
	return c->kind == 'k' ? ORANGE : RED;
}

static enum hue_id choose_chain(const struct palette_clues *c)
{
	return c->kind == 'w' || has(c->name, "_[w]") ? AQUA : BLUE;
}

static const struct palette palettes[] = {
	{ "hot", "yellow", HOT, NULL, false },
	{ "mem", "green", MEM, NULL, false },
	{ "io", "blue", IO, NULL, false },
	{ "wakeup", "blue", AQUA, NULL, false },
	{ "chain", "blue", BLUE, choose_chain, true },
	{ "java", "yellow", RED, choose_java, false },
	{ "js", "yellow", RED, choose_js, false },
	{ "perl", "yellow", RED, choose_perl, false },
	{ "red", "grey", RED, NULL, false },
	{ "green", "grey", GREEN, NULL, false },
	{ "blue", "grey", BLUE, NULL, false },
	{ "aqua", "grey", AQUA, NULL, false },
	{ "yellow", "grey", YELLOW, NULL, false },
	{ "purple", "grey", PURPLE, NULL, false },
	{ "orange", "grey", ORANGE, NULL, false },
};

const char *output_palette(unsigned number)
{
	return number < ARRAY_LEN(palettes) ? palettes[number].name : NULL;
}

static int unknown_palette(const char *name, struct err *e)
{
	struct buf known = { 0 };
	unsigned i;

	for (i = 0; output_palette(i); i++)
		buf_printf(&known, "%s%s", i ? ", " : "", output_palette(i));
	err_set(e, ERR_USAGE, "unknown palette \"%.100s\": there are %s", name, buf_str(&known));
	buf_release(&known);
	return ERR_USAGE;
}

int palette_by_name(const struct palette **out, const char *name, struct err *e)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(palettes); i++) {
		*out = &palettes[i];
		if (!name || !strcmp(name, palettes[i].name))
			return OK;
	}
	return unknown_palette(name, e);
}

/* Pops the first character of *s; a bad byte counts as U+FFFD, which is shown for it. */
static uint32_t pop_char(struct span *s)
{
	uint32_t code = 0xfffd;
	unsigned n = utf8_decode(*s, &code);

	*s = span_skip(*s, n ? n : 1);
	return code;
}

/*
 * flamegraph.pl: srand(sum of the characters of the name); rand(1) -- with Perl's generator, that
 * of drand48(3): x = seed << 16 | 0x330e; x = x * 0x5deece66d + 0xb mod 2^48; x / 2^48
 */
static double value_of_sum(struct span name)
{
	const uint64_t mask = (1ull << 48) - 1;
	uint32_t sum = 0;
	size_t ascii;
	uint64_t x;

	for (ascii = 0; ascii < name.n && (unsigned char)name.p[ascii] < 0x80; ascii++)
		sum += (unsigned char)name.p[ascii];
	name = span_skip(name, ascii);
	while (name.n)
		sum += pop_char(&name);
	x = ((uint64_t)sum << 16 | 0x330e) & mask;
	x = (x * 0x5deece66dull + 0xb) & mask;
	return (double)x / (double)(1ull << 48);
}

/* flamegraph.pl --hash: the first three characters after a module's name ("libc`read"), of which
 * the first weighs most. */
static double value_of_start(const uint32_t *c, size_t n)
{
	double vector = 0, weight = 1, max = 1;
	size_t i = 0, k;

	for (k = 1; k < n; k++)
		if (c[k] == '`') {
			i = k + 1;
			break;
		}
	for (k = 0; k < 3 && i < n; k++, i++) {
		vector += (double)(c[i] % (10 + k)) / (double)(9 + k) * weight;
		max += weight;
		weight *= 0.70;
	}
	return 1 - vector / max;
}

static void values_by_hash(struct span name, double v[3])
{
	uint32_t *c = xcalloc(name.n + 1, sizeof(*c));
	size_t n = 0, i;

	while (name.n)
		c[n++] = pop_char(&name);
	v[0] = value_of_start(c, n);
	for (i = 0; i < n / 2; i++) {
		uint32_t swap = c[i];

		c[i] = c[n - 1 - i];
		c[n - 1 - i] = swap;
	}
	v[1] = v[2] = value_of_start(c, n);
	free(c);
}

static struct color hue_color(enum hue_id hue, const double v[3])
{
	const struct color_part *h = hues[hue];

	return (struct color){ (uint8_t)(h[0].base + (int)(h[0].range * v[h[0].v])),
		(uint8_t)(h[1].base + (int)(h[1].range * v[h[1].v])),
		(uint8_t)(h[2].base + (int)(h[2].range * v[h[2].v])) };
}

static struct palette_clues clues_of(const struct color_subject *s, struct span name)
{
	bool annotated = display_names_plain(name).n < name.n;

	return (struct palette_clues){ name, annotated ? name.p[name.n - 2] : s->kind };
}

struct color palette_color(const struct palette *p, const struct color_subject *s)
{
	struct buf waker = { 0 };
	struct span name = s->name;
	struct palette_clues c;
	struct color color;
	double v[3];

	if (span_eq(name, SPAN("--")))
		return (struct color){ 160, 160, 160 };
	if (span_eq(name, SPAN("-")))
		return (struct color){ 200, 200, 200 };
	if (p->wakers && s->waker) {
		buf_put_span(&waker, name);
		buf_puts(&waker, "_[w]");
		name = buf_span(&waker);
	}
	if (s->by_hash)
		values_by_hash(name, v);
	else
		v[0] = v[1] = v[2] = value_of_sum(name);
	c = clues_of(s, name);
	color = hue_color(p->choose ? p->choose(&c) : p->hue, v);
	buf_release(&waker);
	return color;
}

static const struct {
	const char *name;
	struct background colors;
} backgrounds[] = {
	{ "yellow", { { 0xee, 0xee, 0xee }, { 0xee, 0xee, 0xb0 } } },
	{ "blue", { { 0xee, 0xee, 0xee }, { 0xe0, 0xe0, 0xff } } },
	{ "green", { { 0xee, 0xf2, 0xee }, { 0xe0, 0xff, 0xe0 } } },
	{ "grey", { { 0xf8, 0xf8, 0xf8 }, { 0xe8, 0xe8, 0xe8 } } },
};

int palette_background(
	struct background *out, const struct palette *p, const char *name, struct err *e)
{
	struct span hex = span_skip(span_of(name), 1);
	uint64_t rgb;
	size_t i;

	if (!name)
		name = p->background;
	for (i = 0; i < ARRAY_LEN(backgrounds); i++)
		if (!strcmp(name, backgrounds[i].name)) {
			*out = backgrounds[i].colors;
			return OK;
		}
	if (name[0] != '#' || hex.n != 6 || !span_scan_hex(&hex, &rgb) || hex.n)
		return err_set(e, ERR_USAGE,
			"unknown background \"%.100s\": yellow, blue, green, grey or #rrggbb",
			name);
	out->top = (struct color){ (uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb };
	out->bottom = out->top;
	return OK;
}
