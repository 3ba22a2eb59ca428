#include "model/frames.h"

#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"

#include <stdlib.h>

struct frames {
	struct strtab *strings;
	struct intern table; /* of struct frame */
};

/* Field by field: padding between them must not count. */
static uint64_t frame_hash(const struct frame *f)
{
	uint64_t h = hash_pair((uint64_t)f->name << 32 | f->module, f->address);

	h = hash_pair(h, (uint64_t)f->file << 32 | f->line);
	h = hash_pair(h, (uint64_t)f->column << 32 | f->category);
	h = hash_pair(h, (uint64_t)f->build << 32 | f->at_line);
	h = hash_pair(h, (uint64_t)f->at_column << 32 | f->at_file);
	h = hash_pair(h, f->at_address);
	h = hash_pair(h, hash_pair(f->at_function, f->function_bytes));
	return hash_pair(h, (uint64_t)f->kind << 24 | f->flags << 16 | f->why << 8 | f->tier);
}

static bool frame_equal(const void *pa, const void *pb)
{
	const struct frame *a = pa, *b = pb;

	return a->name == b->name && a->module == b->module && a->file == b->file &&
	       a->line == b->line && a->column == b->column && a->at_line == b->at_line &&
	       a->at_column == b->at_column && a->at_file == b->at_file && a->kind == b->kind &&
	       a->flags == b->flags && a->why == b->why && a->tier == b->tier &&
	       a->category == b->category && a->address == b->address &&
	       a->at_address == b->at_address && a->at_function == b->at_function &&
	       a->function_bytes == b->function_bytes && a->build == b->build;
}

struct frames *frames_new(struct strtab *strings)
{
	struct frames *t = xcalloc(1, sizeof(*t));

	t->strings = strings;
	intern_init(&t->table, sizeof(struct frame), frame_equal);
	return t;
}

void frames_free(struct frames *t)
{
	if (!t)
		return;
	intern_release(&t->table);
	free(t);
}

frame_id frames_add(struct frames *t, const struct frame *f)
{
	return intern_add(&t->table, f, frame_hash(f));
}

const struct frame *frames_get(const struct frames *t, frame_id id)
{
	return intern_get(&t->table, id);
}

bool frames_is(const struct frames *t, frame_id id, const struct frame *f)
{
	return frame_equal(frames_get(t, id), f);
}

struct strtab *frames_strings(const struct frames *t)
{
	return t->strings;
}

uint32_t frames_count(const struct frames *t)
{
	return intern_count(&t->table);
}

const char *frames_why_name(enum frame_why why)
{
	static const char *const name[WHY_COUNT] = {
		[WHY_HAS_NAME] = "named",
		[WHY_NO_MAPPING] = "no_mapping",
		[WHY_NO_FILE] = "no_file",
		[WHY_REFUSED] = "file_refused",
		[WHY_NO_SYMBOL] = "no_symbol",
		[WHY_NO_JIT_MAP] = "no_jit_map",
		[WHY_NOT_IN_MAP] = "not_in_jit_map",
		[WHY_NO_KALLSYMS] = "no_kernel_symbols",
		[WHY_IN_TEXT] = "unknown_in_text",
	};

	return name[why];
}

static void clear_address(struct frame *f)
{
	f->at_address = f->at_function = 0;
	f->function_bytes = 0;
	if (!(f->flags & FRAME_FUNCTION))
		f->build = 0;
}

bool frames_drop_address(struct frame *f)
{
	if (!f->at_address)
		return false;
	clear_address(f);
	return true;
}

bool frames_has_line(const struct frame *f)
{
	return f->at_line || f->at_address || f->flags & FRAME_DECLARED;
}

bool frames_drop_line(struct frame *f)
{
	if (!frames_has_line(f))
		return false;
	clear_address(f);
	if (f->flags & FRAME_DECLARED)
		f->file = f->line = 0;
	f->flags &= (uint8_t)~FRAME_DECLARED;
	f->at_line = f->at_file = 0;
	return true;
}

frame_id frames_without_address(struct frames *t, frame_id id)
{
	struct frame f = *frames_get(t, id);

	return frames_drop_address(&f) ? frames_add(t, &f) : id;
}

frame_id frames_without_line(struct frames *t, frame_id id)
{
	struct frame f = *frames_get(t, id);

	return frames_drop_line(&f) ? frames_add(t, &f) : id;
}
