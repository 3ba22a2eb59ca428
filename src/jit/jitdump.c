/*
 * How it works: a window of 256 KiB moves over the file. Of each record only the needed front is
 * looked at: code bytes, line tables and unwinding information are skipped, and their offsets
 * kept for when a frame is made. DEBUG_INFO and UNWINDING are held until the LOAD that follows, to
 * which they belong.
 *
 *	header | DEBUG_INFO | UNWINDING | LOAD name, code bytes | MOVE | ... | CLOSE
 *	            \___________\__________^ belong to it
 *
 * Damage: a record of impossible size ends the dump, unless the records after it can be found. Node
 * 26 writes wrong sizes into DEBUG_INFO where functions of other scripts were inlined; the lines
 * are then walked to find their real end, and the next header is looked for within 64 bytes. A
 * header is believed if its id is known, its size fits, and its time is at most a minute later.
 *
 * Costs: one pass; memory is the code log and the names.
 * Source: tools/perf/Documentation/jitdump-specification.txt; V8's src/diagnostics/perf-jit.cc.
 */
#include "jit/jitdump.h"

#include "base/bisect.h"
#include "base/cursor.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	MAGIC = 0x4a695444,
	FLAG_ARCH_TIMESTAMP = 1, /* times are values of the CPU's counter */
	WINDOW_BYTES = 256 * 1024,
};

/* Of one piece of code: V8 writes about 100. */
enum { UNWINDING_MAX_BYTES = 1 << 20 };

enum dump_record_id { LOAD = 0, MOVE = 1, DEBUG_INFO = 2, CLOSE = 3, UNWINDING = 4 };

enum { LOAD_BYTES = 40, MOVE_BYTES = 48, LINES_BYTES = 16, LINE_BYTES = 16, UNWINDING_BYTES = 24 };
enum { LINES_READ_BYTES = 256 * 1024 }; /* of a function; code further on has no line */

/* ---- header ------------------------------------------------------------------------------- */

static int parse_header(
	struct jitdump_header *h, const uint8_t *p, size_t n, const char *path, struct err *e)
{
	struct cursor c = { .p = p, .left = n };
	uint32_t magic = cursor_u32(&c), version;

	c.swapped = magic == __builtin_bswap32(MAGIC);
	if (n < JITDUMP_HEADER_BYTES || (magic != MAGIC && !c.swapped))
		return err_set(e, ERR_FORMAT, "%s: is not a jitdump", path);
	version = cursor_u32(&c);
	*h = (struct jitdump_header){ .swapped = c.swapped, .size_bytes = cursor_u32(&c) };
	h->elf_machine = cursor_u32(&c);
	cursor_bytes(&c, 4);
	h->pid = (int32_t)cursor_u32(&c);
	cursor_bytes(&c, 8);
	h->arch_timestamp = cursor_u64(&c) & FLAG_ARCH_TIMESTAMP;
	if (version != 1)
		return err_set(e, ERR_UNSUPPORTED,
			"%s: jitdump version %" PRIu32 " is not supported", path, version);
	if (h->size_bytes < JITDUMP_HEADER_BYTES)
		return err_set(
			e, ERR_FORMAT, "%s: header of %" PRIu32 " bytes", path, h->size_bytes);
	return OK;
}

/* ---- bytes -------------------------------------------------------------------------------- */

struct dump_reader {
	struct codemap *map;
	const struct file *file;
	const struct jit_clock *clock;
	struct diag *diag;
	bool swapped, arch_timestamp;
	uint8_t *window; /* n bytes of the file from `begin` on */
	uint64_t begin;
	size_t n;
	/* Records that belong to the next LOAD; 0: none. */
	uint64_t lines_at, lines_of, unwinding_at;
};

/* Up to n bytes of the file, n at most WINDOW_BYTES; fewer only at its end. */
static int window_at(struct dump_reader *r, uint64_t at, size_t n, struct cursor *c, struct err *e)
{
	*c = (struct cursor){ .swapped = r->swapped };
	if (at < r->begin || at + n > r->begin + r->n) {
		r->n = 0;
		r->begin = at;
		if (file_read_some_at(r->file, r->window, WINDOW_BYTES, at, &r->n, e))
			return e->code;
	}
	c->p = r->window + (at - r->begin);
	c->left = r->n - (size_t)(at - r->begin);
	if (c->left > n)
		c->left = n;
	return OK;
}

