#include "output/picture/category.h"

#include "base/mem.h"
#include "compare/change.h"
#include "output/picture/mixes.h"
#include "output/picture/module_colors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "model/profile_for_test.h"

/* Colours as people see them: normal sight, and complete deuteranopia and protanopia (Machado,
 * Oliveira and Fernandes 2009, severity 1), which are of linear light. */
enum vision { NORMAL, DEUTERANOPIA, PROTANOPIA, VISIONS };

static const double machado[VISIONS][3][3] = {
	[NORMAL] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	[DEUTERANOPIA] = { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
		{ -0.011820, 0.042940, 0.968881 } },
	[PROTANOPIA] = { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
		{ -0.003882, -0.048116, 1.051998 } },
};

struct light {
	double part[3];
};

static double linear(double part)
{
	part /= 255;
	return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static struct light light_of(struct color c)
{
	return (struct light){ { linear(c.r), linear(c.g), linear(c.b) } };
}

static struct light seen_by(struct light of, enum vision v)
{
	struct light seen;
	int i;

	for (i = 0; i < 3; i++) {
		const double *m = machado[v][i];
		double part = m[0] * of.part[0] + m[1] * of.part[1] + m[2] * of.part[2];

		seen.part[i] = part < 0 ? 0 : part > 1 ? 1 : part;
	}
	return seen;
}

static double lab_part(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE L*a*b* of light under D65. */
static struct light lab_of(struct light of)
{
	const double *p = of.part;
	double x = lab_part((.4124564 * p[0] + .3575761 * p[1] + .1804375 * p[2]) / .95047);
	double y = lab_part(.2126729 * p[0] + .7151522 * p[1] + .0721750 * p[2]);
	double z = lab_part((.0193339 * p[0] + .1191920 * p[1] + .9503041 * p[2]) / 1.08883);

	return (struct light){ { 116 * y - 16, 500 * (x - y), 200 * (y - z) } };
}

/* CIE76. */
static double difference(struct color a, struct color b, enum vision v)
{
	struct light p = lab_of(seen_by(light_of(a), v)), q = lab_of(seen_by(light_of(b), v));

	return hypot(hypot(p.part[0] - q.part[0], p.part[1] - q.part[1]), p.part[2] - q.part[2]);
}

static double luminance(struct color c)
{
	struct light l = light_of(c);

	return .2126 * l.part[0] + .7152 * l.part[1] + .0722 * l.part[2];
}

/* WCAG 2. */
static double contrast(struct color a, struct color b)
{
	double p = luminance(a) + .05, q = luminance(b) + .05;

	return p > q ? p / q : q / p;
}

/* The darkest text on frames, and how fills are dimmed on dark pages. */
static const struct color ink = { 0x16, 0x19, 0x1d };

static struct color dimmed(struct color c)
{
	const double share = .86;

	return (struct color){ (uint8_t)(share * c.r + (1 - share) * ink.r),
		(uint8_t)(share * c.g + (1 - share) * ink.g),
		(uint8_t)(share * c.b + (1 - share) * ink.b) };
}

static void assert_told_apart(const struct color *c, unsigned n)
{
	unsigned i, k;
	int v;

	for (i = 0; i < n; i++)
		for (k = 0; k < i; k++)
			for (v = 0; v < VISIONS; v++)
				if (difference(c[i], c[k], v) < 10)
					fail_msg("%02x%02x%02x and %02x%02x%02x: %.1f in vision %d",
						c[i].r, c[i].g, c[i].b, c[k].r, c[k].g, c[k].b,
						difference(c[i], c[k], v), v);
}

static void assert_readable(const struct color *c, unsigned n, double least)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (contrast(ink, c[i]) < least || contrast(ink, dimmed(c[i])) < 4.5)
			fail_msg("text on %02x%02x%02x: %.2f, %.2f on a dark page", c[i].r, c[i].g,
				c[i].b, contrast(ink, c[i]), contrast(ink, dimmed(c[i])));
}

/* code and vm have the colours of native and v8, which they never meet. */
static void categories_are_told_apart_in_every_vision(void **state)
{
	static const char *const names[] = { "app", "deps", "core", "v8", "jit", "native", "kernel",
		"wasm", "regexp", "gc", "label", "root", "unresolved" };
	struct color c[ARRAY_LEN(names)];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(names); i++)
		c[i] = category_color(span_of(names[i]));
	assert_told_apart(c, ARRAY_LEN(names));
	assert_readable(c, ARRAY_LEN(names), 6);
}

