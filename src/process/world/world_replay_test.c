/*
 * Random small worlds, compared with the simplest possible model: it replays the records one after
 * the other, copies all pages at a fork, and keeps the state after each record. Answers must be the
 * model's, and over their whole validity.
 */
#include "process/world/world_for_test.h"

#include <stdio.h>

enum { RECORDS = 50, PIDS = 4, TIDS = 7, PAGES = 24, SPACES = 2 * RECORDS, NOTHING = -1 };

/* A mapping: the file at a page, one of a few, with offset page - shift; who mapped it. */
struct page {
	int file, shift, owner;
	bool executable;
};

struct record {
	enum { MAP, COMM, EXEC, FORK, FORK_ALONE, EXIT } kind;
	struct moment at;
	int pid, tid, ppid, ptid, name;
	int start, end;
	struct page page;
};

struct model_thread {
	bool known, ended;
	int pid, name, space;
};

struct model_state {
	struct model_thread thread[TIDS];
	struct page page[SPACES][PAGES];
	bool was_executable[SPACES][PAGES];
	int n_spaces;
};

struct model {
	bool compat;
	struct record record[RECORDS];
	int n;
	struct model_state after[RECORDS + 1]; /* after[i]: of records 0 .. i - 1 */
	int mapped_in[RECORDS];                /* the space that a mapping went to */
	bool seen[TIDS];
	struct model_thread early[TIDS]; /* seen first without a FORK: from the beginning */
};

/* ---- the model's rules -------------------------------------------------------------------- */

static int new_space(struct model_state *s, int parent)
{
	int id = s->n_spaces++, i;

	for (i = 0; i < PAGES; i++) {
		s->page[id][i] = parent ? s->page[parent][i] : (struct page){ .file = NOTHING };
		s->was_executable[id][i] = parent && s->was_executable[parent][i];
	}
	return id;
}

static bool has_live_thread(const struct model_state *s, int space)
{
	int i;

	for (i = 0; i < TIDS; i++)
		if (s->thread[i].known && !s->thread[i].ended && s->thread[i].space == space)
			return true;
	return false;
}

static bool is_of(const struct model_thread *t, int pid)
{
	return t->known && t->pid == pid;
}

static void note_early(struct model *m, int tid, const struct model_thread *t)
{
	if (!m->seen[tid])
		m->early[tid] = *t;
	m->seen[tid] = true;
}

static void make_leader(struct model *m, struct model_state *s, int pid)
{
	struct model_thread *l = &s->thread[pid];
	bool same = is_of(l, pid) && has_live_thread(s, l->space);
	int space = same ? l->space : new_space(s, 0);

	*l = (struct model_thread){ true, false, pid, 0, space };
	note_early(m, pid, l);
}

/* The thread that a record is about, made where it cannot be the one that is known. */
static struct model_thread *touch(struct model *m, struct model_state *s, int pid, int tid)
{
	struct model_thread *t = &s->thread[tid], *leader = &s->thread[pid];

	if (is_of(t, pid) && !t->ended)
		return t;
	if (tid == pid) {
		make_leader(m, s, pid);
		return t;
	}
	if (!is_of(leader, pid))
		make_leader(m, s, pid);
	*t = (struct model_thread){ true, false, pid, 0, leader->space };
	note_early(m, tid, t);
	return t;
}

static void replay_fork(struct model *m, struct model_state *s, const struct record *r)
{
	struct model_thread *t = &s->thread[r->tid], *leader = &s->thread[r->pid], parent;

	if (r->kind != FORK && !m->compat && is_of(t, r->pid) && !t->ended)
		return;
	parent = *touch(m, s, r->ppid, r->ptid);
	if (r->tid == r->pid && r->pid != r->ppid) {
		*t = (struct model_thread){ .space = new_space(
						    s, r->kind == FORK ? parent.space : 0) };
	} else if (r->tid == r->pid) {
		make_leader(m, s, r->pid);
	} else {
		if (!is_of(leader, r->pid))
			make_leader(m, s, r->pid);
		t->space = leader->space;
	}
	*t = (struct model_thread){ true, false, r->pid, parent.name, t->space };
	m->seen[r->tid] = true;
}

static void replay_comm(struct model *m, struct model_state *s, const struct record *r)
{
	struct model_thread *t = touch(m, s, r->pid, r->tid);

	t->name = r->name;
	if (r->kind == EXEC && !m->compat) {
		t->space = new_space(s, 0);
		touch(m, s, r->pid, r->pid)->space = t->space;
	}
}

static void replay_map(struct model *m, struct model_state *s, const struct record *r, int number)
{
	int space = touch(m, s, r->pid, r->tid)->space, i;

	m->mapped_in[number] = space;
	for (i = r->start; i < r->end; i++) {
		s->page[space][i] = r->page;
		s->was_executable[space][i] |= r->page.executable;
	}
}

