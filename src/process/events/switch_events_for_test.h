/*
 * switch_events_for_test.h - recordings with samples of sched:sched_switch, for tests
 *
 * To include after input/perfdata/perfdata_writer_for_test.h, process/process_for_test.h and
 * trace/trace_format_for_test.h.
 */
#ifndef PERFOLD_PROCESS_EVENTS_SWITCH_EVENTS_FOR_TEST_H
#define PERFOLD_PROCESS_EVENTS_SWITCH_EVENTS_FOR_TEST_H

enum { FLAG_CONTEXT_SWITCH = 1u << 26, SWITCH_ID = 372 };

#define FORMAT                                                                                     \
	"name: sched_switch\nID: 372\nformat:\n"                                                   \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                               \
	"\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"                                 \
	"\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n"                                \
	"\tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n"

/* named: the recording says what the event is called, not only its format. */
WRITER_FN void put_formats_of(struct recording_writer *w, bool named)
{
	struct buf b = { 0 };
	bool big = w->swapped == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	section_begin(&b, big, 1);
	section_add(&b, big, "sched", FORMAT, strlen(FORMAT));
	writer_feature(w, FEATURE_TRACING_DATA, b.p, b.n);
	writer_feature_string(w, FEATURE_HOSTNAME, "here"); /* shows how bits are swapped */
	if (named)
		put_event_name(w, EVENT_TRACEPOINT, SWITCH_ID, "sched:sched_switch");
	buf_release(&b);
}

WRITER_FN void put_formats(struct recording_writer *w)
{
	put_formats_of(w, true);
}

WRITER_FN void put_switch_record(struct recording_writer *w, uint64_t ns, uint32_t tid, bool out)
{
	size_t at = writer_begin(w, RECORD_SWITCH, out ? 1 << 13 : 0);

	put_trailer(w, 7, tid, ns);
	writer_end(w, at);
}

WRITER_FN void put_lost(struct recording_writer *w, uint64_t ns)
{
	size_t at = writer_begin(w, RECORD_LOST, 0);

	put_u64(w, 0);
	put_u64(w, 3);
	put_trailer(w, 7, 7, ns);
	writer_end(w, at);
}

/* The rest of a sample, from its address on: thread tid of process 7 leaves at ip, and next comes.
 * prev: what the kernel calls tid. */
WRITER_FN void put_switch_rest(struct recording_writer *w, uint64_t ns, uint32_t tid, uint64_t ip,
	uint64_t state, uint32_t next, uint32_t prev)
{
	put_sample_front(w, &(struct test_sample){ 7, tid, 0, ns, 1, ip, 0, 2, { USER, ip } });
	put_u32(w, 24 + 4); /* with 4 bytes up to the next multiple of 8 */
	put_u32(w, 0);
	put_u32(w, prev);
	put_u32(w, prev);
	put_u32(w, next);
	put_u64(w, state);
	put_u32(w, 0);
}

WRITER_FN void put_switch_of(struct recording_writer *w, uint64_t ns, uint32_t tid, uint64_t ip,
	uint64_t state, uint32_t next, uint32_t prev)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	put_switch_rest(w, ns, tid, ip, state, next, prev);
	writer_end(w, at);
}

#endif
