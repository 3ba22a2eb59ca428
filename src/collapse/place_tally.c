/*
 * place_tally.c - what lines and instructions cost, while stacks are replayed
 *
 * Places are frames, so that their numbers are those of all workers, and sums are kept by number
 * (place_map.h). Calls are pairs of a line and a function.
 *
 * Stacks come in an order in which most of a stack is that of the one before. What passes through
 * a frame is therefore added up on the path, and given to its places, and to the frame below it,
 * when it leaves the path:
 *
 *	main 0  f 0  g 10      a stack of main, f, g that weighs 10
 *	main 0  f 10 h 5       then one of main, f, h that weighs 5: g had 10 in total
 *	main 15                h had 5, f had 15
 *
 * A place that is on the path twice, in recursion, counts where it is first.
 *
 * A stack's own weight goes to the line of its innermost frame, and to the instruction of the
 * frame into which the innermost ones were inlined. Memory: room for a sum for each frame, of which
 * pages are touched where places are, and a row for each distinct call.
 *
 * Of light functions (code_addresses.h) only the calls to and from others are counted.
 */
#include "collapse/place_tally.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void place_tally_init(struct place_tally *t, struct frames *frames, const struct place_map *map)
{
	*t = (struct place_tally){ .frames = frames, .map = map };
}

void place_tally_release(struct place_tally *t)
{
	free(t->other);
	index_release(&t->by_other);
	free(t->sums);
	free(t->place);
	free(t->calls);
	free(t->path);
	index_release(&t->by_call);
	*t = (struct place_tally){ 0 };
}

/* ---- places --------------------------------------------------------------------------------- */

static const struct place_of *find_other(
	struct place_tally *t, struct naming *naming, frame_id frame, bool java)
{
	uint64_t hash = hash_pair(frame, java);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_other, hash, cursor, i)
		if (t->other[i].frame == frame && t->other[i].java == java)
			return &t->other[i].at;
	ARRAY_GROW(t->other, t->n_other, t->cap_other);
	t->other[t->n_other] =
		(struct other_place){ frame, java, place_map_look_up(naming, frame, java) };
	index_add(&t->by_other, hash, t->n_other);
	return &t->other[t->n_other++].at;
}

static inline const struct place_of *place_of(
	struct place_tally *t, struct naming *naming, frame_id frame, bool java)
{
	if (!java && frame < t->map->n && t->map->of[frame].shown)
		return &t->map->of[frame];
	return find_other(t, naming, frame, java);
}

frame_id place_tally_shown(struct place_tally *t, struct naming *naming, frame_id frame, bool java)
{
	return place_of(t, naming, frame, java)->shown;
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Mostly once, for all frames there are: pages that are not touched cost nothing. */
static void make_room(struct place_tally *t, frame_id place)
{
	uint32_t old = t->cap_sums, need = frames_count(t->frames);

	need = need > place ? need : place + 1;
	if (!old) {
		t->cap_sums = need;
		t->sums = xcalloc(need, sizeof(*t->sums));
		return;
	}
	ARRAY_RESERVE(t->sums, need, t->cap_sums);
	memset(t->sums + old, 0, (t->cap_sums - old) * sizeof(*t->sums));
}

static struct place_sum *sum_of(
	struct place_tally *t, frame_id place, frame_id function, bool is_instruction)
{
	struct place_sum *s;

	if (place >= t->cap_sums)
		make_room(t, place);
	s = &t->sums[place];
	/* It is the same each time. A page that is read before it is written is mapped twice. */
	s->cost.function = function;
	if (s->cost.place)
		return s;
	s->cost.place = place;
	s->is_instruction = is_instruction;
	ARRAY_GROW(t->place, t->n_places, t->cap_places);
	t->place[t->n_places++] = place;
	return s;
}

static void add_self(struct place_tally *t, frame_id place, uint64_t weight, uint64_t samples)
{
	struct place_sum *s = &t->sums[place];

	s->cost.self += weight;
	s->cost.self_samples += samples;
}

static uint32_t call_number(struct place_tally *t, frame_id line, frame_id caller, frame_id callee)
{
	uint64_t hash = hash_pair(line, callee);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_call, hash, cursor, i)
		if (t->calls[i].call.line == line && t->calls[i].call.callee == callee)
			return i;
	ARRAY_GROW(t->calls, t->n_calls, t->cap_calls);
	t->calls[t->n_calls] =
		(struct call_sum){ .call = { .line = line, .callee = callee, .caller = caller } };
	index_add(&t->by_call, hash, t->n_calls);
	return t->n_calls++;
}

/* Most lines call one function. Those of light functions have no sums. */
static uint32_t call_from(struct place_tally *t, const struct place_of *from, frame_id callee)
{
	uint32_t *latest;

	if (from->light)
		return call_number(t, from->line, from->function, callee);
	latest = &t->sums[from->line].latest_call;
	if (!*latest || t->calls[*latest - 1].call.callee != callee)
		*latest = call_number(t, from->line, from->function, callee) + 1;
	return *latest - 1;
}

/* ---- the path ------------------------------------------------------------------------------- */

static void enter_places(struct place_tally *t, const struct place_of *at)
{
	sum_of(t, at->line, at->function, false)->on_path++;
	if (at->instruction)
		sum_of(t, at->instruction, at->function, true)->on_path++;
}

