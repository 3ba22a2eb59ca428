/*
 * jstack.c - thread dumps of Java virtual machines, any number of them in one text
 *
 *	Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):
 *
 *	"worker-1" #22 daemon prio=5 os_prio=0 cpu=12.3ms tid=0x7f nid=0x1b03 runnable  [0x7f]
 *	   java.lang.Thread.State: RUNNABLE
 *		at java.io.FileInputStream.readBytes(java.base@17.0.9/Native Method)
 *		- locked <0x0000> (a java.io.X)
 *		at Main.main(Main.java:12)
 *
 * A thread in a dump is a sample; its state is the event, of which RUNNABLE counts if the user
 * names none. A thread that waits in the kernel is RUNNABLE to Java: here those in accept(), read()
 * and epoll_wait() are NETWORK and WAITING, and threads of the virtual machine itself are
 * BACKGROUND, as in stackcollapse-jstack.pl. The number at the end of a pooled thread's name is cut
 * off.
 *
 * A thread begins with a quote in the first column, so blocks are cut there, and ends with a blank
 * line or with one that is not indented.
 *
 * Source: jstack(1), SIGQUIT of java(1), stackcollapse-jstack.pl of FlameGraph.
 */
#include "input/stacks/stacks.h"

#include "base/chars.h"

struct jstack_state {
	struct text_sample sample; /* strings are in the block */
	bool inside;               /* in a thread */
	bool has_state;
};

/* "pool-1-thread-7" becomes pool-1-thread: the threads of a pool are shown as one. */
static struct span without_number(struct span name)
{
	size_t n = name.n;

	while (n && char_is_digit(name.p[n - 1]))
		n--;
	return n < name.n && n > 1 && name.p[n - 1] == '-' ? (struct span){ name.p, n - 1 } : name;
}

static bool has(struct span s, const char *part)
{
	return span_find(s, span_of(part)) >= 0;
}

static void set_state(struct jstack_state *j, struct span state)
{
	if (!j->has_state)
		j->sample.event = state;
	j->has_state = true;
}

/* nid=0x1b03, or nid=6915 since Java 21. */
static int32_t parse_nid(struct span line)
{
	ptrdiff_t at = span_find(line, SPAN(" nid="));
	struct span rest = span_skip(line, at < 0 ? line.n : (size_t)at + 5);
	uint64_t id;
	bool found;

	if (span_starts(rest, SPAN("0x"))) {
		rest = span_skip(rest, 2);
		found = span_scan_hex(&rest, &id);
	} else {
		found = span_scan_u64(&rest, &id);
	}
	return found && id <= INT32_MAX ? (int32_t)id : -1;
}

static void end_thread(struct stacktext *s)
{
	struct jstack_state *j = s->state;

	if (j->inside && stacktext_has_frames(s))
		stacktext_end(s, &j->sample);
	stacktext_drop(s);
	*j = (struct jstack_state){ .sample = stacktext_empty_sample(s) };
	j->sample.event = SPAN("?");
}

static void begin_thread(struct stacktext *s, struct span line)
{
	struct jstack_state *j = s->state;
	const char *quote = memchr(line.p + 1, '"', line.n - 1);
	struct span name = span_range(line.p + 1, quote ? quote : line.p + line.n);

	end_thread(s);
	j->inside = true;
	j->sample.comm = without_number(name);
	j->sample.tid = parse_nid(quote ? span_range(quote, line.p + line.n) : line);
	if (has(name, " CompilerThread") || has(name, "Signal Dispatcher") ||
		has(name, "Service Thread") || has(name, "Attach Listener"))
		set_state(j, SPAN("BACKGROUND"));
}

/* A thread that Java believes to be running may wait in the kernel. */
static void refine_state(struct jstack_state *j, struct span name)
{
	if (has(name, "epollWait") || has(name, "EPoll.wait") || has(name, "KQueue.poll"))
		j->sample.event = SPAN("WAITING");
	else if (span_ends(name, SPAN("socketAccept")) || span_ends(name, SPAN("socketRead0")) ||
		 (has(name, "Socket") && span_ends(name, SPAN("accept0"))))
		j->sample.event = SPAN("NETWORK");
}

static struct span without_place(struct span text)
{
	const char *open = memchr(text.p, '(', text.n);

	return open ? span_range(text.p, open) : text;
}

static void jstack_line(struct stacktext *s, struct span line)
{
	struct span text = span_trim(line), state = SPAN("java.lang.Thread.State: "), word;
	struct jstack_state *j = s->state;

	if (line.n && line.p[0] == '"') {
		begin_thread(s, line);
	} else if (!text.n || (j->inside && !stacktext_indent(line))) {
		end_thread(s);
	} else if (j->inside && span_starts(text, state)) {
		text = span_skip(text, state.n);
		word = stacktext_word(&text);
		set_state(j, word);
	} else if (j->inside && span_starts(text, SPAN("at "))) {
		text = span_trim(span_skip(text, 3));
		stacktext_frame(s, text);
		refine_state(j, without_place(text));
	}
}

/* "java.base@17.0.9/java.lang.Thread.run(Thread.java:840)", older ones without the module. */
static bool jstack_make(struct recording *r, struct span text, struct frame *f)
{
	struct span name = without_place(text), place = span_skip(text, name.n + 1), module = { 0 };
	const char *slash;

	/* Hidden classes and lambdas have another slash after it: J$$Lambda/0x7f.run */
	slash = memchr(name.p, '/', name.n);
	if (slash && memchr(name.p, '@', (size_t)(slash - name.p))) {
		module = span_range(name.p, slash);
		name = span_range(slash + 1, name.p + name.n);
	}
	if (place.n && place.p[place.n - 1] == ')')
		place.n--;
	if (span_scan_last_number(&place, &f->at_line))
		f->file = strtab_add(r->strings, span_basename(place));
	stacktext_name(r, f, name, module);
	return true;
}

/* ---- the format ---- */

static bool begins(const char *p, size_t n, size_t at)
{
	(void)n;
	return p[at] == '"';
}

static size_t jstack_cut(const char *p, size_t n)
{
	return stacktext_cut_before(p, n, begins);
}

static void jstack_scan_front(struct stacktext_reader *reader, struct span front)
{
	(void)front;
	reader->first_event = SPAN("RUNNABLE");
}

static int jstack_bid(const struct input_head *head)
{
	struct span rest = stacktext_front(head), line;
	uint32_t threads = 0, frames = 0;

	if (!rest.n)
		return 0;
	while (span_next_line(&rest, &line)) {
		threads += line.n && line.p[0] == '"';
		frames += threads && stacktext_indent(line) &&
			  span_starts(span_trim(line), SPAN("at ")) && memchr(line.p, '(', line.n);
	}
	if (span_find(head->bytes, SPAN("Full thread dump ")) >= 0)
		return threads ? 94 : 60;
	return threads && frames ? 85 : 0;
}

static const struct stacktext_format format = {
	.title = "thread dumps of Java",
	.cut = jstack_cut,
	.make = jstack_make,
	.state_bytes = sizeof(struct jstack_state),
	.scan_front = jstack_scan_front,
	.begin = end_thread,
	.line = jstack_line,
	.end = end_thread,
};

static int jstack_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	return stacktext_read(&format, r, f, head, o, pool, e);
}

const struct input_format stacks_jstack = {
	.name = "jstack",
	.about = "thread dumps of Java: running threads, or with --event those in another state",
	.bid = jstack_bid,
	.read = jstack_read,
};
