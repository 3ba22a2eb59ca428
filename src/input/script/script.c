/*
 * The front of the text is read first (script_head.h): what it has decides how lines are parsed,
 * and where blocks may be cut. If branches are counted, all mappings are read next (script_maps.h),
 * in the same blocks; then workers parse the blocks (script_parse.h), and what they counted is
 * merged.
 */
#include "input/script/script.h"

#include "base/mem.h"
#include "input/script/script_head.h"
#include "input/script/script_parse.h"
#include "model/sample_choice.h"

#include <stdlib.h>

struct script_reader {
	struct recording *recording;
	const struct read_opts *opts;
	struct text_reader text;
	struct script_head head;
	struct script_maps maps; /* if branches are counted */
	struct text_rules rules;
	struct script_parser **workers;
	struct text_log **samples; /* of the workers */
	unsigned n_workers;
};

static int resolve_times(struct script_reader *s, struct err *e)
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
	if (percent && script_head_last_time(s->text.file, &last_ns, e))
		return e->code;
	sample_choice_resolve_time(
		c, s->head.first_time_ns, last_ns, &s->rules.from_ns, &s->rules.to_ns);
	return OK;
}

static void start_workers(struct script_reader *s, struct pool *pool)
{
	module_id module = text_frame_module(s->recording);
	unsigned i;

	s->n_workers = pool_workers(pool);
	s->workers = xcalloc(s->n_workers, sizeof(struct script_parser *));
	s->samples = xcalloc(s->n_workers, sizeof(struct text_log *));
	for (i = 0; i < s->n_workers; i++) {
		struct script_parser *w = xmalloc(sizeof(*w));

		script_parse_init(w, s->recording, &s->rules, module);
		w->bare = s->head.bare;
		w->memo.has_modules = s->head.has_modules;
		w->has_branches = s->head.has_branches;
		w->only_branches = s->head.only_branches && s->head.has_branches;
		w->maps = &s->maps;
		if (s->head.has_branches && s->opts->branches)
			w->history = branch_history_new(
				s->recording->modules, script_maps_find, &s->maps);
		s->workers[i] = w;
		s->samples[i] = &w->out;
	}
}

static void collect_branches(struct script_reader *s)
{
	struct recording *r = s->recording;
	unsigned i;

	if (!s->workers[0]->history)
		return;
	if (!s->maps.n)
		r->facts.branch_stacks = BRANCH_STACKS_UNMAPPED;
	for (i = 0; i < s->n_workers; i++)
		branch_history_collect(s->workers[i]->history, &r->branches);
	branch_traces_sort(r->branches);
}

static int merge(struct script_reader *s, struct err *e)
{
	struct recording *r = s->recording;
	int rc = text_log_merge(r, s->samples, s->n_workers, s->opts->choice, e);
	unsigned i;

	for (i = 0; i < s->n_workers; i++) {
		r->understood += s->workers[i]->understood;
		text_merge_diag(&s->text, &r->diag, &s->workers[i]->diag);
	}
	collect_branches(s);
	script_head_describe(&s->head, r);
	r->facts.format = strtab_add_str(r->strings, "perf script text");
	return rc;
}

static void release(struct script_reader *s)
{
	unsigned i;

	for (i = 0; i < s->n_workers; i++) {
		script_parse_release(s->workers[i]);
		free(s->workers[i]);
	}
	free(s->workers);
	free(s->samples);
	script_maps_release(&s->maps);
	script_head_release(&s->head);
	text_close(&s->text);
}

static void set_branch_stacks(struct script_reader *s)
{
	uint8_t *kind = &s->recording->facts.branch_stacks;

	if (s->head.has_branches)
		*kind = BRANCH_STACKS_COUNTABLE;
	else if (s->head.has_named_branches)
		*kind = BRANCH_STACKS_NAMED;
}

/* In the same blocks as the samples, so that places mean the same. */
static int read_maps(struct script_reader *s, struct pool *pool, struct err *e)
{
	const struct input_head begun = { buf_span(&s->text.ahead), s->text.ended };
	struct text_reader text;
	int rc;

	if (!S_ISREG(s->text.file->st.st_mode))
		return err_set(e, ERR_UNSUPPORTED,
			"branches are counted in a text that is a file: it is read twice");
	text_open(&text, s->text.file, &begun, s->text.cut, s->text.block_bytes);
	rc = script_maps_read(&s->maps, s->recording, &text, pool, e);
	text_close(&text);
	return rc;
}

static int read_all(struct script_reader *s, struct pool *pool, struct err *e)
{
	int rc;

	if (script_head_read(&s->head, &s->text, s->recording, e))
		return e->code;
	set_branch_stacks(s);
	/* perf writes the symbol straight after the address, so that neither is there. */
	if (s->head.has_named_branches && !s->head.has_sample)
		return err_set(e, ERR_FORMAT, "%s: %s", s->text.file->path,
			recording_uncountable_branches(s->recording));
	s->rules.first_event = buf_span(&s->head.first_event);
	if (resolve_times(s, e))
		return e->code;
	if (s->head.has_branches)
		s->text.cut = s->head.only_branches ? text_cut_lines : script_parse_cut_branches;
	if (s->head.has_branches && s->opts->branches && read_maps(s, pool, e))
		return e->code;
	start_workers(s, pool);
	rc = text_run(&s->text, pool, script_parse_block, (void *const *)s->workers, e);
	text_log_hand_over(s->recording, s->samples, s->n_workers);
	return rc ? rc : merge(s, e);
}

static int script_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct script_reader s = { .recording = r, .opts = o, .rules = { .opts = o } };
	int rc;

	text_open(&s.text, f, head, script_parse_cut, o->block_bytes);
	s.text.progress = o->progress;
	rc = read_all(&s, pool, e);
	release(&s);
	return rc;
}

const struct input_format script_format = {
	.name = "perf-script",
	.about = "text of perf script",
	.branches = true,
	.bid = script_head_bid,
	.read = script_read,
};
