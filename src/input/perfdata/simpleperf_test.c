#include "input/perfdata/perfdata_bed_for_test.h"

enum { TYPE_KERNEL, TYPE_KERNEL_MODULE, TYPE_ELF, TYPE_DEX };

struct table {
	struct recorded_symbols symbols;
	struct buf bytes;
	bool swapped;
};

/* Reads the symbols of a recording with the section; false if it is damaged. */
static bool parse(struct perfdata_bed *b, struct table *t, unsigned feature)
{
	bed_reset_swapped(b, t->swapped);
	bed_start(b);
	writer_feature_string(&b->w, FEATURE_HOSTNAME, "here"); /* shows how the bits are swapped */
	writer_feature(&b->w, feature, t->bytes.p, t->bytes.n);
	bed_open(b);
	perfdata_read_symbols(b->o.pd, &t->symbols, &b->o.diag);
	return !b->o.diag.count[DIAG_BAD_FEATURE];
}

static void release(struct table *t)
{
	recorded_symbols_release(&t->symbols);
	buf_release(&t->bytes);
}

/* "PATH shift: NAME start size, ..." */
static void expect_file(
	struct perfdata_bed *bed, const struct table *t, const char *path, const char *expected)
{
	const struct recorded_file *f =
		recorded_symbols_find(&t->symbols, strtab_add_str(bed->o.strings, path));
	struct buf b = { 0 };
	uint32_t i;

