#include "input/script/script_event.h"

#include "base/buf.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <inttypes.h>

static void check(const char *line, const char *want)
{
	static const char *const matches[] = { "no", "loose", "strict" };
	static const char *const kinds[] = { "", " record", " deferred" };
	struct script_event v;
	struct buf b = { 0 };

	buf_puts(&b, matches[script_event_parse(span_of(line), &v)]);
	buf_printf(&b, "%s '%.*s' %d/%d", kinds[v.kind], SPAN_ARG(v.sample.comm), v.sample.pid,
		v.sample.tid);
	if (v.sample.cpu >= 0)
		buf_printf(&b, " cpu %d", v.sample.cpu);
	if (v.sample.has_time)
		buf_printf(&b, " at %" PRIu64, v.sample.time_ns);
	if (v.sample.period)
		buf_printf(&b, " period %" PRIu64, v.sample.period);
	buf_printf(&b, " event '%.*s'", SPAN_ARG(v.sample.event));
	if (span_trim(v.sample.fields).n)
		buf_printf(&b, " rest '%.*s'", SPAN_ARG(span_trim(v.sample.fields)));
	if (strcmp(buf_str(&b), want))
		fail_msg("%s:\nfound  %s\nwanted %s", line, buf_str(&b), want);
	buf_release(&b);
}

static void lines_of_all_versions_of_perf_are_parsed(void **state)
{
	(void)state;
	check("node 29504  3017.975883:    3344481 cpu-clock:ppp: ",
		"strict 'node' -1/29504 at 3017975883000 period 3344481 event 'cpu-clock:ppp'");
	check("node 29504/29505  3017.975883340:    3344481 cycles: ",
		"strict 'node' 29504/29505 at 3017975883340 period 3344481 event 'cycles'");
	check("swapper     0 [001]  1333.768770: cpu-clock: ",
		"strict 'swapper' -1/0 cpu 1 at 1333768770000 event 'cpu-clock'");
	check("perf   977/977   [000] 7628263.042515: cycles: ",
		"strict 'perf' 977/977 cpu 0 at 7628263042515000 event 'cycles'");
	check("node    29504/29504   [000]     0.005113:    3344481        cpu_core/cycles/P: ",
		"strict 'node' 29504/29504 cpu 0 at 5113000 period 3344481 event "
		"'cpu_core/cycles/P'");
	check("java 19983 cycles:", "strict 'java' -1/19983 event 'cycles'");
	check("func_ab 15294 cpu-clock: ", "strict 'func_ab' -1/15294 event 'cpu-clock'");
	check("node 29504    3344481 cpu-clock:ppp: ",
		"strict 'node' -1/29504 period 3344481 event 'cpu-clock:ppp'");
	check("node 29504 [003]    3344481 cycles:u: ",
		"strict 'node' -1/29504 cpu 3 period 3344481 event 'cycles:u'");
	check("node 29504  3017.975883: cpu-clock:ppp: \r",
		"strict 'node' -1/29504 at 3017975883000 event 'cpu-clock:ppp'");
	check("a 1 [000] 1.0: 1 cycles:",
		"strict 'a' -1/1 cpu 0 at 1000000000 period 1 event 'cycles'");
	check("node 29504 [000] 2026-11-21 07:52:54.123456  3017.975883: cycles: ",
		"strict 'node' -1/29504 cpu 0 at 3017975883000 event 'cycles'");
	check("node 29504 [000]     K  3017.975883: cycles: ",
		"strict 'node' -1/29504 cpu 0 at 3017975883000 event 'cycles'");
}

static void any_field_may_be_missing(void **state)
{
	(void)state;
	check("29504  3017.975883: ", "strict '' -1/29504 at 3017975883000 event ''");
	check("29504    3344481 cycles: ", "strict '' -1/29504 period 3344481 event 'cycles'");
	check("node 29504 ", "loose 'node' -1/29504 event ''");
	check("node 29504/29505 [001] ", "loose 'node' 29504/29505 cpu 1 event ''");
	check("node  3017.975883: cycles: ", "loose 'node' -1/-1 at 3017975883000 event 'cycles'");
	check("cycles: ", "loose '' -1/-1 event 'cycles'");
	check(" 3017.975883:    3344481 cycles: ",
		"loose '' -1/-1 at 3017975883000 period 3344481 event 'cycles'");
}

