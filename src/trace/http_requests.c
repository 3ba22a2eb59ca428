/*
 * How requests are found: marks are walked in order of time. A thread has the descriptor that it
 * read last; a connection is found by hash of process and descriptor:
 *
 *	            parse              write               parse
 *	no request ───────► request ───────────► answered ───────► emitted, and the next one
 *	                     │   ▲                │    ▲
 *	                     └───┘ parse: more    └────┘ write: more
 *
 * At the end of the recording, those that were answered are emitted, too.
 */
#include "trace/http_requests.h"

#include "base/bisect.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "trace/span_match.h"

#include <stdlib.h>

enum { NO_MARK = UINT32_MAX, NO_FD = -1, HTTP_REQUEST = 1 };
enum http_role { HTTP_NOTHING, HTTP_READS, HTTP_PARSES, HTTP_WRITES };

struct http_connection {
	int32_t pid, fd;
	uint32_t request, answer; /* marks; NO_MARK: none */
};

struct http_requests {
	struct durations *d;
	const struct recording *recording;
	const struct marks *marks;
	const struct span_matcher *matcher;
	uint32_t first_thread;
	uint8_t *role;           /* by event */
	uint32_t fd, type, data; /* fields; MARK_FIELDS_MAX: no mark has it */
	int32_t *read_from;      /* by thread of the marks: descriptor, or NO_FD */
	struct http_connection *connections;
	uint32_t n_connections, cap_connections;
	struct index by_fd;
	str_id name;
};

/* ---- marks -------------------------------------------------------------------------------- */

static uint32_t find_field(const struct http_requests *h, const char *name)
{
	const struct mark_fields *f = h->matcher->opts->fields;
	uint32_t i;

	for (i = 0; i < f->n && strcmp(f->name[i], name) != 0; i++)
		;
	return i < f->n ? i : MARK_FIELDS_MAX;
}

static bool get(
	const struct http_requests *h, const struct mark *m, uint32_t field, uint64_t *value)
{
	return field < MARK_FIELDS_MAX && marks_value(h->marks, m, field, value);
}

static int32_t get_fd(const struct http_requests *h, const struct mark *m)
{
	uint64_t fd;

	if (!get(h, m, h->fd, &fd) || marks_is_string(m, h->fd) || fd > INT32_MAX)
		return NO_FD;
	return (int32_t)fd;
}

/* What the parser was given; empty if the probe does not have it. */
static struct span get_data(const struct http_requests *h, const struct mark *m)
{
	uint64_t text;

	if (!get(h, m, h->data, &text) || !marks_is_string(m, h->data))
		return (struct span){ NULL, 0 };
	return strtab_get(h->recording->strings, (str_id)text);
}

/* "GET /path": the first line up to the version; empty if it is not the first of a request. */
static struct span request_line(struct span data)
{
	size_t n = 0, method;

	while (n < data.n && data.p[n] >= 'A' && data.p[n] <= 'Z')
		n++;
	method = n;
	if (!method || n == data.n || data.p[n] != ' ')
		return (struct span){ NULL, 0 };
	for (n++; n < data.n && (unsigned char)data.p[n] > ' '; n++)
		;
	return (struct span){ data.p, n };
}

static bool is_lost_between(const struct recording *r, uint64_t from_ns, uint64_t to_ns)
{
	size_t i = bisect(k, 0, r->n_gaps, r->gaps[k].to_ns > from_ns);

	return i < r->n_gaps && r->gaps[i].from_ns < to_ns;
}

/* ---- connections -------------------------------------------------------------------------- */

static struct http_connection *find_connection(struct http_requests *h, int32_t pid, int32_t fd)
{
	uint64_t hash = hash_pair((uint32_t)pid, (uint32_t)fd);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&h->by_fd, hash, c, i)
		if (h->connections[i].pid == pid && h->connections[i].fd == fd)
			return &h->connections[i];
	return NULL;
}

static struct http_connection *add_connection(struct http_requests *h, int32_t pid, int32_t fd)
{
	struct http_connection *known = find_connection(h, pid, fd);

	if (known)
		return known;
	ARRAY_GROW(h->connections, h->n_connections, h->cap_connections);
	index_add(&h->by_fd, hash_pair((uint32_t)pid, (uint32_t)fd), h->n_connections);
	h->connections[h->n_connections] = (struct http_connection){ pid, fd, NO_MARK, NO_MARK };
	return &h->connections[h->n_connections++];
}

