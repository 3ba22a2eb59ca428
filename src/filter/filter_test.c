#include "filter/filter.h"

#include "base/mem.h"
#include "filter/filter_for_test.h"
#include "model/names/v8_name.h"

#include <sys/stat.h>
#include <unistd.h>

/* ---- mistakes ----------------------------------------------------------------------------- */

static void expect_mistake(const char *rule, const char *message)
{
	struct bed b;
	struct err e = { 0 };

	bed_setup(&b);
	assert_int_equal(filter_add_rule(b.filter, rule, &e), ERR_USAGE);
	assert_string_equal(e.msg, message);
	assert_int_equal(filter_rule_count(b.filter), 0);
	bed_teardown(&b);
}

static void a_mistake_is_named_with_its_column(void **state)
{
	(void)state;
	expect_mistake("", "-e 1:1: the rule is empty");
	expect_mistake("drop", "-e 1:5: `drop` needs /regex/");
	expect_mistake("rename", "-e 1:7: `rename` needs s/regex/text/");
	expect_mistake("drop /(/", "-e 1:8: missing closing parenthesis");
	expect_mistake("  drop /a[/", "-e 1:11: missing terminating ] for character class");
	expect_mistake("drop module /x", "-e 1:13: the pattern has no closing `/`");
	expect_mistake("drop /a/q", "-e 1:9: unknown flag `q` (known: i x s m g)");
	expect_mistake("drop /a/ig", "-e 1:10: the flag `g` only goes with s/regex/text/");
	expect_mistake("drop s/a/b/", "-e 1:6: `drop` takes /regex/");
	expect_mistake("rename /a/", "-e 1:8: `rename` takes s/regex/text/");
	expect_mistake("rename s{a} b", "-e 1:13: the new text is missing");
	expect_mistake("rename s/a/$1/", "-e 1:14: unknown substring");
	expect_mistake("rename s/(?<x>a)/${y}/", "-e 1:22: unknown substring");
	expect_mistake(
		"rename s/a/${1/", "-e 1:15: expected closing curly bracket in replacement string");
	expect_mistake("group /a/", "-e 1:10: `group` needs a label");
	expect_mistake("group /a/ \"\"", "-e 1:11: `group` needs a label");
	expect_mistake("group /a/ \"b", "-e 1:11: the label has no closing `\"`");
	expect_mistake("group /a/ b c", "-e 1:13: unexpected `c`: `group` takes no more");
	expect_mistake("drop /a/ label", "-e 1:10: unexpected `label`: `drop` takes no more");
	expect_mistake("include", "-e 1:8: `include` needs a name");
	expect_mistake("drop /a/\ndrop /b/", "-e 1:1: a rule is one line of text");
}

static void an_unknown_word_is_answered_with_the_known_ones(void **state)
{
	(void)state;
	expect_mistake("drp /a/",
		"-e 1:1: unknown action `drp` (known: drop, keep, drop-stack, keep-stack, rename, "
		"rename-root, group, label, root, leaf, fold-recursion, category, include)");
	expect_mistake("drop comm /a/",
		"-e 1:6: `drop` takes /regex/ or a field before it (function, module, file, kind, "
		"frame, tier), not `comm`");
	expect_mistake("rename frame s/a/b/",
		"-e 1:8: `rename` takes /regex/ or a field before it (function, module, file), "
		"not `frame`");
	expect_mistake("keep-stack thread /a/",
		"-e 1:12: `keep-stack` takes /regex/ or a field before it (function, module, file, "
		"kind, frame, tier, comm, process, event), not `thread`");
}

/* ---- patterns ----------------------------------------------------------------------------- */

static void a_pattern_has_any_delimiter(void **state)
{
	(void)state;
	expect_names("drop /\\/x/", "a/x b", "b");
	expect_names("drop m{/x{1}}", "a/x b", "b");
	expect_names("drop m,/x,", "a/x b", "b");
	expect_names("drop m|a\\|x|", "a|x x a", "x a");
	expect_names("rename s,/x,/y,", "a/x b", "a/y b");
	expect_names("rename s{a}{b}", "xa", "xb");
	expect_names("rename s{a} {b}", "xa", "xb");
	expect_names("rename s(a)<b>", "xa", "xb");
	expect_names("rename s/a/\\//", "xa", "x/");
	expect_names("rename s{(a)}{{$1}}", "xa", "x{a}");
}

