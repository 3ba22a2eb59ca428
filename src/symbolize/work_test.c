#include "symbolize/work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Debug information of three units, of which nothing is read. */
struct module_read {
	struct dwarf_debug debug;
	struct dwarf_task task[3];
};

static struct dwarf_debug *read_module(struct module_read *m)
{
	*m = (struct module_read){ .debug = { .n_tasks = 3, .users = 1 } };
	m->debug.task = m->task;
	return &m->debug;
}

static void expect_batch(struct work *w, uint32_t batch)
{
	struct work_item item;

	assert_true(work_next(w, &item));
	assert_false(item.kallsyms);
	assert_null(item.debug);
	assert_int_equal(item.batch, batch);
}

static void expect_unit(struct work *w, const struct dwarf_debug *of)
{
	struct work_item item;

	assert_true(work_next(w, &item));
	assert_ptr_equal(item.debug, of);
}

static void expect_end(struct work *w)
{
	struct work_item item;

	assert_false(work_next(w, &item));
	work_release(w);
}

static void one_worker_names_all_units_before_the_next_module(void **state)
{
	struct module_read a;
	struct work w;
	unsigned i;

	(void)state;
	work_init(&w, 2, 2, 1);
	expect_batch(&w, 0);
	work_batch_done(&w, read_module(&a));
	for (i = 0; i < 3; i++)
		expect_unit(&w, &a.debug);
	expect_batch(&w, 1);
	work_batch_done(&w, NULL);
	expect_end(&w);
}

static void of_several_workers_one_reads_the_next_module_meanwhile(void **state)
{
	struct module_read a, b;
	struct work w;
	unsigned i;

	(void)state;
	work_init(&w, 3, 3, 2);
	expect_batch(&w, 0);
	work_batch_done(&w, read_module(&a));
	expect_batch(&w, 1);
	expect_unit(&w, &a.debug); /* one is being read: that is enough */
	work_batch_done(&w, read_module(&b));
	for (i = 1; i < 3; i++) /* two have units: that is enough */
		expect_unit(&w, &a.debug);
	expect_batch(&w, 2);
	for (i = 0; i < 3; i++)
		expect_unit(&w, &b.debug);
	work_batch_done(&w, NULL);
	expect_end(&w);
}

static void kallsyms_come_first_and_their_batches_after_they_are_read(void **state)
{
	struct work_item item;
	struct work w;

	(void)state;
	work_init(&w, 2, 1, 2);
	assert_true(work_next(&w, &item));
	assert_true(item.kallsyms);
	expect_batch(&w, 0);
	work_batch_done(&w, NULL);
	work_kallsyms_done(&w);
	expect_batch(&w, 1);
	work_batch_done(&w, NULL);
	expect_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_worker_names_all_units_before_the_next_module),
		cmocka_unit_test(of_several_workers_one_reads_the_next_module_meanwhile),
		cmocka_unit_test(kallsyms_come_first_and_their_batches_after_they_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
