/* Pairs of marks that nobody checked: any event, field, time, thread; texts as fields; losses. */
#include "base/cursor.h"
#include "trace/details.h"
#include "trace/event_loop.h"
#include "trace/span_preset.h"
#include "trace/spans_for_test.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const events[] = { "syscalls:sys_enter_read", "syscalls:sys_exit_read",
	"syscalls:sys_enter_close", "syscalls:sys_exit_close", "syscalls:sys_enter_dup2",
	"syscalls:sys_exit_dup2", "f:open64", "f:open64_ret", "uv:uv__io_poll",
	"uv:uv__io_poll_ret", "uv:uv__run_check", "uv:uv__run_check_ret", "uv:uv__run_timers",
	"uv:uv__run_timers_ret", "syscalls:sys_enter_epoll_wait", "syscalls:sys_exit_epoll_wait",
	"raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "dns:uv_getaddrinfo", "dns:getaddrinfo",
	"dns:getaddrinfo__return", "sock:inet_sock_set_state", "net:connect", "net:connect_ret",
	"block:block_rq_issue", "block:block_rq_complete", "cpu-clock", "sched:sched_switch",
	"sched:sched_waking", "sched:sched_wakeup_new", "http:llhttp_execute",
	"syscalls:sys_enter_write", NULL };

enum { STEP = 16 };

static void add_mark(struct marked *m, const uint8_t *p, bool switches, uint64_t *time_ns)
{
	uint32_t i;

	*time_ns += p[0];
	marked_add(m, *time_ns, p[1] % 8,
		switches && p[2] == 255 ? MARK_SWITCHED_IN : p[2] % (uint16_t)m->r->n_events);
	m->marks->mark[m->marks->n - 1].unwanted = p[3] >> 7;
	m->marks->mark[m->marks->n - 1].stack = p[3] % 5;
	for (i = 0; i < MARK_FIELDS_MAX; i++) {
		if (!(p[4] >> i & 1))
			continue;
		if (p[5] >> i & 1)
			marked_text(m, i, (const char[]){ (char)p[6 + i], '\0' });
		else
			marked_number(m, i, (int8_t)p[6 + i]);
	}
	if (p[14] < 16) {
		m->r->gaps = realloc(m->r->gaps, (m->r->n_gaps + 1) * sizeof(*m->r->gaps));
		m->r->gaps[m->r->n_gaps++] = (struct mark_gap){ *time_ns, *time_ns + p[15] };
		*time_ns += p[15];
	}
}

/* What is a duration ended after it began, within the recording, and is known by all its
 * numbers. */
static void check(const struct durations *d, uint64_t last_ns)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		if (d->item[i].from_ns + d->item[i].duration_ns > last_ns ||
			d->item[i].kind >= d->n_kinds || d->item[i].thread >= d->n_threads)
			__builtin_trap();
}

static void run(
	struct marked *m, const struct span_preset *preset, const char *step, uint64_t last_ns)
{
	static struct node nodes[] = { { .subtree = 4 }, { .subtree = 3 },
		{ .parent = 1, .subtree = 1 }, { .parent = 1, .subtree = 1 } };
	const struct profile p = { .nodes = nodes, .n_nodes = 4 };
	struct details details = { .recording = m->r,
		.fields = &preset->fields,
		.files = preset->view == SPAN_VIEW_FILES };
	struct spans_opts o = { .rules = preset->rules,
		.n_rules = preset->n_rules,
		.of = preset->of,
		.fields = &preset->fields,
		.step = step,
		.describe = details_describe,
		.ctx = &details };
	struct loop_source from = { m->r, &p, 0, 0 };
	struct loop_samples samples = { 0 };
	struct durations d = { 0 };
	struct err e;

	if (spans_pair(&d, m->r, 0, &o, &e))
		__builtin_trap();
	if (preset->view == SPAN_VIEW_LOOP)
		event_loop_add(&d, &from, &samples);
	durations_finish(&d, m->strings);
	check(&d, last_ns);
	event_loop_samples_release(&samples);
	details_release_descriptors(&details.descriptors);
	durations_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span_preset *preset;
	struct marked m;
	uint64_t time_ns = 0;
	size_t i;

	if (size < 1)
		return 0;
	for (i = 0; span_preset_at(i + 1) && i < data[0] % 16u; i++)
		;
	preset = span_preset_at(i);
	marked_init(&m, events);
	for (i = 1; i + STEP <= size && i < 4096 * STEP; i += STEP)
		add_mark(&m, data + i, preset->of == SPANS_OF_RUN_QUEUE, &time_ns);
	run(&m, preset, data[0] & 16 ? "*:*connect* uv:uv__run_check" : NULL, time_ns);
	marked_release(&m);
	return 0;
}
