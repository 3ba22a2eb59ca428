/*
 * write_outputs_fuzz.c - profiles with names of any bytes, to every output
 *
 *	byte 0: bit 0 rows with times, bit 1 --addresses, bit 2 --annotate all, bit 3 large weights,
 *		bit 4 a timeline as a picture, bit 5 nanoseconds, bit 6 the report as well,
 *		bit 7 the difference from a half of the stacks to all of them, instead
 *	all the rest: stacks, with a byte of 1 after each; frames, with a byte of 0 after each
 *
 * Each name is that of a function, its module, its file and its thread, and with the first all the
 * facts of the recording and the title.
 */
#include "model/profile_for_test.h"
#include "pipeline/pipeline_fuzz_for_test.h"

#include "model/recording.h"

struct names {
	struct test_profile t, half;
	struct recording_facts facts;
	const char *title;
	uint8_t bits;
	uint32_t n_stacks;
};

static struct span cut(struct span *from, char separator)
{
	const char *end = from->n ? memchr(from->p, separator, from->n) : NULL;
	struct span part = end ? span_range(from->p, end) : *from;

	*from = span_skip(*from, end ? part.n + 1 : part.n);
	return part;
}

static void add_fact(struct names *x, str_id name)
{
	struct recording_facts *f = &x->facts;

	if (f->host || !name)
		return;
	f->host = f->os_release = f->arch = f->cmdline = f->perf_version = f->cpu = name;
	x->t.p.event = name;
	x->title = strtab_str(x->t.p.strings, name);
}

static frame_id add_frame(struct names *x, struct span text)
{
	struct frame f = { .kind = text.n % 6, .line = (uint32_t)text.n, .address = 64 * text.n };

	f.name = f.module = f.file = strtab_add(x->t.p.strings, text);
	if (f.kind == FRAME_UNKNOWN) {
		f.name = 0;
		f.why = WHY_NO_SYMBOL;
	}
	add_fact(x, f.name);
	return frames_add(x->t.p.frames, &f);
}

static void add_stack(struct names *x, struct span text)
{
	uint64_t weight = x->bits & 8 ? UINT64_MAX / 512 : 1 + x->n_stacks * 1000;
	frame_id frames[32];
	uint32_t node;
	size_t n = 0;

	while (text.n && n < ARRAY_LEN(frames))
		frames[n++] = add_frame(x, cut(&text, '\0'));
	if (x->bits & 128 && x->n_stacks & 1)
		test_profile_add_frames(&x->half, frames, n, 3 * weight);
	node = test_profile_add_frames(&x->t, frames, n, weight);
	if (x->bits & 1)
		test_profile_thread_row(
			&x->t, x->n_stacks / 4, node, 1000000 + x->n_stacks * 1000ull, weight);
	x->n_stacks++;
}

static void name_threads(struct names *x)
{
	uint32_t i;

	for (i = 0; i < x->t.p.n_threads; i++) {
		x->t.p.threads[i].name = x->facts.host;
		x->t.p.threads[i].group = x->facts.host;
	}
}

/* What it is compared with: of the same frames and strings. */
static void begin_half(struct names *x)
{
	test_profile_init(&x->half);
	frames_free(x->half.p.frames);
	strtab_free(x->half.p.strings);
	x->half.p.frames = x->t.p.frames;
	x->half.p.strings = x->t.p.strings;
}

static void end_half(struct names *x)
{
	x->half.p.frames = NULL;
	x->half.p.strings = NULL;
	test_profile_release(&x->half);
}

static void write_difference(struct names *x, struct output_opts *o, bool page)
{
	const struct diff_opts opts = { .max_p_value = 0.05, .absolute = x->bits & 16 };
	const struct output_side side = { o->recordings, o->n_recordings, NULL };
	struct profile *before, *after = collapse_by_name(&x->t.p, false);
	const char *path = o->recordings[0]->path;
	struct diff d;

	x->half.p.unit = x->t.p.unit;
	test_profile_finish(&x->half);
	before = collapse_by_name(&x->half.p, false);
	diff_make(&d, (const struct profile *[]){ before }, 1, after, &opts);
	o->before = &path;
	o->sides = &side;
	o->n_before = 1;
	fuzz_write_difference(&d, o, page);
	diff_release(&d);
	profile_free(before);
	profile_free(after);
}

/* Spans called as the title, each with a stack. */
static void write_spans(struct names *x, struct output_opts *o)
{
	struct profile *by_name = collapse_by_name(&x->t.p, false);
	struct duration_thread *thread = xcalloc(1, sizeof(*thread));
	uint32_t slow[8] = { 0 }, number[8] = { 0 }, i;
	struct durations d = { .threads = thread, .n_threads = 1 };
	struct durations_shown shown = { .d = &d,
		.p = &x->t.p,
		.measure = x->title,
		.command = "spans",
		.during = x->title,
		.number = number,
		.slow = slow,
		.n_slow = ARRAY_LEN(slow),
		.has_samples = true };

	thread->name = x->facts.host;
	for (i = 0; i < ARRAY_LEN(slow); i++) {
		slow[i] = number[i] = i;
		durations_add(&d, &(struct duration){ .duration_ns = (uint64_t)i << 8 * i,
					  .kind = durations_kind(&d, i & 1 ? x->facts.host : 0),
					  .stack = i,
					  .detail = i & 2 ? x->facts.host : 0 });
	}
	durations_finish(&d, x->t.p.strings);
	o->durations = &shown;
	fuzz_write(output_by_name("markdown"), by_name, o);
	durations_release(&d);
	profile_free(by_name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { STACKS_MAX = 64 };
	struct names x = { .bits = size ? data[0] : 0 };
	struct span rest = { (const char *)data + 1, size - 1 };
	struct recording *r;
	struct output_opts o = { .facts = &x.facts, .version = "1" };

	if (size < 2)
		return 0;
	test_profile_init(&x.t);
	begin_half(&x);
	while (rest.n && x.n_stacks < STACKS_MAX)
		add_stack(&x, cut(&rest, '\1'));
	if (x.bits & 32)
		x.t.p.unit = strtab_add_str(x.t.p.strings, "nanoseconds");
	x.t.p.addresses = x.bits & 2;
	x.t.p.annotate = x.bits & 4 ? 7 : 0;
	test_profile_finish(&x.t);
	name_threads(&x);
	r = recording_new(x.title ? x.title : "", x.t.p.strings, x.t.p.frames);
	o.recordings = &r;
	o.n_recordings = 1;
	o.picture.title = o.picture.subtitle = o.picture.notes = o.picture.count_name = x.title;
	o.picture.flamechart = x.bits & 16 && x.bits & 1;
	if (x.bits & 128)
		write_difference(&x, &o, x.bits & 64);
	else
		fuzz_write_all(&x.t.p, &o, x.bits & 64);
	if (x.title && !(x.bits & 128))
		write_spans(&x, &o);
	recording_free(r);
	end_half(&x);
	test_profile_release(&x.t);
	return 0;
}
