/*
 * A title, and the parts of a line below it.
 *
 * Where the name of the process comes from, in this order:
 *
 *	threads of the profile      a part of it (--split) has its own
 *	processes of the recording  as many samples as were used of each
 *	the first frames of stacks  of a text with names of threads
 *	the file's name             stacks without any of these, or of many processes
 *
 * Programs that are run often (cc1 in a build) count together, by their name.
 */
#include "model/headline.h"

#include "base/amount.h"
#include "base/chars.h"
#include "base/counted.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { TITLE_MAX = 80 /* columns */ };

/* Names and their samples. */

struct name_use {
	str_id name;
	uint64_t samples;
};

struct name_uses {
	struct name_use *use;
	size_t n, cap;
};

static void add_use(struct name_uses *u, str_id name, uint64_t samples)
{
	if (!name || !samples)
		return;
	ARRAY_GROW(u->use, u->n, u->cap);
	u->use[u->n++] = (struct name_use){ name, samples };
}

static int compare_names(const void *pa, const void *pb)
{
	const struct name_use *a = pa, *b = pb;

	return (a->name > b->name) - (a->name < b->name);
}

/* Each name once. */
static void sum_uses(struct name_uses *u)
{
	size_t i, n = 0;

	if (u->n)
		qsort(u->use, u->n, sizeof(*u->use), compare_names);
	for (i = 0; i < u->n; i++)
		if (n && u->use[n - 1].name == u->use[i].name)
			u->use[n - 1].samples += u->use[i].samples;
		else
			u->use[n++] = u->use[i];
	u->n = n;
}

static void add_threads(struct name_uses *u, const struct headline_source *of)
{
	const struct profile *p = of->p;
	uint32_t i;

	for (i = 0; i < p->n_threads; i++) {
		const struct profile_thread *t = &p->threads[i];
		const struct process_use *process =
			t->recording < of->n_recordings
				? recording_process(of->recordings[t->recording], t->pid)
				: NULL;

		add_use(u, process ? process->name : t->name, t->samples);
	}
}

static void add_processes(struct name_uses *u, const struct headline_source *of)
{
	size_t r;
	uint32_t i;

	for (r = 0; r < of->n_recordings; r++)
		for (i = 0; i < of->recordings[r]->n_processes; i++)
			add_use(u, of->recordings[r]->processes[i].name,
				of->recordings[r]->processes[i].samples);
}

static void add_first_frames(struct name_uses *u, const struct profile *p)
{
	node_id i;

	for (i = 1; i < p->n_nodes; i += p->nodes[i].subtree) {
		const struct frame *f = frames_get(p->frames, p->nodes[i].frame);

		if (f->kind == FRAME_ROOT)
			add_use(u, f->name, p->nodes[i].total);
	}
}

static void find_uses(struct name_uses *u, const struct headline_source *of)
{
	add_threads(u, of);
	if (!u->n)
		add_processes(u, of);
	if (!u->n)
		add_first_frames(u, of->p);
	sum_uses(u);
}

/* The name with most samples, if nearly all have it or others are few; 0: none. */
static str_id main_name(const struct name_uses *u, const struct strtab *strings, size_t *others)
{
	const struct name_use *most = NULL;
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < u->n; i++) {
		const struct name_use *use = &u->use[i];

		all += use->samples;
		if (!most || use->samples > most->samples ||
			(use->samples == most->samples &&
				span_cmp(strtab_get(strings, use->name),
					strtab_get(strings, most->name)) < 0))
			most = use;
	}
	*others = most && most->samples < all - all / 10 ? u->n - 1 : 0;
	return most ? most->name : 0;
}

/* Title. */

static bool next_word(struct span *rest, struct span *word)
{
	const char *blank;

	while (rest->n && rest->p[0] == ' ')
		*rest = span_skip(*rest, 1);
	blank = rest->n ? memchr(rest->p, ' ', rest->n) : NULL;
	*word = blank ? span_range(rest->p, blank) : *rest;
	*rest = span_skip(*rest, word->n);
	return word->n;
}

/* An option of perf record that chooses other processes than the one it starts: -a, -p and such,
 * alone or with others. What only looks like one costs the name of a script. */
