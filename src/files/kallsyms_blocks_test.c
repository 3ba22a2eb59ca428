#include "files/kallsyms_blocks.h"

#include "base/tmpdir_for_test.h"

enum { SYMBOLS = 5000, STEP = 0x100, MODULE_FIRST = 4000 };
static const uint64_t base = 0xffffffff81000000;

/* Symbols at every STEP, two at some, those of a module last; the second half comes first. */
static void make_list(struct buf *text, const char *last_name)
{
	unsigned k, i;

	for (k = 0; k < SYMBOLS; k++) {
		i = (k + SYMBOLS / 2) % SYMBOLS;
		buf_printf(text, "%016llx T %s%u%s\n",
			(unsigned long long)(base + (uint64_t)STEP * i),
			i == SYMBOLS / 2 - 1 ? last_name : "symbol_", i,
			i >= MODULE_FIRST ? "\t[ext4]" : "");
		if (i % 7 == 0)
			buf_printf(text, "%016llx t alias_%u\n",
				(unsigned long long)(base + (uint64_t)STEP * i), i);
		if (i == 10)
			buf_printf(text, "%016llx T _text\n",
				(unsigned long long)(base + (uint64_t)STEP * i));
	}
}

struct lists {
	struct cache_dir *cache;
	char *path;
	struct buf text;
};

static void read_list(struct lists *l, const struct files_kallsyms_want *want, struct buf *text)
{
	struct err e;

	text->n = 0;
	assert_int_equal(kallsyms_blocks_read(l->cache, l->path, want, text, &e), OK);
}

static void open_lists(struct lists *l, void **state, const char *last_name)
{
	struct err e;

	if (access("/sys/kernel/notes", R_OK) || access("/proc/sys/kernel/random/boot_id", R_OK))
		skip(); /* then nothing is kept */
	*l = (struct lists){ .path = tmpdir_at(state, "kallsyms") };
	assert_int_equal(cache_dir_open(&l->cache, tmpdir_at(state, "cache"), 1 << 30, &e), OK);
	make_list(&l->text, last_name);
	tmpdir_write(l->path, buf_span(&l->text));
}

static void close_lists(struct lists *l)
{
	cache_dir_close(l->cache);
	buf_release(&l->text);
}

/* Is a line with that address and name there? */
static bool has(const struct buf *text, unsigned i)
{
	char *line = xasprintf("%016llx T symbol_%u%s\n",
		(unsigned long long)(base + (uint64_t)STEP * i), i,
		i >= MODULE_FIRST ? "\t[ext4]" : "");
	bool there = span_find(buf_span(text), span_of(line)) >= 0;

	free(line);
	return there;
}

static void a_list_is_kept_and_comes_sorted(void **state)
{
	struct buf first = { 0 }, second = { 0 };
	struct span rest, line;
	uint64_t address, before = 0;
	struct lists l;

	open_lists(&l, state, "symbol_");
	read_list(&l, NULL, &first);
	assert_true(span_eq(buf_span(&first), buf_span(&l.text)));
	read_list(&l, NULL, &second);
	assert_int_equal(second.n, first.n);
	for (rest = buf_span(&second); span_next_line(&rest, &line); before = address) {
		assert_true(span_scan_hex(&line, &address));
		assert_true(address >= before);
	}
	/* Only its beginning is looked at again. */
	first.n = 0;
	make_list(&first, "changed");
	tmpdir_write(l.path, buf_span(&first));
	first.n = 0;
	read_list(&l, NULL, &first);
	assert_true(span_eq(buf_span(&first), buf_span(&second)));
	tmpdir_write(l.path, SPAN("ffffffff81000000 T other\n"));
	read_list(&l, NULL, &first);
	assert_true(span_eq(buf_span(&first), SPAN("ffffffff81000000 T other\n")));
	buf_release(&first);
	buf_release(&second);
	close_lists(&l);
}

static void an_address_needs_its_symbol_and_the_next(void **state)
{
	const uint64_t moved = 0x3000000;
	struct buf text = { 0 };
	struct lists l;
	unsigned i;

	open_lists(&l, state, "symbol_");
	read_list(&l, NULL, &text);
	for (i = 0; i < SYMBOLS; i += 61) {
		uint64_t address = base + (uint64_t)STEP * i + i % STEP;
		struct files_kallsyms_want want = { &address, 1, false, { 0 }, 0 };

		read_list(&l, &want, &text);
		assert_true(has(&text, i) && (i + 1 == SYMBOLS || has(&text, i + 1)));
		assert_true(text.n < l.text.n / 5);
		assert_true(span_find(buf_span(&text), SPAN("T _text\n")) >= 0);
		assert_true(has(&text, 0));
		want.reference = SPAN("_text");
		want.reference_address = base + 10 * STEP - moved;
		address -= moved;
		read_list(&l, &want, &text);
		assert_true(has(&text, i) && (i + 1 == SYMBOLS || has(&text, i + 1)));
		assert_true(text.n < l.text.n / 5);
	}
	buf_release(&text);
	close_lists(&l);
}

static void modules_come_whole(void **state)
{
	struct files_kallsyms_want want = { NULL, 0, true, { 0 }, 0 };
	struct buf text = { 0 };
	struct lists l;
	unsigned i;

	open_lists(&l, state, "symbol_");
	read_list(&l, NULL, &text);
	read_list(&l, &want, &text);
	for (i = MODULE_FIRST; i < SYMBOLS; i++)
		assert_true(has(&text, i));
	assert_true(text.n < l.text.n / 2);
	buf_release(&text);
	close_lists(&l);
}

static void an_unknown_reference_needs_all(void **state)
{
	struct files_kallsyms_want want = { NULL, 0, false, SPAN("start_kernel"), base };
	struct buf text = { 0 };
	struct lists l;

	open_lists(&l, state, "symbol_");
	read_list(&l, NULL, &text);
	read_list(&l, &want, &text);
	assert_int_equal(text.n, l.text.n);
	buf_release(&text);
	close_lists(&l);
}

static void hidden_and_broken_lists_are_not_kept(void **state)
{
	static const struct span lists[] = {
		{ "0000000000000000 T _text\n0000000000000000 T _stext\n", 51 },
		{ "ffffffff81000000 T _text\nno symbol\n", 35 },
		{ "ffffffff81000000 T _text", 24 },
	};
	struct buf text = { 0 };
	struct lists l;
	size_t i;

	open_lists(&l, state, "symbol_");
	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		tmpdir_write(l.path, lists[i]);
		read_list(&l, NULL, &text);
		assert_true(span_eq(buf_span(&text), lists[i]));
		assert_int_equal(rmdir(tmpdir_at(state, "cache")), 0);
		assert_int_equal(mkdir(tmpdir_at(state, "cache"), 0700), 0);
	}
	assert_int_equal(unlink(l.path), 0);
	assert_int_equal(
		kallsyms_blocks_read(l.cache, l.path, NULL, &text, &(struct err){ 0 }), ERR_IO);
	buf_release(&text);
	close_lists(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_list_is_kept_and_comes_sorted),
		IN_TMPDIR(an_address_needs_its_symbol_and_the_next),
		IN_TMPDIR(modules_come_whole),
		IN_TMPDIR(an_unknown_reference_needs_all),
		IN_TMPDIR(hidden_and_broken_lists_are_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
