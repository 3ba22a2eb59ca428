/*
 * A list of patterns: "*" stands for any characters, at the beginning, at the end, or at both.
 * Where the names come from: Linux 4.19 to 6.12, glibc, musl, jemalloc, V8, Go's runtime, HotSpot,
 * CPython, Ruby, .NET.
 */
#include "model/names/activity_name.h"

#include "base/mem.h"

static const struct {
	enum activity is;
	const char *pattern;
} known[] = {
	{ ACTIVITY_GC, "(garbage collector)" },
	{ ACTIVITY_GC, "v8::internal::Heap::*CollectGarbage*" },
	{ ACTIVITY_GC, "v8::internal::Heap::Scavenge*" },
	{ ACTIVITY_GC, "v8::internal::Heap::MarkCompact*" },
	{ ACTIVITY_GC, "v8::internal::Heap::PerformGarbageCollection*" },
	{ ACTIVITY_GC, "v8::internal::Heap::MinorMarkSweep*" },
	{ ACTIVITY_GC, "v8::internal::Scavenger*" },
	{ ACTIVITY_GC, "v8::internal::MarkCompactCollector::*" },
	{ ACTIVITY_GC, "v8::internal::ConcurrentMarking::*" },
	{ ACTIVITY_GC, "v8::internal::IncrementalMarking::*" },
	{ ACTIVITY_GC, "v8::internal::Sweeper::*" },
	{ ACTIVITY_GC, "runtime.gcBgMarkWorker*" },
	{ ACTIVITY_GC, "runtime.gcDrain*" },
	{ ACTIVITY_GC, "runtime.gcAssist*" },
	{ ACTIVITY_GC, "runtime.gcStart*" },
	{ ACTIVITY_GC, "runtime.gcMark*" },
	{ ACTIVITY_GC, "runtime.bgsweep*" },
	{ ACTIVITY_GC, "runtime.sweepone*" },
	{ ACTIVITY_GC, "G1ParTask::*" },
	{ ACTIVITY_GC, "G1CollectedHeap::*collection*" },
	{ ACTIVITY_GC, "G1Concurrent*" },
	{ ACTIVITY_GC, "GangWorker::*" },
	{ ACTIVITY_GC, "PSScavenge::*" },
	{ ACTIVITY_GC, "PSParallelCompact::*" },
	{ ACTIVITY_GC, "ZMark::*" },
	{ ACTIVITY_GC, "ZRelocate*" },
	{ ACTIVITY_GC, "ShenandoahConcurrent*" },
	{ ACTIVITY_GC, "gc_collect_main*" },
	{ ACTIVITY_GC, "gc_collect_generations*" },
	{ ACTIVITY_GC, "gc_marks*" },
	{ ACTIVITY_GC, "gc_sweep*" },
	{ ACTIVITY_GC, "WKS::gc_heap::*" },
	{ ACTIVITY_GC, "SVR::gc_heap::*" },
	{ ACTIVITY_LOCKS, "futex_wait*" },
	{ ACTIVITY_LOCKS, "__futex_*wait*" },
	{ ACTIVITY_LOCKS, "*pthread_cond_*wait*" },
	{ ACTIVITY_LOCKS, "futex_wake*" },
	{ ACTIVITY_LOCKS, "__x64_sys_futex" },
	{ ACTIVITY_LOCKS, "__arm64_sys_futex" },
	{ ACTIVITY_LOCKS, "__lll_lock_wait*" },
	{ ACTIVITY_LOCKS, "__GI___lll_lock_w*" },
	{ ACTIVITY_LOCKS, "pthread_mutex_*lock" },
	{ ACTIVITY_LOCKS, "__pthread_mutex_*lock*" },
	{ ACTIVITY_LOCKS, "___pthread_mutex_*lock*" },
	{ ACTIVITY_LOCKS, "__GI___pthread_mutex_*lock*" },
	{ ACTIVITY_LOCKS, "pthread_spin_lock" },
	{ ACTIVITY_LOCKS, "pthread_rwlock_*" },
	{ ACTIVITY_LOCKS, "__pthread_rwlock_*" },
	{ ACTIVITY_LOCKS, "native_queued_spin_lock_slowpath" },
	{ ACTIVITY_LOCKS, "queued_spin_lock_slowpath" },
	{ ACTIVITY_LOCKS, "queued_*_lock_slowpath" },
	{ ACTIVITY_LOCKS, "osq_lock" },
	{ ACTIVITY_LOCKS, "rwsem_down_*" },
	{ ACTIVITY_LOCKS, "mutex_spin_on_owner" },
	{ ACTIVITY_LOCKS, "__mutex_lock*" },
	{ ACTIVITY_LOCKS, "runtime.lock2" },
	{ ACTIVITY_LOCKS, "runtime.semacquire*" },
	{ ACTIVITY_LOCKS, "sync.(*Mutex).*" },
	{ ACTIVITY_LOCKS, "sync.(*RWMutex).*" },
	{ ACTIVITY_LOCKS, "internal/sync.(*Mutex).*" },
	{ ACTIVITY_LOCKS, "parking_lot::*lock*" },
	{ ACTIVITY_LOCKS, "ObjectMonitor::*enter*" },
	{ ACTIVITY_LOCKS, "take_gil" },
	{ ACTIVITY_PAGE_FAULTS, "asm_exc_page_fault" },
	{ ACTIVITY_PAGE_FAULTS, "exc_page_fault" },
	{ ACTIVITY_PAGE_FAULTS, "do_user_addr_fault" },
	{ ACTIVITY_PAGE_FAULTS, "handle_mm_fault" },
	{ ACTIVITY_PAGE_FAULTS, "__do_page_fault" },
	{ ACTIVITY_PAGE_FAULTS, "do_page_fault" },
	{ ACTIVITY_PAGE_FAULTS, "page_fault" },
	{ ACTIVITY_PAGE_FAULTS, "do_translation_fault" },
	{ ACTIVITY_ALLOCATION, "malloc" },
	{ ACTIVITY_ALLOCATION, "calloc" },
	{ ACTIVITY_ALLOCATION, "realloc" },
	{ ACTIVITY_ALLOCATION, "free" },
	{ ACTIVITY_ALLOCATION, "cfree*" },
	{ ACTIVITY_ALLOCATION, "__libc_malloc*" },
	{ ACTIVITY_ALLOCATION, "__libc_calloc*" },
	{ ACTIVITY_ALLOCATION, "__libc_realloc*" },
	{ ACTIVITY_ALLOCATION, "__libc_free*" },
	{ ACTIVITY_ALLOCATION, "__GI___libc_malloc" },
	{ ACTIVITY_ALLOCATION, "__GI___libc_free" },
	{ ACTIVITY_ALLOCATION, "_int_malloc" },
	{ ACTIVITY_ALLOCATION, "_int_free*" },
	{ ACTIVITY_ALLOCATION, "_int_realloc" },
	{ ACTIVITY_ALLOCATION, "malloc_consolidate" },
	{ ACTIVITY_ALLOCATION, "unlink_chunk*" },
	{ ACTIVITY_ALLOCATION, "tcache_*" },
	{ ACTIVITY_ALLOCATION, "operator new(*" },
	{ ACTIVITY_ALLOCATION, "operator new[](*" },
	{ ACTIVITY_ALLOCATION, "operator delete(*" },
	{ ACTIVITY_ALLOCATION, "operator delete[](*" },
	{ ACTIVITY_ALLOCATION, "operator new" },
	{ ACTIVITY_ALLOCATION, "operator delete" },
	{ ACTIVITY_ALLOCATION, "je_*alloc" },
	{ ACTIVITY_ALLOCATION, "je_free" },
	{ ACTIVITY_ALLOCATION, "tc_*alloc" },
	{ ACTIVITY_ALLOCATION, "tc_free" },
	{ ACTIVITY_ALLOCATION, "mi_*alloc" },
	{ ACTIVITY_ALLOCATION, "mi_free" },
	{ ACTIVITY_ALLOCATION, "__rust_alloc*" },
	{ ACTIVITY_ALLOCATION, "__rust_dealloc" },
	{ ACTIVITY_ALLOCATION, "runtime.mallocgc*" },
	{ ACTIVITY_COPYING, "*memcpy*" },
	{ ACTIVITY_COPYING, "*memmove*" },
	{ ACTIVITY_COPYING, "*memset*" },
	{ ACTIVITY_COPYING, "*copy_user*" },
	{ ACTIVITY_COPYING, "copyin" },
	{ ACTIVITY_COPYING, "copyout" },
	{ ACTIVITY_COPYING, "_copy_to_iter" },
	{ ACTIVITY_COPYING, "_copy_from_iter" },
	{ ACTIVITY_COPYING, "rep_movs*" },
	{ ACTIVITY_COPYING, "rep_stos*" },
	{ ACTIVITY_COPYING, "clear_page*" },
	{ ACTIVITY_COPYING, "copy_page*" },
	{ ACTIVITY_COPYING, "clear_huge_page*" },
	{ ACTIVITY_JIT_COMPILER, "v8::internal::compiler::*" },
	{ ACTIVITY_JIT_COMPILER, "v8::internal::maglev::*" },
	{ ACTIVITY_JIT_COMPILER, "v8::internal::baseline::*" },
	{ ACTIVITY_JIT_COMPILER, "v8::internal::Compiler::*" },
	{ ACTIVITY_JIT_COMPILER, "v8::internal::OptimizedCompilationJob::*" },
	{ ACTIVITY_JIT_COMPILER, "v8::internal::interpreter::*Generator::*" },
	{ ACTIVITY_JIT_COMPILER, "CompileBroker::*" },
	{ ACTIVITY_JIT_COMPILER, "Compile::Compile*" },
	{ ACTIVITY_JIT_COMPILER, "C2Compiler::*" },
	{ ACTIVITY_JIT_COMPILER, "Compiler::compile_method*" },
	{ ACTIVITY_JIT_COMPILER, "JSC::DFG::*" },
	{ ACTIVITY_JIT_COMPILER, "JSC::FTL::*" },
	{ ACTIVITY_SYSTEM_CALLS, "entry_SYSCALL_64*" },
	{ ACTIVITY_SYSTEM_CALLS, "do_syscall_64" },
	{ ACTIVITY_SYSTEM_CALLS, "entry_SYSENTER_compat*" },
	{ ACTIVITY_SYSTEM_CALLS, "el0_svc*" },
	{ ACTIVITY_SYSTEM_CALLS, "el0t_64_sync*" },
};

