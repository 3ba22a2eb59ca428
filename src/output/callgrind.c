/*
 * callgrind.c - costs of functions and calls, for KCachegrind, QCachegrind and callgrind_annotate
 *
 *	# callgrind format
 *	version: 1
 *	positions: instr line
 *	events: cycles samples
 *	ob=(1) /bin/x          object, file and function that costs are of; "(1)" alone from the
 *	fl=(1) x.c             second time on
 *	fn=(1) main
 *	0x1139 12 400 4        address, line, and what ran there
 *	fi=(2) x.inc           lines of the function in another file,
 *	0x1140 5 100 1
 *	fe=(1)                 and back
 *	cob=(1)                the function that it calls,
 *	cfl=(1)
 *	cfn=(2) f
 *	calls=3 0x0 30         how often, and where that function begins
 *	0x113f 12 900 9        where the call is, and the cost of it with all that it calls
 *
 * https://valgrind.org/docs/manual/cl-format.html Positions are lines alone where no address is
 * known; an address of 0 is not known, and so is the first one of a function. Inlined functions are
 * functions that are called: their code has the addresses of the function that it is part of.
 *
 * A sample counts once for a call, however often its stack has that call: otherwise recursion would
 * cost more than the whole program. It counts at the outermost place of the call. Samples do not
 * count calls: "calls=" is the number of samples in the call.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/mem.h"
#include "compare/costs.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* What ran at a place in a function, or what was called there. */
struct callgrind_place {
	uint32_t owner; /* number of the function that ran, or of the call */
	str_id file;
	uint32_t line;
	uint64_t address;
	struct cost cost;
	uint32_t next; /* the next place of the owner; NONE: none */
};

/* Numbers of places, in the order of the tree. */
struct callgrind_list {
	uint32_t first, last;
};

struct callgrind_places {
	struct callgrind_place *place;
	uint32_t n, cap;
	struct index by_content;
};

struct callgrind_call {
	function_id from, to;
	struct callgrind_list sites;
	uint32_t active; /* how often it is in the stack being walked */
	uint32_t next;   /* the next call from that function; NONE: none */
};

struct callgrind_caller {
	struct callgrind_list self;
	uint32_t first, last; /* of its calls, in the order of the tree */
};

/* A name is written once, and later as its number. To KCachegrind the number of a function is the
 * function: one in another object or file, of the same name, has another. */
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
	struct callgrind_places ran, called;
	struct callgrind_caller *callers; /* by function */
	uint32_t *entered;                /* by depth: the call that leads there; NONE: none */
	uint64_t *address;                /* by depth: of the code, which inlined functions share */
	str_id file;                      /* that positions are in, while a function is written */
	bool has_addresses;
	struct callgrind_names objects, files, names;
	bool weighed;     /* weights are not samples: these are a second cost, if they are known */
	bool has_samples; /* they are known */
};

/* Costs, from the tree: active counts how often a call is in the stack being walked */

static function_id function_of(struct callgrind *c, node_id node)
{
	return functions_of_frame(&c->functions, stack_path_frame(c->p, node));
}

static bool same_place(const struct callgrind_place *a, const struct callgrind_place *b)
{
	return a->owner == b->owner && a->file == b->file && a->line == b->line &&
	       a->address == b->address;
}

static struct callgrind_place *find_place(struct callgrind_places *p, struct callgrind_list *list,
	const struct callgrind_place *wanted)
{
	uint64_t hash = hash_pair(
		hash_pair(wanted->owner, wanted->file), hash_pair(wanted->line, wanted->address));
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&p->by_content, hash, cursor, i)
		if (same_place(&p->place[i], wanted))
			return &p->place[i];
	ARRAY_GROW(p->place, p->n, p->cap);
	i = p->n++;
	p->place[i] = *wanted;
	p->place[i].next = NONE;
	index_add(&p->by_content, hash, i);
	if (list->first == NONE)
		list->first = i;
	else
		p->place[list->last].next = i;
	list->last = i;
	return &p->place[i];
}

/* Adds what a node, or one below it, costs where the node's code was. */
static void add_cost(struct callgrind *c, struct callgrind_places *p, struct callgrind_list *list,
	uint32_t owner, node_id node, struct cost cost)
{
	const struct frame *f = frames_get(c->p->frames, stack_path_frame(c->p, node));
	struct callgrind_place wanted = {
		.owner = owner,
		.file = f->at_line && f->at_file ? f->at_file : f->file,
		.line = f->at_line ? f->at_line : f->line,
		.address = c->address[c->p->nodes[node].depth],
	};
	struct callgrind_place *place = find_place(p, list, &wanted);

	place->cost.weight += cost.weight;
	place->cost.samples += cost.samples;
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
	c->calls[i] = (struct callgrind_call){
		.from = from, .to = to, .next = NONE, .sites = { NONE, NONE }
	};
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
	uint32_t number;

	if (n->depth < 2)
		return;
	number = call_number(c, function_of(c, n->parent), function_of(c, i));
	c->entered[n->depth] = number;
	call = &c->calls[number];
	if (!call->active++)
		add_cost(c, &c->called, &call->sites, number, n->parent,
			(struct cost){ n->total, profile_samples(c->p, i).total });
}

