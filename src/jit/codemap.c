/*
 * How it works: one struct for both sources of JIT code, so that callers need not know which it is.
 *
 *	perf map   address -> perf_map_ranges -> offset of the line -> name, read from the map
 *	                   \-> perf_map_layers, where several functions had the address
 *	jitdump    address, time -> code_log -> piece of code -> name, in `names`
 *
 * A frame is made when code is first looked up, and cached with the range or piece of code. Many
 * threads look up at once: the cache is an atomic number, and threads that make the same frame get
 * the same number from model/frames.h.
 *
 * Lines of jitdumps: V8 lists addresses 0x40 too high, as perf inject puts an ELF header in front
 * of the code.
 */
#include "jit/codemap.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/url.h"
#include "base/utf8.h"
#include "jit/jitdump.h"
#include "model/names/runtime_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct codemap *codemap_new(struct frames *frames, const struct perf_map_opts *o)
{
	struct codemap *m = xcalloc(1, sizeof(*m));
	char module[64];

	snprintf(module, sizeof(module), "/tmp/perf-%d.map", o->pid);
	m->frames = frames;
	m->module = strtab_add_str(frames_strings(frames), module);
	m->with_bytecode = o->bytecode;
	if (o->compat_perf)
		m->tree = perf_tree_new();
	if (o->exec) {
		m->has_exec = true;
		m->exec.n = o->exec->n;
		m->exec.range = xmemdup(o->exec->range, o->exec->n * sizeof(*o->exec->range));
	}
	return m;
}

void codemap_free(struct codemap *m)
{
	if (!m)
		return;
	perf_map_file_release(&m->source);
	free((void *)m->exec.range);
	perf_map_ranges_release(&m->code);
	perf_map_ranges_release(&m->bytecode);
	perf_map_layers_release(&m->layers);
	perf_tree_free(m->tree);
	free(m->lines.at);
	code_log_release(&m->log);
	buf_release(&m->names);
	if (m->has_dump)
		file_close(&m->dump);
	free(m);
}

struct codemap *codemap_new_of_dump(struct frames *frames, struct span module)
{
	struct codemap *m = xcalloc(1, sizeof(*m));

	m->frames = frames;
	m->module = strtab_add(frames_strings(frames), module);
	return m;
}

struct codemap_facts codemap_facts(const struct codemap *m)
{
	struct codemap_facts f = m->facts;

	f.ranges = m->lines.n + m->code.n + m->log.n_placements;
	f.overwritten_bytes += m->code.overwritten_bytes;
	return f;
}

uint32_t codemap_add_code(
	struct codemap *m, const struct code *code, uint64_t key, struct span name)
{
	struct code c = *code;

	c.name = m->names.n;
	c.name_size = (uint32_t)name.n;
	buf_put_span(&m->names, name);
	m->facts.entries++;
	return code_log_add(&m->log, &c, key);
}

static struct span name_at(const struct codemap *m, uint64_t offset, uint32_t size)
{
	return size > 0 ? (struct span){ m->names.p + offset, size } : (struct span){ NULL, 0 };
}

/* ---- looking up --------------------------------------------------------------------------- */

/* For a name without a file, such as those of Java: the file is in the lines of the dump. */
static void add_first_line(const struct codemap *m, uint64_t lines_at, struct frame *f)
{
	char file_name[JITDUMP_NAME_MAX];

	if (lines_at &&
		jitdump_first_line(&m->dump, m->dump_swapped, lines_at, file_name, &f->line))
		f->file = strtab_add_str(frames_strings(m->frames), file_name);
}

static frame_id make_frame(const struct codemap *m, struct span name, uint64_t lines_at)
{
	struct strtab *strings = frames_strings(m->frames);
	struct frame f = { .kind = FRAME_JIT, .module = m->module };
	struct v8_name v8;

	f.name = strtab_add(strings, name);
	if (runtime_name_parse(name, &v8))
		runtime_name_describe(&f, strings, &v8);
	if (!f.file && !f.line)
		add_first_line(m, lines_at, &f);
	return frames_add(m->frames, &f);
}

/* Two threads may both make the frame; it will be the same one. */
static frame_id frame_of(
	const struct codemap *m, frame_id *cache, struct span name, uint64_t lines_at)
{
	frame_id frame = __atomic_load_n(cache, __ATOMIC_ACQUIRE);

	/* Code without a name has no frame, but what was there before it is gone. */
	if (!frame && name.n) {
		frame = make_frame(m, name, lines_at);
		__atomic_store_n(cache, frame, __ATOMIC_RELEASE);
	}
	return frame;
}

/* V8 counts the ELF header that perf inject puts before the code. */
enum { V8_LINES_TOO_HIGH = 0x40 };

/* Node.js 20 writes names that were overwritten meanwhile; then the numbers after them are no
 * lines, unless jitdump_line_at() could tell which file it was. */
