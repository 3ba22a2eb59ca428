/*
 * pprof_tables.c - from nodes to mappings, locations and functions
 *
 *	node -> location   frame, address, and the location it is inlined into
 *	          -> mapping    module, build, segment that holds the address
 *	          -> function   display name, file of the line
 *
 * struct pprof_location links an inlined frame to the one it is inlined into
 * (pprof_tables_is_inlined()), and stacks refer to the innermost.
 *
 * pprof subtracts a base from addresses before it asks objdump: start - offset + p_offset - p_vaddr
 * of the segment (internal/elfexec, GetBase()). A mapping whose start is p_vaddr and whose offset
 * is p_offset makes that 0. Both are rounded down to pages as the kernel would, since pprof reads
 * all symbols of a file that is mapped at odd places, looking for the kernel's.
 */
#include "output/pprof_tables.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

/* Mappings */

static const struct module_segment *segment_at(const struct code_module *m, uint64_t address)
{
	uint32_t i;

	if (!m || !m->module->n_segments)
		return NULL;
	for (i = 0; i < m->module->n_segments; i++) {
		const struct module_segment *s = &m->module->segments[i];

		if (address >= s->address && address - s->address < s->size_bytes)
			return s;
	}
	return &m->module->segments[0];
}

static uint32_t add_mapping(struct pprof_tables *t, const struct pprof_mapping *new)
{
	const uint64_t hash =
		hash_pair(hash_pair(new->module, new->build), (uint64_t)(uintptr_t) new->segment);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_mapping, hash, c, i) {
		const struct pprof_mapping *known = &t->mapping[i];

		if (known->module == new->module && known->build == new->build &&
			known->segment == new->segment)
			return i + 1;
	}
	index_add(&t->by_mapping, hash, t->n_mappings);
	ARRAY_GROW(t->mapping, t->n_mappings, t->cap_mappings);
	t->mapping[t->n_mappings] = *new;
	return ++t->n_mappings;
}

static uint32_t find_mapping(struct pprof_tables *t, const struct frame *f)
{
	const struct code_module *m = code_modules_of(&t->modules, f);
	struct pprof_mapping new = { .module = f->module };

	if (!f->module)
		return 0;
	if (m) {
		new.build = m->build;
		new.build_id = m->module->build_id;
	}
	new.segment = segment_at(m, f->at_address);
	return add_mapping(t, &new);
}

static uint32_t mapping_of_frame(struct pprof_tables *t, frame_id frame)
{
	if (!t->mapping_of[frame])
		t->mapping_of[frame] = 1 + find_mapping(t, frames_get(t->p->frames, frame));
	return t->mapping_of[frame] - 1;
}

/* Is the name only that of the module, as a text says it: "[libc.so.6]", "[libc.so.6+0x1230]"? */
static bool is_module_name(struct span name, struct span module)
{
	if (!span_starts(name, SPAN("[")))
		return false;
	module = span_basename(module);
	module = span_skip(module, span_starts(module, SPAN("[")));
	while (span_starts(name, SPAN("[")))
		name = span_skip(name, 1);
	module.n -= span_ends(module, SPAN("]"));
	return span_starts(name, module);
}

/* What a frame shows to be known of its mapping. */
static void note_known(struct pprof_tables *t, uint32_t mapping, const struct frame *f)
{
	struct pprof_mapping *m;

	if (!mapping)
		return;
	m = &t->mapping[mapping - 1];
	m->has_names |= f->name && !is_module_name(strtab_get(t->p->strings, f->name),
					   strtab_get(t->p->strings, f->module));
	m->has_files |= f->file != 0;
	m->has_lines |= f->at_line != 0;
	m->has_inlined |= (f->flags & FRAME_INLINED) != 0;
}

/* Locations */

