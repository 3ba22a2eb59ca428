#include "input/script_event.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <inttypes.h>

enum { NO_TIME = 0 };

struct example {
	const char *line;
	const char *comm, *event, *rest;
	int32_t pid, tid, cpu;
	uint64_t time_ns, period;
	uint8_t match, kind;
};

#define S SCRIPT_STRICT
#define L SCRIPT_LOOSE

static void check_span(const struct example *x, const char *what, struct span is, const char *want)
{
	if (!span_eq(is, span_of(want)))
		fail_msg("%s: %s '%.*s', not '%s'", x->line, what, SPAN_ARG(is), want);
}

static void check(const struct example *x)
{
	struct script_event v;

	if (script_event_parse(span_of(x->line), &v) != x->match)
		fail_msg("%s: not %s", x->line, x->match == S ? "strict" : "loose");
	check_span(x, "name", v.comm, x->comm);
	check_span(x, "event", v.event, x->event);
	check_span(x, "rest", span_trim(v.rest), x->rest);
	if (v.pid != x->pid || v.tid != x->tid || v.cpu != x->cpu)
		fail_msg("%s: pid %d tid %d cpu %d", x->line, v.pid, v.tid, v.cpu);
	if (v.time_ns != x->time_ns || v.has_time != (x->time_ns != NO_TIME))
		fail_msg("%s: time %" PRIu64, x->line, v.time_ns);
	if (v.period != x->period || v.kind != x->kind)
		fail_msg("%s: period %" PRIu64 " kind %u", x->line, v.period, v.kind);
}

static void check_all(const struct example *x, size_t n)
{
	for (; n; n--, x++)
		check(x);
}

static void test_usual_lines_of_all_versions_of_perf(void **state)
{
	static const struct example examples[] = {
		{ "node 29504  3017.975883:    3344481 cpu-clock:ppp: ", "node", "cpu-clock:ppp", "",
			-1, 29504, -1, 3017975883000, 3344481, S, 0 },
		{ "node 29504/29505  3017.975883340:    3344481 cycles: ", "node", "cycles", "",
			29504, 29505, -1, 3017975883340, 3344481, S, 0 },
		{ "swapper     0 [001]  1333.768770: cpu-clock: ", "swapper", "cpu-clock", "", -1,
			0, 1, 1333768770000, 0, S, 0 },
		{ "perf   977/977   [000] 7628263.042515: cycles: ", "perf", "cycles", "", 977, 977,
			0, 7628263042515000, 0, S, 0 },
		{ "node    29504/29504   [000]     0.005113:    3344481        cpu_core/cycles/P: ",
			"node", "cpu_core/cycles/P", "", 29504, 29504, 0, 5113000, 3344481, S, 0 },
		{ "java 19983 cycles:", "java", "cycles", "", -1, 19983, -1, NO_TIME, 0, S, 0 },
		{ "func_ab 15294 cpu-clock: ", "func_ab", "cpu-clock", "", -1, 15294, -1, NO_TIME,
			0, S, 0 },
		{ "node 29504    3344481 cpu-clock:ppp: ", "node", "cpu-clock:ppp", "", -1, 29504,
			-1, NO_TIME, 3344481, S, 0 },
		{ "node 29504 [003]    3344481 cycles:u: ", "node", "cycles:u", "", -1, 29504, 3,
			NO_TIME, 3344481, S, 0 },
		{ "node 29504  3017.975883: cpu-clock:ppp: \r", "node", "cpu-clock:ppp", "", -1,
			29504, -1, 3017975883000, 0, S, 0 },
		{ "a 1 [000] 1.0: 1 cycles:", "a", "cycles", "", -1, 1, 0, 1000000000, 1, S, 0 },
		{ "node 29504 [000] 2026-11-21 07:52:54.123456  3017.975883: cycles: ", "node",
			"cycles", "", -1, 29504, 0, 3017975883000, 0, S, 0 },
		{ "node 29504 [000]     K  3017.975883: cycles: ", "node", "cycles", "", -1, 29504,
			0, 3017975883000, 0, S, 0 },
	};

	(void)state;
	check_all(examples, ARRAY_LEN(examples));
}

