#include "model/names/activity_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define assert_activity(name, is) assert_int_equal(activity_name_of(SPAN(name)), is)

static void functions_of_collectors(void **state)
{
	(void)state;
	assert_activity("(garbage collector)", ACTIVITY_GC);
	assert_activity("v8::internal::Heap::CollectGarbage", ACTIVITY_GC);
	assert_activity("v8::internal::Heap::TryCollectGarbage(int)", ACTIVITY_GC);
	assert_activity("runtime.gcBgMarkWorker.func2", ACTIVITY_GC);
	assert_activity("G1CollectedHeap::do_collection_pause", ACTIVITY_GC);
	assert_activity("collectGarbage /srv/refuse.js:1:1", ACTIVITY_NONE);
}

static void functions_that_lock(void **state)
{
	(void)state;
	assert_activity("futex_wait_queue", ACTIVITY_LOCKS);
	assert_activity("pthread_mutex_lock", ACTIVITY_LOCKS);
	assert_activity("pthread_mutex_trylock", ACTIVITY_LOCKS);
	assert_activity("pthread_mutex_init", ACTIVITY_NONE);
	assert_activity("___pthread_mutex_lock", ACTIVITY_LOCKS);
	assert_activity("pthread_cond_timedwait@@GLIBC_2.3.2", ACTIVITY_LOCKS);
	assert_activity("sync.(*Mutex).lockSlow", ACTIVITY_LOCKS);
	assert_activity("lock", ACTIVITY_NONE);
}

static void functions_of_memory(void **state)
{
	(void)state;
	assert_activity("asm_exc_page_fault", ACTIVITY_PAGE_FAULTS);
	assert_activity("malloc", ACTIVITY_ALLOCATION);
	assert_activity("xmalloc", ACTIVITY_NONE);
	assert_activity("free", ACTIVITY_ALLOCATION);
	assert_activity("freeaddrinfo", ACTIVITY_NONE);
	assert_activity("operator new(unsigned long)", ACTIVITY_ALLOCATION);
	assert_activity("__memmove_avx_unaligned_erms", ACTIVITY_COPYING);
	assert_activity("memset", ACTIVITY_COPYING);
}

static void other_functions(void **state)
{
	(void)state;
	assert_activity("v8::internal::compiler::PipelineImpl::Run", ACTIVITY_JIT_COMPILER);
	assert_activity("entry_SYSCALL_64_after_hwframe", ACTIVITY_SYSTEM_CALLS);
	assert_activity("", ACTIVITY_NONE);
	assert_activity("main", ACTIVITY_NONE);
}

static void every_activity_has_a_name(void **state)
{
	int a;

	(void)state;
	for (a = 0; a < ACTIVITY_COUNT; a++)
		assert_non_null(activity_name_text((enum activity)a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_collectors),
		cmocka_unit_test(functions_that_lock),
		cmocka_unit_test(functions_of_memory),
		cmocka_unit_test(other_functions),
		cmocka_unit_test(every_activity_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