/* ---- records ------------------------------------------------------------------------------ */

struct dump_record {
	uint32_t id, size_bytes;
	uint64_t at;
	uint64_t file_time; /* as in the file */
	uint64_t time_ns;   /* as used in the log */
	bool cut;           /* goes on beyond the end of the file */
	struct cursor body; /* what is needed of it, and is there */
};

static void count_bad(struct dump_reader *r, const struct dump_record *d)
{
	diag_count(r->diag, DIAG_BAD_JIT_RECORD, d->at);
}

static void place_code(struct dump_reader *r, const struct dump_record *d, uint64_t start,
	uint64_t size_bytes, uint32_t code)
{
	uint64_t end;

	if (__builtin_add_overflow(start, size_bytes, &end))
		count_bad(r, d);
	else if (code)
		code_log_place(&r->map->log, d->time_ns, start, end, code);
}

static void add_load(struct dump_reader *r, struct dump_record *d)
{
	uint64_t start, size_bytes, key, name_room;
	struct code code = { .loaded_at = d->at, .unwinding_at = r->unwinding_at };
	struct span name;

	cursor_bytes(&d->body, 16); /* pid, tid, vma */
	start = cursor_u64(&d->body);
	size_bytes = cursor_u64(&d->body);
	key = cursor_u64(&d->body);
	if (r->lines_of == start)
		code.lines_at = r->lines_at;
	r->lines_at = r->unwinding_at = 0;
	name_room = d->size_bytes - JITDUMP_PREFIX_BYTES - LOAD_BYTES;
	if (d->body.failed || size_bytes > name_room) {
		count_bad(r, d);
		return;
	}
	name_room -= size_bytes;
	if (name_room > d->body.left)
		name_room = d->body.left;
	name = cursor_string(&d->body, name_room);
	if (d->cut && name.n == name_room)
		return; /* half a name would be a wrong one */
	place_code(r, d, start, size_bytes, codemap_add_code(r->map, &code, key, name));
}

static void add_move(struct dump_reader *r, struct dump_record *d)
{
	uint64_t to, size_bytes;
	uint32_t code;

	cursor_bytes(&d->body, 24); /* pid, tid, vma, old address */
	to = cursor_u64(&d->body);
	size_bytes = cursor_u64(&d->body);
	code = code_log_by_key(&r->map->log, cursor_u64(&d->body));
	if (d->body.failed || !code)
		count_bad(r, d);
	else
		place_code(r, d, to, size_bytes, code);
}

static void hold_lines(struct dump_reader *r, struct dump_record *d)
{
	r->lines_of = cursor_u64(&d->body);
	r->lines_at = cursor_u64(&d->body) ? d->at : 0;
	if (d->body.failed)
		r->lines_at = 0;
}

static uint64_t time_of_counter(const struct jit_counter *c, uint64_t count)
{
	unsigned shift = c->shift & 63;
	uint64_t whole, rest;

	if (c->mask)
		count = c->cycles + ((count - c->cycles) & c->mask);
	whole = count >> shift;
	rest = count & ((UINT64_C(1) << shift) - 1);
	return c->zero + whole * c->mult + ((rest * c->mult) >> shift);
}

static void handle_record(struct dump_reader *r, struct dump_record *d)
{
	if (r->arch_timestamp)
		d->time_ns = time_of_counter(&r->clock->counter, d->time_ns);
	switch ((enum dump_record_id)d->id) {
	case LOAD:
		add_load(r, d);
		break;
	case MOVE:
		add_move(r, d);
		break;
	case DEBUG_INFO:
		hold_lines(r, d);
		break;
	case UNWINDING:
		r->unwinding_at = d->at;
		break;
	case CLOSE:
		break;
	}
}

/* How much of a record is read: nothing of its code, lines or unwinding information. */
static size_t bytes_needed(uint32_t id)
{
	switch ((enum dump_record_id)id) {
	case LOAD:
		return LOAD_BYTES + JITDUMP_NAME_MAX;
	case MOVE:
		return MOVE_BYTES;
	case DEBUG_INFO:
		return LINES_BYTES;
	case UNWINDING:
	case CLOSE:
		break;
	}
	return 0;
}

