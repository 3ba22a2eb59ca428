#include "output/picture/packed.h"

#include "base/base64.h"
#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <zlib.h>
#include <cmocka.h>

/* A reader of what was written, as a page has one. */

struct reader {
	struct span rest;
	struct span text[64];
	uint64_t n_texts, n_frames, name[64];
};

static uint64_t read_number(struct reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (r->rest.n) {
		unsigned char c = (unsigned char)*r->rest.p;

		r->rest = span_skip(r->rest, 1);
		v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return v;
		shift += 7;
	}
	fail_msg("the bytes end within a number");
	return 0;
}

static void skip_numbers(struct reader *r, uint64_t n)
{
	while (n--)
		read_number(r);
}

static void read_tables(struct reader *r)
{
	uint64_t i, n;

	r->n_texts = read_number(r);
	assert_true(r->n_texts <= ARRAY_LEN(r->text));
	for (i = 0; i < r->n_texts; i++)
		r->text[i].n = read_number(r);
	for (i = 0; i < r->n_texts; i++) {
		r->text[i].p = r->rest.p;
		r->rest = span_skip(r->rest, r->text[i].n);
	}
	n = read_number(r);
	skip_numbers(r, 2 * n); /* modules */
	n = read_number(r);
	skip_numbers(r, 2 * n); /* categories */
	n = read_number(r);
	skip_numbers(r, 2 * n); /* packages */
	n = read_number(r);
	skip_numbers(r, 3 * n); /* mixes */
	n = read_number(r);
	skip_numbers(r, n); /* colours of tiers */
	r->n_frames = read_number(r);
	assert_true(r->n_frames <= ARRAY_LEN(r->name));
	for (i = 0; i < r->n_frames; i++)
		r->name[i] = read_number(r);
	skip_numbers(r, 9 * r->n_frames);
}

static void pack(struct buf *out, struct test_profile *t)
{
	struct frame_coloring colors = { 0 };
	struct display_names names;
	struct packed_tree k;
	struct err e;

	assert_int_equal(palette_by_name(&colors.palette, NULL, &e), OK);
	display_names_init(&names, &t->p);
	colors.p = &t->p;
	packed_init(&k, &names, &colors);
	packed_add_profile(&k);
	packed_close(&k);
	packed_put_all(&k, out);
	packed_release(&k);
	display_names_release(&names);
}

static void nodes_come_back_as_they_were(void **state)
{
	struct test_profile t;
	struct reader r = { 0 };
	struct buf out = { 0 };
	uint64_t n, unit, i, depth = 0;

	(void)state;
	test_profile_from_folded(&t, SPAN("a;b;c 30\na;b 10\na;d;b 20\nd 40\n"));
	pack(&out, &t);
	r.rest = buf_span(&out);
	read_tables(&r);
	n = read_number(&r);
	unit = read_number(&r);
	assert_int_equal(n, t.p.n_nodes);
	assert_int_equal(unit, 10);
	for (i = 0; i < n; i++) {
		struct span name = r.text[r.name[read_number(&r)]];

		if (i)
			assert_true(span_eq(name, frames_name(t.p.frames, t.p.nodes[i].frame)));
		else
			assert_int_equal(name.n, 0);
	}
	for (i = 0; i < n; i++)
		assert_int_equal(read_number(&r) * unit, t.p.nodes[i].self);
	for (i = 0; i < n; i++) {
		uint64_t up = read_number(&r);

		depth = i ? depth + 1 - up : 0;
		assert_int_equal(depth, t.p.nodes[i].depth);
	}
	assert_int_equal(r.rest.n, 0);
	buf_release(&out);
	test_profile_release(&t);
}

/* Each is deflated by itself, by any worker. */
static void many_nodes_make_several_parts(void **state)
{
	const uint32_t frames = 300000;
	struct frame_coloring colors = { 0 };
	struct buf text = { 0 }, whole = { 0 }, part = { 0 };
	struct test_profile t;
	struct display_names names;
	struct packed_tree k;
	struct err e;
	uint32_t i;
	size_t at = 0;

	(void)state;
	for (i = 0; i < frames; i++)
		buf_puts(&text, i % 3 ? ";a" : ";b");
	buf_puts(&text, " 7\n");
	test_profile_from_folded(&t, span_skip(buf_span(&text), 1));
	pack(&whole, &t);
	assert_int_equal(palette_by_name(&colors.palette, NULL, &e), OK);
	display_names_init(&names, &t.p);
	colors.p = &t.p;
	packed_init(&k, &names, &colors);
	packed_add_profile(&k);
	packed_close(&k);
	assert_int_equal(packed_count_parts(&k), 7);
	for (i = 0; i < 7; i++, at += part.n) {
		part.n = 0;
		packed_put_part(&k, i, &part);
		assert_true(part.n > 1 && part.n <= whole.n - at);
		assert_memory_equal(part.p, whole.p + at, part.n);
	}
	assert_int_equal(at, whole.n);
	packed_release(&k);
	display_names_release(&names);
	buf_release(&text);
	buf_release(&whole);
	buf_release(&part);
	test_profile_release(&t);
}