/* A line has no file of its own: it is in that of its function, which is there once for each. */
static uint32_t function_number(struct pprof_tables *t, frame_id id)
{
	const struct frame *f = frames_get(t->p->frames, id);
	struct pprof_function new = { functions_of_frame(&t->names, id), f->file, f->line };
	struct index_cursor cursor;
	uint64_t hash;
	uint32_t i;

	if (f->at_line && f->at_file) {
		new.file = f->at_file;
		new.line = 0;
	}
	hash = hash_pair(new.function, new.file);
	index_for_each (&t->by_function, hash, cursor, i)
		if (t->function[i].function == new.function && t->function[i].file == new.file)
			return i + 1;
	ARRAY_GROW(t->function, t->n_functions, t->cap_functions);
	t->function[t->n_functions] = new;
	index_add(&t->by_function, hash, t->n_functions);
	return ++t->n_functions;
}

static bool same_location(const struct pprof_location *a, const struct pprof_location *b)
{
	return a->function == b->function && a->within == b->within && a->mapping == b->mapping &&
	       a->line == b->line && a->address == b->address;
}

static uint32_t add_location(struct pprof_tables *t, const struct pprof_location *l)
{
	uint64_t hash = hash_pair(
		hash_pair(hash_pair(l->function, l->within), hash_pair(l->mapping, l->line)),
		l->address);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_location, hash, cursor, i)
		if (same_location(&t->location[i], l))
			return i + 1;
	ARRAY_GROW(t->location, t->n_locations, t->cap_locations);
	t->location[t->n_locations] = *l;
	index_add(&t->by_location, hash, t->n_locations);
	return ++t->n_locations;
}

/* within: the location that the frame is inlined into; 0: none */
static uint32_t location_number(struct pprof_tables *t, frame_id id, uint32_t within)
{
	const struct frame *f = frames_get(t->p->frames, id);
	struct pprof_location l = {
		.function = function_number(t, id),
		.within = within,
		.line = f->at_line ? f->at_line : f->line,
		.mapping = within ? t->location[within - 1].mapping : mapping_of_frame(t, id),
		.address = within ? t->location[within - 1].address : f->at_address,
	};

	note_known(t, l.mapping, f);
	return add_location(t, &l);
}

bool pprof_tables_is_inlined(const struct pprof_tables *t, node_id node)
{
	const struct node *n = &t->p->nodes[node];

	return (frames_get(t->p->frames, n->frame)->flags & FRAME_INLINED) &&
	       stack_path_is_code(t->p, n->parent);
}

/* Makes the program the first mapping, as pprof expects: not a library or the kernel. */
static void find_program(struct pprof_tables *t)
{
	node_id i;

	for (i = 0; i < t->p->n_nodes; i++) {
		frame_id frame = t->p->nodes[i].frame;
		struct span path =
			strtab_get(t->p->strings, frames_get(t->p->frames, frame)->module);

		if (span_starts(path, SPAN("/")) && span_find(path, SPAN(".so")) < 0) {
			mapping_of_frame(t, frame);
			return;
		}
	}
}

static void find_locations(struct pprof_tables *t)
{
	node_id i;

	t->mapping_of = xcalloc(frames_count(t->p->frames) + 1, sizeof(*t->mapping_of));
	t->location_of = xcalloc(t->p->n_nodes, sizeof(*t->location_of));
	find_program(t);
	for (i = 0; i < t->p->n_nodes; i++) {
		const struct node *n = &t->p->nodes[i];

		if (stack_path_includes(t->p, i))
			t->location_of[i] = location_number(t, stack_path_frame(t->p, i),
				pprof_tables_is_inlined(t, i) ? t->location_of[n->parent] : 0);
	}
}

void pprof_tables_init(struct pprof_tables *t, const struct profile *p, const struct output_opts *o)
{
	*t = (struct pprof_tables){ .p = p };
	functions_init(&t->names, p);
	code_modules_init(&t->modules, p, o);
	find_locations(t);
}