static void test_fields_that_are_missing(void **state)
{
	static const struct example examples[] = {
		{ "29504  3017.975883: ", "", "", "", -1, 29504, -1, 3017975883000, 0, S, 0 },
		{ "29504    3344481 cycles: ", "", "cycles", "", -1, 29504, -1, NO_TIME, 3344481, S,
			0 },
		{ "node 29504 ", "node", "", "", -1, 29504, -1, NO_TIME, 0, L, 0 },
		{ "node 29504/29505 [001] ", "node", "", "", 29504, 29505, 1, NO_TIME, 0, L, 0 },
		{ "node  3017.975883: cycles: ", "node", "cycles", "", -1, -1, -1, 3017975883000, 0,
			L, 0 },
		{ "cycles: ", "", "cycles", "", -1, -1, -1, NO_TIME, 0, L, 0 },
		{ " 3017.975883:    3344481 cycles: ", "", "cycles", "", -1, -1, -1, 3017975883000,
			3344481, L, 0 },
	};

	(void)state;
	check_all(examples, ARRAY_LEN(examples));
}

static void test_names_of_threads_hold_anything(void **state)
{
	static const struct example examples[] = {
		{ "worker 7   333  5.000001:    1 cycles: ", "worker 7", "cycles", "", -1, 333, -1,
			5000001000, 1, S, 0 },
		{ "worker 7   333 cycles: ", "worker 7", "cycles", "", -1, 333, -1, NO_TIME, 0, S,
			0 },
		{ "worker 7   333         12 cycles: ", "worker 7", "cycles", "", -1, 333, -1,
			NO_TIME, 12, S, 0 },
		{ "worker     7        333 cycles: ", "worker", "cycles", "", -1, 7, -1, NO_TIME,
			333, S, 0 },
		{ "worker 7 333 cycles:", "worker", "cycles", "", -1, 7, -1, NO_TIME, 333, S, 0 },
		{ "7 17913  2400.301480:    2004008 cpu-clock:ppp: ", "7", "cpu-clock:ppp", "", -1,
			17913, -1, 2400301480000, 2004008, S, 0 },
		{ "7 17913    2004008 cpu-clock:ppp: ", "7", "cpu-clock:ppp", "", -1, 17913, -1,
			NO_TIME, 2004008, S, 0 },
		{ "k: 12/34 a\tb 17910  2400.277496:    2004008 cpu-clock:ppp: ", "k: 12/34 a\tb",
			"cpu-clock:ppp", "", -1, 17910, -1, 2400277496000, 2004008, S, 0 },
		{ "k: 12/34 a\tb 17910    2004008 cpu-clock:ppp: ", "k: 12/34 a\tb",
			"cpu-clock:ppp", "", -1, 17910, -1, NO_TIME, 2004008, S, 0 },
		{ "io:[0]/u2;x 17909 [001]  2400.269508:    2004008 cpu-clock:ppp: ", "io:[0]/u2;x",
			"cpu-clock:ppp", "", -1, 17909, 1, 2400269508000, 2004008, S, 0 },
		{ "(anon) [x] 17911  2400.285481: cycles: ", "(anon) [x]", "cycles", "", -1, 17911,
			-1, 2400285481000, 0, S, 0 },
		{ "x [001] 17911 [002]  2400.285481: cycles: ", "x [001]", "cycles", "", -1, 17911,
			2, 2400285481000, 0, S, 0 },
		{ ":-1    -1 [000]  1.000000: cycles: ", ":-1", "cycles", "", -1, -1, 0,
			1000000000, 0, S, 0 },
		{ ":8917  8917  3.500000: cycles: ", ":8917", "cycles", "", -1, 8917, -1,
			3500000000, 0, S, 0 },
		{ "a  8917  3.500000: cycles: ", "a", "cycles", "", -1, 8917, -1, 3500000000, 0, S,
			0 },
		{ "gr\xc3\xb6\xc3\x9f" "e 17912  2.5: cycles: ", "gr\xc3\xb6\xc3\x9f" "e", "cycles",
			"", -1, 17912, -1, 2500000000, 0, S, 0 },
		{ "kworker/0:1H-kblockd   131 [000]  9.1: cycles: ", "kworker/0:1H-kblockd",
			"cycles", "", -1, 131, 0, 9100000000, 0, S, 0 },
	};

	(void)state;
	check_all(examples, ARRAY_LEN(examples));
}

