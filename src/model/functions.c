#include "model/functions.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>

void functions_init(struct functions *f, const struct profile *p)
{
	*f = (struct functions){ .p = p };
	stack_path_frame(p, 0); /* before frames are counted */
	display_names_init(&f->names, p);
	f->n_frames = frames_count(p->frames);
	f->by_frame = xcalloc(f->n_frames + 1, sizeof(*f->by_frame));
}

void functions_release(struct functions *f)
{
	display_names_release(&f->names);
	free(f->function);
	free(f->by_frame);
	index_release(&f->by_content);
}

static bool same_function(const struct function *a, const struct function *b)
{
	return a->name == b->name && a->module == b->module && a->file == b->file &&
	       a->line == b->line && a->column == b->column;
}

static uint64_t hash_of(const struct function *f)
{
	return hash_pair(
		hash_pair(f->name, f->module), hash_pair(f->file, hash_pair(f->line, f->column)));
}

static function_id functions_add(struct functions *f, const struct function *function)
{
	uint64_t hash = hash_of(function);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&f->by_content, hash, cursor, i)
		if (same_function(&f->function[i], function))
			return i;
	ARRAY_GROW(f->function, f->n, f->cap);
	f->function[f->n] = *function;
	index_add(&f->by_content, hash, f->n);
	return f->n++;
}

function_id functions_add_frame(struct functions *f, frame_id id)
{
	const struct frame *frame = frames_get(f->p->frames, id);
	struct function function = { .name = display_names_number(&f->names, id),
		.module = frame->module,
		.file = frame->file,
		.line = frame->line,
		.column = frame->column };

	f->by_frame[id] = functions_add(f, &function) + 1;
	return f->by_frame[id] - 1;
}

/* qsort() passes no context to its comparison, so a row has the texts. */
struct sorted_function {
	struct function function;
	struct span name, module, file;
	function_id was;
};

static int compare_functions(const void *pa, const void *pb)
{
	const struct sorted_function *a = pa, *b = pb;
	int order = span_cmp(a->name, b->name);

	if (!order)
		order = span_cmp(a->module, b->module);
	if (!order)
		order = span_cmp(a->file, b->file);
	if (!order)
		order = sort_compare_u64(a->function.line, b->function.line);
	return order ? order : sort_compare_u64(a->function.column, b->function.column);
}

void functions_sort(struct functions *f)
{
	struct sorted_function *all = xcalloc((size_t)f->n + 1, sizeof(*all));
	function_id *now = xcalloc((size_t)f->n + 1, sizeof(*now));
	uint32_t i;

	for (i = 0; i < f->n; i++) {
		const struct function *function = &f->function[i];

		all[i] = (struct sorted_function){ *function, functions_name(f, i),
			strtab_get(f->p->strings, function->module),
			strtab_get(f->p->strings, function->file), i };
	}
	qsort(all, f->n, sizeof(*all), compare_functions);
	index_release(&f->by_content);
	for (i = 0; i < f->n; i++) {
		f->function[i] = all[i].function;
		index_add(&f->by_content, hash_of(&f->function[i]), i);
		now[all[i].was] = i;
	}
	for (i = 0; i < f->n_frames; i++)
		if (f->by_frame[i])
			f->by_frame[i] = now[f->by_frame[i] - 1] + 1;
	free(all);
	free(now);
}
