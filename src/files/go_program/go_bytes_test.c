#include "files/go_program/go_bytes.h"

#include "base/tmpdir_for_test.h"

enum { FILE_BYTES = 600000, START = 1000 };

static uint8_t byte_at(size_t i)
{
	return (uint8_t)(i * 31 + i / 251 + 1);
}

/* A file of known bytes, as that of a program. */
static struct elf_file file_of_bytes(const char *dir)
{
	struct elf_file ef = { .fd = open(dir, O_TMPFILE | O_RDWR, 0600) };
	uint8_t *bytes = xmalloc(FILE_BYTES);
	size_t i;

	for (i = 0; i < FILE_BYTES; i++)
		bytes[i] = byte_at(i);
	assert_true(ef.fd >= 0);
	assert_int_equal(write(ef.fd, bytes, FILE_BYTES), FILE_BYTES);
	free(bytes);
	return ef;
}

static void assert_there(const struct go_bytes *b, size_t from, size_t until)
{
	size_t i;

	for (i = from; i < until; i++)
		assert_int_equal((uint8_t)b->all.p[i], byte_at(START + i));
}

static void only_blocks_that_are_needed_are_read(void **state)
{
	struct elf_file ef = file_of_bytes(*state);
	const size_t n = FILE_BYTES - START, edge = 5 * GO_BYTES_BLOCK;
	struct go_bytes b;

	assert_true(go_bytes_open(&b, &ef, START, n));
	assert_int_equal(b.all.n, n);
	go_bytes_need(&b, b.all.p + edge - 2, 4);
	assert_there(&b, edge - GO_BYTES_BLOCK, edge + GO_BYTES_BLOCK);
	assert_int_equal(b.all.p[edge - GO_BYTES_BLOCK - 1], 0);
	assert_int_equal(b.all.p[edge + GO_BYTES_BLOCK], 0);
	go_bytes_need(&b, b.all.p + n - 1, 1);
	assert_there(&b, n - 100, n);
	go_bytes_need(&b, b.all.p, n);
	assert_there(&b, 0, n);
	go_bytes_release(&b);
	close(ef.fd);
}

static void bytes_of_others_are_left_alone(void **state)
{
	struct elf_file ef = file_of_bytes(*state);
	struct go_bytes b, none = { 0 };
	char other[8] = "other";

	assert_true(go_bytes_open(&b, &ef, START, FILE_BYTES - START));
	go_bytes_need(&b, other, sizeof(other));
	go_bytes_need(&b, NULL, 0);
	go_bytes_need(&none, other, sizeof(other));
	assert_int_equal(b.all.p[0], 0);
	assert_string_equal(other, "other");
	go_bytes_release(&b);
	close(ef.fd);
}

static void what_is_beyond_the_file_is_refused(void **state)
{
	struct elf_file ef = file_of_bytes(*state);
	struct go_bytes b;

	assert_false(go_bytes_open(&b, &ef, START, FILE_BYTES));
	assert_false(go_bytes_open(&b, &ef, UINT64_MAX - 10, FILE_BYTES));
	assert_false(go_bytes_open(&b, &ef, START, (uint64_t)1 << 62));
	close(ef.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(only_blocks_that_are_needed_are_read),
		IN_TMPDIR(bytes_of_others_are_left_alone),
		IN_TMPDIR(what_is_beyond_the_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
