/*
 * A query is about functions: those that are called what is asked for, or else match it as a
 * regular expression. The error for none names functions that have it in them somewhere, whatever
 * the case of letters, or that are most like it.
 */
#include "cli/top_query.h"

#include "base/chars.h"
#include "base/mem.h"
#include "base/near_word.h"
#include "compare/call_tree.h"
#include "model/name_pattern.h"

#include <stdlib.h>

/* Functions */

static bool is_called(const struct costs *c, function_id id, const char *name)
{
	return span_eq(functions_name(&c->functions, id), span_of(name));
}

/* Frames by the thread's name are no functions. */
static bool has_cost(const struct costs *c, function_id id)
{
	return !costs_is_zero(c->of[id].total);
}

/* True if there are any. */
static bool mark_by_name(const struct costs *c, const char *name, bool *marked)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < c->functions.n; i++) {
		marked[i] = has_cost(c, i) && is_called(c, i, name);
		any |= marked[i];
	}
	return any;
}

static int mark_by_pattern(
	const struct costs *c, const char *regex, bool *marked, bool *any, struct err *e)
{
	struct name_pattern *pattern;
	uint32_t i;

	if (name_pattern_new(&pattern, regex, e))
		return e->code;
	for (i = 0; i < c->functions.n; i++) {
		marked[i] = has_cost(c, i) &&
			    name_pattern_matches(pattern, functions_name(&c->functions, i));
		*any |= marked[i];
	}
	name_pattern_free(pattern);
	return OK;
}

static bool has_in_any_case(struct span name, struct span part)
{
	size_t i, k;

	for (i = 0; i + part.n <= name.n; i++) {
		for (k = 0; k < part.n; k++)
			if (char_to_lower(name.p[i + k]) != char_to_lower(part.p[k]))
				break;
		if (k == part.n)
			return true;
	}
	return false;
}

/* Without the place in a source or the arguments that may follow it. */
static struct span first_word(struct span name)
{
	size_t n = 0;

	while (n < name.n && name.p[n] != ' ' && name.p[n] != '(')
		n++;
	return (struct span){ name.p, n };
}

/* The most expensive functions whose names are like it. */
static void put_nearest(const struct costs *c, const char *wanted, struct buf *b)
{
	enum { NEAREST = 3 };
	uint32_t n, i, found = 0;
	struct function_cost *ranked = costs_ranked(c, BY_TOTAL, &n);

	for (i = 0; i < n && found < NEAREST; i++) {
		struct span name = functions_name(&c->functions, ranked[i].function);

		if (!has_in_any_case(name, span_of(wanted)) &&
			!near_word_is_near(span_of(wanted), first_word(name)))
			continue;
		buf_printf(b, "%s\"%.*s\"", found++ ? ", " : "; there is ", SPAN_ARG(name));
	}
	free(ranked);
}

static int fail_unknown(const struct costs *c, const char *wanted, struct err *e)
{
	struct buf near = { 0 };

	put_nearest(c, wanted, &near);
	err_set(e, ERR_USAGE,
		"no function that is called \"%.200s\", or whose name matches that, has samples%s",
		wanted, buf_str(&near));
	buf_release(&near);
	return e->code;
}

static int mark(const struct costs *c, const char *wanted, bool *marked, struct err *e)
{
	bool any = mark_by_name(c, wanted, marked);

	if (!any && mark_by_pattern(c, wanted, marked, &any, e))
		return e->code;
	return any ? OK : fail_unknown(c, wanted, e);
}

/* The query */

static int make_tree(
	struct top_query *q, const struct top_opts *o, const struct profile *p, struct err *e)
{
	const char *function = o->callees ? o->callees : o->callers ? o->callers : o->paths;
	struct costs costs;
	bool *marked;
	int rc;

	costs_init(&costs, p);
	marked = xcalloc(costs.functions.n, sizeof(*marked));
	rc = mark(&costs, function, marked, e);
	if (!rc)
		q->p = q->tree = o->callees ? call_tree_callees(&costs, marked)
					    : call_tree_callers(&costs, marked);
	free(marked);
	costs_release(&costs);
	return rc;
}

static const char *group_word(enum top_group group)
{
	static const char *const word[] = {
		[TOP_GROUP_COMM] = "comm",
		[TOP_GROUP_PROCESS] = "process",
		[TOP_GROUP_THREAD] = "thread",
		[TOP_GROUP_CPU] = "cpu",
		[TOP_GROUP_CGROUP] = "cgroup",
		[TOP_GROUP_STATE] = "state",
	};

	return word[group];
}