static void flags_change_how_a_pattern_matches(void **state)
{
	(void)state;
	expect_names("drop /A/", "a b", "a b");
	expect_names("drop /A/i", "a b", "b");
	expect_names("drop /A # the letter/xi", "a b", "b");
	expect_names("rename s/a/o/", "banana", "bonana");
	expect_names("rename s/a/o/g", "banana", "bonono");
}

static void a_new_name_may_use_groups(void **state)
{
	(void)state;
	expect_names("rename s/^(\\w+)::(\\w+)$/$2 of $1/", "v8::Call", "Call of v8");
	expect_names("rename s/(?<first>\\w)(\\w*)/\\U${first}\\E$2/", "call", "Call");
	expect_names("rename s/(x)?call/[$1]/", "call", "[]");
	expect_names("rename s/call/$$5/", "call", "$5");
}

static void names_that_are_not_utf8_are_matched_as_bytes(void **state)
{
	(void)state;
	expect_names("drop /^caf/", "caf\xe9 b", "b");
	expect_names("drop /\\xe9$/", "caf\xe9 caf\xc3\xa9 b", "b");
	expect_names("rename s/f./k/", "caf\xe9", "cak");
	/* A character that bytes cannot hold matches where there is UTF-8 only. */
	expect_names("drop /\\x{2192}/", "a\xe2\x86\x92 \xff\xe2\x86\x92", "\xff\xe2\x86\x92");
	expect_names("rename s/./x/g", "\xe2\x86\x92", "x");
}

static void a_match_that_takes_too_long_is_counted_and_is_none(void **state)
{
	struct diag d = { 0 };
	struct bed b;

	(void)state;
	bed_setup(&b);
	bed_rule(&b, "drop /^(a+)+$/");
	bed_rule(&b, "keep-stack /(x+x+)+y|./");
	bed_expect(&b, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab aaa b",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab b");
	filter_diag(b.filter, &d);
	assert_int_equal(d.count[DIAG_MATCH_LIMIT], 1);
	bed_teardown(&b);
}

static void a_name_that_is_too_long_is_not_matched(void **state)
{
	char *name = xmalloc(20002);
	struct diag d = { 0 };
	struct bed b;

	(void)state;
	memset(name, 'a', 20001);
	name[20001] = '\0';
	bed_setup(&b);
	bed_rule(&b, "drop /a/");
	bed_expect(&b, name, name);
	/* The same frame in another worker is the same match given up. */
	bed_expect(&b, name, name);
	filter_diag(b.filter, &d);
	assert_int_equal(d.count[DIAG_MATCH_LIMIT], 1);
	bed_teardown(&b);
	free(name);
}

static void renames_cannot_blow_up_a_name(void **state)
{
	struct diag d = { 0 };
	struct bed b;
	char out[16];
	int i;

	(void)state;
	bed_setup(&b);
	for (i = 0; i < 40; i++)
		bed_rule(&b, "rename s/.*/$0$0/s");
	bed_rule(&b, "rename s/^(.).*/$1/s");
	snprintf(out, sizeof(out), "a");
	bed_expect(&b, "a", out);
	filter_diag(b.filter, &d);
	assert_true(d.count[DIAG_MATCH_LIMIT] > 0);
	bed_teardown(&b);
}

/* ---- actions ------------------------------------------------------------------------------ */

static void drop_removes_frames_and_keep_removes_the_others(void **state)
{
	(void)state;
	expect_names("drop /^b/", "a b1 c b2 d", "a c d");
	expect_names("keep /^b/", "a b1 c b2 d", "b1 b2");
	expect_names("drop /./", "a b", "");
}