static bool chooses_others(struct span word)
{
	static const char *const names[] = { "--all-cpus", "--pid", "--tid", "--uid", "--cpu",
		"--cgroup" };
	static const char letters[] = "aptuCG";
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (span_starts(word, span_of(names[i])))
			return true;
	for (i = 1; i < word.n && word.p[0] == '-' && word.p[1] != '-'; i++)
		if (strchr(letters, word.p[i]))
			return true;
	return false;
}

/* The script that a process ran, "server.js", of "perf record -g -- node server.js"; empty: not
 * known. Other arguments may be secrets. */
static struct span script_of(struct span command, struct span process)
{
	struct span word;
	const char *dot;

	while (next_word(&command, &word)) {
		if (chooses_others(word))
			return SPAN("");
		if (span_eq(span_basename(word), process))
			break;
	}
	if (!next_word(&command, &word) || word.p[0] == '-' || span_find(word, SPAN("=")) >= 0)
		return SPAN("");
	word = span_basename(word);
	dot = word.n ? memrchr(word.p, '.', word.n) : NULL;
	return dot && dot + 1 < word.p + word.n && char_is_letter(dot[1]) ? word : SPAN("");
}

static void put_process(struct buf *b, const struct headline_source *of, str_id name, size_t others)
{
	const struct strtab *strings = of->p->strings;
	struct span process = strtab_get(strings, name), script = SPAN("");

	if (of->n_recordings == 1 && !others)
		script = script_of(strtab_get(strings, of->recordings[0]->facts.cmdline), process);
	buf_put_span(b, process);
	if (script.n) {
		buf_putc(b, ' ');
		buf_put_span(b, script);
	}
	if (others)
		buf_printf(b, " and %zu %s", others, counted(others, "other", "others"));
}

/* The last parts of a path: "node.data", or with two "before/perf.data". */
static void put_file(struct buf *b, const char *path, unsigned parts)
{
	struct span all = span_of(path), name;

	if (strcmp(path, "-") == 0) {
		buf_puts(b, "standard input");
		return;
	}
	while (all.n > 1 && all.p[all.n - 1] == '/')
		all.n--;
	name = span_basename(all);
	if (parts > 1 && name.p > all.p + 1)
		name = span_basename(span_range(all.p, name.p - 1));
	buf_put_span(b, span_range(name.p, all.p + all.n));
}

static void put_files(struct buf *b, const struct headline_source *of)
{
	if (of->n_recordings != 1)
		buf_printf(b, "%zu recordings", of->n_recordings);
	else
		put_file(b, of->recordings[0]->path, 1);
}

/* "before.data → after.data", with their directories if both are called alike. */
static void put_both(struct buf *b, const struct headline_source *of)
{
	const char *after = of->n_recordings ? of->recordings[0]->path : "";
	unsigned parts = 1 + (of->n_before == 1 && span_eq(span_basename(span_of(of->before[0])),
							   span_basename(span_of(after))));

	if (of->n_before != 1)
		buf_printf(b, "%zu recordings", of->n_before);
	else
		put_file(b, of->before[0], parts);
	buf_puts(b, " \u2192 ");
	put_file(b, after, parts);
}

/* Cuts a text to so many characters. */
static void limit(struct buf *b, size_t columns)
{
	struct span rest = buf_span(b);
	uint32_t code;
	size_t n;

	if (utf8_length(rest) <= columns)
		return;
	for (; --columns; rest = span_skip(rest, n ? n : 1))
		n = utf8_decode(rest, &code);
	b->n = (size_t)(rest.p - b->p);
	buf_puts(b, "\u2026");
}

static void put_title(struct buf *b, const struct headline_source *of)
{
	struct name_uses uses = { 0 };
	size_t others = 0;
	str_id name;

	if (of->p->before && of->n_before) {
		put_both(b, of);
		return;
	}
	find_uses(&uses, of);
	name = main_name(&uses, of->p->strings, &others);
	if (name)
		put_process(b, of, name, others);
	else if (of->n_recordings)
		put_files(b, of);
	else
		buf_puts(b, "Profile");
	free(uses.use);
	limit(b, TITLE_MAX);
}

/* Kind. */

static struct span up_to(struct span name, char end)
{
	const char *at = name.n ? memchr(name.p, end, name.n) : NULL;

	return at ? span_range(name.p, at) : name;
}

static bool is_cpu(struct span pmu)
{
	return span_eq(pmu, SPAN("cpu")) || span_starts(pmu, SPAN("cpu_"));
}