void pprof_tables_release(struct pprof_tables *t)
{
	functions_release(&t->names);
	index_release(&t->by_function);
	index_release(&t->by_location);
	index_release(&t->by_mapping);
	code_modules_release(&t->modules);
	free(t->function);
	free(t->location);
	free(t->location_of);
	free(t->mapping);
	free(t->mapping_of);
}

/* The file */

static void put_range(struct buf *b, const struct module_segment *s)
{
	uint64_t before = s->address % PAGE_BYTES, end = s->address + s->size_bytes;

	if (s->offset % PAGE_BYTES != before || end < s->address || end > -(uint64_t)PAGE_BYTES)
		return;
	end = (end + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	protobuf_writer_put_number(b, MAPPING_START, s->address - before);
	protobuf_writer_put_number(b, MAPPING_LIMIT, end);
	protobuf_writer_put_number(b, MAPPING_OFFSET, s->offset - before);
}

static void write_mapping(
	const struct pprof_tables *t, const struct pprof_mapping *mapping, struct pprof_message *m)
{
	const bool has[] = { mapping->has_names, mapping->has_files, mapping->has_lines,
		mapping->has_inlined };
	char hex[41];
	unsigned i;

	protobuf_writer_put_number(&m->body, ITEM_ID, (uint64_t)(mapping - t->mapping) + 1);
	if (mapping->segment)
		put_range(&m->body, mapping->segment);
	protobuf_writer_put_number(&m->body, MAPPING_FILE,
		pprof_message_text(m, strtab_get(t->p->strings, mapping->module)));
	if (mapping->build_id.n)
		protobuf_writer_put_number(&m->body, MAPPING_BUILD_ID,
			pprof_message_text(m, span_of(build_id_hex(&mapping->build_id, hex))));
	for (i = 0; i < ARRAY_LEN(has); i++)
		protobuf_writer_put_number(&m->body, MAPPING_HAS_FUNCTIONS + i, has[i]);
	pprof_message_put(m, PROFILE_MAPPING);
}

static void write_location(
	const struct pprof_tables *t, const struct pprof_location *l, struct pprof_message *m)
{
	protobuf_writer_put_number(&m->body, ITEM_ID, (uint64_t)(l - t->location) + 1);
	protobuf_writer_put_number(&m->body, LOCATION_MAPPING, l->mapping);
	protobuf_writer_put_number(&m->body, LOCATION_ADDRESS, l->address);
	for (;; l = &t->location[l->within - 1]) { /* the innermost first */
		m->part.n = 0;
		protobuf_writer_put_number(&m->part, LINE_FUNCTION, l->function);
		protobuf_writer_put_number(&m->part, LINE_NUMBER, l->line);
		protobuf_writer_put_bytes(&m->body, LOCATION_LINE, buf_span(&m->part));
		if (!l->within)
			break;
	}
	pprof_message_put(m, PROFILE_LOCATION);
}

static void write_function(
	const struct pprof_tables *t, const struct pprof_function *f, struct pprof_message *m)
{
	protobuf_writer_put_number(&m->body, ITEM_ID, (uint64_t)(f - t->function) + 1);
	/* No system name: pprof would treat an equal one as mangled, and shorten it. */
	protobuf_writer_put_number(&m->body, FUNCTION_NAME,
		pprof_message_text(m, functions_name(&t->names, f->function)));
	protobuf_writer_put_number(
		&m->body, FUNCTION_FILE, pprof_message_text(m, strtab_get(t->p->strings, f->file)));
	protobuf_writer_put_number(&m->body, FUNCTION_START_LINE, f->line);
	pprof_message_put(m, PROFILE_FUNCTION);
}

void pprof_tables_write(const struct pprof_tables *t, struct pprof_message *m)
{
	uint32_t i;

	for (i = 0; i < t->n_mappings; i++)
		write_mapping(t, &t->mapping[i], m);
	for (i = 0; i < t->n_locations; i++)
		write_location(t, &t->location[i], m);
	for (i = 0; i < t->n_functions; i++)
		write_function(t, &t->function[i], m);
}