static void drop_stack_and_keep_stack_decide_about_the_whole(void **state)
{
	(void)state;
	expect_names("drop-stack /^b$/", "a b c", NULL);
	expect_names("drop-stack /^x$/", "a b c", "a b c");
	expect_names("keep-stack /^b$/", "a b c", "a b c");
	expect_names("keep-stack /^x$/", "a b c", NULL);
	expect_names("keep-stack /^x$/", "", NULL);
	expect_names("drop-stack comm /^node$/", "a", NULL);
	expect_names("keep-stack comm /^perl$/", "a", NULL);
	expect_names("keep-stack process /^server$/", "a", "a");
	expect_names("drop-stack event /^cycles/", "", NULL);
}

static void group_makes_one_frame_of_a_run(void **state)
{
	(void)state;
	expect_names("group /^b/ \"(b s)\"", "a b1 b2 c b3 d", "a (b s) c (b s) d");
	expect_names("group /^b/ B", "a c", "a c");
}

static void label_replaces_the_first_match_and_all_above_it(void **state)
{
	(void)state;
	expect_names("label /^b/ \"(gc)\"", "a b1 c b2 d", "a (gc)");
	expect_names("label /^d/ \"(gc)\"", "a b", "a b");
}

static void root_and_leaf_cut_a_stack(void **state)
{
	(void)state;
	expect_names("root /^b/", "a b1 c b2 d", "b1 c b2 d");
	expect_names("leaf /^b/", "a b1 c b2 d", "a b1");
	expect_names("root /^x/", "a b", "a b");
	expect_names("leaf /^x/", "a b", "a b");
}

static void fold_recursion_makes_one_frame_of_a_run_of_the_same(void **state)
{
	(void)state;
	expect_names("fold-recursion", "a b b b c b c c", "a b c b c");
	expect_names("fold-recursion /^b/", "a a b b c c", "a a b c c");
}

static void recursion_through_tiers_is_one_function(void **state)
{
	struct frame f = { .kind = FRAME_JIT, .tier = V8_INTERPRETED };
	frame_id ids[2];
	struct stack s;
	struct bed b;

	(void)state;
	bed_setup(&b);
	f.name = strtab_add_str(b.strings, "fib");
	ids[0] = frames_add(b.frames, &f);
	f.tier = V8_TURBOFAN;
	ids[1] = frames_add(b.frames, &f);
	bed_rule(&b, "fold-recursion");
	s = (struct stack){ .frames = ids, .n = 2, .root = &b.root, .samples = 1, .weight = 1 };
	bed_apply(&b, &s);
	assert_int_equal(s.n, 1);
	bed_teardown(&b);
}

static void category_marks_a_frame_and_the_last_rule_wins(void **state)
{
	const struct frame *f;
	frame_id ids[1];
	struct stack s;
	struct bed b;

	(void)state;
	bed_setup(&b);
	ids[0] = bed_frame(&b, "uv_run");
	bed_rule(&b, "category /./ native");
	bed_rule(&b, "category /^uv_/ libuv");
	s = (struct stack){ .frames = ids, .n = 1, .root = &b.root, .samples = 1, .weight = 1 };
	bed_apply(&b, &s);
	f = frames_get(b.frames, ids[0]);
	assert_string_equal(strtab_str(b.strings, f->category), "libuv");
	assert_string_equal(strtab_str(b.strings, f->name), "uv_run");
	bed_teardown(&b);
}

static void a_renamed_frame_keeps_everything_but_its_name(void **state)
{
	struct frame f = { .kind = FRAME_JIT, .line = 3, .column = 7, .tier = V8_MAGLEV };
	const struct frame *g;
	frame_id ids[1];
	struct stack s;
	struct bed b;

	(void)state;
	bed_setup(&b);
	f.name = strtab_add_str(b.strings, "JS:+fib");
	f.module = strtab_add_str(b.strings, "/tmp/perf-1.map");
	f.file = strtab_add_str(b.strings, "/a.js");
	ids[0] = frames_add(b.frames, &f);
	bed_rule(&b, "rename s/^JS:.//");
	s = (struct stack){ .frames = ids, .n = 1, .root = &b.root, .samples = 1, .weight = 1 };
	bed_apply(&b, &s);
	g = frames_get(b.frames, ids[0]);
	assert_string_equal(strtab_str(b.strings, g->name), "fib");
	f.name = g->name;
	assert_int_equal(frames_add(b.frames, &f), ids[0]);
	bed_teardown(&b);
}