static bool is_file_name(struct span name)
{
	size_t i;
	bool any = false;

	for (i = 0; i < name.n; i++) {
		if ((unsigned char)name.p[i] < ' ')
			return false;
		any |= name.p[i] == '/' || name.p[i] == '.' || name.p[i] == ':';
	}
	return any && utf8_valid(name);
}

/* Lines of functions that were inlined may be in other files than the function; 0: it is that one.
 */
static str_id other_file(const struct codemap *m, const struct frame *f, struct span file)
{
	struct strtab *strings = frames_strings(m->frames);
	struct buf own = { 0 }, path = { 0 };
	bool same;

	url_put_path(&own, strtab_get(strings, f->file));
	url_put_path(&path, file);
	same = span_eq(buf_span(&own), buf_span(&path));
	buf_release(&own);
	buf_release(&path);
	return same ? 0 : strtab_add(strings, file);
}

static bool is_of_v8(const struct codemap *m, const struct frame *f, struct v8_name *v8)
{
	return v8_name_parse(strtab_get(frames_strings(m->frames), f->name), v8);
}

static void read_lines(const struct codemap *m, const struct code *c, const struct frame *f,
	struct jitdump_lines *lines)
{
	struct v8_name v8;

	is_of_v8(m, f, &v8);
	jitdump_lines_read(lines, &m->dump, m->dump_swapped, c->lines_at, v8.url);
}

static void add_line(const struct codemap *m, const struct jitdump_lines *lines, uint64_t offset,
	struct frame *f)
{
	struct jitdump_line at;
	struct v8_name v8;
	bool is_v8 = is_of_v8(m, f, &v8);

	if (!jitdump_lines_find(lines, offset + (is_v8 ? V8_LINES_TOO_HIGH : 0), &at) ||
		!is_file_name(at.file))
		return;
	f->at_line = at.line;
	f->at_file = other_file(m, f, at.file);
	f->at_column = is_v8 && m->with_columns ? at.column : 0;
}

/* Other code may be at the address at other times: see frame.build. */
static void add_address(
	const struct codemap *m, const struct code *c, uint64_t start, struct frame *f)
{
	char build[40];

	snprintf(build, sizeof(build), "%" PRIx64 "@%" PRIx64, c->loaded_at, start);
	f->build = strtab_add_str(frames_strings(m->frames), build);
}

/* The frame of code that begins at start, at an address in it. */
static frame_id frame_at(const struct codemap *m, const struct code *c, frame_id frame,
	uint64_t address, uint64_t start)
{
	bool with_line = m->with_lines && c->lines_at;
	struct jitdump_lines lines;
	struct frame f;

	if ((!with_line && !m->with_addresses) || !frame)
		return frame;
	f = *frames_get(m->frames, frame);
	if (with_line) {
		read_lines(m, c, &f, &lines);
		add_line(m, &lines, address - start, &f);
		jitdump_lines_release(&lines);
	}
	f.at_address = m->with_addresses ? address : 0;
	if (f.at_address)
		add_address(m, c, start, &f);
	return frames_add(m->frames, &f);
}

/* Of code that was loaded by the record at an offset. Records are in the order of the dump. */
static const struct code *code_of_record(const struct codemap *m, uint64_t loaded_at)
{
	const struct code *codes = m->log.codes;
	uint32_t i = bisect(k, 1u, m->log.n_codes, codes[k].loaded_at >= loaded_at);

	return i < m->log.n_codes && codes[i].loaded_at == loaded_at ? &codes[i] : NULL;
}

bool codemap_open_lines(struct codemap *m, uint64_t loaded_at, struct codemap_lines *l)
{
	const struct code *c = m->has_dump ? code_of_record(m, loaded_at) : NULL;

	*l = (struct codemap_lines){ .m = m };
	if (!c || !c->lines_at || !c->name_size)
		return false;
	l->function = make_frame(m, name_at(m, c->name, c->name_size), c->lines_at);
	l->table = xcalloc(1, sizeof(*l->table));
	read_lines(m, c, frames_get(m->frames, l->function), l->table);
	return true;
}

bool codemap_find_line(const struct codemap_lines *l, uint64_t offset, str_id *file, uint32_t *line)
{
	struct frame f;

	if (!l->table)
		return false;
	f = *frames_get(l->m->frames, l->function);
	add_line(l->m, l->table, offset, &f);
	if (!f.at_line)
		return false;
	*file = f.at_file ? f.at_file : f.file;
	*line = f.at_line;
	return *file;
}

void codemap_close_lines(struct codemap_lines *l)
{
	if (l->table)
		jitdump_lines_release(l->table);
	free(l->table);
	*l = (struct codemap_lines){ 0 };
}

void codemap_enable_lines(struct codemap *m, bool columns)
{
	m->with_lines = true;
	m->with_columns = columns;
}

void codemap_enable_addresses(struct codemap *m)
{
	m->with_addresses = true;
}

