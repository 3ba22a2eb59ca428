/*
 * firefox_tables.c - from the nodes of a profile to places
 *
 *	node -> place     address, line, depth of inlining
 *	         -> symbol    the function that was compiled: library, address, size
 *	         -> function  name, library, or file and line
 *
 * A node that was inlined has the address and the symbol of the node below it, so its place depends
 * on that, and parents come first. Equal ones share a number.
 */
#include "output/firefox_tables.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/stack_path.h"

#include <stdlib.h>

static uint32_t lib_of(struct firefox_tables *t, const struct frame *f)
{
	const struct code_module *m = code_modules_of(&t->modules, f);
	const struct module *of = m ? m->module : NULL;
	const uint64_t hash = hash_pair(f->module, (uint64_t)(uintptr_t)of);
	struct index_cursor c;
	uint32_t i;

	if (!f->module)
		return FIREFOX_NONE;
	index_for_each (&t->by_lib, hash, c, i)
		if (t->libs[i].module == f->module && t->libs[i].of == of)
			return i;
	index_add(&t->by_lib, hash, t->n_libs);
	ARRAY_GROW(t->libs, t->n_libs, t->cap_libs);
	t->libs[t->n_libs] = (struct firefox_lib){ f->module, of };
	return t->n_libs++;
}

static bool same_function(const struct firefox_function *a, const struct firefox_function *b)
{
	return a->name == b->name && a->file == b->file && a->lib == b->lib && a->line == b->line &&
	       a->column == b->column && a->js == b->js;
}

static uint32_t add_function(struct firefox_tables *t, const struct firefox_function *new)
{
	uint64_t hash = hash_pair(hash_pair(new->name, new->file),
		hash_pair((uint64_t) new->lib << 1 | new->js, hash_pair(new->line, new->column)));
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_function, hash, cursor, i)
		if (same_function(&t->functions[i], new))
			return i;
	ARRAY_GROW(t->functions, t->n_functions, t->cap_functions);
	t->functions[t->n_functions] = *new;
	index_add(&t->by_function, hash, t->n_functions);
	return t->n_functions++;
}

static uint32_t add_symbol(struct firefox_tables *t, const struct firefox_symbol *new)
{
	uint64_t hash = hash_pair(hash_pair(new->lib, new->name), new->address);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_symbol, hash, cursor, i)
		if (t->symbols[i].lib == new->lib && t->symbols[i].name == new->name &&
			t->symbols[i].address == new->address)
			return i;
	ARRAY_GROW(t->symbols, t->n_symbols, t->cap_symbols);
	t->symbols[t->n_symbols] = *new;
	index_add(&t->by_symbol, hash, t->n_symbols);
	return t->n_symbols++;
}

static bool same_place(const struct firefox_place *a, const struct firefox_place *b)
{
	return a->function == b->function && a->symbol == b->symbol && a->line == b->line &&
	       a->depth == b->depth && a->has_address == b->has_address &&
	       a->address == b->address && a->category == b->category;
}

static uint32_t add_place(struct firefox_tables *t, const struct firefox_place *new)
{
	uint64_t hash = hash_pair(hash_pair(new->function, new->symbol),
		hash_pair(
			hash_pair(new->line, new->depth), hash_pair(new->address, new->category)));
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_place, hash, cursor, i)
		if (same_place(&t->places[i], new))
			return i;
	ARRAY_GROW(t->places, t->n_places, t->cap_places);
	t->places[t->n_places] = *new;
	index_add(&t->by_place, hash, t->n_places);
	return t->n_places++;
}

static enum firefox_category category_of(const struct profile *p, frame_id frame)
{
	switch (profile_frame_kind(p, frame)) {
	case FRAME_USER:
		return CATEGORY_USER;
	case FRAME_KERNEL:
		return CATEGORY_KERNEL;
	case FRAME_JIT:
		return CATEGORY_JIT;
	default:
		return CATEGORY_OTHER;
	}
}

static str_id text_of(struct firefox_tables *t, str_id id)
{
	return id ? strtab_add(t->texts, strtab_get(t->p->strings, id)) : 0;
}

