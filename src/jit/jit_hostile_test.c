/* Perf maps that grow while they are read, belong to others, or are odd. */
#include "jit/jit_bed_for_test.h"
#include "jit/jit_load_for_test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>

static void load(struct jit_bed *b, const char *path)
{
	jit_bed_reset(b);
	assert_int_equal(load_map_at(path, &b->map, b->frames, &b->diag,
				 &(struct perf_map_opts){ .pid = 7 }, &b->err),
		OK);
}

static void an_empty_map_names_nothing(void **state)
{
	struct jit_bed *b = *state;
	char *path = tmpdir_at(&b->dir, "perf-7.map");

	tmpdir_write(path, SPAN(""));
	load(b, path);
	assert_string_equal(jit_bed_name(b, 0x10000, 1), "-");
	assert_int_equal(b->diag.count[DIAG_BAD_MAP_LINE], 0);
}

/* It takes no room on disk and would take minutes to read; anybody may put it into /tmp. */
static void a_hole_ends_a_map(void **state)
{
	struct jit_bed *b = *state;
	char *path = tmpdir_at(&b->dir, "perf-7.map");
	clock_t begun = clock();

	tmpdir_write(path, SPAN("10000 10 f\n"));
	assert_int_equal(truncate(path, (off_t)100 << 30), 0);
	load(b, path);
	EXPECT_NAMES(b, { 0x10000, 1, "f" });
	assert_true(clock() - begun < 5 * CLOCKS_PER_SEC);
}

/* Lines with a name of one character or none, and impossible sizes. */
static void odd_lines_are_used_or_counted(void **state)
{
	struct jit_bed *b = *state;
	char *path = tmpdir_at(&b->dir, "perf-7.map");

	tmpdir_write(path, SPAN("10000 10 f\n20000 10 \n30000 10\n40000 -10 g\n"
				"50000 10000000000000000 h\n60000 10 i"));
	load(b, path);
	EXPECT_NAMES(b, { 0x10000, 1, "f" }, { 0x20000, 1, "-" }, { 0x30000, 1, "-" },
		{ 0x40000, 1, "-" }, { 0x50000, 1, "-" }, { 0x60000, 1, "i" });
	assert_int_equal(b->diag.count[DIAG_BAD_MAP_LINE], 4);
}

/* Sparse, so that it is fast: one line covers all but the ends. */
static void a_map_of_hundreds_of_megabytes_is_read_to_its_end(void **state)
{
	struct jit_bed *b = *state;
	static const off_t end = 256 << 20;
	char *path = tmpdir_at(&b->dir, "perf-7.map");
	int fd;

	tmpdir_write(path, SPAN("10000 10 first\n"));
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, "\n20000 10 last\n", 15, end), 15);
	close(fd);
	load(b, path);
	EXPECT_NAMES(b, { 0x10000, 1, "first" }, { 0x20000, 1, "last" });
}

struct writer {
	int fd;
	atomic_bool stop;
	atomic_uint lines, most;
};

/* A process that makes code faster than it can be read, but not more in all than can be read soon
 * by a program that is emulated. */
static void *write_on(void *arg)
{
	struct writer *w = arg;

	while (!atomic_load(&w->stop)) {
		if (atomic_load(&w->lines) == atomic_load(&w->most)) {
			sched_yield();
			continue;
		}
		dprintf(w->fd, "%x 10 function\n", 0x20000 + 16 * atomic_load(&w->lines));
		atomic_fetch_add(&w->lines, 1);
	}
	return NULL;
}

static void a_map_that_grows_while_it_is_read_has_an_end(void **state)
{
	struct jit_bed *b = *state;
	char *path = tmpdir_at(&b->dir, "perf-7.map");
	enum { LINES = 20000 };
	struct writer w = { .most = LINES };
	pthread_t thread;
	unsigned i;

	tmpdir_write(path, SPAN("10000 10 first\n"));
	w.fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(pthread_create(&thread, NULL, write_on, &w), 0);
	while (atomic_load(&w.lines) < 1000)
		;
	for (i = 0; i < 20; i++) {
		atomic_fetch_add(&w.most, LINES);
		load(b, path);
		assert_string_equal(jit_bed_name(b, 0x10000, 1), "first");
		assert_string_equal(jit_bed_name(b, 0x20000 + 16 * 500, 1), "function");
	}
	atomic_store(&w.stop, true);
	pthread_join(thread, NULL);
	close(w.fd);
}

/* perf refuses such a map; a map in a container belongs to its user, and what it says is data. */
static void a_map_of_another_user_is_read(void **state)
{
	struct jit_bed *b = *state;
	char *path;

	if (geteuid() != 0)
		skip(); /* only root can change the owner of a file */
	path = tmpdir_at(&b->dir, "perf-7.map");
	tmpdir_write(path, SPAN("10000 10 theirs\n"));
	assert_int_equal(chown(path, 65534, 65534), 0);
	load(b, path);
	assert_string_equal(jit_bed_name(b, 0x10000, 1), "theirs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(an_empty_map_names_nothing),
		BED_TEST(a_hole_ends_a_map),
		BED_TEST(odd_lines_are_used_or_counted),
		BED_TEST(a_map_of_hundreds_of_megabytes_is_read_to_its_end),
		BED_TEST(a_map_that_grows_while_it_is_read_has_an_end),
		BED_TEST(a_map_of_another_user_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