static void emit(struct http_requests *h, const struct http_connection *c)
{
	const struct mark *begin = &h->marks->mark[c->request];
	uint64_t to_ns = h->marks->mark[c->answer].time_ns;
	struct span line = request_line(get_data(h, begin));
	struct duration d = { .from_ns = begin->time_ns,
		.duration_ns = to_ns - begin->time_ns,
		.kind = durations_kind(h->d, h->name),
		.thread = h->first_thread + begin->thread,
		.stack = begin->stack };

	if (is_lost_between(h->recording, begin->time_ns, to_ns)) {
		h->d->left_out.lost++;
		return;
	}
	if (line.n)
		d.detail = strtab_add(h->recording->strings, line);
	durations_add(h->d, &d);
}

/* ---- what marks do ------------------------------------------------------------------------ */

static void parse(struct http_requests *h, const struct mark *m, int32_t pid)
{
	struct span data = get_data(h, m);
	struct http_connection *c;
	uint64_t type;

	if (!get(h, m, h->type, &type)) {
		h->d->left_out.unkeyed++;
		return;
	}
	if (type != HTTP_REQUEST)
		return;
	if (h->read_from[m->thread] == NO_FD) {
		h->d->left_out.unkeyed++;
		return;
	}
	if (data.n && !request_line(data).n)
		return; /* more of a body */
	c = add_connection(h, pid, h->read_from[m->thread]);
	if (c->request != NO_MARK && c->answer == NO_MARK)
		return;
	if (c->request != NO_MARK)
		emit(h, c);
	c->request = (uint32_t)(m - h->marks->mark);
	c->answer = NO_MARK;
}

static void apply(struct http_requests *h, const struct mark *m)
{
	int32_t pid = h->marks->threads->threads[m->thread].pid;
	struct http_connection *c;

	switch ((enum http_role)h->role[m->event]) {
	case HTTP_READS:
		h->read_from[m->thread] = get_fd(h, m);
		break;
	case HTTP_PARSES:
		parse(h, m, pid);
		break;
	case HTTP_WRITES:
		c = find_connection(h, pid, get_fd(h, m));
		if (c && c->request != NO_MARK)
			c->answer = (uint32_t)(m - h->marks->mark);
		break;
	case HTTP_NOTHING:
		break;
	}
}

/* ---- a recording -------------------------------------------------------------------------- */

/* What begins a span of the first rule is the parser, what ends one of it or others a write. */
static void find_roles(struct http_requests *h)
{
	const struct span_matcher *m = h->matcher;
	uint32_t i;

	h->role = xcalloc(h->recording->n_events, sizeof(*h->role));
	for (i = 0; i < m->n_roles; i++) {
		const struct span_role *role = &m->roles[i];
		const struct span_rule *rule = &m->opts->rules[role->rule];

		if (strcmp(rule->begin, HTTP_READ) == 0)
			h->role[role->event] = role->kind == ROLE_BEGINS ? HTTP_READS : HTTP_PARSES;
		else
			h->role[role->event] =
				role->kind == ROLE_BEGINS ? HTTP_PARSES : HTTP_WRITES;
	}
}

static void finish(struct http_requests *h)
{
	uint32_t i;

	for (i = 0; i < h->n_connections; i++) {
		const struct http_connection *c = &h->connections[i];

		if (c->request != NO_MARK && c->answer != NO_MARK)
			emit(h, c);
		else if (c->request != NO_MARK)
			h->d->left_out.open++;
	}
	index_release(&h->by_fd);
	free(h->connections);
	free(h->read_from);
	free(h->role);
}

void http_requests_pair(struct durations *d, const struct recording *r, const struct marks *marks,
	uint32_t first_thread, const struct span_matcher *matcher)
{
	struct http_requests h = { .d = d,
		.recording = r,
		.marks = marks,
		.matcher = matcher,
		.first_thread = first_thread };
	size_t i;

	h.fd = find_field(&h, "fd");
	h.type = find_field(&h, "type");
	h.data = find_field(&h, "data");
	h.name = strtab_add_str(r->strings, "request");
	h.read_from = xcalloc(marks->threads->n_threads, sizeof(*h.read_from));
	for (i = 0; i < marks->threads->n_threads; i++)
		h.read_from[i] = NO_FD;
	find_roles(&h);
	for (i = 0; i < marks->n; i++)
		apply(&h, &marks->mark[i]);
	finish(&h);
}