/* The code of what was inlined is that of the frame below it. */
static void note_address(struct callgrind *c, node_id i)
{
	const struct node *n = &c->p->nodes[i];
	const struct frame *f = frames_get(c->p->frames, n->frame);
	bool inlined = f->flags & FRAME_INLINED && n->depth > 1;

	c->address[n->depth] = inlined ? c->address[n->depth - 1] : f->at_address;
	c->has_addresses |= c->address[n->depth] != 0;
}

static void make_lists(struct callgrind *c)
{
	uint32_t depths = c->p->max_depth + 1;
	function_id f;
	node_id i;

	for (i = 0; i < c->p->n_nodes; i++)
		if (i || c->p->nodes[i].self)
			function_of(c, i);
	c->callers = xcalloc((size_t)c->functions.n + 1, sizeof(*c->callers));
	for (f = 0; f < c->functions.n; f++) {
		c->callers[f].first = NONE;
		c->callers[f].self.first = NONE;
	}
	c->entered = xreallocarray(NULL, depths, sizeof(*c->entered));
	memset(c->entered, 0xff, (size_t)depths * sizeof(*c->entered));
	c->address = xcalloc(depths, sizeof(*c->address));
}

static void add_up(struct callgrind *c)
{
	const struct profile *p = c->p;
	uint32_t depth = 0;
	node_id i;

	make_lists(c);
	for (i = 0; i < p->n_nodes; i++) {
		function_id f;

		if (!i && !p->nodes[i].self)
			continue;
		for (; depth >= p->nodes[i].depth && depth; depth--)
			leave(c, depth);
		depth = p->nodes[i].depth;
		note_address(c, i);
		enter(c, i);
		f = function_of(c, i);
		if (p->nodes[i].self)
			add_cost(c, &c->ran, &c->callers[f].self, f, i,
				(struct cost){ p->nodes[i].self, profile_samples(p, i).self });
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
	write_name(c, &c->names, prefix, id, functions_name(&c->functions, id));
}

static void put_position(struct callgrind *c, uint64_t address, uint32_t line)
{
	if (c->has_addresses)
		sink_printf(c->to, "0x%llx ", (unsigned long long)address);
	sink_put_u64(c->to, line);
}

static void write_cost(struct callgrind *c, uint64_t address, uint32_t line, struct cost cost)
{
	put_position(c, address, line);
	sink_putc(c->to, ' ');
	sink_put_u64(c->to, cost.weight);
	if (c->weighed && c->has_samples) {
		sink_putc(c->to, ' ');
		sink_put_u64(c->to, cost.samples);
	}
	sink_putc(c->to, '\n');
}

/* Positions that follow are in that file; own: of the function that is written. */
static void change_file(struct callgrind *c, str_id own, str_id file)
{
	if (c->file == file)
		return;
	c->file = file;
	c->files.tag = file == own ? "fe" : "fi";
	write_name(c, &c->files, "", file, strtab_get(c->p->strings, file));
	c->files.tag = "fl";
}

/* What ran in a function: first in its own file, then in others. */
static void write_self(struct callgrind *c, const struct callgrind_list *list, str_id own)
{
	unsigned turn;
	uint32_t i;

	for (turn = 0; turn < 2; turn++) {
		for (i = list->first; i != NONE; i = c->ran.place[i].next) {
			const struct callgrind_place *p = &c->ran.place[i];

			if ((p->file == own) == (turn == 1))
				continue;
			change_file(c, own, p->file);
			write_cost(c, p->address, p->line, p->cost);
		}
	}
}

static void write_call(struct callgrind *c, const struct callgrind_call *call)
{
	const struct function *to = &c->functions.function[call->to];
	str_id own = c->functions.function[call->from].file;
	uint32_t i;

	for (i = call->sites.first; i != NONE; i = c->called.place[i].next) {
		const struct callgrind_place *p = &c->called.place[i];

		change_file(c, own, p->file);
		write_function(c, call->to, "c");
		sink_printf(c->to, "calls=%llu ", (unsigned long long)p->cost.samples);
		put_position(c, 0, to->line);
		sink_putc(c->to, '\n');
		write_cost(c, p->address, p->line, p->cost);
	}
}

static void write_caller(struct callgrind *c, function_id id)
{
	const struct callgrind_caller *caller = &c->callers[id];
	const struct function *f = &c->functions.function[id];
	uint32_t i;

	sink_putc(c->to, '\n');
	write_function(c, id, "");
	c->file = f->file;
	write_self(c, &caller->self, f->file);
	if (caller->self.first == NONE)
		write_cost(c, 0, f->line, (struct cost){ 0 });
	for (i = caller->first; i != NONE; i = c->calls[i].next)
		write_call(c, &c->calls[i]);
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
	sink_puts(c->to,
		c->has_addresses ? "positions: instr line\nevents:" : "positions: line\nevents:");
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
	free(c->address);
	free(c->ran.place);
	free(c->called.place);
	index_release(&c->ran.by_content);
	index_release(&c->called.by_content);
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
		xcalloc((size_t)c.functions.n + 1, sizeof(uint32_t)), 0 };
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
	.about = "functions, lines and calls, for KCachegrind",
	.needs = OUTPUT_LINES | OUTPUT_ADDRESSES,
	.write = callgrind_write,
};
