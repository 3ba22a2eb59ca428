/*
 * How presets are written: a row has rules (spans.h), the fields to keep of each mark, and a recipe
 * for recording. PROBE, PROBE_RETURN, FUNCTION and SYSCALL spell the patterns that fit what perf
 * probe and people name probes; patterns of one rule are tried in order.
 *
 *	{ begin, end, key, order, name, begin_if, end_if }
 *
 * A preset whose rules have no events in a recording is left out (spans_applies), so a rule may
 * name events of several kernels or libraries.
 */
#include "trace/span_preset.h"

#include "base/mem.h"
#include "trace/http_requests.h"
#include "trace/run_queue.h"

/* A probe on the function NAME, or on its return, as perf probe and as people name them. */
#define PROBE(name)        "*:" name
#define PROBE_RETURN(name) "*:" name "__return *:" name "_return *:" name "_ret *:" name "_exit"
#define FUNCTION(name)                                                                             \
	{                                                                                          \
		PROBE(name), PROBE_RETURN(name), "tid", SPAN_NESTED, NULL, { 0 },                  \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define SYSCALL(name)                                                                              \
	{                                                                                          \
		"syscalls:sys_enter_" name, "syscalls:sys_exit_" name, "tid", SPAN_SINGLE, NULL,   \
			{ 0 },                                                                     \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}
#define FIELDS(...)                                                                                \
	{                                                                                          \
		.name = { __VA_ARGS__ },                                                           \
		.n = sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(const char *)                \
	}
#define RULES(r) .rules = (r), .n_rules = ARRAY_LEN(r)

static const struct span_rule syscalls[] = {
	SYSCALL("*"),
	{ "raw_syscalls:sys_enter", "raw_syscalls:sys_exit", "tid,field:id", SPAN_SINGLE, NULL,
		{ 0 }, { 0 } },
};

/* If a library's call of this name was recorded, the kernel's may be too: it counts once, since the
 * probe is only there for the path. */
static const struct span_rule file_io[] = {
	SYSCALL("*read*"),
	SYSCALL("*write*"),
	SYSCALL("*sync*"),
	SYSCALL("open*"),
	SYSCALL("close"),
	SYSCALL("dup*"),
	FUNCTION("open"),
	FUNCTION("open64"),
	FUNCTION("openat"),
	FUNCTION("openat64"),
};

static const struct span_rule event_loop[] = {
	FUNCTION("uv__run_timers"),
	FUNCTION("uv__run_pending"),
	FUNCTION("uv__run_idle"),
	FUNCTION("uv__run_prepare"),
	FUNCTION("uv__io_poll"),
	FUNCTION("uv__run_check"),
	FUNCTION("uv__run_closing_handles"),
	SYSCALL("epoll_*"),
};

/* From the end of a wait to the next one, or without the waits from one poll to the next. */
static const struct span_rule event_loop_inside[] = {
	{ "syscalls:sys_exit_epoll_*wait*", "syscalls:sys_enter_epoll_*wait*", "tid", SPAN_SINGLE,
		"iteration without the wait", { 0 }, { 0 } },
	{ PROBE("uv__io_poll"), PROBE("uv__io_poll"), "tid", SPAN_SINGLE, "iteration", { 0 },
		{ 0 } },
};

static const struct span_rule dns[] = {
	{ PROBE("uv_getaddrinfo"), "*:done *:AfterGetAddrInfo *:uv_getaddrinfo_done",
		"pid,field:req", SPAN_SINGLE, "request until callback", { 0 }, { 0 } },
	{ PROBE("uv_getaddrinfo"), PROBE("getaddrinfo"), "pid,field:host", SPAN_QUEUE,
		"request until resolver", { 0 }, { 0 } },
	FUNCTION("getaddrinfo"),
};

static const struct span_rule connects[] = {
	FUNCTION("connect"),
	SYSCALL("connect"),
	/* From SYN_SENT to ESTABLISHED, or to CLOSE where nobody answers. */
	{ "sock:inet_sock_set_state", "sock:inet_sock_set_state", "field:skaddr", SPAN_SINGLE,
		"until connected", { "newstate", "2", "TCP_SYN_SENT", 0 },
		{ "oldstate", "2", "TCP_SYN_SENT", 0 } },
};

static const struct span_rule gc[] = {
	FUNCTION("*CollectGarbage*"),
	FUNCTION("*gc"),
	FUNCTION("*GC"),
};

static const struct span_rule block[] = {
	{ "block:block_rq_issue", "block:block_rq_complete", "field:dev,field:sector", SPAN_SINGLE,
		"device", { 0 }, { 0 } },
	{ "block:block_rq_insert", "block:block_rq_issue", "field:dev,field:sector", SPAN_SINGLE,
		"queue", { 0 }, { 0 } },
};

#define FUTEX_WAITS                                                                                \
	{                                                                                          \
		"op", "0 6 9 11 13", NULL, 0x7f                                                    \
	} /* FUTEX_WAIT, _LOCK_PI, _WAIT_BITSET, ... */
#define FUTEX                                                                                      \
	{                                                                                          \
		"syscalls:sys_enter_futex", "syscalls:sys_exit_futex", "tid", SPAN_SINGLE, NULL,   \
			FUTEX_WAITS,                                                               \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

static const struct span_rule lock[] = {
	FUNCTION("pthread_mutex_lock"),
	FUNCTION("pthread_rwlock_rdlock"),
	FUNCTION("pthread_rwlock_wrlock"),
	FUTEX,
	{ "lock:contention_begin", "lock:contention_end", "tid,field:lock_addr", SPAN_SINGLE,
		"in the kernel", { 0 }, { 0 } },
};

/* Calls of the library if there are probes of them, as futexes are more than locks. */
static const struct span_rule lock_inside[] = {
	{ "*:pthread_mutex_lock *:pthread_rwlock_rdlock *:pthread_rwlock_wrlock",
		PROBE_RETURN("pthread_mutex_lock") " " PROBE_RETURN(
			"pthread_rwlock_rdlock") " " PROBE_RETURN("pthread_rwlock_wrlock"),
		"tid", SPAN_NESTED, NULL, { 0 }, { 0 } },
	FUTEX,
};

/* Paired by run_queue.h: these say which events it takes. */
static const struct span_rule run_queue[] = {
	{ "sched:sched_switch", "sched:sched_switch", "tid", SPAN_SINGLE, "preempted", { 0 },
		{ 0 } },
	{ "sched:sched_waking", "sched:sched_switch", "tid", SPAN_SINGLE, "woken", { 0 }, { 0 } },
	{ "sched:sched_wakeup", "sched:sched_switch", "tid", SPAN_SINGLE, "woken", { 0 }, { 0 } },
	{ "sched:sched_wakeup_new", "sched:sched_switch", "tid", SPAN_SINGLE, "woken", { 0 },
		{ 0 } },
};

/* Found by http_requests.h, likewise. */
static const struct span_rule http[] = {
	{ HTTP_PARSE, "syscalls:sys_enter_write", "tid", SPAN_SINGLE, "request", { 0 }, { 0 } },
	{ HTTP_PARSE, "syscalls:sys_enter_writev", "tid", SPAN_SINGLE, "request", { 0 }, { 0 } },
	{ HTTP_READ, HTTP_PARSE, "tid", SPAN_SINGLE, "request", { 0 }, { 0 } },
};

static const struct span_preset presets[] = {
	{ .name = "syscalls",
		.about = "system calls, from entry to return",
		.fields = FIELDS("id", "fd", "count", "args[0]", "ret"),
		RULES(syscalls),
		.how = "  perf record -e 'syscalls:sys_enter_*' -e 'syscalls:sys_exit_*' -g -p "
		       "PID\n"
		       "Only a few calls, or all without their arguments:\n"
		       "  perf record -e syscalls:sys_enter_fsync,syscalls:sys_exit_fsync -g -p "
		       "PID\n"
		       "  perf record -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -g -p "
		       "PID\n" },
	{ .name = "file-io",
		.about = "reads, writes, syncs and opens of files",
		.fields = FIELDS(
			"fd", "count", "path", "filename", "oldfd", "newfd", "fildes", "ret"),
		RULES(file_io),
		.view = SPAN_VIEW_FILES,
		.how = "  E=\n"
		       "  for c in read write pread64 pwrite64 readv writev fsync fdatasync \\\n"
		       "    openat close dup dup2 dup3; do\n"
		       "    E=$E,syscalls:sys_enter_$c,syscalls:sys_exit_$c\n"
		       "  done\n"
		       "  perf record -g -p PID -e \"${E#,}\"\n"
		       "Names of files that are open when the recording begins come from --fds "
		       "fds.txt:\n"
		       "  ls -l /proc/PID/fd > fds.txt\n"
		       "those of files opened later from probes that read the path (add -e "
		       "'file:*'):\n"
		       "  LIBC=/usr/lib/x86_64-linux-gnu/libc.so.6\n"
		       "  perf probe -x $LIBC 'file:open64=open64 path=+0(%di):string'\n"
		       "  perf probe -x $LIBC 'file:open64=open64%return "
		       "ret=$retval:s32'\n" },
	{ .name = "event-loop",
		.about = "the phases of the event loop of libuv (Node.js)",
		.fields = FIELDS("ret"),
		RULES(event_loop),
		.inside = event_loop_inside,
		.n_inside = ARRAY_LEN(event_loop_inside),
		.others = "cpu-clock task-clock cycles cpu_core/cycles/ cpu_atom/cycles/",
		.view = SPAN_VIEW_LOOP,
		.how = "  NODE=$(readlink -f /proc/PID/exe)\n"
		       "  for f in uv__run_timers uv__run_idle uv__run_prepare uv__io_poll \\\n"
		       "    uv__run_check uv__run_pending uv__run_closing_handles; do\n"
		       "    perf probe -x $NODE uv:$f=$f\n"
		       "    perf probe -x $NODE uv:$f=$f%return\n"
		       "  done\n"
		       "  E=syscalls:sys_enter_epoll_pwait,syscalls:sys_exit_epoll_pwait\n"
		       "  perf record -e 'uv:*' -e $E -e cpu-clock/freq=499/ -g -p PID\n"
		       "A function without a symbol is inlined: its phase is the gap between its\n"
		       "neighbours. Without the system call, uv__io_poll is not divided into wait "
		       "and\ncallbacks.\n" },
	{ .name = "dns",
		.about = "look-ups of host names by libuv and the resolver",
		.fields = FIELDS("host", "service", "req", "status", "ret"),
		RULES(dns),
		.how = "  NODE=$(readlink -f /proc/PID/exe) "
		       "LIBC=/usr/lib/x86_64-linux-gnu/libc.so.6\n"
		       "  perf probe -x $NODE \\\n"
		       "    'dns:uv_getaddrinfo=uv_getaddrinfo req=%si:x64 host=+0(%cx):string'\n"
		       "  perf probe --no-demangle -x $NODE "
		       "'dns:done=_ZN4node10cares_wrap12_GLOBAL__N_116"
		       "AfterGetAddrInfoEP16uv_getaddrinfo_siP8addrinfo req=%di:x64 "
		       "status=%si:s32'\n"
		       "  perf probe -x $LIBC 'dns:getaddrinfo=getaddrinfo host=+0(%di):string'\n"
		       "  perf probe -x $LIBC 'dns:getaddrinfo=getaddrinfo%return "
		       "ret=$retval:s32'\n"
		       "  perf record -e 'dns:*' -g -p PID\n" },
	{ .name = "connect",
		.about = "connections: the call, and the time until the other side answers",
		.fields =
			FIELDS("fd", "family", "ip", "port", "dport", "skaddr", "newstate", "ret"),
		RULES(connects),
		.how = "  perf record -e syscalls:sys_enter_connect,syscalls:sys_exit_connect \\\n"
		       "    -e sock:inet_sock_set_state -g -p PID\n"
		       "With address and port (then also -e 'net:*'):\n"
		       "  LIBC=/usr/lib/x86_64-linux-gnu/libc.so.6\n"
		       "  perf probe -x $LIBC 'net:connect=connect fd=%di:s32 "
		       "family=+0(%si):u16 port=+2(%si):u16 ip=+4(%si):x32'\n"
		       "  perf probe -x $LIBC 'net:connect=connect%return ret=$retval:s32'\n"
		       "Answers of other machines come in interrupts: to see all of them, record "
		       "with\n"
		       "-a instead of -p PID.\n" },
	{ .name = "gc",
		.about = "garbage collections of V8",
		.fields = FIELDS("space", "reason"),
		RULES(gc),
		.how = "  NODE=$(readlink -f /proc/PID/exe)\n"
		       "  F=$(nm -D --defined-only $NODE | grep -o '_ZN2v88internal4Heap14Collect"
		       "Garbage.*' | head -1)\n"
		       "  perf probe --no-demangle -x $NODE \"v8:gc=$F space=%si:s32 "
		       "reason=%dx:s32\"\n"
		       "  perf probe --no-demangle -x $NODE \"v8:gc=$F%return\"\n"
		       "  perf record -e 'v8:*' -g -p PID\n" },
	{ .name = "block",
		.about = "requests to block devices",
		.fields = FIELDS("dev", "sector", "nr_sector", "bytes", "rwbs", "comm"),
		RULES(block),
		.how = "  perf record -e block:block_rq_insert,block:block_rq_issue \\\n"
		       "    -e block:block_rq_complete -g -a\n" },
	{ .name = "http",
		.about = "requests that a Node.js server answers, until the answer is written",
		.fields = FIELDS(HTTP_FIELDS),
		RULES(http),
		.of = SPANS_OF_HTTP,
		.how = "  NODE=$(readlink -f /proc/PID/exe)\n"
		       "  perf probe -x $NODE \\\n"
		       "    'http:llhttp_execute=llhttp_execute type=+72(%di):u8 "
		       "data=+0(%si):string'\n"
		       "  E=http:llhttp_execute,syscalls:sys_enter_read\n"
		       "  E=$E,syscalls:sys_enter_write,syscalls:sys_enter_writev\n"
		       "  perf record -e $E -e cpu-clock/freq=499/ -g -p PID\n" },
	{ .name = "lock",
		.about = "waits for locks: mutexes of the C library, and futexes",
		.fields = FIELDS("lock", "uaddr", "op", "lock_addr", "flags", "ret"),
		RULES(lock),
		.inside = lock_inside,
		.n_inside = ARRAY_LEN(lock_inside),
		.how = "  LIBC=/usr/lib/x86_64-linux-gnu/libc.so.6\n"
		       "  F=pthread_mutex_lock\n"
		       "  perf probe -x $LIBC \"pthread:$F=$F lock=%di:x64\"\n"
		       "  perf probe -x $LIBC \"pthread:$F=$F%return\"\n"
		       "  perf record -e 'pthread:*' -g -p PID\n"
		       "Without probes, only what has to wait (condition variables, too):\n"
		       "  E=syscalls:sys_enter_futex,syscalls:sys_exit_futex\n"
		       "  perf record -e $E -g -p PID\n" },
	{ .name = "runqueue",
		.about = "waits for a CPU: from woken, or preempted, to running",
		.fields = FIELDS(RUN_QUEUE_FIELDS),
		RULES(run_queue),
		.of = SPANS_OF_RUN_QUEUE,
		.how = "  E=sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new\n"
		       "  perf record -e $E --switch-events -g -a -- sleep 5\n"
		       "Of one process, and only where its own threads wake each other:\n"
		       "  E=sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new\n"
		       "  perf record -e $E --switch-events -g -p PID\n" },
};

const struct span_preset *span_preset_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(presets); i++)
		if (strcmp(presets[i].name, name) == 0)
			return &presets[i];
	return NULL;
}

const struct span_preset *span_preset_at(size_t i)
{
	return i < ARRAY_LEN(presets) ? &presets[i] : NULL;
}