/* END if the prefix is cut off, or its size cannot be true. */
static int next_record(struct dump_reader *r, uint64_t at, struct dump_record *d, struct err *e)
{
	size_t needed;
	int rc = window_at(r, at, JITDUMP_PREFIX_BYTES, &d->body, e);

	if (rc)
		return rc;
	d->at = at;
	d->id = cursor_u32(&d->body);
	d->size_bytes = cursor_u32(&d->body);
	d->file_time = d->time_ns = cursor_u64(&d->body);
	d->cut = d->size_bytes > r->file->size_bytes - at;
	if (d->body.failed || d->size_bytes < JITDUMP_PREFIX_BYTES)
		return END;
	needed = d->size_bytes - JITDUMP_PREFIX_BYTES;
	if (needed > bytes_needed(d->id))
		needed = bytes_needed(d->id);
	return window_at(r, at + JITDUMP_PREFIX_BYTES, needed, &d->body, e);
}

enum { RESYNC_BYTES = 64 };

static bool is_prefix(struct dump_reader *r, uint64_t at, uint64_t after_time)
{
	static const uint64_t MINUTE = 60ull * 1000 * 1000 * 1000;
	struct cursor c;
	struct err e;
	uint32_t id, size_bytes;
	uint64_t time;

	if (window_at(r, at, JITDUMP_PREFIX_BYTES, &c, &e))
		return false;
	id = cursor_u32(&c);
	size_bytes = cursor_u32(&c);
	time = cursor_u64(&c);
	return !c.failed && id <= UNWINDING && size_bytes >= JITDUMP_PREFIX_BYTES &&
	       size_bytes <= r->file->size_bytes - at && time - after_time < MINUTE;
}

/* Where the lines of a record really end, found by walking them; where it is said to end if they
 * cannot be walked. A walk is bounded by the size that the record says, so that all walks together
 * are not much longer than the file. */
static uint64_t end_of_lines(struct dump_reader *r, const struct dump_record *d)
{
	uint64_t claimed = d->at + d->size_bytes, limit = claimed + 3 * (uint64_t)d->size_bytes, n,
		 at;
	struct cursor c;
	struct err e;

	if (window_at(r, d->at + JITDUMP_PREFIX_BYTES, LINES_BYTES, &c, &e))
		return claimed;
	cursor_bytes(&c, 8); /* address */
	n = cursor_u64(&c);
	for (at = d->at + JITDUMP_PREFIX_BYTES + LINES_BYTES; n && at < limit; n--) {
		const uint8_t *nul;

		if (window_at(r, at, LINE_BYTES + JITDUMP_NAME_MAX, &c, &e) ||
			!cursor_bytes(&c, LINE_BYTES) || !c.left ||
			!(nul = memchr(c.p, '\0', c.left)))
			return claimed;
		at += LINE_BYTES + (uint64_t)(nul - c.p) + 1;
	}
	return n || c.failed ? claimed : at;
}

/* Node.js 26 miscounts the size of a record of lines if functions of other scripts were inlined
 * (seen: 8 bytes less than it writes, and 12 more). What follows is found by its prefix: of a known
 * kind, whole, and a little later than the record before. */
static bool resync(
	struct dump_reader *r, uint64_t *at, uint64_t from, const struct dump_record *before)
{
	static const uint64_t SECOND = 1000 * 1000 * 1000;
	uint64_t i;

	/* No machine has a process with generated code that early: any number would pass for a
	 * time. */
	if (before->file_time < SECOND)
		return false;
	for (i = from == *at; i < RESYNC_BYTES && from + i < r->file->size_bytes; i++) {
		if (!is_prefix(r, from + i, before->file_time))
			continue;
		*at = from + i;
		return true;
	}
	return false;
}

/* The record at *at or, if that is damaged, near it. */
static int next_good(struct dump_reader *r, uint64_t *at, struct dump_record *d, struct err *e)
{
	const struct dump_record before = *d;
	uint64_t from = *at;
	int rc = next_record(r, *at, d, e);
	bool damaged = rc == END || d->cut, found;

	/* One of an unknown kind may be a new one, or the middle of what follows wrong lines. */
	if (rc < 0 || (!damaged && (d->id <= UNWINDING || before.id != DEBUG_INFO)))
		return rc;
	if (before.id == DEBUG_INFO)
		from = end_of_lines(r, &before);
	found = (damaged || from != *at) && resync(r, at, from, &before);
	if (damaged || found)
		count_bad(r, d);
	if (rc == OK || found)
		rc = next_record(r, *at, d, e); /* again: the window may have moved */
	return rc;
}