static void a_name_never_becomes_empty(void **state)
{
	(void)state;
	expect_names("rename s/.*//", "a b", "a b");
}

/* ---- fields ------------------------------------------------------------------------------- */

static bool drops(const char *rule, const struct frame *like, const char *name, const char *module)
{
	struct frame f = *like;
	frame_id ids[1];
	struct stack s;
	struct bed b;
	bool gone;

	bed_setup(&b);
	f.name = strtab_add_str(b.strings, name);
	f.module = strtab_add_str(b.strings, module);
	f.file = strtab_add_str(b.strings, "/srv/app.js");
	ids[0] = frames_add(b.frames, &f);
	bed_rule(&b, rule);
	s = (struct stack){ .frames = ids, .n = 1, .root = &b.root, .samples = 1, .weight = 1 };
	bed_apply(&b, &s);
	gone = s.n == 0;
	bed_teardown(&b);
	return gone;
}

static void a_rule_can_look_at_other_fields(void **state)
{
	const struct frame user = { .kind = FRAME_USER }, kernel = { .kind = FRAME_KERNEL };
	const struct frame jit = { .kind = FRAME_JIT, .tier = V8_TURBOFAN };
	const struct frame inlined = { .kind = FRAME_USER, .flags = FRAME_INLINED };

	(void)state;
	assert_true(drops("drop module /libc/", &user, "f", "/lib/libc.so.6"));
	assert_false(drops("drop module /f/", &user, "f", "/lib/libc.so.6"));
	assert_true(drops("drop file /app\\.js$/", &user, "f", "m"));
	assert_true(drops("drop kind /^user$/", &user, "f", "m"));
	assert_true(drops("drop kind /^kernel$/", &kernel, "f", "m"));
	assert_true(drops("drop kind /^jit$/", &jit, "f", "m"));
	assert_true(drops("drop kind /^inlined$/", &inlined, "f", "m"));
	assert_true(drops("drop tier /^turbofan$/", &jit, "f", "m"));
	assert_false(drops("drop tier /./", &user, "f", "m"));
	assert_true(drops("drop frame m{^f \\(/lib/m\\)$}", &user, "f", "/lib/m"));
	assert_true(drops("drop frame /^f$/", &user, "f", ""));
}

static void a_frame_without_a_name_is_called_unknown(void **state)
{
	const struct frame unknown = { .kind = FRAME_UNKNOWN };

	(void)state;
	assert_true(drops("drop /^\\[unknown\\]$/", &unknown, "", "/lib/libfoo.so"));
	assert_true(drops("drop kind /^unknown$/", &unknown, "", "/lib/libfoo.so"));
	assert_true(drops("drop frame m{^\\[unknown\\] \\(/lib/libfoo.so\\)$}", &unknown, "",
		"/lib/libfoo.so"));
	assert_true(drops("drop frame /^\\[unknown\\] \\(\\[unknown\\]\\)$/", &unknown, "", ""));
	assert_true(drops("drop module /^\\[unknown\\]$/", &unknown, "", ""));
}

static void rules_say_which_parts_of_the_root_they_need(void **state)
{
	struct bed b;

	(void)state;
	bed_setup(&b);
	bed_rule(&b, "drop /a/");
	assert_int_equal(filter_root_fields(b.filter), 0);
	bed_rule(&b, "drop-stack comm /a/");
	bed_rule(&b, "drop-stack event /a/");
	assert_int_equal(filter_root_fields(b.filter), 1u << ROOT_COMM | 1u << ROOT_EVENT);
	bed_teardown(&b);
}