	assert_non_null(f);
	buf_printf(&b, "%llx:", (unsigned long long)f->shift);
	for (i = f->first; i < f->first + f->n; i++) {
		const struct recorded_symbol *s = &t->symbols.symbols[i];

		buf_printf(&b, " %s %llx %llx", bed_str(bed, s->name), (unsigned long long)s->start,
			(unsigned long long)s->size);
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

/* ---- FILE --------------------------------------------------------------------------------- */

static void put_symbol(struct buf *b, bool swapped, uint64_t start, uint32_t size, const char *name)
{
	buf_u64(b, swapped, start);
	buf_u32(b, swapped, size);
	buf_put(b, name, strlen(name) + 1);
}

/* A file with two symbols; more is what follows them. */
static void put_file(struct table *t, const char *path, uint32_t type, uint64_t min_vaddr,
	const struct buf *more)
{
	struct buf b = { 0 };

	buf_put(&b, path, strlen(path) + 1);
	buf_u32(&b, t->swapped, type);
	buf_u64(&b, t->swapped, min_vaddr);
	buf_u32(&b, t->swapped, 2);
	put_symbol(&b, t->swapped, 0x2010, 0x20, "one");
	put_symbol(&b, t->swapped, 0x2040, 8, "two");
	buf_put_span(&b, buf_span(more));
	buf_u32(&t->bytes, t->swapped, (uint32_t)b.n);
	buf_put_span(&t->bytes, buf_span(&b));
	buf_release(&b);
}

static void symbols_are_listed_by_file_in_either_byte_order(void **state)
{
	struct perfdata_bed *b = *state;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		struct table t = { .swapped = swapped };
		struct buf offset = { 0 }, dex = { 0 }, none = { 0 };

		buf_u64(&offset, swapped, 0x1000);
		buf_u32(&dex, swapped, 1);
		buf_u64(&dex, swapped, 0x28);
		put_file(&t, "[kernel.kallsyms]", TYPE_KERNEL, 0x2000, &none);
		put_file(&t, "/lib/a.ko", TYPE_KERNEL_MODULE, 0x2000, &offset);
		put_file(&t, "/lib/a.so", TYPE_ELF, 0x2000, &offset);
		put_file(&t, "/lib/old.so", TYPE_ELF, 0x2000, &none);
		put_file(&t, "/app/base.vdex", TYPE_DEX, 0, &dex);
		assert_true(parse(b, &t, FEATURE_FILE));
		expect_file(b, &t, "[kernel.kallsyms]", "0: one 2010 20 two 2040 8");
		expect_file(b, &t, "/lib/a.ko", "1000: one 2010 20 two 2040 8");
		expect_file(b, &t, "/lib/a.so", "1000: one 2010 20 two 2040 8");
		expect_file(b, &t, "/lib/old.so", "2000: one 2010 20 two 2040 8");
		expect_file(b, &t, "/app/base.vdex", "0: one 2010 20 two 2040 8");
		buf_release(&offset);
		buf_release(&dex);
		release(&t);
	}
}

static void a_table_that_is_cut_off_keeps_what_is_whole(void **state)
{
	struct perfdata_bed *b = *state;
	struct table whole = { 0 };
	struct buf none = { 0 };
	size_t n;

	put_file(&whole, "/lib/a.so", TYPE_ELF, 0x2000, &none);
	for (n = 1; n < whole.bytes.n; n++) {
		struct table t = { 0 };
		uint32_t left = (uint32_t)n - 4;

		buf_put(&t.bytes, whole.bytes.p, n);
		assert_false(parse(b, &t, FEATURE_FILE)); /* longer than what is there */
		assert_int_equal(t.symbols.n_files, 0);
		if (n > 4) {
			memcpy(t.bytes.p, &left, 4);
			assert_false(parse(b, &t, FEATURE_FILE));
			assert_true(t.symbols.n_symbols < 2);
		}
		release(&t);
	}
	release(&whole);
}

static void put_place(void *ctx, const struct recorded_symbol *s)
{
	buf_printf(ctx, " %llx %llx", (unsigned long long)s->start, (unsigned long long)s->size);
}

/* The code of an .oat file is not at the beginning of the file. */
static void symbols_without_an_offset_count_from_the_start_of_a_mapping(void **state)
{
	struct perfdata_bed *b = *state;
	struct table t = { 0 };
	struct buf none = { 0 }, places = { 0 };
	const struct recorded_file *f;
	str_id path;

	put_file(&t, "/boot.oat", TYPE_ELF, 0x2000, &none);
	assert_true(parse(b, &t, FEATURE_FILE));
	path = strtab_add_str(b->o.strings, "/boot.oat");
	f = recorded_symbols_find(&t.symbols, path);
	recorded_symbols_add_mapping(&t.symbols, path, 0x5000, 0x30);
	recorded_symbols_add_mapping(&t.symbols, path, 0x5000, 0x30); /* another process */
	recorded_symbols_add_mapping(&t.symbols, path, 0x5020, 0x100);
	recorded_symbols_add_mapping(&t.symbols, path, UINT64_MAX, 2);
	recorded_symbols_add_mapping(&t.symbols, path, 0x9000, 0x1000);
	recorded_symbols_add_mapping(&t.symbols, path + 1, 0x7000, 0x1000);
	assert_int_equal(recorded_symbols_each(&t.symbols, f, put_place, &places), 0);
	assert_string_equal(buf_str(&places), " 5010 20 9010 20 9040 8");
	buf_release(&places);
	release(&t);
}

static void generated_code_has_its_address_in_memory(void **state)
{
	struct perfdata_bed *b = *state;
	struct table t = { 0 };
	struct buf none = { 0 };
	str_id path;

	put_file(&t, "./TemporaryFile-1", TYPE_ELF, 0x2000, &none);
	assert_true(parse(b, &t, FEATURE_FILE));
	path = strtab_add_str(b->o.strings, "./TemporaryFile-1");
	assert_false(recorded_symbols_find(&t.symbols, path)->generated);
	recorded_symbols_set_generated(&t.symbols, path + 1); /* a file without symbols */
	recorded_symbols_set_generated(&t.symbols, path);
	assert_true(recorded_symbols_find(&t.symbols, path)->generated);
	assert_false(recorded_symbols_find(&t.symbols, path)->by_mapping);
	assert_int_equal(recorded_symbols_find(&t.symbols, path)->shift, 0);
	release(&t);
}

/* ---- FILE2 -------------------------------------------------------------------------------- */

static void put_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(b, (char)(v | 0x80));
	buf_putc(b, (char)v);
}

static void put_number(struct buf *b, uint32_t field, uint64_t v)
{
	put_varint(b, field << 3);
	put_varint(b, v);
}