static int fail_ungrouped(enum top_group group, struct err *e)
{
	const char *word = group_word(group);
	const char *option = group == TOP_GROUP_CPU      ? ": record with --sample-cpu"
			     : group == TOP_GROUP_CGROUP ? ": record with --all-cgroups"
							 : "";

	return err_set(e, ERR_USAGE,
		"--group %s: the input does not say which %s its samples are of%s", word, word,
		option);
}

int top_query_make(
	struct top_query *q, const struct top_opts *o, const struct profile *p, struct err *e)
{
	static const enum grouping_by by[] = {
		[TOP_GROUP_MODULE] = GROUPING_MODULE,
		[TOP_GROUP_CATEGORY] = GROUPING_CATEGORY,
		[TOP_GROUP_PACKAGE] = GROUPING_PACKAGE,
		[TOP_GROUP_FILE] = GROUPING_FILE,
		[TOP_GROUP_COMM] = GROUPING_ROOT,
		[TOP_GROUP_PROCESS] = GROUPING_ROOT,
		[TOP_GROUP_THREAD] = GROUPING_ROOT,
		[TOP_GROUP_CPU] = GROUPING_ROOT,
		[TOP_GROUP_CGROUP] = GROUPING_ROOT,
		[TOP_GROUP_STATE] = GROUPING_STATE,
	};

	*q = (struct top_query){ .p = p, .whole = p->n_nodes ? p->nodes[0].total : 0 };
	if (o->group >= TOP_GROUP_COMM && o->group != TOP_GROUP_STATE && q->whole &&
		!grouping_has_roots(p))
		return fail_ungrouped(o->group, e);
	if (o->group)
		q->p = q->grouped = grouping_make(p, by[o->group]);
	q->about_function = o->callers || o->callees || o->paths;
	return q->about_function ? make_tree(q, o, p, e) : OK;
}

void top_query_release(struct top_query *q)
{
	profile_free(q->tree);
	grouping_free(q->grouped);
}

int top_query_prepare(struct options *o, struct err *e)
{
	static const enum root_part root[] = {
		[TOP_GROUP_COMM] = ROOT_COMM,
		[TOP_GROUP_PROCESS] = ROOT_PROCESS,
		[TOP_GROUP_THREAD] = ROOT_COMM_PID_TID,
		[TOP_GROUP_CPU] = ROOT_CPU,
		[TOP_GROUP_CGROUP] = ROOT_CGROUP,
		[TOP_GROUP_STATE] = ROOT_STATE,
	};
	const struct top_opts *t = &o->top;
	int asked = !!t->callers + !!t->callees + !!t->paths + !!t->group;

	if (asked > 1)
		return err_set(e, ERR_USAGE,
			"--callers, --callees, --paths and --group are different questions: ask "
			"one at a time");
	if (t->tree && (t->paths || t->group))
		return err_set(e, ERR_USAGE, "--tree is not for --paths or --group");
	if (t->cumulative && (t->tree || t->callers || t->callees || t->paths))
		return err_set(
			e, ERR_USAGE, "--cumulative is for tables: see --by for their order");
	if (t->group == TOP_GROUP_STATE && !o->run.read.off_cpu)
		return err_set(e, ERR_USAGE,
			"--group state is why threads waited: give --off-cpu, or --wall");
	if (t->group < TOP_GROUP_COMM)
		return OK;
	memset(o->run.collapse.roots, 0, sizeof(o->run.collapse.roots));
	o->run.collapse.roots[0] = root[t->group];
	return OK;
}

/* Paths */

struct path {
	uint64_t weight;
	node_id node;
};

static int compare_paths(const void *pa, const void *pb)
{
	const struct path *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

node_id *top_query_paths(const struct top_query *q, uint32_t *n)
{
	struct path *path = xcalloc((size_t)q->p->n_nodes + 1, sizeof(*path));
	node_id *out = xcalloc((size_t)q->p->n_nodes + 1, sizeof(*out)), i;

	*n = 0;
	for (i = 1; i < q->p->n_nodes; i++)
		if (q->p->nodes[i].self)
			path[(*n)++] = (struct path){ q->p->nodes[i].self, i };
	if (*n)
		qsort(path, *n, sizeof(*path), compare_paths);
	for (i = 0; i < *n; i++)
		out[i] = path[i].node;
	free(path);
	return out;
}
