/*
 * place_tally.c - what lines and instructions cost, while stacks are replayed
 *
 *	frame                 place_of
 *	f a.c:3 at 7 +0x11 ─► line: f a.c:3 at 7   instruction: +0x11   shown: f a.c:3
 *	f a.c:3 at 7 +0x15 ─► line: f a.c:3 at 7   instruction: +0x15   shown: f a.c:3
 *
 * Places are frames, so that their numbers are those of all workers, and sums are kept by number.
 * What a frame stands for is looked up once; then a stack costs a look at each of its frames.
 * last_stack says whether a place is in the stack already. Calls are pairs of a line and a
 * function; those of the frames that a stack shares with the one before are known.
 *
 * A stack's own weight goes to the line of its innermost frame, and to the instruction of the
 * frame into which the innermost ones were inlined. Memory: two rows for each frame, as many
 * frames as there are distinct lines and instructions, and a row for each distinct call.
 */
#include "collapse/place_tally.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void place_tally_init(struct place_tally *t, struct frames *frames)
{
	*t = (struct place_tally){ .frames = frames };
}

void place_tally_release(struct place_tally *t)
{
	free(t->of);
	free(t->sums);
	free(t->calls);
	free(t->before);
	free(t->call_before);
	index_release(&t->by_call);
}

/* A line is the same in every tier, and whether it was inlined or not. */
static frame_id line_of(struct frames *frames, frame_id id)
{
	struct frame f = *frames_get(frames, frames_without_address(frames, id));

	f.flags &= (uint8_t)~FRAME_INLINED;
	f.tier = 0;
	f.category = 0;
	return frames_add(frames, &f);
}

/* The function whose code it is, and the address. */
static frame_id instruction_of(struct frames *frames, frame_id line, const struct frame *of)
{
	struct frame f = *frames_get(frames, line);

	if (!of->at_address)
		return 0;
	f.at_line = f.at_file = 0;
	f.at_address = of->at_address;
	f.build = of->build;
	return frames_add(frames, &f);
}

static const struct place_of *place_of(struct place_tally *t, frame_id id)
{
	if (id >= t->cap_of) {
		uint32_t old = t->cap_of, need = frames_count(t->frames);

		ARRAY_RESERVE(t->of, need > id ? need : id + 1, t->cap_of);
		memset(t->of + old, 0, (t->cap_of - old) * sizeof(*t->of));
	}
	if (!t->of[id].shown) {
		const struct frame *f = frames_get(t->frames, id);
		frame_id line = line_of(t->frames, id);

		t->of[id] = (struct place_of){
			.line = line,
			.instruction = instruction_of(t->frames, line, f),
			.shown = frames_without_line(t->frames, id),
			.inlined = f->flags & FRAME_INLINED,
		};
	}
	return &t->of[id];
}

frame_id place_tally_shown(struct place_tally *t, frame_id frame)
{
	return place_of(t, frame)->shown;
}

static struct place_sum *sum_of(struct place_tally *t, frame_id place)
{
	if (place >= t->cap_sums) {
		uint32_t old = t->cap_sums, need = frames_count(t->frames);

		ARRAY_RESERVE(t->sums, need > place ? need : place + 1, t->cap_sums);
		memset(t->sums + old, 0, (t->cap_sums - old) * sizeof(*t->sums));
	}
	return &t->sums[place];
}

static void add_total(struct place_tally *t, frame_id place, uint64_t weight, uint64_t samples)
{
	struct place_sum *s = sum_of(t, place);

	if (s->last_stack == t->stacks)
		return;
	s->last_stack = t->stacks;
	s->cost.total += weight;
	s->cost.total_samples += samples;
}

static void add_self(struct place_tally *t, frame_id place, uint64_t weight, uint64_t samples)
{
	struct place_sum *s = sum_of(t, place);

	s->cost.self += weight;
	s->cost.self_samples += samples;
}