static void enter_frame(struct place_tally *t, frame_id frame, const struct place_of *at)
{
	struct place_step *step;

	ARRAY_GROW(t->path, t->n_path, t->cap_path);
	step = &t->path[t->n_path];
	*step = (struct place_step){ .frame = frame, .at = *at };
	if (!at->light)
		enter_places(t, at);
	if (t->n_path && !(at->light && step[-1].at.light)) {
		step->call = call_from(t, &step[-1].at, step->at.shown);
		t->calls[step->call].on_path++;
	}
	t->n_path++;
}

static void leave_place(struct place_tally *t, frame_id place, const struct place_step *step)
{
	struct place_sum *s = &t->sums[place];

	if (--s->on_path)
		return;
	s->cost.total += step->weight;
	s->cost.total_samples += step->samples;
}

static void leave_places(struct place_tally *t, const struct place_step *step)
{
	leave_place(t, step->at.line, step);
	if (step->at.instruction)
		leave_place(t, step->at.instruction, step);
}

static void leave_call(struct place_tally *t, const struct place_step *step)
{
	struct call_sum *c = &t->calls[step->call];

	if (--c->on_path)
		return;
	c->call.total += step->weight;
	c->call.total_samples += step->samples;
}

/* Leaves the frames of the path after the first n. */
static void leave_frames(struct place_tally *t, uint32_t n)
{
	for (; t->n_path > n; t->n_path--) {
		struct place_step *step = &t->path[t->n_path - 1];

		if (!step->at.light)
			leave_places(t, step);
		if (t->n_path == 1)
			continue;
		if (!step->at.light || !step[-1].at.light)
			leave_call(t, step);
		step[-1].weight += step->weight;
		step[-1].samples += step->samples;
	}
}

static bool has_instruction(const struct place_step *step)
{
	return step->at.instruction && !step->at.light;
}

/* Adds what the stack weighs itself. */
static void end_stack(struct place_tally *t, uint64_t weight, uint64_t samples)
{
	struct place_step *step = &t->path[t->n_path - 1];

	step->weight += weight;
	step->samples += samples;
	if (!step->at.light)
		add_self(t, step->at.line, weight, samples);
	for (; step->at.inlined && step > t->path; step--)
		if (has_instruction(step))
			add_self(t, step->at.instruction, weight, samples);
	if (has_instruction(step))
		add_self(t, step->at.instruction, weight, samples);
}

void place_tally_add(struct place_tally *t, struct naming *naming, const struct place_stack *stack)
{
	uint32_t i = 0;

	while (i < stack->n && i < t->n_path && stack->frame[i] == t->path[i].frame &&
		stack->java == t->is_java)
		i++;
	leave_frames(t, i);
	t->is_java = stack->java;
	for (; i < stack->n; i++)
		enter_frame(t, stack->frame[i], place_of(t, naming, stack->frame[i], stack->java));
	if (stack->n)
		end_stack(t, stack->weight, stack->samples);
}

/* ---- the sums of all workers ---------------------------------------------------------------- */

static void add_places(struct place_tally *to, const struct place_tally *from)
{
	uint32_t i;

	for (i = 0; i < from->n_places; i++) {
		const struct place_sum *s = &from->sums[from->place[i]];
		const struct place_cost *c = &s->cost;
		struct place_cost *sum =
			&sum_of(to, c->place, c->function, s->is_instruction)->cost;

		sum->self += c->self;
		sum->self_samples += c->self_samples;
		sum->total += c->total;
		sum->total_samples += c->total_samples;
	}
}

static void list_places(const struct place_tally *t, struct place_costs *c)
{
	uint32_t i, cap_lines = 0, cap_instructions = 0;

	for (i = 0; i < t->n_places; i++) {
		const struct place_sum *s = &t->sums[t->place[i]];

		if (!s->cost.total_samples && !s->cost.total)
			continue;
		if (s->is_instruction) {
			ARRAY_GROW(c->instruction, c->n_instructions, cap_instructions);
			c->instruction[c->n_instructions++] = s->cost;
		} else {
			ARRAY_GROW(c->line, c->n_lines, cap_lines);
			c->line[c->n_lines++] = s->cost;
		}
	}
}

static void add_calls(struct place_tally *to, const struct place_tally *from)
{
	uint32_t i;

	for (i = 0; i < from->n_calls; i++) {
		const struct place_call *c = &from->calls[i].call;
		/* This may move the list. */
		uint32_t number = call_number(to, c->line, c->caller, c->callee);
		struct place_call *sum = &to->calls[number].call;

		sum->total += c->total;
		sum->total_samples += c->total_samples;
	}
}

static void list_calls(const struct place_tally *t, struct place_costs *c)
{
	uint32_t i;

	c->call = xcalloc((size_t)t->n_calls + 1, sizeof(*c->call));
	for (i = 0; i < t->n_calls; i++)
		c->call[i] = t->calls[i].call;
	c->n_calls = t->n_calls;
}

struct place_costs place_tally_finish(struct place_tally *of_workers, uint32_t n)
{
	struct place_costs c = { 0 };
	struct place_tally *all = of_workers;
	uint32_t i;

	for (i = 0; i < n; i++)
		leave_frames(&of_workers[i], 0);
	for (i = 1; i < n; i++) {
		add_places(all, &of_workers[i]);
		add_calls(all, &of_workers[i]);
	}
	list_places(all, &c);
	list_calls(all, &c);
	return c;
}