/* "cycles" of "cycles:u", "cycles/freq=99/u" and "cpu_core/cycles/P"; a tracepoint is a name of its
 * own. */
static struct span plain_event(struct span name)
{
	struct span front = up_to(name, '/');

	if (front.n < name.n && is_cpu(front))
		return up_to(span_skip(name, front.n + 1), '/');
	return up_to(front, ':');
}

static void put_event(struct buf *b, struct span name)
{
	static const struct {
		const char *event, *kind;
	} kinds[] = {
		{ "cpu-clock", "CPU time" },
		{ "task-clock", "CPU time" },
		{ "cycles", "CPU cycles" },
		{ "cpu-cycles", "CPU cycles" },
		{ "instructions", "Instructions" },
		{ "cache-misses", "Cache misses" },
		{ "branch-misses", "Branch misses" },
		{ "page-faults", "Page faults" },
		{ "faults", "Page faults" },
		{ "minor-faults", "Minor page faults" },
		{ "major-faults", "Major page faults" },
		{ "context-switches", "Context switches" },
		{ "cs", "Context switches" },
		{ "cpu-migrations", "CPU migrations" },
	};
	struct span plain = plain_event(name);
	size_t i;

	for (i = 0; i < ARRAY_LEN(kinds); i++)
		if (span_eq(plain, span_of(kinds[i].event))) {
			buf_puts(b, kinds[i].kind);
			return;
		}
	buf_put_span(b, name);
}

static size_t count_events(const struct headline_source *of)
{
	size_t r, n = 0;
	uint32_t i;

	for (r = 0; r < of->n_recordings; r++) {
		size_t here = 0;

		for (i = 0; i < of->recordings[r]->n_events; i++)
			here += of->recordings[r]->events[i].chosen &&
				of->recordings[r]->events[i].samples;
		n = here > n ? here : n;
	}
	return n;
}

static void put_kind(struct buf *b, const struct headline_source *of)
{
	const str_id weighs = of->n_recordings ? of->recordings[0]->weighs : 0;
	const size_t events = count_events(of);

	if (of->p->before)
		buf_puts(b, of->p->event || weighs ? "Difference \u00b7 " : "Difference");
	if (weighs)
		buf_put_span(b, strtab_get(of->p->strings, weighs));
	else if (of->p->event)
		put_event(b, strtab_get(of->p->strings, of->p->event));
	else if (events > 1 && !of->p->before)
		buf_printf(b, "%zu events", events);
}

/* Weight. */

static void put_counted(struct buf *b, uint64_t n, const char *one, const char *many)
{
	amount_put(b, n, counted(n, one, many));
}

void headline_put_weight(
	struct buf *b, const struct headline_source *of, uint64_t weight, uint64_t samples)
{
	const struct profile *p = of->p;
	const char *unit = p->unit ? strtab_str(p->strings, p->unit) : "samples";

	if (of->count_name) {
		amount_put(b, weight, of->count_name);
	} else if (strcmp(unit, "samples") == 0 ||
		   (weight == samples && p->sums != SUMS_OF_OTHERS &&
			   strcmp(unit, "nanoseconds") != 0)) {
		put_counted(b, weight, "sample", "samples");
	} else {
		amount_put(b, weight, unit);
		buf_puts(b, samples ? " in " : "");
		if (samples && p->sums == SUMS_OF_OTHERS)
			put_counted(b, samples, "stack", "stacks");
		else if (samples)
			put_counted(b, samples, "sample", "samples");
	}
}

static void put_weights(struct buf *b, const struct headline_source *of)
{
	const struct profile *p = of->p;
	const struct comparison *before = p->before;

	if (before && before->whole)
		p = before->whole;
	if (before) {
		headline_put_weight(b, of, p->before->of[0].total, p->before->of[0].total_samples);
		buf_puts(b, " \u2192 ");
	}
	headline_put_weight(b, of, p->n_nodes ? p->nodes[0].total : 0, p->n_samples);
}

/* Spans. */