static void replay(struct model *m)
{
	struct model_state *s;
	int i;

	m->after[0].n_spaces = 1; /* 0: no space */
	for (i = 0; i < m->n; i++) {
		const struct record *r = &m->record[i];

		s = &m->after[i + 1];
		*s = m->after[i];
		if (r->kind == MAP)
			replay_map(m, s, r, i);
		else if (r->kind == COMM || r->kind == EXEC)
			replay_comm(m, s, r);
		else if (r->kind == EXIT && !m->compat && is_of(&s->thread[r->tid], r->pid))
			s->thread[r->tid].ended = true;
		else if (r->kind != EXIT)
			replay_fork(m, s, r);
	}
}

/* ---- the model's answers ------------------------------------------------------------------ */

struct answer {
	int name, pid, space;
	struct page page;
	bool late, ever_executable;
};

static int records_up_to(const struct model *m, struct moment when)
{
	int i = 0;

	while (i < m->n && !moment_before(when, m->record[i].at))
		i++;
	return i;
}

static struct model_thread model_thread_at(const struct model *m, int tid, int i)
{
	struct model_thread t = m->after[i].thread[tid];

	return t.known ? t : m->early[tid];
}

static bool same_page(const struct page *a, const struct page *b)
{
	return a->file == b->file && a->shift == b->shift && a->owner == b->owner &&
	       a->executable == b->executable;
}

static bool covers(const struct model *m, int record, int space, int page)
{
	const struct record *r = &m->record[record];

	return r->kind == MAP && m->mapped_in[record] == space && page >= r->start && page < r->end;
}

static void find_late(const struct model *m, struct answer *a, int page, struct moment when)
{
	int first = NOTHING, i;
	bool alone = true;

	for (i = 0; i < m->n; i++) {
		if (!covers(m, i, a->space, page))
			continue;
		if (first == NOTHING)
			first = i;
		alone &= same_page(&m->record[i].page, &m->record[first].page);
	}
	if (first == NOTHING || m->compat)
		return;
	if (alone || m->record[first].at.time_ns <= when.time_ns + 10 * MS) {
		a->page = m->record[first].page;
		a->late = true;
	}
}

/* The state that has a space: after i records, or, if the space came later, when it began. */
static int first_with(const struct model *m, int space, int i)
{
	int first = i;

	while (m->after[first].n_spaces <= space)
		first++;
	return first > i && m->record[first - 1].kind != FORK ? i : first;
}

static struct answer model_answer(
	const struct model *m, int pid, int tid, int page, struct moment when)
{
	int i = records_up_to(m, when), k;
	const struct model_state *s = &m->after[i];
	struct model_thread t = model_thread_at(m, tid, i), l = model_thread_at(m, pid, i);
	struct answer a = { .pid = pid, .page = { .file = NOTHING } };

	if (t.known && !(t.ended && t.pid != pid))
		a = (struct answer){ t.name, t.pid, t.space, a.page, false, false };
	else if (is_of(&l, pid))
		a.space = l.space;
	if (!a.space)
		return a;
	s = &m->after[first_with(m, a.space, i)];
	if (a.space < s->n_spaces) {
		a.page = s->page[a.space][page];
		a.ever_executable = s->was_executable[a.space][page];
	}
	for (k = 0; k < m->n; k++)
		a.ever_executable |= covers(m, k, a.space, page) && m->record[k].page.executable;
	if (a.page.file == NOTHING)
		find_late(m, &a, page, when);
	return a;
}

/* ---- random worlds ------------------------------------------------------------------------ */

static int below(unsigned *seed, int n)
{
	return rand_r(seed) % n;
}

static struct record random_record(unsigned *seed, int position, int last_ms)
{
	static const int kinds[] = { MAP, MAP, MAP, MAP, COMM, EXEC, FORK, FORK, FORK_ALONE, EXIT };
	struct record r = {
		.kind = kinds[below(seed, 10)],
		.at = { (uint64_t)below(seed, last_ms) * 3 * MS, (uint64_t)position + 1 },
		.pid = 1 + below(seed, PIDS - 1),
		.ppid = 1 + below(seed, PIDS - 1),
		.name = 1 + below(seed, 5),
		.start = below(seed, PAGES),
		.page = { .file = below(seed, 3), .executable = below(seed, 3) > 0 },
	};

	r.tid = below(seed, 2) ? r.pid : 1 + below(seed, TIDS - 1);
	r.ptid = below(seed, 2) ? r.ppid : 1 + below(seed, TIDS - 1);
	if (below(seed, 3) == 0) {
		r.ppid = r.pid;
		r.ptid = r.tid;
	}
	r.end = r.start + below(seed, 8);
	if (r.end > PAGES)
		r.end = PAGES;
	r.page.owner = r.pid;
	r.page.shift = below(seed, 2) ? r.start : 0;
	return r;
}

static int compare_records(const void *pa, const void *pb)
{
	const struct record *a = pa, *b = pb;

	return moment_before(a->at, b->at) ? -1 : 1;
}

static void text_of(char *text, const char *prefix, int number)
{
	snprintf(text, 16, "%s%d", prefix, number);
}

