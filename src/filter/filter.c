/*
 * How a filter is built: files are read line by line (filter_source.h), each rule is parsed
 * (filter_rule.h) and appended to one list; an include reads its file in the place of the rule.
 * Order matters, so the list is the program that every stack runs through.
 *
 * Frames that rules make (the label of a group, say) are added to the table of frames at once, so
 * that workers only compare numbers.
 *
 * Workers (filter_worker.h) only read the rules. What they counted is added under the lock when a
 * worker is merged.
 */
#include "filter/filter.h"

#include "base/mem.h"
#include "filter/filter_action.h"
#include "filter/filter_worker.h"
#include "filter/filter_source.h"

#include <pthread.h>
#include <stdlib.h>

struct filter {
	struct frames *frames;
	struct filter_source_reader reader;
	struct filter_rule *rules;
	uint32_t n_rules, cap_rules;
	unsigned n_command_line; /* rules given there */

	pthread_mutex_t lock; /* of what workers add: counts of rules, and limits */
	struct filter_limits limits;
};

enum { RULES_MAX = 10000 };

void filter_free(struct filter *f)
{
	uint32_t i;

	if (!f)
		return;
	for (i = 0; i < f->n_rules; i++)
		filter_rule_release(&f->rules[i]);
	free(f->rules);
	filter_match_limits_release(&f->limits);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static void connect_to_frames(struct filter_rule *r, struct frames *frames)
{
	if (!r->label)
		return;
	r->category = strtab_add_str(frames_strings(frames), r->label);
	if (r->action->change)
		r->label_frame = frames_add(
			frames, &(struct frame){ .name = r->category, .kind = FRAME_LABEL });
}

static int include(struct filter *f, const struct filter_rule *r, const struct filter_source *from,
	struct err *e)
{
	char *place = xasprintf("%s:%zu", r->place, r->label_column);
	int rc = filter_source_read(&f->reader, r->label, from, place, e);

	free(place);
	return rc;
}

static int add_rule(struct filter *f, struct span text, const char *place,
	const struct filter_source *from, struct err *e)
{
	struct filter_rule r;
	int rc;

	if (filter_rule_parse(&r, text, place, e))
		return e->code;
	if (filter_action_is_include(r.action)) {
		rc = include(f, &r, from, e);
		filter_rule_release(&r);
		return rc;
	}
	if (f->n_rules == RULES_MAX) {
		filter_rule_release(&r);
		return err_set(e, ERR_USAGE, "%s: more than %d rules", place, RULES_MAX);
	}
	connect_to_frames(&r, f->frames);
	ARRAY_GROW(f->rules, f->n_rules, f->cap_rules);
	f->rules[f->n_rules++] = r;
	return OK;
}

static int on_rule(void *ctx, struct span text, const char *place, const struct filter_source *from,
	struct err *e)
{
	return add_rule(ctx, text, place, from, e);
}

struct filter *filter_new(struct frames *frames, const char *const *dirs)
{
	struct filter *f = xcalloc(1, sizeof(*f));

	f->frames = frames;
	f->reader = (struct filter_source_reader){
		.dirs = dirs,
		.files_left = FILTER_SOURCE_FILES_MAX,
		.ctx = f,
		.on_rule = on_rule,
	};
	pthread_mutex_init(&f->lock, NULL);
	return f;
}

bool filter_nearest(const char *const *dirs, const char *name, struct buf *found)
{
	return filter_source_nearest(dirs, name, found);
}

int filter_add_file(struct filter *f, const char *name, struct err *e)
{
	return filter_source_read(&f->reader, name, NULL, NULL, e);
}

int filter_add_rule(struct filter *f, const char *rule, struct err *e)
{
	char *place = xasprintf("-e %u", ++f->n_command_line);
	int rc = add_rule(f, span_of(rule), place, NULL, e);

	free(place);
	return rc;
}

uint32_t filter_root_fields(const struct filter *f)
{
	uint32_t i, set = 0;

	for (i = 0; i < f->n_rules; i++)
		if (filter_field_in(f->rules[i].field, FIELDS_ROOT) &&
			!filter_action_names_roots(f->rules[i].action))
			set |= 1u << filter_field_root_part(f->rules[i].field);
	return set;
}

static void *rewriter_worker_new(void *ctx)
{
	const struct filter *f = ctx;

	return filter_worker_new(f->rules, f->n_rules, f->frames);
}

static void rewriter_apply(void *worker, struct stack *s)
{
	filter_worker_apply(worker, s);
}

static str_id rewriter_root_name(void *worker, enum root_part part, str_id name)
{
	return filter_worker_root_name(worker, part, name);
}

static void rewriter_worker_merge(void *ctx, void *worker)
{
	struct filter *f = ctx;

	pthread_mutex_lock(&f->lock);
	filter_worker_report(worker, f->rules, &f->limits);
	pthread_mutex_unlock(&f->lock);
	filter_worker_free(worker);
}

struct rewriter filter_rewriter(struct filter *f)
{
	return (struct rewriter){
		.ctx = f,
		.worker_new = rewriter_worker_new,
		.apply = rewriter_apply,
		.root_name = rewriter_root_name,
		.worker_merge = rewriter_worker_merge,
	};
}

uint32_t filter_rule_count(const struct filter *f)
{
	return f->n_rules;
}

struct filter_rule_use filter_rule_use(const struct filter *f, uint32_t rule)
{
	const struct filter_rule *r = &f->rules[rule];
	const char *slash = strrchr(r->place, '/');

	return (struct filter_rule_use){
		.place = slash ? slash + 1 : r->place,
		.text = r->text,
		.hits = r->count.hits,
		.weight = r->count.weight,
	};
}

void filter_diag(const struct filter *f, struct diag *d)
{
	size_t n = filter_match_limits_count(&f->limits);

	if (n)
		diag_add(d, DIAG_MATCH_LIMIT, n, 0);
}