static int read_records(struct codemap *m, const struct file *f, const struct jitdump_header *h,
	const struct jit_clock *clock, struct diag *diag, struct err *e)
{
	struct dump_reader r = { .map = m,
		.file = f,
		.clock = clock,
		.diag = diag,
		.swapped = h->swapped,
		.arch_timestamp = h->arch_timestamp,
		.window = xmalloc(WINDOW_BYTES) };
	uint64_t at = h->size_bytes;
	struct dump_record d = { 0 };
	int rc = OK;

	while (!rc && at < f->size_bytes) {
		rc = next_good(&r, &at, &d, e);
		if (rc)
			break;
		handle_record(&r, &d);
		at += d.size_bytes;
	}
	free(r.window);
	m->facts.timed = h->arch_timestamp ? clock->counter.known : clock->monotonic;
	code_log_freeze(&m->log, m->facts.timed);
	return rc < 0 ? rc : OK;
}

/* ---- files -------------------------------------------------------------------------------- */

int jitdump_peek(struct jitdump_header *h, const struct file *file, struct err *e)
{
	uint8_t bytes[JITDUMP_HEADER_BYTES];
	size_t n;

	if (file_read_some_at(file, bytes, sizeof(bytes), 0, &n, e))
		return e->code;
	return parse_header(h, bytes, n, file->path, e);
}

int jitdump_load(struct codemap **out, struct file *file, struct frames *frames, struct diag *diag,
	const struct jit_clock *clock, struct err *e)
{
	struct jitdump_header h;
	struct codemap *m;
	int rc = jitdump_peek(&h, file, e);

	*out = NULL;
	if (rc) {
		file_close(file);
		return rc;
	}
	m = codemap_new_of_dump(frames, span_basename(span_of(file->path)));
	m->dump = *file;
	*file = (struct file){ .fd = -1 };
	m->has_dump = true;
	m->dump_swapped = h.swapped;
	rc = read_records(m, &m->dump, &h, clock, diag, e);
	if (rc)
		codemap_free(m);
	else
		*out = m;
	return rc;
}

/* ---- lines -------------------------------------------------------------------------------- */

bool jitdump_first_line(
	const struct file *f, bool swapped, uint64_t lines_at, char *file_name, uint32_t *line)
{
	uint8_t bytes[JITDUMP_PREFIX_BYTES + LINES_BYTES + LINE_BYTES + JITDUMP_NAME_MAX];
	struct cursor c = { .p = bytes, .swapped = swapped };
	uint32_t size_bytes;
	struct span name;
	struct err e;

	if (file_read_some_at(f, bytes, sizeof(bytes), lines_at, &c.left, &e))
		return false;
	cursor_bytes(&c, 4);
	size_bytes = cursor_u32(&c);
	if (size_bytes < 8 || size_bytes - 8 < c.left)
		c.left = size_bytes < 8 ? 0 : size_bytes - 8;
	cursor_bytes(&c, 8 + LINES_BYTES + 8); /* time; code address, number; address */
	*line = cursor_u32(&c);
	cursor_bytes(&c, 4);
	name = cursor_string(&c, c.left);
	if (c.failed || !name.n || name.n >= JITDUMP_NAME_MAX || *line > INT32_MAX)
		return false;
	memcpy(file_name, name.p, name.n);
	file_name[name.n] = '\0';
	return true;
}

/* An entry of a DEBUG_INFO record. */
struct dump_line {
	uint64_t address;
	uint32_t line, column; /* V8 puts the column where others have a discriminator */
	uint32_t number;
	struct span file;
};

enum { FREED_BYTES = 16 }; /* in which malloc() keeps its own data */

/* Node.js 20 writes names of files that were freed: all but their first bytes is still there, and
 * those may have NULs. True: what follows is what is left of a file's name. */
static bool is_freed_name(const struct cursor *c, struct span file)
{
	return file.n > FREED_BYTES && c->left > file.n && !c->p[file.n] &&
	       !memcmp(c->p + FREED_BYTES, file.p + FREED_BYTES, file.n - FREED_BYTES);
}