static void test_tracepoints_keep_their_fields_apart(void **state)
{
	static const struct example examples[] = {
		{ "node 29023 [000]  3004.252564: sched:sched_switch: prev_comm=a: 12 b ==> x=1",
			"node", "sched:sched_switch", "prev_comm=a: 12 b ==> x=1", -1, 29023, 0,
			3004252564000, 0, S, 0 },
		{ "node 23059 [000]  2673.778834:          1 sched:sched_switch: prev_pid=23059 ",
			"node", "sched:sched_switch", "prev_pid=23059", -1, 23059, 0,
			2673778834000, 1, S, 0 },
		{ "node 23059 sched:sched_switch: prev_pid=1 2 x: 3", "node", "sched:sched_switch",
			"prev_pid=1 2 x: 3", -1, 23059, -1, NO_TIME, 0, S, 0 },
		{ "    node 29289/29289 [000]  3011.751340:     syscalls:sys_exit_write: 0x26",
			"node", "syscalls:sys_exit_write", "0x26", 29289, 29289, 0, 3011751340000,
			0, S, 0 },
	};

	(void)state;
	check_all(examples, ARRAY_LEN(examples));
}

static void test_what_is_no_sample_is_told(void **state)
{
	static const struct example examples[] = {
		{ "node 1  1.5: PERF_RECORD_COMM exec: node:1/1", "node",
			"PERF_RECORD_COMM exec: node:1/1", "PERF_RECORD_COMM exec: node:1/1", -1, 1,
			-1, 1500000000, 0, S, SCRIPT_RECORD },
		{ "node 1 PERF_RECORD_LOST lost 3", "node", "PERF_RECORD_LOST lost 3",
			"PERF_RECORD_LOST lost 3", -1, 1, -1, NO_TIME, 0, S, SCRIPT_RECORD },
		{ "pwd 2312  121.163447: DEFERRED CALLCHAIN [cookie: b00000006]", "pwd", "",
			"DEFERRED CALLCHAIN [cookie: b00000006]", -1, 2312, -1, 121163447000, 0, S,
			SCRIPT_DEFERRED },
	};

	(void)state;
	check_all(examples, ARRAY_LEN(examples));
}

static void test_other_lines_are_no_event(void **state)
{
	static const char *const lines[] = {
		"",
		"ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])",
		"            13a80b608e0a RegExp:[&<>\"\\'] (/tmp/perf-7539.map)",
		"  queue.h:190",
		"  [kernel.kallsyms][ffffffff8158c71a]",
		"          400570 func_b (/root/lang/func_ab)",
		"Warning: 3 samples lost",
		"# captured on    : Sat Nov 21 07:52:54 2026",
		"node",
	};
	struct script_event v;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(lines); i++)
		if (script_event_parse(span_of(lines[i]), &v) == SCRIPT_STRICT)
			fail_msg("taken for an event: %s", lines[i]);
}

static void check_frame(const char *rest, const char *want)
{
	struct span frame = { 0 };
	bool found = script_event_frame(span_of(rest), &frame);

	if (found != (want != NULL) || (want && !span_eq(frame, span_of(want))))
		fail_msg("%s: '%.*s'", rest, SPAN_ARG(frame));
}

static void test_the_frame_of_a_sample_on_one_line(void **state)
{
	(void)state;
	check_frame("  ffffffff822010c9 _raw_spin+0x19 ([k])", "ffffffff822010c9 _raw_spin+0x19 ([k])");
	check_frame("             7fb1 f+0x1 (/a b)", "7fb1 f+0x1 (/a b)");
	check_frame(" 0x1    7fc0aa912340 __write+0x4f (/libc)", NULL);
	check_frame(" 0x1     7fc0aa912340 __write+0x4f (/libc)", "7fc0aa912340 __write+0x4f (/libc)");
	check_frame(" fd: 0x1, ip ffffffff822010c9 ffffffff81000000 f ([k])",
		"ffffffff81000000 f ([k])");
	check_frame(" prev_pid=1 prev_prio=120", NULL);
	check_frame("", NULL);
	check_frame(" ffffffff822010c9", "ffffffff822010c9");
}

static void test_a_time_too_large_is_no_time(void **state)
{
	struct script_event v;

	(void)state;
	script_event_parse(SPAN("a 1 99999999999999999999.5: cycles: "), &v);
	assert_false(v.has_time);
	script_event_parse(SPAN("a 1 18446744074.5: cycles: "), &v);
	assert_false(v.has_time);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usual_lines_of_all_versions_of_perf),
		cmocka_unit_test(test_fields_that_are_missing),
		cmocka_unit_test(test_names_of_threads_hold_anything),
		cmocka_unit_test(test_tracepoints_keep_their_fields_apart),
		cmocka_unit_test(test_what_is_no_sample_is_told),
		cmocka_unit_test(test_other_lines_are_no_event),
		cmocka_unit_test(test_the_frame_of_a_sample_on_one_line),
		cmocka_unit_test(test_a_time_too_large_is_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
