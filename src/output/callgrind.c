/*
 * callgrind.c - costs of functions and calls, for KCachegrind, QCachegrind and callgrind_annotate
 *
 *	# callgrind format
 *	version: 1
 *	positions: line
 *	events: cycles samples
 *	ob=(1) /bin/x          object, file and function that costs are of; "(1)" alone from the
 *	fl=(1) x.c             second time on
 *	fn=(1) main
 *	12 400 4               line, and the cost of the function itself
 *	cob=(1)                the function that it calls,
 *	cfl=(1)
 *	cfn=(2) f
 *	calls=3 30             how often, and where that function begins
 *	12 900 9               line of the call, and the cost of it with all that it calls
 *
 * https://valgrind.org/docs/manual/cl-format.html A sample counts once for a call, however often
 * its stack has that call: otherwise recursion would cost more than the whole program. Samples do
 * not count calls: "calls=" is the number of samples in the call.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/mem.h"
#include "compare/costs.h"

#include <stdlib.h>

struct callgrind_call {
	function_id from, to;
	struct cost cost;
	uint32_t active; /* how often it is in the stack being walked */
	uint32_t next;   /* the next call from that function; NONE: none */
};

#define NONE UINT32_MAX

struct callgrind_caller {
	struct cost self;
	uint32_t first, last; /* of its calls, in the order of the tree */
};

/* A name is written once, and later as its number. */
struct callgrind_names {
	const char *tag; /* "ob", and "cob" of a callee */
	uint32_t *number;
	uint32_t n;
};

struct callgrind {
	const struct profile *p;
	struct sink *to;
	struct functions functions;
	struct callgrind_call *calls;
	uint32_t n_calls, cap_calls;
	struct index by_ends;
	struct callgrind_caller *callers; /* by function */
	uint32_t *entered;                /* by depth: the call that leads there; NONE: none */
	struct callgrind_names objects, files, names;
	bool weighed;     /* weights are not samples: these are a second cost, if they are known */
	bool has_samples; /* they are known */
};

/* Costs, from the tree: active counts how often a call is in the stack being walked */

static function_id function_of(struct callgrind *c, node_id node)
{
	return functions_of_frame(&c->functions, stack_path_frame(c->p, node));
}

static uint32_t call_number(struct callgrind *c, function_id from, function_id to)
{
	struct callgrind_caller *caller = &c->callers[from];
	uint64_t hash = hash_pair(from, to);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_ends, hash, cursor, i)
		if (c->calls[i].from == from && c->calls[i].to == to)
			return i;
	ARRAY_GROW(c->calls, c->n_calls, c->cap_calls);
	i = c->n_calls++;
	c->calls[i] = (struct callgrind_call){ .from = from, .to = to, .next = NONE };
	index_add(&c->by_ends, hash, i);
	if (caller->first == NONE)
		caller->first = i;
	else
		c->calls[caller->last].next = i;
	caller->last = i;
	return i;
}

static void leave(struct callgrind *c, uint32_t depth)
{
	if (c->entered[depth] != NONE)
		c->calls[c->entered[depth]].active--;
	c->entered[depth] = NONE;
}

static void enter(struct callgrind *c, node_id i)
{
	const struct node *n = &c->p->nodes[i];
	struct callgrind_call *call;

	if (n->depth < 2)
		return;
	c->entered[n->depth] = call_number(c, function_of(c, n->parent), function_of(c, i));
	call = &c->calls[c->entered[n->depth]];
	if (!call->active++) {
		call->cost.weight += n->total;
		call->cost.samples += profile_samples(c->p, i).total;
	}
}

static void add_up(struct callgrind *c)
{
	const struct profile *p = c->p;
	uint32_t depth = 0;
	node_id i;

	for (i = 0; i < p->n_nodes; i++)
		if (i || p->nodes[i].self)
			function_of(c, i);
	c->callers = xcalloc((size_t)c->functions.n + 1, sizeof(*c->callers));
	for (i = 0; i < c->functions.n; i++)
		c->callers[i].first = NONE;
	c->entered = xreallocarray(NULL, (size_t)p->max_depth + 1, sizeof(*c->entered));
	memset(c->entered, 0xff, ((size_t)p->max_depth + 1) * sizeof(*c->entered));
	for (i = 0; i < p->n_nodes; i++) {
		struct cost *self;

		if (!i && !p->nodes[i].self)
			continue;
		for (; depth >= p->nodes[i].depth && depth; depth--)
			leave(c, depth);
		depth = p->nodes[i].depth;
		enter(c, i);
		self = &c->callers[function_of(c, i)].self;
		self->weight += p->nodes[i].self;
		self->samples += profile_samples(p, i).self;
	}
}

/* The file */

/* Paths may hold any byte but 0; a line must stay one line. */
static void put_line(struct callgrind *c, struct span text)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		sink_putc(c->to, (unsigned char)text.p[i] < ' ' ? ' ' : text.p[i]);
}

