#include "output/picture/category.h"

#include "base/hash.h"
#include "base/mem.h"
#include "compare/change.h"
#include "model/display_names.h"

static const struct {
	const char *name;
	struct color color;
} known_categories[] = {
	{ "app", { 0x8c, 0xc9, 0x7f } },
	{ "deps", { 0x7c, 0xc5, 0xb8 } },
	{ "core", { 0xe3, 0xcf, 0x72 } },
	{ "v8", { 0xd9, 0xb3, 0x6c } },
	{ "jit", { 0x9f, 0xd0, 0x86 } },
	{ "native", { 0x86, 0xb4, 0xe3 } },
	{ "kernel", { 0xee, 0x9f, 0x73 } },
	{ "wasm", { 0xa9, 0xb3, 0xe6 } },
	{ "regexp", { 0xd7, 0xb8, 0xe0 } },
	{ "vm", { 0xd9, 0xb3, 0x6c } },
	{ "gc", { 0xe8, 0x8f, 0x9d } },
	{ "label", { 0xc0, 0xa6, 0xe0 } },
	{ "root", { 0xc5, 0xcd, 0xd8 } },
	{ "unresolved", { 0xbd, 0xb8, 0xb0 } },
};

static const struct color other_colors[] = { { 0xa7, 0xc7, 0xe7 }, { 0xf0, 0xb9, 0x8d },
	{ 0xb5, 0xd9, 0x9c }, { 0xd7, 0xb8, 0xe0 }, { 0xe6, 0xd5, 0x8a }, { 0x97, 0xd3, 0xcd },
	{ 0xef, 0xac, 0xb4 }, { 0xc9, 0xc3, 0xa5 }, { 0xa9, 0xb3, 0xe6 }, { 0xd3, 0xdf, 0x90 },
	{ 0xe3, 0xb0, 0xcf }, { 0x9d, 0xcb, 0xe3 } };

/* Of a difference: warm for more, cold for less, and stronger for a larger ratio. */
static struct color change_color(enum change_class of)
{
	static const struct color changes[CHANGE_CLASSES] = { { 0xea, 0xe8, 0xe2 },
		{ 0xd3, 0xd1, 0xca }, { 0xfb, 0xdd, 0xd3 }, { 0xf8, 0xc3, 0xb2 },
		{ 0xf3, 0xa4, 0x8c }, { 0xec, 0x83, 0x67 }, { 0xe0, 0x60, 0x45 },
		{ 0xd4, 0x45, 0x2e }, { 0xdb, 0xe8, 0xf6 }, { 0xbc, 0xd6, 0xf0 },
		{ 0x9a, 0xc1, 0xe8 }, { 0x76, 0xaa, 0xde }, { 0x53, 0x90, 0xd2 },
		{ 0x3f, 0x7c, 0xc4 } };

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

struct color category_module_color(struct span module)
{
	if (!module.n)
		return category_color(SPAN("root"));
	if (span_eq(module, SPAN("[kernel.kallsyms]")))
		return category_color(SPAN("kernel"));
	return color_by_hash(span_basename(module));
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
	return kind == FRAME_UNKNOWN || f->why != WHY_HAS_NAME ? SPAN("unresolved")
							       : SPAN("native");
}
