/*
 * Fuzz entry for rules: whatever is written, a rule is either refused with its place or runs, and
 * no name makes it hang. Input: the rule, a line feed, the name.
 */
#include "filter/filter.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct filter *f, struct frames *frames, struct span name)
{
	struct rewriter r = filter_rewriter(f);
	void *worker = r.worker_new(r.ctx);
	struct root root = { 0 };
	struct frame frame = { .kind = FRAME_USER };
	frame_id ids[3];
	struct stack s = { .frames = ids, .n = 3, .root = &root, .samples = 1, .weight = 2 };

	frame.name = strtab_add(frames_strings(frames), name);
	ids[0] = ids[1] = frames_add(frames, &frame);
	ids[2] = frames_add(frames, &(struct frame){ .kind = FRAME_UNKNOWN });
	r.apply(worker, &s);
	if (s.n > 3)
		abort();
	r.worker_merge(r.ctx, worker);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size }, rule = { 0 };
	static const char *const no_dirs[] = { NULL };
	struct strtab *strings = strtab_new();
	struct frames *frames = frames_new(strings);
	struct filter *f = filter_new(frames, no_dirs);
	struct err e = { 0 };
	char *text;

	span_next_line(&rest, &rule);
	text = strndup(rule.n ? rule.p : "", rule.n);
	/* An include would read files of this machine. */
	if (text && !strstr(text, "include")) {
		if (filter_add_rule(f, text, &e) == OK)
			run(f, frames, rest);
		else if (strncmp(e.msg, "-e 1:", 5))
			abort();
	}
	free(text);
	filter_free(f);
	frames_free(frames);
	strtab_free(strings);
	return 0;
}