/* ---- many rules --------------------------------------------------------------------------- */

static str_id root_name(struct bed *b, enum root_part part, const char *name)
{
	void *worker = b->rewriter.worker_new(b->rewriter.ctx);
	str_id id = b->rewriter.root_name(worker, part, strtab_add_str(b->strings, name));

	b->rewriter.worker_merge(b->rewriter.ctx, worker);
	return id;
}

static void expect_root_name(
	struct bed *b, enum root_part part, const char *name, const char *expected)
{
	struct span s = strtab_get(b->strings, root_name(b, part, name));

	assert_int_equal(s.n, strlen(expected));
	assert_memory_equal(s.p, expected, s.n);
}

static void names_of_roots_are_rewritten_for_who_shows_them(void **state)
{
	struct bed b;

	(void)state;
	bed_setup(&b);
	bed_rule(&b, "rename-root s/-\\d+$/-N/");
	bed_rule(&b, "rename-root comm s/^pool-N$/pool/");
	bed_rule(&b, "rename-root s/^none$//");
	bed_rule(&b, "rename-root process s/^server.*/srv/");
	bed_rule(&b, "rename-root event s/:u$//");
	bed_rule(&b, "keep-stack comm /^pool-\\d$/");
	expect_root_name(&b, ROOT_COMM, "worker-12", "worker-N");
	expect_root_name(&b, ROOT_COMM, "pool-1", "pool");
	expect_root_name(&b, ROOT_COMM, "none", "none");
	expect_root_name(&b, ROOT_COMM, "server-1", "server-N");
	expect_root_name(&b, ROOT_PROCESS, "server-1", "srv");
	expect_root_name(&b, ROOT_EVENT, "cycles:u", "cycles");
	b.root.comm = strtab_add_str(b.strings, "pool-7");
	bed_expect(&b, "main f", "main f");
	assert_int_equal(filter_rule_use(b.filter, 0).hits, 1);
	assert_int_equal(filter_rule_use(b.filter, 1).hits, 0);
	assert_int_equal(filter_root_fields(b.filter), 1 << ROOT_COMM);
	bed_teardown(&b);
}

static void rules_run_from_top_to_bottom(void **state)
{
	struct bed b;

	(void)state;
	bed_setup(&b);
	bed_rule(&b, "rename s/^a$/b/");
	bed_rule(&b, "rename s/^b$/c/");
	bed_rule(&b, "drop /^a|b$/");
	bed_rule(&b, "group /^c$/ L");
	bed_rule(&b, "rename s/^L$/d/");
	bed_rule(&b, "drop /^c$/");
	bed_expect(&b, "a x b y c a", "d x d y d");
	bed_teardown(&b);
}

static void hits_are_counted_by_weight_wherever_they_happen(void **state)
{
	struct filter_rule_use use;
	struct bed b;

	(void)state;
	bed_setup(&b);
	bed_rule(&b, "drop /^a/");
	bed_rule(&b, "rename s/^b/c/");
	bed_rule(&b, "label /^x/ X");
	bed_rule(&b, "drop /^never/");
	bed_weigh(&b, 3, 30);
	bed_expect(&b, "a1 b1 a2 x y", "c1 X");
	bed_weigh(&b, 1, 5);
	bed_expect(&b, "a1 z", "z");
	assert_int_equal(filter_rule_count(b.filter), 4);
	use = filter_rule_use(b.filter, 0);
	assert_string_equal(use.place, "-e 1");
	assert_string_equal(use.text, "drop /^a/");
	assert_int_equal(use.hits, 3 * 2 + 1);
	assert_int_equal(use.weight, 30 * 2 + 5);
	assert_int_equal(filter_rule_use(b.filter, 1).hits, 3);
	assert_int_equal(filter_rule_use(b.filter, 2).hits, 3);
	assert_int_equal(filter_rule_use(b.filter, 2).weight, 30);
	assert_int_equal(filter_rule_use(b.filter, 3).hits, 0);
	bed_teardown(&b);
}