/* False after the last. The name "\xff" means that of the entry before. */
static bool next_line(struct cursor *c, struct dump_line *l, struct span own_file)
{
	struct span name;

	l->address = cursor_u64(c);
	l->line = cursor_u32(c);
	l->column = cursor_u32(c);
	if (is_freed_name(c, own_file))
		name = own_file;
	else
		name = (struct span){ (const char *)c->p, strnlen((const char *)c->p, c->left) };
	cursor_bytes(c, c->failed ? 0 : name.n + 1);
	if (!span_eq(name, SPAN("\xff")))
		l->file = name;
	return !c->failed;
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct dump_line *a = pa, *b = pb;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Most are in order already. */
static void parse_lines(struct jitdump_lines *lines, struct cursor *c, struct span own_file)
{
	struct dump_line l = { 0 };
	bool in_order = true;
	uint32_t cap = 0;

	while (next_line(c, &l, own_file)) {
		if (l.line > INT32_MAX)
			continue;
		l.number = lines->n;
		in_order &= !lines->n || lines->at[lines->n - 1].address <= l.address;
		ARRAY_GROW(lines->at, lines->n, cap);
		lines->at[lines->n++] = l;
	}
	if (!in_order)
		qsort(lines->at, lines->n, sizeof(*lines->at), compare_lines);
}

void jitdump_lines_read(struct jitdump_lines *l, const struct file *f, bool swapped,
	uint64_t lines_at, struct span own_file)
{
	uint8_t *bytes = xcalloc(1, LINES_READ_BYTES);
	struct cursor c = { .p = bytes, .swapped = swapped };
	uint32_t size_bytes;
	struct err e;

	*l = (struct jitdump_lines){ .bytes = bytes };
	if (file_read_some_at(f, bytes, LINES_READ_BYTES, lines_at, &c.left, &e))
		c.left = 0;
	cursor_bytes(&c, 4);
	size_bytes = cursor_u32(&c);
	if (size_bytes < 8 || size_bytes - 8 < c.left)
		c.left = size_bytes < 8 ? 0 : size_bytes - 8;
	cursor_bytes(&c, 8); /* time */
	l->start = cursor_u64(&c);
	cursor_bytes(&c, 8); /* number */
	parse_lines(l, &c, own_file);
}

void jitdump_lines_release(struct jitdump_lines *l)
{
	free(l->bytes);
	free(l->at);
	*l = (struct jitdump_lines){ 0 };
}

bool jitdump_lines_find(const struct jitdump_lines *l, uint64_t offset, struct jitdump_line *at)
{
	uint64_t wanted = l->start + offset;
	uint32_t i = bisect(k, 0u, l->n, l->at[k].address > wanted);
	const struct dump_line *best = i ? &l->at[i - 1] : NULL;

	*at = (struct jitdump_line){ 0 };
	if (!best || !best->line)
		return false;
	at->line = best->line;
	at->column = best->column <= INT32_MAX ? best->column : 0;
	at->file = best->file;
	return true;
}

/* ---- unwinding ---------------------------------------------------------------------------- */

bool jitdump_unwinding(const struct file *f, bool swapped, uint64_t unwinding_at,
	uint64_t *header_bytes, struct buf *b)
{
	uint8_t bytes[JITDUMP_PREFIX_BYTES + UNWINDING_BYTES];
	struct cursor c = { .p = bytes, .left = sizeof(bytes), .swapped = swapped };
	uint64_t record_bytes, size_bytes;
	struct err e;

	if (file_read_at(f, bytes, sizeof(bytes), unwinding_at, &e))
		return false;
	cursor_bytes(&c, 4);
	record_bytes = cursor_u32(&c);
	cursor_bytes(&c, 8);
	size_bytes = cursor_u64(&c);
	*header_bytes = cursor_u64(&c);
	/* A record is padded; what it says it holds must be there. */
	if (record_bytes < sizeof(bytes) || size_bytes > record_bytes - sizeof(bytes) ||
		size_bytes > UNWINDING_MAX_BYTES || *header_bytes > size_bytes ||
		record_bytes > f->size_bytes - unwinding_at)
		return false;
	buf_reserve(b, (size_t)size_bytes + 1); /* so that there is a buffer, even for nothing */
	if (file_read_at(f, b->p + b->n, (size_t)size_bytes, unwinding_at + sizeof(bytes), &e))
		return false;
	b->n += (size_t)size_bytes;
	return true;
}
