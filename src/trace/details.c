/*
 * How details are made: for each pair, in order of time, the fields of its marks are printed, those
 * of the end only where they differ; or, for files, one line of direction, size and path.
 *
 * Paths are followed as the kernel does: a call that opens gives its result a path, dup copies one,
 * close forgets it. The table is by (pid, fd), the latest entry counts; a list from the user is
 * under DESCRIPTOR_ANY and is asked last. Calls end in order of time, so one close may come after
 * another thread's open of the same number: since_ns distinguishes the two.
 */
#include "trace/details.h"

#include "base/hash.h"
#include "base/mem.h"
#include "trace/syscall_names.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- descriptors -------------------------------------------------------------------------- */

static struct descriptor *find_descriptor(const struct descriptors *d, int32_t pid, int32_t fd)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&d->by_number, hash_pair((uint32_t)pid, (uint32_t)fd), c, i)
		if (d->of[i].pid == pid && d->of[i].fd == fd)
			return &d->of[i];
	return NULL;
}

static void set_path(struct descriptors *d, int32_t pid, int32_t fd, str_id path, uint64_t since_ns)
{
	struct descriptor *known = find_descriptor(d, pid, fd);

	if (!known) {
		ARRAY_GROW(d->of, d->n, d->cap);
		index_add(&d->by_number, hash_pair((uint32_t)pid, (uint32_t)fd), d->n);
		known = &d->of[d->n++];
	}
	*known = (struct descriptor){ pid, fd, path, since_ns };
}

/* 0: not known. */
static str_id find_path_of(const struct descriptors *d, int32_t pid, int32_t fd)
{
	const struct descriptor *known = find_descriptor(d, pid, fd);

	if (!known)
		known = find_descriptor(d, DESCRIPTOR_ANY, fd);
	return known ? known->path : 0;
}

void details_release_descriptors(struct descriptors *d)
{
	index_release(&d->by_number);
	free(d->of);
	*d = (struct descriptors){ 0 };
}

/* Is the last word of s a number? */
static bool last_number(struct span s, uint64_t *number)
{
	size_t from = s.n;

	while (from && s.p[from - 1] != ' ')
		from--;
	s = span_skip(s, from);
	return span_scan_u64(&s, number) && !s.n && *number <= INT32_MAX;
}

static bool parse_line(struct span line, uint64_t *fd, struct span *path)
{
	ptrdiff_t arrow = span_find(line, SPAN(" -> "));

	if (arrow >= 0) {
		*path = span_trim(span_skip(line, (size_t)arrow + 4));
		return last_number(span_range(line.p, line.p + arrow), fd);
	}
	if (!span_scan_u64(&line, fd) || !line.n || line.p[0] != ' ' || *fd > INT32_MAX)
		return false;
	*path = span_trim(line);
	return path->n > 0;
}

size_t details_read_descriptors(struct descriptors *d, struct span text, struct strtab *strings)
{
	struct span line, path;
	size_t n = 0;
	uint64_t fd;

	while (span_next_line(&text, &line)) {
		if (!parse_line(line, &fd, &path))
			continue;
		set_path(d, DESCRIPTOR_ANY, (int32_t)fd, strtab_add(strings, path), 0);
		n++;
	}
	return n;
}

/* ---- values ------------------------------------------------------------------------------- */

struct value {
	bool known, is_text;
	uint64_t v;
};

static struct value get(const struct details *d, const struct mark *m, const char *name)
{
	struct value v = { 0 };
	uint32_t i;

	for (i = 0; i < d->fields->n && !v.known; i++) {
		if (strcmp(d->fields->name[i], name) != 0)
			continue;
		v.known = marks_value(d->recording->marks[0], m, i, &v.v);
		v.is_text = marks_is_string(m, i);
	}
	return v;
}

/* The path that a call was given, from whichever probe. */
static str_id call_path(const struct details *d, const struct mark *m)
{
	struct value path = get(d, m, "path");

	if (!path.known)
		path = get(d, m, "filename");
	return path.known && path.is_text ? (str_id)path.v : 0;
}