static void write_name(struct callgrind *c, struct callgrind_names *names, const char *prefix,
	uint32_t id, struct span text)
{
	bool first = !names->number[id];

	if (first)
		names->number[id] = ++names->n;
	sink_printf(c->to, "%s%s=(%u)", prefix, names->tag, names->number[id]);
	if (first) {
		sink_putc(c->to, ' ');
		put_line(c, text.n ? text : SPAN("???"));
	}
	sink_putc(c->to, '\n');
}

static void write_function(struct callgrind *c, function_id id, const char *prefix)
{
	const struct function *f = &c->functions.function[id];
	const struct strtab *strings = c->p->strings;

	write_name(c, &c->objects, prefix, f->module, strtab_get(strings, f->module));
	write_name(c, &c->files, prefix, f->file, strtab_get(strings, f->file));
	write_name(c, &c->names, prefix, f->name, functions_name(&c->functions, id));
}

static void write_cost(struct callgrind *c, uint32_t line, const struct cost *cost)
{
	sink_put_u64(c->to, line);
	sink_putc(c->to, ' ');
	sink_put_u64(c->to, cost->weight);
	if (c->weighed && c->has_samples) {
		sink_putc(c->to, ' ');
		sink_put_u64(c->to, cost->samples);
	}
	sink_putc(c->to, '\n');
}

static void write_caller(struct callgrind *c, function_id id)
{
	const struct callgrind_caller *caller = &c->callers[id];
	uint32_t line = c->functions.function[id].line, i;

	sink_putc(c->to, '\n');
	write_function(c, id, "");
	write_cost(c, line, &caller->self);
	for (i = caller->first; i != NONE; i = c->calls[i].next) {
		const struct callgrind_call *call = &c->calls[i];

		write_function(c, call->to, "c");
		sink_printf(c->to, "calls=%llu %u\n", (unsigned long long)call->cost.samples,
			c->functions.function[call->to].line);
		write_cost(c, line, &call->cost);
	}
}

/* The name of an event is one word of letters and digits. */
static void write_event(struct callgrind *c)
{
	str_id event = c->p->event ? c->p->event : c->p->unit;
	struct span name = strtab_get(c->p->strings, event);
	size_t i;

	sink_putc(c->to, ' ');
	for (i = 0; i < name.n; i++) {
		char k = name.p[i];
		bool plain = (k >= '0' && k <= '9') || (k >= 'A' && k <= 'Z') ||
			     (k >= 'a' && k <= 'z') || k == '_';

		sink_putc(c->to, plain ? k : '_');
	}
}

static void write_head(struct callgrind *c, const struct recording_facts *facts)
{
	struct cost total = { 0 };

	if (c->p->n_nodes)
		total = (struct cost){ c->p->nodes[0].total, profile_samples(c->p, 0).total };
	sink_puts(c->to, "# callgrind format\nversion: 1\ncreator: perfold\n");
	if (facts && facts->cmdline) {
		sink_puts(c->to, "cmd: ");
		put_line(c, strtab_get(c->p->strings, facts->cmdline));
		sink_putc(c->to, '\n');
	}
	sink_puts(c->to, "positions: line\nevents:");
	if (c->weighed)
		write_event(c);
	if (!c->weighed || c->has_samples)
		sink_puts(c->to, " samples");
	sink_printf(c->to, "\nsummary: %llu", (unsigned long long)total.weight);
	if (c->weighed && c->has_samples)
		sink_printf(c->to, " %llu", (unsigned long long)total.samples);
	sink_putc(c->to, '\n');
}

static void callgrind_release(struct callgrind *c)
{
	functions_release(&c->functions);
	index_release(&c->by_ends);
	free(c->calls);
	free(c->callers);
	free(c->entered);
	free(c->objects.number);
	free(c->files.number);
	free(c->names.number);
}

static int callgrind_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct callgrind c = { .p = p, .to = to };
	uint32_t strings = strtab_count(p->strings);
	function_id i;

	(void)e;
	c.has_samples = p->sums != SUMS_OF_OTHERS;
	c.weighed = !span_eq(strtab_get(p->strings, p->unit), SPAN("samples"));
	functions_init(&c.functions, p);
	add_up(&c);
	c.objects = (struct callgrind_names){ "ob", xcalloc(strings, sizeof(uint32_t)), 0 };
	c.files = (struct callgrind_names){ "fl", xcalloc(strings, sizeof(uint32_t)), 0 };
	c.names = (struct callgrind_names){ "fn",
		xcalloc((size_t)c.functions.names.n + 1, sizeof(uint32_t)), 0 };
	write_head(&c, o->facts);
	for (i = 0; i < c.functions.n && !sink_failed(to); i++)
		write_caller(&c, i);
	callgrind_release(&c);
	return OK;
}

static const char *const suffixes[] = { ".callgrind", NULL };

const struct output_format callgrind_format = {
	.name = "callgrind",
	.suffixes = suffixes,
	.about = "functions and calls, for KCachegrind",
	.write = callgrind_write,
};