static void a_frame_that_occurs_most_has_the_smallest_number(void **state)
{
	struct test_profile t;
	struct reader r = { 0 };
	struct buf out = { 0 };

	(void)state;
	test_profile_from_folded(&t, SPAN("a;often 1\nb;often 1\nc;often 1\n"));
	pack(&out, &t);
	r.rest = buf_span(&out);
	read_tables(&r);
	assert_int_equal(r.n_frames, 5);
	assert_true(span_eq(r.text[r.name[1]], SPAN("often")));
	buf_release(&out);
	test_profile_release(&t);
}

static void a_profile_without_stacks_is_a_root(void **state)
{
	struct test_profile t;
	struct reader r = { 0 };
	struct buf out = { 0 };

	(void)state;
	test_profile_from_folded(&t, SPAN(""));
	pack(&out, &t);
	r.rest = buf_span(&out);
	read_tables(&r);
	assert_int_equal(read_number(&r), t.p.n_nodes);
	assert_int_equal(read_number(&r), 1);
	buf_release(&out);
	test_profile_release(&t);
}

static void strings_are_repaired_and_cannot_change_the_direction_of_text(void **state)
{
	struct buf out = { 0 };

	(void)state;
	packed_put_text(&out, SPAN("a\xff\xe2\x80\xaegpj.exe\xe6\x97\xa5"));
	assert_true(span_eq(buf_span(&out), SPAN("a\ufffd\ufffdgpj.exe\xe6\x97\xa5")));
	buf_release(&out);
}

/* Packs and unpacks bytes, compares them, and returns the packed size. */
static size_t check_packing(const unsigned char *bytes, size_t n)
{
	static unsigned char back[3 << 20];
	struct buf text = { 0 }, packed = { 0 };
	struct sink *to = sink_to_buf(&text);
	uLongf room = sizeof(back);
	size_t between;

	packed_put_base64(to, (struct span){ (const char *)bytes, n });
	assert_int_equal(sink_commit(to, NULL), OK);
	assert_true(base64_decode(buf_span(&text), &packed));
	assert_int_equal(uncompress(back, &room, (const Bytef *)packed.p, packed.n), Z_OK);
	assert_int_equal(room, n);
	assert_memory_equal(back, bytes, room);
	between = packed.n;
	buf_release(&packed);
	buf_release(&text);
	return between;
}

static void bytes_survive_being_packed(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 4, 1000, 100000, 1 << 20, (2 << 20) + 5 };
	static unsigned char bytes[(2 << 20) + 5];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * i >> 3);
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		check_packing(bytes, sizes[i]);
	assert_true(check_packing(bytes, sizeof(bytes)) < sizeof(bytes) / 2);
}

static void bytes_that_hardly_shrink_are_stored(void **state)
{
	static unsigned char bytes[1 << 20];
	size_t n = sizeof(bytes), packed, i;
	uint32_t x = 1;

	(void)state;
	for (i = 0; i < n; i++)
		bytes[i] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
	packed = check_packing(bytes, n);
	assert_in_range(packed, n, n + n / 1000);
	/* By a twentieth each: not worth it. By an eighth: it is. */
	for (i = 0; i < n; i++)
		bytes[i] = (unsigned char)(bytes[i] % 180);
	assert_in_range(check_packing(bytes, n), n, n + n / 1000);
	for (i = 0; i < n; i++)
		bytes[i] = (unsigned char)(bytes[i] & 127);
	assert_in_range(check_packing(bytes, n), n / 2, n - n / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_come_back_as_they_were),
		cmocka_unit_test(many_nodes_make_several_parts),
		cmocka_unit_test(a_frame_that_occurs_most_has_the_smallest_number),
		cmocka_unit_test(a_profile_without_stacks_is_a_root),
		cmocka_unit_test(strings_are_repaired_and_cannot_change_the_direction_of_text),
		cmocka_unit_test(bytes_survive_being_packed),
		cmocka_unit_test(bytes_that_hardly_shrink_are_stored),
	};

	return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