static void many_frames_and_new_ones_between_stacks_are_remembered_right(void **state)
{
	char name[32], renamed[32];
	struct bed b;
	void *worker;
	int i, round;

	(void)state;
	bed_setup(&b);
	bed_rule(&b, "rename s/^old/new/");
	bed_rule(&b, "drop-stack /9$/");
	worker = b.rewriter.worker_new(b.rewriter.ctx);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 2000; i++) {
			frame_id ids[2];
			struct stack s = { .frames = ids, .n = 2, .root = &b.root };

			snprintf(name, sizeof(name), "old%d", i);
			snprintf(renamed, sizeof(renamed), "new%d", i);
			ids[0] = bed_frame(&b, name);
			ids[1] = bed_frame(&b, "leaf");
			b.rewriter.apply(worker, &s);
			assert_int_equal(s.dropped, i % 10 == 9);
			assert_int_equal(ids[0], bed_frame(&b, renamed));
			assert_int_equal(s.n, 2);
		}
	}
	b.rewriter.worker_merge(b.rewriter.ctx, worker);
	bed_teardown(&b);
}

/* ---- files -------------------------------------------------------------------------------- */

struct files {
	char dir[64];
};

static int files_setup(void **state)
{
	static struct files f;

	strcpy(f.dir, "/tmp/perfold-filter-XXXXXX");
	*state = &f;
	return mkdtemp(f.dir) ? 0 : -1;
}

static int files_teardown(void **state)
{
	const struct files *f = *state;
	char *command = xasprintf("rm -r '%s'", f->dir);
	int rc = system(command);

	free(command);
	return rc;
}

static void put_file(const struct files *f, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", f->dir, name);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	free(path);
}

/* The message contains a string, with the random name of a directory around it. */
static void expect_file_mistake(const struct files *f, const char *name, const char *text)
{
	const char *dirs[] = { f->dir, NULL };
	struct err e = { 0 };
	struct bed b;

	bed_setup(&b);
	filter_free(b.filter);
	b.filter = filter_new(b.frames, dirs);
	assert_int_equal(filter_add_file(b.filter, name, &e), ERR_USAGE);
	if (!strstr(e.msg, text))
		fail_msg("`%s` does not say `%s`", e.msg, text);
	bed_teardown(&b);
}

static void a_file_is_found_by_name_and_read_with_what_it_includes(void **state)
{
	const struct files *f = *state;
	const char *dirs[] = { "/nonexistent", f->dir, NULL };
	struct err e = { 0 };
	struct bed b;

	put_file(f, "outer.rules", "# head\r\n\r\n  drop /^a/  \r\ninclude inner\r\ndrop /^z/");
	put_file(f, "inner.rules", "\n# inner\nrename s/^b/z/\ninclude ./same.rules\n");
	put_file(f, "same.rules", "drop /^q/\ninclude beside.txt");
	put_file(f, "beside.txt", "drop /^r/\n");
	bed_setup(&b);
	filter_free(b.filter);
	b.filter = filter_new(b.frames, dirs);
	assert_int_equal(filter_add_file(b.filter, "outer", &e), OK);
	assert_int_equal(filter_add_file(b.filter, "inner.rules", &e), OK);
	b.rewriter = filter_rewriter(b.filter);
	bed_expect(&b, "a b c q r", "c");
	assert_int_equal(filter_rule_count(b.filter), 8);
	assert_string_equal(filter_rule_use(b.filter, 0).place, "outer.rules:3");
	assert_string_equal(filter_rule_use(b.filter, 1).place, "inner.rules:3");
	assert_string_equal(filter_rule_use(b.filter, 4).place, "outer.rules:5");
	bed_teardown(&b);
}

static void a_mistake_in_a_file_names_file_line_and_column(void **state)
{
	const struct files *f = *state;

	put_file(f, "bad.rules", "# one\n\ndrop /a/\n drop /b(/\n");
	expect_file_mistake(f, "bad", "/bad.rules:4:10: missing closing parenthesis");
	put_file(f, "uses.rules", "\ninclude bad\n");
	expect_file_mistake(f, "uses", "/bad.rules:4:10: missing closing parenthesis");
}