static uint32_t function_of(struct firefox_tables *t, frame_id id)
{
	const struct frame *frame = frames_get(t->p->frames, id);
	call_frame_id number =
		call_frames_of_frame(&t->calls, id); /* first: it may grow the table */
	const struct call_frame *call = &t->calls.call[number];
	struct firefox_function f = { .lib = lib_of(t, frame) };

	if (call->url) {
		f.js = true;
		f.name = strtab_add(t->texts, call->function
						      ? strtab_get(t->p->strings, call->function)
						      : SPAN("(anonymous)"));
		f.file = text_of(t, call->url);
		f.line = call->line;
		f.column = call->column;
		t->has_js = true;
		return add_function(t, &f);
	}
	t->scratch.n = 0;
	profile_put_name(t->p, id, &t->scratch);
	f.name = strtab_add(t->texts, buf_span(&t->scratch));
	f.file = text_of(t, frame->at_line && frame->at_file ? frame->at_file : frame->file);
	f.line = frame->at_line && frame->at_file ? 0 : frame->line;
	return add_function(t, &f);
}

/* The address in the file, and the function that was compiled, of a frame that has them. */
static void set_address(
	struct firefox_tables *t, const struct frame *f, struct firefox_place *place)
{
	const struct firefox_function *function = &t->functions[place->function];
	struct firefox_symbol symbol = {
		.lib = function->lib, .size_bytes = f->function_bytes, .name = function->name
	};
	const struct module *m;

	if (symbol.lib == FIREFOX_NONE || !f->at_address)
		return;
	m = t->libs[symbol.lib].of;
	if (!m || !m->n_segments || f->at_address < m->base)
		return;
	place->has_address = true;
	place->address = f->at_address - m->base;
	symbol.address = f->at_function - m->base;
	if (f->at_function >= m->base)
		place->symbol = add_symbol(t, &symbol);
}

static uint32_t find_place(struct firefox_tables *t, node_id node)
{
	const struct node *n = &t->p->nodes[node];
	frame_id id = stack_path_frame(t->p, node);
	const struct frame *f = frames_get(t->p->frames, id);
	struct firefox_place new = {
		.function = function_of(t, id),
		.symbol = FIREFOX_NONE,
		.line = f->at_line,
		.category = category_of(t->p, id),
	};

	if ((f->flags & FRAME_INLINED) && stack_path_is_code(t->p, n->parent)) {
		const struct firefox_place *below = &t->places[t->place_of[n->parent]];

		new.symbol = below->symbol;
		new.depth = below->depth + 1;
		new.has_address = below->has_address;
		new.address = below->address;
	} else {
		set_address(t, f, &new);
	}
	return add_place(t, &new);
}

void firefox_tables_init(
	struct firefox_tables *t, const struct profile *p, const struct output_opts *o)
{
	struct firefox_function idle = { .lib = FIREFOX_NONE };
	struct firefox_place waiting = { .symbol = FIREFOX_NONE, .category = CATEGORY_IDLE };
	node_id i;

	*t = (struct firefox_tables){ .p = p, .texts = strtab_new() };
	stack_path_frame(p, 0); /* adds a frame, so before they are counted */
	call_frames_init(&t->calls, p, o->native_places);
	code_modules_init(&t->modules, p, o);
	t->place_of = xcalloc((size_t)p->n_nodes + 1, sizeof(*t->place_of));
	for (i = 0; i < p->n_nodes; i++)
		if (stack_path_includes(p, i))
			t->place_of[i] = find_place(t, i);
	idle.name = strtab_add(t->texts, SPAN("(idle)"));
	waiting.function = add_function(t, &idle);
	t->idle = add_place(t, &waiting);
}

void firefox_tables_release(struct firefox_tables *t)
{
	call_frames_release(&t->calls);
	code_modules_release(&t->modules);
	strtab_free(t->texts);
	index_release(&t->by_lib);
	index_release(&t->by_function);
	index_release(&t->by_symbol);
	index_release(&t->by_place);
	buf_release(&t->scratch);
	free(t->libs);
	free(t->functions);
	free(t->symbols);
	free(t->places);
	free(t->place_of);
}