static void a_thread_name_may_hold_anything(void **state)
{
	(void)state;
	check("worker 7   333  5.000001:    1 cycles: ",
		"strict 'worker 7' -1/333 at 5000001000 period 1 event 'cycles'");
	check("worker 7   333 cycles: ", "strict 'worker 7' -1/333 event 'cycles'");
	check("worker 7   333         12 cycles: ",
		"strict 'worker 7' -1/333 period 12 event 'cycles'");
	check("worker     7        333 cycles: ", "strict 'worker' -1/7 period 333 event 'cycles'");
	check("worker 7 333 cycles:", "strict 'worker' -1/7 period 333 event 'cycles'");
	check("7 17913  2400.301480:    2004008 cpu-clock:ppp: ",
		"strict '7' -1/17913 at 2400301480000 period 2004008 event 'cpu-clock:ppp'");
	check("7 17913    2004008 cpu-clock:ppp: ",
		"strict '7' -1/17913 period 2004008 event 'cpu-clock:ppp'");
	check("k: 12/34 a\tb 17910  2400.277496:    2004008 cpu-clock:ppp: ",
		"strict 'k: 12/34 a\tb' -1/17910 at 2400277496000 period 2004008 event "
		"'cpu-clock:ppp'");
	check("k: 12/34 a\tb 17910    2004008 cpu-clock:ppp: ",
		"strict 'k: 12/34 a\tb' -1/17910 period 2004008 event 'cpu-clock:ppp'");
	check("io:[0]/u2;x 17909 [001]  2400.269508:    2004008 cpu-clock:ppp: ",
		"strict 'io:[0]/u2;x' -1/17909 cpu 1 at 2400269508000 period 2004008 event "
		"'cpu-clock:ppp'");
	check("(anon) [x] 17911  2400.285481: cycles: ",
		"strict '(anon) [x]' -1/17911 at 2400285481000 event 'cycles'");
	check("x [001] 17911 [002]  2400.285481: cycles: ",
		"strict 'x [001]' -1/17911 cpu 2 at 2400285481000 event 'cycles'");
	check(":-1    -1 [000]  1.000000: cycles: ",
		"strict ':-1' -1/-1 cpu 0 at 1000000000 event 'cycles'");
	check(":8917  8917  3.500000: cycles: ",
		"strict ':8917' -1/8917 at 3500000000 event 'cycles'");
	check("a  8917  3.500000: cycles: ", "strict 'a' -1/8917 at 3500000000 event 'cycles'");
	check("gr\xc3\xb6\xc3\x9f"
	      "e 17912  2.5: cycles: ",
		"strict 'gr\xc3\xb6\xc3\x9f"
		"e' -1/17912 at 2500000000 event 'cycles'");
	check("kworker/0:1H-kblockd   131 [000]  9.1: cycles: ",
		"strict 'kworker/0:1H-kblockd' -1/131 cpu 0 at 9100000000 event 'cycles'");
}

static void tracepoints_keep_their_fields_apart(void **state)
{
	(void)state;
	check("node 29023 [000]  3004.252564: sched:sched_switch: prev_comm=a: 12 b ==> x=1",
		"strict 'node' -1/29023 cpu 0 at 3004252564000 event 'sched:sched_switch' rest "
		"'prev_comm=a: 12 b ==> x=1'");
	check("node 23059 [000]  2673.778834:          1 sched:sched_switch: prev_pid=23059 ",
		"strict 'node' -1/23059 cpu 0 at 2673778834000 period 1 event 'sched:sched_switch' "
		"rest 'prev_pid=23059'");
	check("node 23059 sched:sched_switch: prev_pid=1 2 x: 3",
		"strict 'node' -1/23059 event 'sched:sched_switch' rest 'prev_pid=1 2 x: 3'");
	check("    node 29289/29289 [000]  3011.751340:     syscalls:sys_exit_write: 0x26",
		"strict 'node' 29289/29289 cpu 0 at 3011751340000 event 'syscalls:sys_exit_write' "
		"rest '0x26'");
}

static void records_and_deferred_chains_are_no_samples(void **state)
{
	(void)state;
	check("node 1  1.5: PERF_RECORD_COMM exec: node:1/1",
		"strict record 'node' -1/1 at 1500000000 event 'PERF_RECORD_COMM exec: node:1/1' "
		"rest 'PERF_RECORD_COMM exec: node:1/1'");
	check("node 1 PERF_RECORD_LOST lost 3", "strict record 'node' -1/1 event 'PERF_RECORD_LOST "
						"lost 3' rest 'PERF_RECORD_LOST lost 3'");
	check("pwd 2312  121.163447: DEFERRED CALLCHAIN [cookie: b00000006]",
		"strict deferred 'pwd' -1/2312 at 121163447000 event '' rest 'DEFERRED CALLCHAIN "
		"[cookie: b00000006]'");
}

static void other_lines_are_no_events(void **state)
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

static void a_sample_on_one_line_has_its_frame(void **state)
{
	(void)state;
	check_frame(
		"  ffffffff822010c9 _raw_spin+0x19 ([k])", "ffffffff822010c9 _raw_spin+0x19 ([k])");
	check_frame("             7fb1 f+0x1 (/a b)", "7fb1 f+0x1 (/a b)");
	check_frame(" 0x1    7fc0aa912340 __write+0x4f (/libc)", NULL);
	check_frame(
		" 0x1     7fc0aa912340 __write+0x4f (/libc)", "7fc0aa912340 __write+0x4f (/libc)");
	check_frame(" fd: 0x1, ip ffffffff822010c9 ffffffff81000000 f ([k])",
		"ffffffff81000000 f ([k])");
	check_frame(" prev_pid=1 prev_prio=120", NULL);
	check_frame("", NULL);
	check_frame(" ffffffff822010c9", "ffffffff822010c9");
}

static void a_time_too_large_is_no_time(void **state)
{
	struct script_event v;

	(void)state;
	script_event_parse(SPAN("a 1 99999999999999999999.5: cycles: "), &v);
	assert_false(v.sample.has_time);
	script_event_parse(SPAN("a 1 18446744074.5: cycles: "), &v);
	assert_false(v.sample.has_time);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_all_versions_of_perf_are_parsed),
		cmocka_unit_test(any_field_may_be_missing),
		cmocka_unit_test(a_thread_name_may_hold_anything),
		cmocka_unit_test(tracepoints_keep_their_fields_apart),
		cmocka_unit_test(records_and_deferred_chains_are_no_samples),
		cmocka_unit_test(other_lines_are_no_events),
		cmocka_unit_test(a_sample_on_one_line_has_its_frame),
		cmocka_unit_test(a_time_too_large_is_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