static void put_error(struct buf *b, int64_t v)
{
	const char *name = v < 0 && v > -4096 ? strerrorname_np((int)-v) : NULL;

	if (name && v < -1)
		buf_printf(b, " %s", name);
}

static bool is_address(const char *name)
{
	static const char *const names[] = { "skaddr", "req", "lock", "lock_addr", "uaddr" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Addresses are in network byte order, as in memory. */
static void put_number(struct buf *b, const char *name, uint64_t v)
{
	const unsigned shift[] = { 0, 8, 16, 24 };
	size_t i;

	if (strcmp(name, "ip") == 0) {
		for (i = 0; i < ARRAY_LEN(shift); i++)
			buf_printf(b, "%s%u", i ? "." : "", (unsigned)(v >> shift[i]) & 0xff);
	} else if (strcmp(name, "port") == 0) {
		buf_printf(b, "%u", (unsigned)((v & 0xff) << 8 | (v >> 8 & 0xff)));
	} else if (strcmp(name, "dev") == 0) { /* MAJOR() and MINOR() of linux/kdev_t.h */
		buf_printf(b, "%u,%u", (unsigned)(v >> 20) & 0xfff, (unsigned)v & 0xfffff);
	} else if (is_address(name)) {
		buf_printf(b, "0x%" PRIx64, v);
	} else {
		buf_printf(b, "%" PRId64, (int64_t)v);
		if (strcmp(name, MARK_RESULT_FIELD) == 0 || strcmp(name, "status") == 0)
			put_error(b, (int64_t)v);
	}
}

/* shown: a mark whose fields are shown already, or NULL. */
static void put_fields(
	struct buf *b, const struct details *d, const struct mark *m, const struct mark *shown)
{
	const struct marks *marks = d->recording->marks[0];
	uint64_t v, before;
	uint32_t i;

	for (i = 0; i < d->fields->n; i++) {
		const char *name = d->fields->name[i];

		if (!marks_value(marks, m, i, &v) ||
			(shown && marks_value(marks, shown, i, &before) && before == v))
			continue;
		buf_printf(b, "%s%s=", b->n ? " " : "", name);
		if (marks_is_string(m, i))
			buf_put_span(b, strtab_get(d->recording->strings, (str_id)v));
		else
			put_number(b, name, v);
	}
}

/* ---- files -------------------------------------------------------------------------------- */

static bool name_has(const struct details *d, const struct span_pair *p, struct span part)
{
	return span_find(strtab_get(d->recording->strings, p->name), part) >= 0;
}

static int32_t pid_of(const struct details *d, const struct mark *m)
{
	return d->recording->marks[0]->threads->threads[m->thread].pid;
}

static void set_call_path(struct details *d, const struct span_pair *p, uint64_t fd, str_id path)
{
	if (fd <= INT32_MAX)
		set_path(&d->descriptors, pid_of(d, p->begin), (int32_t)fd, path, p->end->time_ns);
}

/* Another thread may have got the number before the call that closed it was back. */
static void close_descriptor(struct details *d, const struct span_pair *p, uint64_t fd)
{
	const struct descriptor *known =
		fd <= INT32_MAX ? find_descriptor(&d->descriptors, pid_of(d, p->begin), (int32_t)fd)
				: NULL;

	if (!known || known->since_ns <= p->begin->time_ns)
		set_call_path(d, p, fd, 0);
}

static str_id find_path(const struct details *d, const struct span_pair *p, uint64_t fd)
{
	return fd <= INT32_MAX ? find_path_of(&d->descriptors, pid_of(d, p->begin), (int32_t)fd)
			       : 0;
}

/* The descriptor that a call is about; -1: none is known. */
static int64_t descriptor_of(const struct details *d, const struct span_pair *p)
{
	static const char *const names[] = { "fd", "oldfd", "fildes" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		struct value v = get(d, p->begin, names[i]);

		if (v.known && !v.is_text)
			return (int64_t)v.v;
	}
	return -1;
}

/* What the call changes among the descriptors; returns the path that it is about. */
static str_id follow(struct details *d, const struct span_pair *p)
{
	struct value result = get(d, p->end, MARK_RESULT_FIELD);
	bool done = result.known && (int64_t)result.v >= 0;
	int64_t fd = descriptor_of(d, p);
	str_id path = call_path(d, p->begin);

	if (!result.known)
		result = get(d, p->end, "fd");
	if (name_has(d, p, SPAN("open"))) {
		if (result.known && (int64_t)result.v >= 0)
			set_call_path(d, p, result.v, path);
		return path;
	}
	path = fd >= 0 ? find_path(d, p, (uint64_t)fd) : 0;
	if (fd >= 0 && name_has(d, p, SPAN("close")))
		close_descriptor(d, p, (uint64_t)fd);
	else if (done && name_has(d, p, SPAN("dup")))
		set_call_path(d, p, result.v, path);
	return path;
}

static char direction(const struct details *d, const struct span_pair *p)
{
	static const struct {
		struct span part;
		char letter;
	} letters[] = { { { "read", 4 }, 'R' }, { { "write", 5 }, 'W' }, { { "sync", 4 }, 'S' },
		{ { "open", 4 }, 'O' }, { { "close", 5 }, 'C' } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(letters); i++)
		if (name_has(d, p, letters[i].part))
			return letters[i].letter;
	return '-';
}

static void put_file(struct buf *b, struct details *d, const struct span_pair *p)
{
	struct value result = get(d, p->end, MARK_RESULT_FIELD);
	int64_t fd = descriptor_of(d, p);
	str_id path = follow(d, p);
	char letter = direction(d, p);

	buf_putc(b, letter);
	if ((letter == 'R' || letter == 'W') && result.known && (int64_t)result.v >= 0)
		buf_printf(b, " %9" PRIu64 " ", result.v);
	else
		buf_printf(b, " %9s ", "-");
	if (path)
		buf_put_span(b, strtab_get(d->recording->strings, path));
	else if (fd >= 0)
		buf_printf(b, "fd %" PRId64, fd);
	else if (result.known && letter == 'O' && (int64_t)result.v >= 0)
		buf_printf(b, "fd %" PRId64, (int64_t)result.v);
	if (result.known)
		put_error(b, (int64_t)result.v);
}

/* raw_syscalls have only the number of the call. */
static void find_name(const struct details *d, struct span_pair *p)
{
	struct strtab *strings = d->recording->strings;
	struct value id = get(d, p->begin, "id");
	struct buf b = { 0 };
	const char *name;

	if (!id.known || !name_has(d, p, SPAN("sys_enter")))
		return;
	name = syscall_names_find(strtab_get(strings, d->recording->facts.arch), id.v);
	if (name)
		buf_puts(&b, name);
	else
		buf_printf(&b, "nr%" PRIu64, id.v);
	p->name = strtab_add(strings, buf_span(&b));
	buf_release(&b);
}

/* What a futex call waits for is in its operation (FUTEX_CMD_MASK of linux/futex.h). */
static void find_futex_name(const struct details *d, struct span_pair *p)
{
	static const char *const names[] = { "wait", "wake", "fd", "requeue", "cmp_requeue",
		"wake_op", "lock_pi", "unlock_pi", "trylock_pi", "wait_bitset", "wake_bitset",
		"wait_requeue_pi", "cmp_requeue_pi", "lock_pi2" };
	const uint64_t mask = 0x7f;
	struct value op = get(d, p->begin, "op");
	struct buf b = { 0 };

	if (!op.known || op.is_text || (op.v & mask) >= ARRAY_LEN(names) ||
		!name_has(d, p, SPAN("futex")))
		return;
	buf_printf(&b, "futex %s", names[op.v & mask]);
	p->name = strtab_add(d->recording->strings, buf_span(&b));
	buf_release(&b);
}

str_id details_describe(void *ctx, struct span_pair *p)
{
	struct details *d = ctx;
	struct buf b = { 0 };
	str_id detail;

	find_name(d, p);
	find_futex_name(d, p);
	if (d->files) {
		put_file(&b, d, p);
	} else {
		put_fields(&b, d, p->begin, NULL);
		put_fields(&b, d, p->end, p->begin);
	}
	detail = b.n ? strtab_add(d->recording->strings, buf_span(&b)) : 0;
	buf_release(&b);
	return detail;
}
