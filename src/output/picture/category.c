#include "output/picture/category.h"

#include "base/hash.h"
#include "base/mem.h"
#include "compare/change.h"
#include "model/display_names.h"

/* Told apart by everybody, and as text is black on them, light: category_test.c measures both. Code
 * of a virtual machine is v8 or vm, never both in one program. */
static const struct {
	const char *name;
	struct color color;
} known_categories[] = {
	{ "", { 0xc5, 0xcd, 0xd8 } }, /* of all */
	{ "app", { 0x62, 0xb5, 0x8f } },
	{ "deps", { 0x7e, 0xde, 0xfe } },
	{ "core", { 0xf7, 0xe9, 0xa8 } },
	{ "v8", { 0xe8, 0xc2, 0x4a } },
	{ "jit", { 0xc7, 0xdb, 0x80 } },
	{ "native", { 0x8f, 0xb8, 0xf2 } },
	{ "kernel", { 0xe0, 0x80, 0x6a } },
	{ "wasm", { 0x85, 0x97, 0xfc } },
	{ "regexp", { 0xcf, 0xd4, 0xdd } },
	{ "vm", { 0xe8, 0xc2, 0x4a } },
	{ "gc", { 0xc9, 0x8f, 0xd0 } },
	{ "label", { 0xe1, 0xa1, 0xd1 } },
	{ "root", { 0x99, 0x9c, 0xa6 } },
	{ "code", { 0x8f, 0xb8, 0xf2 } }, /* of a text that tells no native code from other code */
	{ "unresolved", { 0xf0, 0xe4, 0xcf } },
};

/* Modules, and categories of the user, the heaviest first; also told apart from kernel and root. */
static const struct color other_colors[CATEGORY_OTHERS] = { { 0x7d, 0xcc, 0xff },
	{ 0xdf, 0xca, 0x4c }, { 0x89, 0xdb, 0x71 }, { 0xdf, 0x9b, 0xd1 }, { 0x81, 0x94, 0xfb },
	{ 0xc5, 0xa0, 0x3c }, { 0xa1, 0xeb, 0xef }, { 0xfb, 0xad, 0x9f }, { 0x39, 0xbf, 0x84 },
	{ 0xb8, 0x85, 0xcf }, { 0xc3, 0xff, 0x97 }, { 0xe6, 0xb9, 0xc6 } };

/* Of a difference: warm for more, cold for less, and stronger for a larger ratio. */
static struct color change_color(enum change_class of)
{
	static const struct color changes[CHANGE_CLASSES] = { { 0xea, 0xe8, 0xe2 },
		{ 0xd3, 0xd1, 0xca }, { 0xfb, 0xdd, 0xd3 }, { 0xf8, 0xc3, 0xb2 },
		{ 0xf3, 0xa4, 0x8c }, { 0xee, 0x8b, 0x6f }, { 0xe8, 0x73, 0x5a },
		{ 0xe2, 0x59, 0x3f }, { 0xdb, 0xe8, 0xf6 }, { 0xbc, 0xd6, 0xf0 },
		{ 0x9a, 0xc1, 0xe8 }, { 0x7e, 0xb0, 0xe2 }, { 0x65, 0xa0, 0xdc },
		{ 0x4c, 0x90, 0xd8 } };

	return changes[of];
}

static struct color color_by_hash(struct span text)
{
	return other_colors[hash_span(text) % ARRAY_LEN(other_colors)];
}

struct color category_color(struct span category)
{
	enum change_class change;
	size_t i;

	if (change_class_by_name(category, &change))
		return change_color(change);

	for (i = 0; i < ARRAY_LEN(known_categories); i++)
		if (span_eq(category, span_of(known_categories[i].name)))
			return known_categories[i].color;
	return color_by_hash(category);
}

struct color category_other_color(unsigned number)
{
	return number < CATEGORY_OTHERS ? other_colors[number] : category_color(SPAN("unresolved"));
}

char category_kind_letter(const struct profile *p, frame_id id, struct span name)
{
	if (display_names_plain(name).n < name.n)
		return name.p[name.n - 2];
	switch (profile_frame_kind(p, id)) {
	case FRAME_KERNEL:
		return 'k';
	case FRAME_JIT:
		return frames_get(p->frames, id)->flags & FRAME_INLINED ? 'i' : 'j';
	default:
		return 0;
	}
}

/* A text without modules and without marks for kernel code says only of some frames what they are.
 */
static bool is_unmarked(const struct profile *p, const struct frame *f)
{
	return f->kind == FRAME_USER && !f->module &&
	       !(p->annotate & (ANNOTATE_KERNEL | ANNOTATE_JIT));
}

struct span category_of_frame(const struct profile *p, frame_id id, struct span name)
{
	const struct frame *f = frames_get(p->frames, id);
	enum frame_kind kind = profile_frame_kind(p, id);

	if (f->category)
		return strtab_get(p->strings, f->category);
	if (kind == FRAME_ROOT)
		return SPAN("root");
	if (kind == FRAME_LABEL)
		return SPAN("label");
	switch (category_kind_letter(p, id, name)) {
	case 'k':
		return SPAN("kernel");
	case 'j':
		return SPAN("jit");
	default:
		break;
	}
	if (kind == FRAME_JIT)
		return SPAN("jit");
	if (kind == FRAME_UNKNOWN || f->why != WHY_HAS_NAME)
		return SPAN("unresolved");
	return is_unmarked(p, f) ? SPAN("code") : SPAN("native");
}