/* One star in the middle at most, beside those at both ends. */
static bool matches(struct span name, struct span pattern)
{
	while (pattern.n && pattern.p[0] != '*') {
		if (!name.n || name.p[0] != pattern.p[0])
			return false;
		name = span_skip(name, 1);
		pattern = span_skip(pattern, 1);
	}
	if (!pattern.n)
		return !name.n;
	for (pattern = span_skip(pattern, 1);; name = span_skip(name, 1)) {
		if (!pattern.n || matches(name, pattern))
			return true;
		if (!name.n)
			return false;
	}
}

enum activity activity_name_of(struct span name)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++) {
		const char *pattern = known[i].pattern;

		/* Most differ in their first letter. */
		if ((*pattern == '*' || (name.n && *pattern == name.p[0])) &&
			matches(name, span_of(pattern)))
			return known[i].is;
	}
	return ACTIVITY_NONE;
}

const char *activity_name_text(enum activity a)
{
	static const char *const text[ACTIVITY_COUNT] = {
		[ACTIVITY_NONE] = "other",
		[ACTIVITY_GC] = "garbage collection",
		[ACTIVITY_LOCKS] = "locks and condition variables",
		[ACTIVITY_PAGE_FAULTS] = "page faults",
		[ACTIVITY_ALLOCATION] = "memory allocation",
		[ACTIVITY_COPYING] = "copying and clearing memory",
		[ACTIVITY_JIT_COMPILER] = "compiling at run time",
		[ACTIVITY_SYSTEM_CALLS] = "system calls",
	};

	return text[a];
}