static void files_that_include_each_other_end_in_a_message(void **state)
{
	const struct files *f = *state;
	char name[32], text[64];
	int i;

	put_file(f, "one.rules", "include two\n");
	put_file(f, "two.rules", "include ./one.rules\n");
	expect_file_mistake(f, "one", "/one.rules includes itself");
	put_file(f, "lost.rules", "\n  include  nowhere\n");
	expect_file_mistake(f, "lost", "no filter is named `nowhere`, and no such file");
	expect_file_mistake(f, "lots", "no such file: did you mean lost? (searched: ");
	for (i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "deep%d.rules", i);
		snprintf(text, sizeof(text), "include deep%d\n", i + 1);
		put_file(f, name, text);
	}
	expect_file_mistake(f, "deep0", "filters include each other more than 16 deep");
	for (i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "wide%d.rules", i);
		snprintf(text, sizeof(text), "include wide%d\ninclude wide%d\n", i + 1, i + 1);
		put_file(f, name, text);
	}
	put_file(f, "wide10.rules", "drop /a/\n");
	expect_file_mistake(f, "wide0", "more than 256 filter files");
}

static void an_unreadable_file_is_a_mistake(void **state)
{
	const struct files *f = *state;
	char *fifo = xasprintf("%s/fifo.rules", f->dir);

	expect_file_mistake(f, "nothing", "no filter is named `nothing`, and no such file");
	expect_file_mistake(f, "./nothing.rules", "No such file or directory");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	expect_file_mistake(f, fifo, "is not a regular file");
	free(fifo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mistake_is_named_with_its_column),
		cmocka_unit_test(an_unknown_word_is_answered_with_the_known_ones),
		cmocka_unit_test(a_pattern_has_any_delimiter),
		cmocka_unit_test(flags_change_how_a_pattern_matches),
		cmocka_unit_test(a_new_name_may_use_groups),
		cmocka_unit_test(names_that_are_not_utf8_are_matched_as_bytes),
		cmocka_unit_test(a_match_that_takes_too_long_is_counted_and_is_none),
		cmocka_unit_test(a_name_that_is_too_long_is_not_matched),
		cmocka_unit_test(renames_cannot_blow_up_a_name),
		cmocka_unit_test(drop_removes_frames_and_keep_removes_the_others),
		cmocka_unit_test(drop_stack_and_keep_stack_decide_about_the_whole),
		cmocka_unit_test(group_makes_one_frame_of_a_run),
		cmocka_unit_test(label_replaces_the_first_match_and_all_above_it),
		cmocka_unit_test(root_and_leaf_cut_a_stack),
		cmocka_unit_test(fold_recursion_makes_one_frame_of_a_run_of_the_same),
		cmocka_unit_test(recursion_through_tiers_is_one_function),
		cmocka_unit_test(category_marks_a_frame_and_the_last_rule_wins),
		cmocka_unit_test(a_renamed_frame_keeps_everything_but_its_name),
		cmocka_unit_test(a_name_never_becomes_empty),
		cmocka_unit_test(a_rule_can_look_at_other_fields),
		cmocka_unit_test(a_frame_without_a_name_is_called_unknown),
		cmocka_unit_test(rules_say_which_parts_of_the_root_they_need),
		cmocka_unit_test(names_of_roots_are_rewritten_for_who_shows_them),
		cmocka_unit_test(rules_run_from_top_to_bottom),
		cmocka_unit_test(hits_are_counted_by_weight_wherever_they_happen),
		cmocka_unit_test(many_frames_and_new_ones_between_stacks_are_remembered_right),
		cmocka_unit_test(a_file_is_found_by_name_and_read_with_what_it_includes),
		cmocka_unit_test(a_mistake_in_a_file_names_file_line_and_column),
		cmocka_unit_test(files_that_include_each_other_end_in_a_message),
		cmocka_unit_test(an_unreadable_file_is_a_mistake),
	};

	return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