static void put_spans(struct buf *b, const struct headline_source *of, uint32_t condition)
{
	const char *text = of->recordings[0]->span_counts[condition].condition;
	bool negated = *text == '!';
	uint64_t chosen = 0, spans = 0;
	size_t r;

	for (r = 0; r < of->n_recordings; r++) {
		const struct recording *in = of->recordings[r];

		if (condition < in->n_span_counts) {
			chosen += in->span_counts[condition].chosen;
			spans += in->span_counts[condition].spans;
		}
	}
	buf_printf(b, "%s%s ", b->n ? ", " : "", negated ? "not during" : "during");
	buf_put_span(b, span_trim(span_of(text + negated)));
	buf_printf(b, " (%" PRIu64 " of %" PRIu64 " %s)", chosen, spans,
		counted(spans, "span", "spans"));
}

static void put_during(struct buf *b, const struct headline_source *of)
{
	uint32_t i;

	if (of->p->before || !of->n_recordings)
		return;
	for (i = 0; i < of->recordings[0]->n_span_counts; i++)
		put_spans(b, of, i);
}

/* How it was recorded. */

/* The same of all recordings, else 0. */
static str_id common_host(const struct headline_source *of)
{
	str_id host = of->n_recordings ? of->recordings[0]->facts.host : 0;
	size_t r;

	for (r = 1; r < of->n_recordings; r++)
		if (of->recordings[r]->facts.host != host)
			return 0;
	return host;
}

static void put_date(struct buf *b, uint64_t wall_ns)
{
	time_t s = (time_t)(wall_ns / 1000000000);
	struct tm t;

	if (gmtime_r(&s, &t))
		buf_printf(b, ", %04d-%02d-%02d %02d:%02d UTC", t.tm_year + 1900, t.tm_mon + 1,
			t.tm_mday, t.tm_hour, t.tm_min);
}

static void put_recorded(struct buf *b, const struct headline_source *of)
{
	const struct recording_facts *f = of->n_recordings ? &of->recordings[0]->facts : NULL;
	str_id host = common_host(of);
	struct buf text = { 0 };

	if (of->p->before || !f)
		return;
	if (of->n_recordings == 1 && f->first_time_ns < f->last_time_ns) {
		buf_puts(&text, ", ");
		amount_put_time(&text, f->last_time_ns - f->first_time_ns);
	}
	if (of->n_recordings == 1 && f->wall_ns)
		put_date(&text, f->wall_ns);
	if (host) {
		buf_puts(&text, ", on ");
		buf_put_span(&text, strtab_get(of->p->strings, host));
	}
	if (text.n) {
		buf_puts(b, "recorded ");
		buf_put_span(b, span_skip(buf_span(&text), 2));
	}
	buf_release(&text);
}

/* Rounded down: 100% is all of them. */
static void put_named(struct headline *h, const struct headline_source *of)
{
	const struct frame_account *a = &h->account;
	size_t r;

	for (r = 0; r < of->n_recordings; r++)
		frame_account_add(&h->account, of->recordings[r]);
	if (a->frames)
		buf_printf(&h->named, "%.4g%% named",
			floor(10000.0 * (double)a->why[WHY_HAS_NAME] / (double)a->frames) / 100);
}

/* The whole. */

void headline_make(struct headline *h, const struct headline_source *of)
{
	*h = (struct headline){ 0 };
	put_title(&h->title, of);
	put_kind(&h->kind, of);
	put_weights(&h->weight, of);
	put_during(&h->during, of);
	put_recorded(&h->recorded, of);
	put_named(h, of);
}

void headline_release(struct headline *h)
{
	buf_release(&h->title);
	buf_release(&h->kind);
	buf_release(&h->weight);
	buf_release(&h->during);
	buf_release(&h->recorded);
	buf_release(&h->named);
}

void headline_put_subtitle(const struct headline *h, size_t columns, struct buf *b)
{
	/* In the order in which they are shown. */
	const struct {
		const struct buf *text;
		unsigned rank; /* the larger, the sooner it is left out */
	} parts[] = { { &h->kind, 0 }, { &h->weight, 1 }, { &h->during, 2 }, { &h->recorded, 4 },
		{ &h->named, 3 } };
	size_t i, start = b->n;
	unsigned most = ARRAY_LEN(parts);

	do {
		b->n = start;
		for (i = 0; i < ARRAY_LEN(parts); i++) {
			if (!parts[i].text->n || parts[i].rank >= most)
				continue;
			buf_puts(b, b->n > start ? " \u00b7 " : "");
			buf_put_span(b, buf_span(parts[i].text));
		}
	} while (columns && --most && utf8_length(span_skip(buf_span(b), start)) > columns);
}