static void modules_are_told_apart_in_every_vision(void **state)
{
	struct color c[CATEGORY_OTHERS + 3];
	unsigned i;

	(void)state;
	for (i = 0; i <= CATEGORY_OTHERS; i++)
		c[i] = category_other_color(i);
	c[i++] = category_color(SPAN("kernel"));
	c[i++] = category_color(SPAN("root"));
	assert_told_apart(c, i);
	assert_readable(c, i, 6);
}

/* That of a function which ran in one tier only. */
static struct color tier_color(uint32_t tier)
{
	struct tier_use use = { 0, tier, 1 };
	struct tiers tiers = { .use = &use, .n = 1 };
	struct display_names names;
	struct test_profile t;
	struct color color;
	struct mixes m;

	test_profile_from_folded(&t, SPAN("f 1\n"));
	use.frame = t.p.nodes[1].frame;
	display_names_init(&names, &t.p);
	mixes_init(&m, &tiers, &names);
	color = m.mix[tier ? 1 : 0].color;
	mixes_release(&m);
	display_names_release(&names);
	test_profile_release(&t);
	return color;
}

static void tiers_are_told_apart_in_every_vision(void **state)
{
	static const uint32_t tiers[] = { V8_NO_TIER, V8_INTERPRETED, V8_BASELINE, V8_MAGLEV,
		V8_TURBOFAN, CODE_PREBUILT };
	struct color c[ARRAY_LEN(tiers)];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(tiers); i++)
		c[i] = tier_color(tiers[i]);
	assert_told_apart(c, ARRAY_LEN(tiers));
	assert_readable(c, ARRAY_LEN(tiers), 6);
}

/* Neighbours on a scale are alike; what has grown is not taken for what has shrunk. */
static void growth_is_not_taken_for_shrinking(void **state)
{
	struct color c[CHANGE_CLASSES];
	unsigned i, k;
	int v;

	(void)state;
	for (i = 0; i < CHANGE_CLASSES; i++)
		c[i] = category_color(span_of(change_class_name(i)));
	assert_readable(c, 2, 6);
	for (i = 0; i < CHANGE_CLASSES; i++)
		assert_true(contrast(ink, c[i]) >= 4.5);
	for (i = CHANGE_GROWN; i < CHANGE_SHRUNK; i++)
		for (k = CHANGE_SHRUNK; k < CHANGE_CLASSES; k++)
			for (v = 0; v < VISIONS; v++)
				assert_true(difference(c[i], c[k], v) >= 10);
}

static frame_id frame_in(struct test_profile *t, const char *name, const char *module)
{
	struct frame f = { .name = strtab_add_str(t->p.strings, name),
		.module = strtab_add_str(t->p.strings, module),
		.kind = FRAME_USER };

	return frames_add(t->p.frames, &f);
}

static bool same_color(struct color a, struct color b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void modules_have_colours_by_weight(void **state)
{
	struct test_profile t;
	struct module_colors m;
	uint64_t self[8] = { 0 };
	struct span keys[8] = { 0 };
	uint32_t i;

	(void)state;
	test_profile_init(&t);
	self[frame_in(&t, "a", "/lib/light.so")] = 1;
	self[frame_in(&t, "b", "/lib/heavy.so")] = 5;
	self[frame_in(&t, "c", "/usr/lib/light.so")] = 3;
	self[frame_in(&t, "d", "[kernel.kallsyms]")] = 50;
	for (i = 1; i < frames_count(t.p.frames); i++)
		keys[i] = span_basename(strtab_get(t.p.strings, frames_get(t.p.frames, i)->module));
	module_colors_choose(&m, keys, self, frames_count(t.p.frames));
	assert_int_equal(m.n, 2);
	for (i = 0; i < 2; i++)
		assert_true(
			same_color(module_colors_of(&m, i ? SPAN("light.so") : SPAN("heavy.so")),
				category_other_color(i)));
	assert_true(same_color(
		module_colors_of(&m, SPAN("[kernel.kallsyms]")), category_color(SPAN("kernel"))));
	assert_true(same_color(
		module_colors_of(&m, SPAN("none.so")), category_other_color(CATEGORY_OTHERS)));
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(categories_are_told_apart_in_every_vision),
		cmocka_unit_test(modules_are_told_apart_in_every_vision),
		cmocka_unit_test(tiers_are_told_apart_in_every_vision),
		cmocka_unit_test(growth_is_not_taken_for_shrinking),
		cmocka_unit_test(modules_have_colours_by_weight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