static void add_to_world(struct world *w, const struct record *r)
{
	char text[16];

	switch (r->kind) {
	case MAP:
		text_of(text, "/file", r->page.file);
		world_add_mmap(w, r->at,
			&(struct world_mmap){ .pid = r->pid,
				.tid = r->tid,
				.start = (uint64_t)r->start * 0x1000,
				.length = (uint64_t)(r->end - r->start) * 0x1000,
				.file_offset = (uint64_t)(r->start - r->page.shift) * 0x1000,
				.executable = r->page.executable,
				.path = span_of(text) });
		break;
	case COMM:
	case EXEC:
		text_of(text, "name", r->name);
		world_add_comm(w, r->at, r->pid, r->tid, span_of(text), r->kind == EXEC);
		break;
	case FORK:
	case FORK_ALONE:
		world_add_fork(w, r->at, r->pid, r->ppid, r->tid, r->ptid, r->kind != FORK);
		break;
	case EXIT:
		world_add_exit(w, r->at, r->pid, r->tid);
		break;
	}
}

/* The world gets the records in another order than that of their moments. */
static void make_world(struct model *m, struct world *w, unsigned *seed)
{
	int last_ms = 1 + below(seed, 12), i;

	m->n = 1 + below(seed, RECORDS);
	for (i = 0; i < m->n; i++) {
		m->record[i] = random_record(seed, i, last_ms);
		add_to_world(w, &m->record[i]);
	}
	world_freeze(w);
	qsort(m->record, (size_t)m->n, sizeof(m->record[0]), compare_records);
	replay(m);
}

/* ---- comparison --------------------------------------------------------------------------- */

static void check_thread(
	struct world_bed *f, const struct answer *a, int tid, const struct world_thread *t)
{
	char text[16];

	text_of(text, a->name ? "name" : ":", a->name ? a->name : tid);
	assert_string_equal(strtab_str(f->strings, t->name), text);
	assert_int_equal(t->pid, a->pid);
}

static void check_place(
	struct world_bed *f, const struct answer *a, int page, const struct world_place *p)
{
	char text[16];

	assert_int_equal(p->ever_executable, a->ever_executable);
	assert_int_equal(p->module == 0, a->page.file == NOTHING);
	if (!p->module)
		return;
	text_of(text, "/file", a->page.file);
	assert_string_equal(strtab_str(f->strings, module(f, *p)->path), text);
	assert_true(p->rel == (uint64_t)(page - a->page.shift) * 0x1000 + 5);
	assert_int_equal(p->owner_pid, a->page.owner);
	assert_int_equal(p->executable, a->page.executable);
	assert_int_equal(p->late, a->late);
}

/* Moments worth asking at: each record's, and each millisecond before its first position. */
static int find_moments(const struct model *m, struct moment *when)
{
	int n = 0, i;

	for (i = 0; i < 40; i++)
		when[n++] = (struct moment){ (uint64_t)i * MS, 0 };
	for (i = 0; i < m->n; i++)
		when[n++] = m->record[i].at;
	return n;
}

static void check_pair(struct world_bed *f, const struct model *m, int pid, int tid, unsigned *seed)
{
	struct moment when[40 + RECORDS];
	struct validity valid, place_valid;
	int n = find_moments(m, when), i, k, page;

	for (i = 0; i < n; i++) {
		struct world_thread t = world_find_thread(f->w, pid, tid, when[i], &valid);
		struct world_place p;

		page = below(seed, PAGES);
		p = world_find_user(
			f->w, t.space, (uint64_t)page * 0x1000 + 5, when[i], &place_valid);
		assert_true(validity_holds(valid, when[i]));
		assert_true(validity_holds(place_valid, when[i]));
		for (k = 0; k < n; k++) {
			struct answer a = model_answer(m, pid, tid, page, when[k]);

			if (!validity_holds(valid, when[k]))
				continue;
			check_thread(f, &a, tid, &t);
			if (validity_holds(place_valid, when[k]))
				check_place(f, &a, page, &p);
		}
	}
}

static void check_worlds(bool compat)
{
	unsigned seed = 7, world;
	int pid, tid;

	for (world = 0; world < 25; world++) {
		struct model *m = calloc(1, sizeof(*m));
		void *state;
		struct world_bed *f;

		bed_set_up(&state, compat);
		f = state;
		m->compat = compat;
		make_world(m, f->w, &seed);
		for (pid = 1; pid < PIDS; pid++)
			for (tid = 1; tid < TIDS; tid++)
				check_pair(f, m, pid, tid, &seed);
		tear_down(&state);
		free(m);
	}
}

static void random_worlds_agree_with_a_simple_replay(void **state)
{
	(void)state;
	check_worlds(false);
}

static void random_compat_worlds_agree_with_a_simple_replay(void **state)
{
	(void)state;
	check_worlds(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_worlds_agree_with_a_simple_replay),
		cmocka_unit_test(random_compat_worlds_agree_with_a_simple_replay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
