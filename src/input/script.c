#include "input/script.h"

#include "base/mem.h"
#include "input/named.h"
#include "input/script_head.h"
#include "input/script_parse.h"
#include "model/choice.h"

#include <stdlib.h>

struct script {
	struct recording *recording;
	const struct input_opts *opts;
	struct text_reader text;
	struct script_head head;
	struct script_rules rules;
	struct script_worker **workers;
	unsigned n_workers;
};

static int resolve_times(struct script *s, struct err *e)
{
	const struct sample_choice *c = s->opts->choice;
	bool percent = c && (c->from.how == TIME_PERCENT || c->to.how == TIME_PERCENT);
	uint64_t last_ns = 0;

	s->rules.to_ns = UINT64_MAX;
	if (!c)
		return OK;
	if (percent && !S_ISREG(s->text.file->st.st_mode))
		return err_set(e, ERR_UNSUPPORTED,
			"--time in percent needs a file: the end of a stream is not known");
	if (percent && script_last_time(s->text.file, &last_ns, e))
		return e->code;
	time_range_resolve(c, s->head.first_time_ns, last_ns, &s->rules.from_ns, &s->rules.to_ns);
	return OK;
}

static void start_workers(struct script *s, struct pool *pool)
{
	module_id module = named_module(s->recording);
	unsigned i;

	s->n_workers = pool_workers(pool);
	s->workers = xcalloc(s->n_workers, sizeof(struct script_worker *));
	for (i = 0; i < s->n_workers; i++) {
		struct script_worker *w = xmalloc(sizeof(*w));

		script_worker_init(w, s->recording, &s->rules, module);
		w->bare = s->head.bare;
		w->memo.has_modules = s->head.has_modules;
		s->workers[i] = w;
	}
}

/* Logs and timelines go over to the recording, whether reading worked out or not. */
static void hand_over(struct script *s)
{
	struct recording *r = s->recording;
	unsigned i;

	r->n_logs = s->n_workers;
	r->logs = xcalloc(s->n_workers, sizeof(struct stacklog *));
	if (s->opts->timeline)
		r->timelines = xcalloc(s->n_workers, sizeof(struct timeline *));
	if (s->opts->marks)
		r->marks = xcalloc(s->n_workers, sizeof(struct marks *));
	for (i = 0; i < s->n_workers; i++) {
		stacklog_flush(s->workers[i]->log);
		r->logs[i] = s->workers[i]->log;
		if (s->opts->timeline)
			r->timelines[i] = s->workers[i]->timeline;
		if (s->opts->marks)
			r->marks[i] = s->workers[i]->marks;
	}
}

static void renumber_marks(struct marks *m, const uint32_t *event_number)
{
	size_t i;

	for (i = 0; m && i < m->n; i++)
		m->mark[i].event = (uint16_t)event_number[m->mark[i].event];
}

static void renumber_rows(struct timeline *t, const uint32_t *event_number)
{
	size_t i;

	for (i = 0; t && i < t->n; i++)
		t->rows[i].event = event_number[t->rows[i].event];
}

/* Workers know the name of a thread in their blocks; the last in the text is the one to show. */
static void rename_threads(const struct recording *r, struct timeline *t)
{
	uint32_t i;

	for (i = 0; t && i < t->n_threads; i++)
		t->threads[i].name = script_usage_name(r, t->threads[i].pid, t->threads[i].tid);
}

static int merge(struct script *s, struct err *e)
{
	struct script_usage **usages = xcalloc(s->n_workers, sizeof(struct script_usage *));
	uint32_t **event_number = xcalloc(s->n_workers, sizeof(uint32_t *));
	struct recording *r = s->recording;
	unsigned i;
	int rc;

	for (i = 0; i < s->n_workers; i++)
		usages[i] = &s->workers[i]->usage;
	script_usage_merge(r, usages, s->n_workers, event_number);
	for (i = 0; i < s->n_workers; i++) {
		renumber_rows(s->workers[i]->timeline, event_number[i]);
		rename_threads(r, s->workers[i]->timeline);
		if (s->workers[i]->marks) {
			renumber_marks(s->workers[i]->marks, event_number[i]);
			rename_threads(r, s->workers[i]->marks->threads);
		}
		text_merge_diag(&s->text, &r->diag, &s->workers[i]->diag);
		r->facts.has_callchains |= s->workers[i]->saw_chain;
		free(event_number[i]);
	}
	script_head_describe(&s->head, r);
	r->facts.format = strtab_add_str(r->strings, "perf script text");
	rc = script_usage_check(usages, s->n_workers, s->opts->choice, e);
	free(event_number);
	free(usages);
	return rc;
}

static void release(struct script *s)
{
	unsigned i;

	for (i = 0; i < s->n_workers; i++) {
		script_worker_release(s->workers[i]);
		free(s->workers[i]);
	}
	free(s->workers);
	script_head_release(&s->head);
	text_close(&s->text);
}

static int read_all(struct script *s, struct pool *pool, struct err *e)
{
	int rc;

	if (script_head_read(&s->head, &s->text, s->recording, e))
		return e->code;
	s->rules.first_event = buf_span(&s->head.first_event);
	if (resolve_times(s, e))
		return e->code;
	start_workers(s, pool);
	rc = text_run(&s->text, pool, script_parse_block, (void *const *)s->workers, e);
	hand_over(s);
	return rc ? rc : merge(s, e);
}

static int script_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct input_opts *o, struct pool *pool, struct err *e)
{
	struct script s = { .recording = r, .opts = o, .rules = { .opts = o } };
	int rc;

	text_open(&s.text, f, head, script_cut, o->block_bytes);
	s.text.progress = o->progress;
	rc = read_all(&s, pool, e);
	release(&s);
	return rc;
}

const struct input_format input_script = {
	.name = "perf-script",
	.about = "text of perf script",
	.bid = script_head_bid,
	.read = script_read,
};
