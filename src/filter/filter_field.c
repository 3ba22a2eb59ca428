/*
 * Fields of a frame are strings: those of the table of strings as they are, or constants (kind,
 * tier), or put together in the caller's scratch buffer ("function (module)").
 *
 * Fields of a root are ids of strings; filter_match.c remembers its answers by them. Which part of
 * the root must be recorded for a field is said by filter_field_root_part(), so that reading keeps
 * it.
 */
#include "filter/filter_field.h"

#include "base/mem.h"
#include "model/names/runtime_name.h"

static const char *const field_name[FIELD_COUNT] = {
	[FIELD_FUNCTION] = "function",
	[FIELD_MODULE] = "module",
	[FIELD_FILE] = "file",
	[FIELD_KIND] = "kind",
	[FIELD_FRAME] = "frame",
	[FIELD_TIER] = "tier",
	[FIELD_COMM] = "comm",
	[FIELD_PROCESS] = "process",
	[FIELD_EVENT] = "event",
};

bool filter_field_find(struct span name, enum filter_field *f)
{
	unsigned i;

	for (i = 0; i < FIELD_COUNT; i++) {
		if (span_eq(name, span_of(field_name[i]))) {
			*f = i;
			return true;
		}
	}
	return false;
}

void filter_field_put_names(unsigned set, struct buf *b)
{
	const char *between = "";
	unsigned i;

	for (i = 0; i < FIELD_COUNT; i++) {
		if (!filter_field_in(i, set))
			continue;
		buf_puts(b, between);
		buf_puts(b, field_name[i]);
		between = ", ";
	}
}

static struct span kind_name(const struct frame *f)
{
	if (f->flags & FRAME_INLINED)
		return SPAN("inlined");
	switch (f->kind) {
	case FRAME_USER:
		return SPAN("user");
	case FRAME_KERNEL:
		return SPAN("kernel");
	case FRAME_JIT:
		return SPAN("jit");
	case FRAME_LABEL:
		return SPAN("label");
	default:
		return SPAN("unknown");
	}
}

static struct span tier_name(const struct frame *f)
{
	switch (f->tier) {
	case V8_INTERPRETED:
		return SPAN("interpreted");
	case V8_BASELINE:
		return SPAN("baseline");
	case V8_MAGLEV:
		return SPAN("maglev");
	case V8_TURBOFAN:
		return SPAN("turbofan");
	case CODE_QUICK:
		return SPAN("quick");
	case CODE_OPTIMIZED:
		return SPAN("optimized");
	case CODE_PREBUILT:
		return SPAN("prebuilt");
	default:
		return SPAN("");
	}
}

static struct span function_name(const struct frame *f, const struct strtab *strings)
{
	return f->name ? strtab_get(strings, f->name) : SPAN("[unknown]");
}

/* perf script prints "([unknown])" after an address at which nothing was mapped. */
static struct span module_name(const struct frame *f, const struct strtab *strings)
{
	if (!f->module && f->kind == FRAME_UNKNOWN)
		return SPAN("[unknown]");
	return strtab_get(strings, f->module);
}

static struct span frame_name(
	const struct frame *f, const struct strtab *strings, struct buf *scratch)
{
	struct span module = module_name(f, strings);

	if (!module.n)
		return function_name(f, strings);
	scratch->n = 0;
	buf_put_span(scratch, function_name(f, strings));
	buf_puts(scratch, " (");
	buf_put_span(scratch, module);
	buf_putc(scratch, ')');
	return buf_span(scratch);
}

struct span filter_field_of_frame(enum filter_field f, const struct frame *frame,
	const struct strtab *strings, struct buf *scratch)
{
	switch (f) {
	case FIELD_MODULE:
		return module_name(frame, strings);
	case FIELD_FILE:
		return strtab_get(strings, frame->file);
	case FIELD_KIND:
		return kind_name(frame);
	case FIELD_FRAME:
		return frame_name(frame, strings, scratch);
	case FIELD_TIER:
		return tier_name(frame);
	default:
		return function_name(frame, strings);
	}
}

str_id *filter_field_in_frame(enum filter_field f, struct frame *frame)
{
	switch (f) {
	case FIELD_MODULE:
		return &frame->module;
	case FIELD_FILE:
		return &frame->file;
	default:
		return &frame->name;
	}
}

str_id filter_field_of_root(enum filter_field f, const struct root *root)
{
	switch (f) {
	case FIELD_PROCESS:
		return root->process;
	case FIELD_EVENT:
		return root->event;
	default:
		return root->comm;
	}
}

enum root_part filter_field_root_part(enum filter_field f)
{
	switch (f) {
	case FIELD_PROCESS:
		return ROOT_PROCESS;
	case FIELD_EVENT:
		return ROOT_EVENT;
	default:
		return ROOT_COMM;
	}
}