static uint32_t call_number(struct place_tally *t, frame_id line, frame_id callee)
{
	uint64_t hash = hash_pair(line, callee);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_call, hash, cursor, i)
		if (t->calls[i].call.line == line && t->calls[i].call.callee == callee)
			return i;
	ARRAY_GROW(t->calls, t->n_calls, t->cap_calls);
	t->calls[t->n_calls] = (struct call_sum){ .call = { .line = line, .callee = callee } };
	index_add(&t->by_call, hash, t->n_calls);
	return t->n_calls++;
}

static void add_calls(struct place_tally *t, const frame_id *frames, uint32_t n, uint64_t weight,
	uint64_t samples)
{
	uint32_t i;

	ARRAY_RESERVE(t->before, n, t->cap_before);
	ARRAY_RESERVE(t->call_before, n, t->cap_call_before);
	for (i = 0; i < n && i < t->n_before && frames[i] == t->before[i];)
		i++;
	for (; i < n; i++) {
		frame_id callee = place_of(t, frames[i])->shown;

		t->before[i] = frames[i];
		if (i)
			t->call_before[i] =
				call_number(t, place_of(t, frames[i - 1])->line, callee);
	}
	t->n_before = n;
	for (i = 1; i < n; i++) {
		struct call_sum *c = &t->calls[t->call_before[i]];

		if (c->last_stack == t->stacks)
			continue;
		c->last_stack = t->stacks;
		c->call.total += weight;
		c->call.total_samples += samples;
	}
}

void place_tally_add(struct place_tally *t, const frame_id *frames, uint32_t n, uint64_t weight,
	uint64_t samples)
{
	bool innermost = true; /* the frame is the code that ran, or was inlined into it */
	uint32_t i;

	t->stacks++;
	add_calls(t, frames, n, weight, samples);
	for (i = n; i-- > 0;) {
		const struct place_of at = *place_of(t, frames[i]);

		if (i == n - 1)
			add_self(t, at.line, weight, samples);
		add_total(t, at.line, weight, samples);
		if (at.instruction) {
			if (innermost)
				add_self(t, at.instruction, weight, samples);
			add_total(t, at.instruction, weight, samples);
		}
		innermost = innermost && at.inlined;
	}
}

static void add_worker(struct place_tally *to, const struct place_tally *from)
{
	frame_id i;

	for (i = 1; i < from->cap_sums; i++) {
		const struct place_cost *c = &from->sums[i].cost;
		struct place_cost *sum;

		if (!c->total_samples && !c->total)
			continue;
		sum = &sum_of(to, i)->cost;
		sum->self += c->self;
		sum->self_samples += c->self_samples;
		sum->total += c->total;
		sum->total_samples += c->total_samples;
	}
	for (i = 0; i < from->n_calls; i++) {
		const struct place_call *c = &from->calls[i].call;
		uint32_t number = call_number(to, c->line, c->callee); /* may move the list */
		struct place_call *sum = &to->calls[number].call;

		sum->total += c->total;
		sum->total_samples += c->total_samples;
	}
}

static struct place_call *all_calls(const struct place_tally *t)
{
	struct place_call *calls = xcalloc((size_t)t->n_calls + 1, sizeof(*calls));
	uint32_t i;

	for (i = 0; i < t->n_calls; i++)
		calls[i] = t->calls[i].call;
	return calls;
}

struct place_costs place_tally_finish(struct place_tally *const *of_workers, uint32_t n)
{
	struct place_costs c = { 0 };
	struct place_tally *all = n ? of_workers[0] : NULL;
	uint32_t i, cap_lines = 0, cap_instructions = 0;

	if (!all)
		return c;
	for (i = 1; i < n; i++)
		add_worker(all, of_workers[i]);
	c.call = all_calls(all);
	c.n_calls = all->n_calls;
	for (i = 1; i < all->cap_sums; i++) {
		struct place_cost cost = all->sums[i].cost;

		if (!cost.total_samples && !cost.total)
			continue;
		cost.place = i;
		if (!frames_get(all->frames, i)->at_address) {
			ARRAY_GROW(c.line, c.n_lines, cap_lines);
			c.line[c.n_lines++] = cost;
		} else {
			ARRAY_GROW(c.instruction, c.n_instructions, cap_instructions);
			c.instruction[c.n_instructions++] = cost;
		}
	}
	return c;
}