static void put_bytes(struct buf *b, uint32_t field, struct span s)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, s.n);
	buf_put_span(b, s);
}

static void put_message(struct table *t, const char *path, uint32_t type, uint32_t offset_field)
{
	struct buf b = { 0 }, symbol = { 0 }, offset = { 0 };

	put_number(&symbol, 1, 0x2010);
	put_number(&symbol, 2, 0x20);
	put_bytes(&symbol, 3, SPAN("one"));
	put_number(&offset, 1, 0x1000);
	put_bytes(&b, 1, span_of(path));
	put_number(&b, 2, type);
	put_number(&b, 3, 0x2000);
	put_bytes(&b, 4, buf_span(&symbol));
	put_varint(&b, 9 << 3 | 1); /* fields of a later version, of 8 and of 4 bytes */
	buf_puts(&b, "12345678");
	put_varint(&b, 10 << 3 | 5);
	buf_puts(&b, "1234");
	put_bytes(&b, offset_field, buf_span(&offset));
	buf_u32(&t->bytes, t->swapped, (uint32_t)b.n);
	buf_put_span(&t->bytes, buf_span(&b));
	buf_release(&b);
	buf_release(&symbol);
	buf_release(&offset);
}

static void later_versions_write_messages(void **state)
{
	struct perfdata_bed *b = *state;
	struct table t = { 0 };

	put_message(&t, "/lib/a.so", TYPE_ELF, 6);
	put_message(&t, "/lib/a.ko", TYPE_KERNEL_MODULE, 7);
	put_message(&t, "/app/base.vdex", TYPE_DEX, 5);
	assert_true(parse(b, &t, FEATURE_FILE2));
	expect_file(b, &t, "/lib/a.so", "1000: one 2010 20");
	expect_file(b, &t, "/lib/a.ko", "1000: one 2010 20");
	expect_file(b, &t, "/app/base.vdex", "0: one 2010 20");
	release(&t);
}

static void damaged_messages_are_reported(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		const char *what;
		struct span bytes;
	} cases[] = {
		{ "text beyond the end", SPAN("\x0a\x05"
					      "ab") },
		{ "unknown kind of field", SPAN("\x0b") },
		{ "number without end", SPAN("\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") },
		{ "number cut off", SPAN("\x10\xff") },
		{ "symbol beyond its end", SPAN("\x22\x02\x1a\x09") },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct table t = { 0 };

		buf_u32(&t.bytes, false, (uint32_t)cases[i].bytes.n);
		buf_put_span(&t.bytes, cases[i].bytes);
		if (parse(b, &t, FEATURE_FILE2))
			fail_msg("%s: is good", cases[i].what);
		assert_int_equal(t.symbols.n_symbols, 0);
		release(&t);
	}
}

/* ---- in a recording ----------------------------------------------------------------------- */

static void symbols_are_read_from_the_sections_of_a_file(void **state)
{
	struct perfdata_bed *b = *state;
	struct table t = { 0 };
	struct buf none = { 0 };

	put_file(&t, "/lib/a.so", TYPE_ELF, 0x2000, &none);
	bed_start(b);
	writer_feature(&b->w, FEATURE_FILE, t.bytes.p, t.bytes.n);
	writer_feature(&b->w, FEATURE_FILE2, "\x64\0\0", 4); /* 100 bytes, which are not there */
	bed_open(b);
	perfdata_read_symbols(b->o.pd, &t.symbols, &b->o.diag);
	assert_int_equal(t.symbols.n_files, 1);
	assert_int_equal(t.symbols.n_symbols, 2);
	expect_count(b, DIAG_BAD_FEATURE, 1);
	release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(symbols_are_listed_by_file_in_either_byte_order),
		BED_TEST(symbols_without_an_offset_count_from_the_start_of_a_mapping),
		BED_TEST(a_table_that_is_cut_off_keeps_what_is_whole),
		BED_TEST(generated_code_has_its_address_in_memory),
		BED_TEST(later_versions_write_messages),
		BED_TEST(damaged_messages_are_reported),
		BED_TEST(symbols_are_read_from_the_sections_of_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
