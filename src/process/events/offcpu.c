#include "process/events/offcpu.h"

bool offcpu_is_event(const struct perfdata_attr *a, struct span name)
{
	return a->type == EVENT_SOFTWARE && a->config == SOFTWARE_BPF_OUTPUT &&
	       span_starts(name, SPAN("offcpu-time"));
}

bool offcpu_decode(struct perfdata_sample *s, uint64_t last_ns)
{
	struct cursor c = { s->raw, s->raw_bytes, s->swapped, false };
	uint64_t n;

	if (s->time_ns >= OFFCPU_TOTALS_NS)
		s->time_ns = last_ns;
	if (!s->raw_bytes)
		return true;
	s->pid = (int32_t)cursor_u32(&c);
	s->tid = (int32_t)cursor_u32(&c);
	s->period = cursor_u64(&c);
	n = cursor_u64(&c);
	s->ips = cursor_array(&c, n, 8);
	s->cgroup = cursor_u64(&c);
	if (c.failed)
		return false;
	s->n_ips = (uint32_t)n;
	s->has |= SAMPLE_CALLCHAIN;
	s->cpumode = CPUMODE_USER;
	/* The first is a mark. */
	s->ip = n > 1 ? perfdata_sample_ip(s, 1) : 0;
	return true;
}
