#include "process/events/switch_match.h"

#include "base/mem.h"

#include <stdlib.h>

void switch_match_init(struct switch_match *m, const struct perfdata *pd)
{
	uint32_t n;
	const struct perfdata_attr *a = perfdata_attrs(pd, &n);

	*m = (struct switch_match){ .least_bytes = UINT32_MAX };
	if (!n || !a->offsets.tid)
		return;
	m->slots = xcalloc(SWITCH_MATCH_SLOTS, sizeof(*m->slots));
	m->swapped = a->swapped;
	m->tid_at = a->offsets.tid;
	m->id_at = n > 1 ? a->offsets.event_id : 0;
	if (a->sample_type & SAMPLE_CALLCHAIN)
		m->caller_at = a->offsets.fixed_bytes + SWITCH_MATCH_CALLER * 8;
	/* Where there is no such caller, any other word within bounds will do. */
	m->least_bytes = a->offsets.fixed_bytes + (SWITCH_MATCH_CALLER + 1) * 8;
}

void switch_match_release(struct switch_match *m)
{
	free(m->slots);
	*m = (struct switch_match){ .least_bytes = UINT32_MAX };
}

void switch_match_clear(struct switch_match *m)
{
	if (m->slots)
		memset(m->slots, 0, SWITCH_MATCH_SLOTS * sizeof(*m->slots));
}

const struct switch_pattern *switch_match_find_second(const struct switch_match *m, uint64_t slot,
	const uint8_t *p, size_t left, const uint8_t *chains)
{
	struct switch_pattern *first = &m->slots[slot], *second = &m->slots[slot ^ 1], found;

	if (!switch_match_equals(second, p, left, chains))
		return NULL;
	found = *second;
	*second = *first;
	*first = found;
	return first;
}

/* The offset of a field of the raw part in the record; 0 where it has none. */
static uint32_t field_offset(const struct trace_number *f, const struct perfdata_record *r,
	const struct perfdata_sample *s)
{
	if (!f->size_bytes || s->raw_bytes < f->end_bytes)
		return 0;
	return (uint32_t)(s->raw - r->p) + f->offset;
}

static void set_word(struct switch_pattern *t, unsigned i, const uint8_t *p, uint32_t place)
{
	t->word_at[i] = (uint16_t)place;
	t->word[i] = switch_match_word(p, place);
}

static void set_half(struct switch_pattern *t, unsigned i, const uint8_t *p, uint32_t place)
{
	t->half_at[i] = (uint16_t)place;
	t->half[i] = bytes_u32(p + place, false);
}

/* False where prev_pid is no number of 4 bytes, or the record ends after a state of fewer. */
static bool set_fields(struct switch_pattern *t, const struct perfdata_record *r,
	const struct switch_event *event, const struct perfdata_sample *s)
{
	uint32_t state_at = field_offset(&event->state, r, s);
	uint32_t prev_at = field_offset(&event->prev, r, s);

	if (state_at + 4 > r->size)
		return false;
	set_half(t, 0, r->p, s->raw ? (uint32_t)(s->raw - r->p - 4) : 0);
	set_half(t, 1, r->p, prev_at);
	set_half(t, 2, r->p, state_at);
	set_half(t, 3, r->p, event->state.size_bytes == 8 && state_at ? state_at + 4 : 0);
	return !prev_at || event->prev.size_bytes == 4;
}

/* False where it is no number of 4 bytes. */
static bool set_other(struct switch_pattern *t, const struct perfdata_record *r,
	const struct switch_event *event, const struct perfdata_sample *s)
{
	const struct trace_number *f = event->role == ROLE_WAKE ? &event->woken : &event->next;

	t->needs_other = event->role == ROLE_WAKE;
	if (event->role == ROLE_RAN || !switch_events_same_namespace(event, s))
		return true;
	t->other_at = (uint16_t)field_offset(f, r, s);
	return !t->other_at || f->size_bytes == 4;
}

void switch_match_add(struct switch_match *m, const struct perfdata_record *r,
	const struct perfdata_attr *a, const struct switch_event *event,
	const struct perfdata_sample *s, uint32_t wait, size_t chain)
{
	struct switch_pattern t = {
		.header = switch_match_word(r->p, 0),
		.size_bytes = (uint16_t)r->size,
		.ips_at = s->ips ? (uint16_t)(s->ips - r->p) : 0,
		.ips_bytes = (uint16_t)(s->n_ips * 8),
		.chain = chain,
		.time_at = a->offsets.time,
		.cpu_at = a->offsets.cpu,
		.wait = wait,
	};
	uint64_t slot;

	if (r->size < m->least_bytes || !a->offsets.time)
		return;
	set_word(&t, 0, r->p, a->offsets.ip);
	set_word(&t, 1, r->p, a->offsets.tid);
	set_word(&t, 2, r->p, m->id_at);
	set_word(&t, 3, r->p, s->ips ? a->offsets.fixed_bytes : 0);
	if (!set_fields(&t, r, event, s) || !set_other(&t, r, event, s))
		return;
	slot = switch_match_slot(m, r->p);
	m->slots[slot ^ 1] = m->slots[slot];
	m->slots[slot] = t;
}
