/*
 * Files that arguments name are compared by what they are. A file is known by device and inode; one
 * that is not there yet by those of its directory, and its name in that. Devices and pipes may be
 * written by several outputs. There are a handful of outputs, so each is compared with all before
 * it; inputs, of which there may be thousands, are sorted to find those given twice.
 */
#include "cli/file_args.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void file_args_each_output(const struct options *o,
	void (*visit)(void *ctx, const char *option, const char *path), void *ctx)
{
	const struct {
		const char *option, *path;
	} args[] = { { "output", o->pack.output }, { "output", o->resolve.output },
		{ "output", o->strip.path }, { "json", o->spans.json },
		{ "histogram", o->spans.histogram }, { "heatmap", o->spans.heatmap },
		{ "summary", o->gate.summary }, { "errors", o->merge.errors } };
	size_t i;

	/* Other commands do not write outputs: the default one is all they have. */
	for (i = 0; i < o->n_outputs && o->command & FOR_WRITERS; i++)
		visit(ctx, "output", o->outputs[i].path);
	for (i = 0; i < o->gate.verdicts.n; i++)
		visit(ctx, "verdict", o->gate.verdicts.item[i]);
	for (i = 0; i < ARRAY_LEN(args); i++)
		if (args[i].path)
			visit(ctx, args[i].option, args[i].path);
}

/* The identity of a file. */

struct file_id {
	const char *path, *option; /* option: NULL of an input */
	const char *name;          /* in its directory, of a file that is not there yet; else "" */
	dev_t device;
	ino_t inode;
	bool many; /* a device or a pipe: may be written by several */
};

/* "-" is standard output, even if this directory has a file of that name. Where not even the
 * directory is there, the whole path identifies the file. */
static struct file_id identify(const char *option, const char *path)
{
	struct file_id id = { .path = path, .option = option, .name = "" };
	const char *slash = strrchr(path, '/');
	struct stat st;
	char *dir;

	if (strcmp(path, "-") != 0 && !stat(path, &st)) {
		id.many = !S_ISREG(st.st_mode);
	} else {
		id.name = slash ? slash + 1 : path;
		dir = slash ? xasprintf("%.*s/", (int)(slash - path), path) : xstrdup("./");
		if (stat(dir, &st)) {
			st = (struct stat){ 0 };
			id.name = path;
		}
		free(dir);
	}
	id.device = st.st_dev;
	id.inode = st.st_ino;
	return id;
}

static int compare_ids(const void *pa, const void *pb)
{
	const struct file_id *a = pa, *b = pb;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	return strcmp(a->name, b->name);
}

struct file_ids {
	struct file_id *item;
	size_t n, cap;
};

static void add(void *ctx, const char *option, const char *path)
{
	struct file_ids *ids = ctx;

	ARRAY_GROW(ids->item, ids->n, ids->cap);
	ids->item[ids->n++] = identify(option, path);
}

static void add_inputs(struct file_ids *ids, const struct string_list *inputs)
{
	size_t i;

	for (i = 0; i < inputs->n; i++)
		if (strcmp(inputs->item[i], "-") != 0)
			add(ids, NULL, inputs->item[i]);
}

/* Checks. */

/* Compares an output with those before it. */
static int check_output(const struct file_ids *outputs, size_t at, struct err *e)
{
	const struct file_id *new = &outputs->item[at];
	size_t i;

	for (i = 0; i < at; i++) {
		const struct file_id *old = &outputs->item[i];

		if (new->many || compare_ids(old, new) != 0)
			continue;
		if (strcmp(old->path, new->path) == 0)
			return err_set(e, ERR_USAGE, "two outputs to %.200s", new->path);
		return err_set(e, ERR_USAGE, "two outputs to one file: %.200s and %.200s",
			old->path, new->path);
	}
	return OK;
}

static int check_input(const struct file_ids *outputs, const struct file_id *input, struct err *e)
{
	size_t i;

	for (i = 0; i < outputs->n; i++) {
		const struct file_id *out = &outputs->item[i];

		if (!input->many && !*input->name && compare_ids(out, input) == 0)
			return err_set(e, ERR_USAGE,
				"--%s: %.200s is an input: it would be overwritten", out->option,
				out->path);
	}
	return OK;
}

int file_args_check(const struct options *o, struct err *e)
{
	struct file_ids outputs = { 0 }, inputs = { 0 };
	int rc = OK;
	size_t i;

	file_args_each_output(o, add, &outputs);
	for (i = 0; i < outputs.n && !rc; i++)
		rc = check_output(&outputs, i, e);
	/* "perfold resolve x.txt -o x.txt" adds names to a text: nothing is lost. */
	if (o->command != FOR_RESOLVE && outputs.n) {
		add_inputs(&inputs, &o->inputs);
		add_inputs(&inputs, &o->diff.bases);
		if (o->spans.fds)
			add(&inputs, NULL, o->spans.fds);
		if (o->merge.list.path && strcmp(o->merge.list.path, "-") != 0)
			add(&inputs, NULL, o->merge.list.path);
	}
	for (i = 0; i < inputs.n && !rc; i++)
		rc = check_input(&outputs, &inputs.item[i], e);
	free(outputs.item);
	free(inputs.item);
	return rc;
}

static size_t count_stdin(const struct string_list *inputs)
{
	size_t i, n = 0;

	for (i = 0; i < inputs->n; i++)
		n += strcmp(inputs->item[i], "-") == 0;
	return n;
}

int file_args_check_stdin(const struct options *o, struct err *e)
{
	const char *list = o->merge.list.path;
	bool is_list = list && strcmp(list, "-") == 0;

	if (count_stdin(&o->inputs) + count_stdin(&o->diff.bases) + is_list > 1)
		return err_set(e, ERR_USAGE,
			is_list ? "--inputs-from reads standard input, which "
				  "cannot be an input as well"
				: "only one input can be standard input");
	return OK;
}

static int compare_ids_and_paths(const void *pa, const void *pb)
{
	const struct file_id *a = pa, *b = pb;
	int order = compare_ids(a, b);

	return order ? order : strcmp(a->path, b->path);
}

void file_args_report_repeats(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx)
{
	struct file_ids inputs = { 0 };
	size_t i, n;

	/* A recording may be compared with itself, but not count as two runs. */
	add_inputs(&inputs, o->command == FOR_DIFF ? &o->diff.bases : &o->inputs);
	if (inputs.n)
		qsort(inputs.item, inputs.n, sizeof(*inputs.item), compare_ids_and_paths);
	for (i = 0; i < inputs.n; i += n) {
		const struct file_id *first = &inputs.item[i];
		const char *last = first->path;
		char *line;

		for (n = 1; i + n < inputs.n && compare_ids(first, first + n) == 0; n++)
			last = first[n].path;
		if (n == 1 || first->many || *first->name)
			continue;
		line = strcmp(first->path, last) == 0
			       ? xasprintf("%s: given %zu times: its samples count each time", last,
					 n)
			       : xasprintf("%s: the same file as %s: its samples count each time",
					 last, first->path);
		put(ctx, line);
		free(line);
	}
	free(inputs.item);
}