/* The frame of a line of a perf map. */
static frame_id frame_of_line(
	const struct codemap *m, frame_id *cache, uint64_t offset, uint32_t function)
{
	frame_id frame = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
	struct buf name = { 0 };

	if (frame)
		return frame;
	if (perf_map_read_name(m, offset, function, m->tree != NULL, &name))
		frame = frame_of(m, cache, buf_span(&name), 0);
	buf_release(&name);
	return frame;
}

/* The range of code that contains an address. */
static bool find_code(const struct codemap *m, uint64_t address, struct perf_map_range_pos *at)
{
	return perf_map_ranges_find(&m->code, address, at) &&
	       perf_map_ranges_get(&m->code, *at).start <= address;
}

static frame_id find_in_tree(const struct codemap *m, uint64_t address)
{
	int64_t i = perf_tree_find(m->tree, address);

	return i == PERF_TREE_NONE
		       ? 0
		       : frame_of_line(m, &m->lines.at[i].frame, m->lines.at[i].offset, 0);
}

static frame_id find_in_map(
	const struct codemap *m, uint64_t address, struct moment at, struct validity *valid)
{
	struct perf_map_range_pos spot;
	struct perf_map_range r;
	struct perf_map_layer *layer = NULL;

	if (!find_code(m, address, &spot))
		return 0;
	r = perf_map_ranges_get(&m->code, spot);
	if (r.ambiguous && at.time_ns)
		layer = perf_map_layers_find(&m->layers, address, at.time_ns, valid);
	if (layer)
		return frame_of_line(m, &layer->frame, layer->offset, layer->function);
	return frame_of_line(m, perf_map_ranges_frame(&m->code, spot), r.offset, r.function);
}

frame_id codemap_find(
	const struct codemap *m, uint64_t address, struct moment at, struct validity *valid)
{
	const struct code_hit hit = code_log_find(&m->log, address, at, valid);

	if (hit.code) {
		struct code *c = &m->log.codes[hit.code];

		return frame_at(m, c,
			frame_of(m, &c->frame, name_at(m, c->name, c->name_size), c->lines_at),
			address, hit.start);
	}
	return m->tree ? find_in_tree(m, address) : find_in_map(m, address, at, valid);
}

bool codemap_knows(const struct codemap *m, uint64_t address)
{
	struct perf_map_range_pos spot;
	struct validity valid;

	if (m->tree ? perf_tree_find(m->tree, address) != PERF_TREE_NONE
		    : find_code(m, address, &spot))
		return true;
	return code_log_find(&m->log, address, (struct moment){ 0, 0 }, &valid).ever;
}

bool codemap_is_ambiguous(const struct codemap *m, uint64_t address)
{
	struct perf_map_range_pos spot;

	return find_code(m, address, &spot) && perf_map_ranges_get(&m->code, spot).ambiguous;
}

bool codemap_is_ambiguous_anywhere(const struct codemap *m)
{
	return m->ambiguous;
}

enum codemap_hit codemap_classify(
	const struct codemap *m, uint64_t address, uint64_t *entry, struct codemap_range *piece)
{
	struct perf_map_range_pos spot;
	struct perf_map_range r;

	if (!find_code(m, address, &spot))
		return CODEMAP_HIT_NONE;
	r = perf_map_ranges_get(&m->code, spot);
	*piece = (struct codemap_range){ r.start, r.end };
	*entry = r.offset;
	if (r.ambiguous)
		return CODEMAP_HIT_AMBIGUOUS;
	return r.reused ? CODEMAP_HIT_REUSED : CODEMAP_HIT_LINE;
}

bool codemap_has_bytecode(const struct codemap *m)
{
	return m->bytecode.n > 0;
}

bool codemap_next_bytecode(const struct codemap *m, uint64_t address, uint64_t *start)
{
	struct perf_map_range_pos spot;
	bool found = perf_map_ranges_find(&m->bytecode, address, &spot);

	*start = found ? perf_map_ranges_get(&m->bytecode, spot).start : 0;
	return found;
}

frame_id codemap_find_bytecode(const struct codemap *m, uint64_t address)
{
	struct perf_map_range_pos spot;
	struct perf_map_range r;

	if (!perf_map_ranges_find(&m->bytecode, address, &spot))
		return 0;
	r = perf_map_ranges_get(&m->bytecode, spot);
	if (r.start != address || r.ambiguous)
		return 0;
	return frame_of_line(m, perf_map_ranges_frame(&m->bytecode, spot), r.offset, r.function);
}

bool codemap_find_unwinding(const struct codemap *m, uint64_t address, struct moment at,
	struct validity *valid, struct codemap_unwinding *out, struct buf *b)
{
	const struct code_hit hit = code_log_find(&m->log, address, at, valid);
	uint64_t unwinding_at = hit.code ? m->log.codes[hit.code].unwinding_at : 0;

	*out = (struct codemap_unwinding){ .code = hit.code, .start = hit.start };
	return unwinding_at && (!b || jitdump_unwinding(&m->dump, m->dump_swapped, unwinding_at,
					      &out->header_bytes, b));
}
