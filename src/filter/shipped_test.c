/* The filters in filters/, against names from real recordings. */

#include "filter/filter_for_test.h"

#include "base/mem.h"
#include "model/names/v8_name.h"
#include "model/profile.h"

static const char *const shipped[] = { "nodejs", "nodejs-app-only", "javascript", "v8-internals",
	"libc-start", "kernel", "classic-node", "libuv", "java", "python", "ruby", "dotnet", "php",
	"erlang", "julia", "luajit", "wasm", "go", "rust", "cpp-std", "idle", "bun", "jit",
	"android" };

static void load(struct bed *b, const char *name)
{
	static const char *const dirs[] = { "filters", NULL };
	struct err e = { 0 };

	bed_setup(b);
	filter_free(b->filter);
	b->filter = filter_new(b->frames, dirs);
	if (filter_add_file(b->filter, name, &e))
		fail_msg("%s", e.msg);
	b->rewriter = filter_rewriter(b->filter);
}

/* What a filter makes of one frame; "-": it is gone. */
static const char *one_frame(struct bed *b, void *worker, const struct frame *f)
{
	frame_id ids[1] = { frames_add(b->frames, f) };
	struct stack s = { .frames = ids, .n = 1, .root = &b->root, .samples = 1, .weight = 1 };

	b->rewriter.apply(worker, &s);
	return s.n && !s.dropped ? strtab_str(b->strings, frames_get(b->frames, ids[0])->name)
				 : "-";
}

static struct frame frame_named(struct bed *b, const char *name)
{
	struct frame f = { .kind = FRAME_USER };
	struct v8_name v8;

	if (v8_name_parse(span_of(name), &v8))
		f.kind = FRAME_JIT;
	f.name = strtab_add_str(b->strings, name);
	return f;
}

/* changes has lines "BEFORE  =>  AFTER"; AFTER is "-" for a frame that is gone, "=" for one that
 * stays as it is. */
static void expect_changes(const char *filter, const char *changes)
{
	struct span rest = span_of(changes), line;
	struct bed b;
	void *worker;

	load(&b, filter);
	worker = b.rewriter.worker_new(b.rewriter.ctx);
	while (span_next_line(&rest, &line)) {
		ptrdiff_t arrow = span_find(line, SPAN("  =>  "));
		char *before = xasprintf("%.*s", (int)arrow, line.p);
		struct span expected = span_skip(line, (size_t)arrow + 6);
		struct frame f = frame_named(&b, before);
		const char *after = one_frame(&b, worker, &f);

		if (span_eq(expected, SPAN("=")))
			expected = span_of(before);
		if (!span_eq(span_of(after), expected))
			fail_msg("%s: `%s` became `%s`", filter, before, after);
		free(before);
	}
	b.rewriter.worker_merge(b.rewriter.ctx, worker);
	bed_teardown(&b);
}

static void nodejs_names_functions_as_their_authors_do(void **state)
{
	static const char changes[] =
		/* one function in all tiers, V8 4 to 14 */
		"LazyCompile:~route /srv/app.js:12  =>  route /srv/app.js:12\n"
		"LazyCompile:*route /srv/app.js:12  =>  route /srv/app.js:12\n"
		"Function:^route /srv/app.js:12  =>  route /srv/app.js:12\n"
		"JS:~route /srv/app.js:12:7  =>  route /srv/app.js:12:7\n"
		"JS:^route /srv/app.js:12:7  =>  route /srv/app.js:12:7\n"
		"JS:+'route /srv/app.js:12:7  =>  route /srv/app.js:12:7\n"
		"JS:*'route /srv/app.js:12:7  =>  route /srv/app.js:12:7\n"
		"JS:o+route /srv/app.js:12:7  =>  route /srv/app.js:12:7\n"
		"JS:o*'route /srv/app.js:12:7  =>  route /srv/app.js:12:7\n"
		"InterpretedFunction:route /srv/app.js:12  =>  route /srv/app.js:12\n"
		"LazyCompile:route /srv/app.js:12  =>  route /srv/app.js:12\n"
		/* "o" begins a name as well */
		"JS:~onData node:net:3:4  =>  onData node:net:3:4\n"
		"JS:^o /srv/nl.js:1:190  =>  o /srv/nl.js:1:190\n"
		/* without a name, without a URL, without either */
		"LazyCompile:~ /srv/app.js:26  =>  (anonymous) /srv/app.js:26\n"
		"Eval:~ node:internal/fs/utils:1:1  =>  (anonymous) node:internal/fs/utils:1:1\n"
		"Script:~_http_client.js  =>  (anonymous) _http_client.js\n"
		"Script:~ /srv/app.js:1  =>  (anonymous) /srv/app.js:1\n"
		"JS:*fromEval :1:18  =>  fromEval :1:18\n"
		"JS:+' :1:20  =>  (anonymous) :1:20\n"
		"LazyCompile:  =>  (anonymous)\n"
		/* blanks in names and paths */
		"JS:*get size /srv/my files/a b.js:5:11  =>  get size /srv/my files/a b.js:5:11\n"
		"LazyCompile:~reduce native array.js:1082  =>  reduce native array.js:1082\n"
		/* WebAssembly borrows the prefixes */
		"Function:WASM_function#0:module:spin (wasm):0  =>  spin [wasm]\n"
		"Function:spin-0  =>  spin [wasm]\n"
		"Function:spin-12-liftoff  =>  spin [wasm]\n"
		"JS:wasm-function[3]-3-turbofan  =>  wasm-function[3] [wasm]\n"
		"Function:js-to-wasm#0:export:js-to-wasm#0 (wasm):0  =>  -\n"
		"Stub:js_to_wasm:i:i  =>  -\n"
		/* regular expressions */
		"RegExp:^\\s+$  =>  [RegExp] /^\\s+$\n"
		"RegExp.> src: '(\\w+)' flags: 'gi'  =>  [RegExp] /(\\w+)/gi\n"
		"RegExp.< src: 'cut off  =>  [RegExp] /cut off\n";

	(void)state;
	expect_changes("nodejs", changes);
}

static void nodejs_removes_frames_between_functions(void **state)
{
	static const char changes[] =
		"BytecodeHandler:Add.Wide  =>  -\n"
		"Handler:UnknownBytecodeHadler  =>  -\n"
		"Builtins_LdaKeyedPropertyHandler  =>  -\n"
		"Builtins_InterpreterEntryTrampoline  =>  -\n"
		"Builtins_JSEntryTrampoline  =>  -\n"
		"Builtins_CEntry_Return1_ArgvOnStack_BuiltinExit  =>  -\n"
		"Builtins_CallFunction_ReceiverIsNullOrUndefined  =>  -\n"
		"Builtin:ArgumentsAdaptorTrampoline  =>  -\n"
		"Builtins_LoadIC_Megamorphic  =>  -\n"
		"Builtins_KeyedStoreICTrampoline  =>  -\n"
		"KeyedLoadIC:A keyed load IC from the snapshot  =>  -\n"
		"StorePreMonomorphic:0  =>  -\n"
		"Stub:CEntryStub  =>  -\n"
		"Builtins_AsyncFunctionAwaitResolveClosure  =>  -\n"
		"Builtins_RunMicrotasks  =>  -\n"
		"v8::internal::(anonymous namespace)::Invoke  =>  -\n"
		"v8::Function::Call  =>  -\n"
		"node::InternalMakeCallback  =>  -\n"
		"node::Start  =>  -\n"
		"node::LibuvStreamWrap::OnUvRead  =>  -\n"
		"uv__async_io.part.0  =>  -\n"
		"uv__run_timers  =>  -\n"
		"__libc_start_call_main  =>  -\n"
		"_start  =>  -\n"
		"main  =>  -\n"
		/* and leaves what does the work */
		"Builtins_ArrayPrototypeSort  =>  Array.prototype.sort\n"
		"Builtins_TypedArrayPrototypeMap  =>  TypedArray.prototype.map\n"
		"Builtins_ArrayTimSort  =>  [builtin] ArrayTimSort\n"
		"Builtins_CallSitePrototypeGetFileName  =>  CallSite.prototype.getFileName\n"
		"Stub:StringAddStub  =>  [builtin] StringAdd\n"
		"v8::internal::Builtin_JsonParse  =>  [builtin] JsonParse\n"
		"v8::internal::Runtime_StringAdd(int, unsigned long*, v8::internal::Isolate*)  =>  "
		"[runtime] StringAdd\n"
		"v8::internal::JsonStringifier::SerializeString  =>  =\n"
		"node::StreamBase::Writev  =>  =\n"
		"node::StartsWith  =>  =\n"
		"uv__work_submit  =>  =\n"
		"mainloop  =>  =\n"
		"LoadIC::Compile  =>  =\n"
		"toFib /srv/main.js:3  =>  =\n"
		"non-virtual thunk to node::crypto::HashJob::DoThreadPoolWork  =>  "
		"node::crypto::HashJob::DoThreadPoolWork\n"
		/* or makes one frame of it */
		"v8::internal::Heap::Scavenge  =>  (garbage collector)\n"
		"v8::internal::ScavengerCollector::JobTask::Run  =>  (garbage collector)\n"
		"void v8::internal::MarkCompactCollector::Sweep<true>  =>  (garbage collector)\n"
		"v8::internal::Runtime_CompileLazy  =>  (compiler)\n"
		"v8::internal::compiler::GraphReducer::Reduce  =>  (compiler)\n"
		"v8::internal::ParserBase<v8::internal::Parser>::ParseBlock  =>  (parser)\n";

	(void)state;
	expect_changes("nodejs", changes);
}

static void the_other_filters_do_what_their_heads_say(void **state)
{
	static const char v8[] = "v8::internal::JsonStringify  =>  -\n"
				 "void v8::internal::Foo<true>::Bar  =>  -\n"
				 "Builtins_ArrayPrototypeSort  =>  -\n"
				 "Array.prototype.sort  =>  -\n"
				 "[runtime] StringAdd  =>  -\n"
				 "LoadIC:A load IC from the snapshot  =>  -\n"
				 "v8::internal::Heap::CollectGarbage  =>  (garbage collector)\n"
				 "(garbage collector)  =>  =\n"
				 "JS:*f /srv/a.js:1:2  =>  =\n"
				 "f /srv/a.js:1:2  =>  =\n"
				 "node::StreamBase::Write  =>  =\n"
				 "std::vector<v8::internal::Object>::push_back  =>  =\n";
	static const char libc[] = "_start  =>  -\n"
				   "__libc_start_main@@GLIBC_2.34  =>  -\n"
				   "__libc_start_call_main  =>  -\n"
				   "generic_start_main.isra.0  =>  -\n"
				   "clone3  =>  -\n"
				   "__clone  =>  -\n"
				   "start_thread  =>  -\n"
				   "memcpy@GLIBC_2.2.5  =>  memcpy\n"
				   "__GI___writev  =>  __writev\n"
				   "main  =>  =\n"
				   "start_thread_pool  =>  =\n";
	static const char kernel[] = "entry_SYSCALL_64_after_hwframe  =>  -\n"
				     "do_syscall_64  =>  -\n"
				     "el0t_64_sync  =>  -\n"
				     "__x64_sys_write  =>  sys_write\n"
				     "__arm64_sys_openat  =>  sys_openat\n"
				     "__do_sys_brk  =>  sys_brk\n"
				     "finish_task_switch.isra.0  =>  finish_task_switch\n"
				     "deflate.constprop.0.isra.1  =>  deflate\n"
				     "asm_sysvec_apic_timer_interrupt  =>  [irq]\n"
				     "handle_softirqs  =>  [irq]\n"
				     "el1h_64_irq  =>  [irq]\n"
				     "asm_exc_page_fault  =>  [page fault]\n"
				     "vfs_read  =>  =\n";
	struct bed b;

	(void)state;
	expect_changes("v8-internals", v8);
	expect_changes("libc-start", libc);
	expect_changes("kernel", kernel);
	load(&b, "kernel");
	bed_expect(&b,
		"entry_SYSCALL_64_after_hwframe do_syscall_64 __x64_sys_brk __do_sys_brk do_brk",
		"sys_brk do_brk");
	bed_teardown(&b);
}

static void classic_node_is_egrep_sed_and_stackcollapse(void **state)
{
	static const char changes[] =
		"LazyCompile:*fib /srv/a.js:5  =>  fib /srv/a.js:5\n"
		"LazyCompile:~fib /srv/a.js:5  =>  fib /srv/a.js:5\n"
		"LazyCompile:fib /srv/a.js:5  =>  fib /srv/a.js:5\n"
		"LazyCompile:~ /srv/a.js:5  =>   /srv/a.js:5\n"
		"f LazyCompile:~g LazyCompile:*h  =>  f g LazyCompile:*h\n"
		"JS:^fib /srv/a.js:5:13  =>  =\n"
		"Function:^fib /srv/a.js:5  =>  =\n"
		"Builtin:ArgumentsAdaptorTrampoline  =>  -\n"
		"Builtins_JSEntry  =>  =\n"
		"Stub:CEntryStub  =>  -\n"
		"LoadIC:x  =>  -\n"
		"KeyedLoadIC:x  =>  =\n"
		"LoadPolymorphicIC:x  =>  -\n"
		"__libc_start_main  =>  -\n"
		"v8::internal::Invoke  =>  -\n"
		"void v8::internal::Invoke  =>  -\n"
		"f(v8::internal::Isolate*)  =>  f\n"
		"f(int, v8::internal::Isolate*)  =>  -\n"
		"node LazyCompile x  =>  -\n"
		"node LazyCompile  =>  =\n"
		"(anonymous namespace)::f  =>  -\n"
		"a::(anonymous namespace)::f(int)  =>  a::(anonymous namespace)::f\n"
		"net/http.(*Client).Do  =>  =\n"
		"RegExp:[\"']x(;)  =>  RegExp:[]x\n"
		"a;b  =>  a:b\n";
	struct bed b;

	(void)state;
	expect_changes("classic-node", changes);
	load(&b, "classic-node");
	b.root.comm = strtab_add_str(b.strings, "a LoadIC:b");
	bed_expect(&b, "f", NULL);
	b.root.comm = strtab_add_str(b.strings, "LoadIC:b");
	bed_expect(&b, "f", "f");
	bed_teardown(&b);
}

static void classic_node_looks_at_paths_too(void **state)
{
	struct frame named = { .kind = FRAME_USER }, unknown = { .kind = FRAME_UNKNOWN };
	struct bed b;
	void *worker;

	(void)state;
	load(&b, "classic-node");
	worker = b.rewriter.worker_new(b.rewriter.ctx);
	named.name = strtab_add_str(b.strings, "f");
	named.module = strtab_add_str(b.strings, "/opt/my Stub:s/lib.so");
	assert_string_equal(one_frame(&b, worker, &named), "-");
	named.module = strtab_add_str(b.strings, "/opt/a LazyCompile b/lib.so");
	assert_string_equal(one_frame(&b, worker, &named), "-");
	named.module = strtab_add_str(b.strings, "/opt/myStub:s/lib.so");
	assert_string_equal(one_frame(&b, worker, &named), "f");
	unknown.module = strtab_add_str(b.strings, "/opt/lib.so");
	assert_string_equal(one_frame(&b, worker, &unknown), "-");
	b.rewriter.worker_merge(b.rewriter.ctx, worker);
	bed_teardown(&b);
}

/* What a filter makes of main;F;leaf, where F is JIT code without a name: as it is shown, in b. */
static void filter_unnamed_jit(
	const char *filter, const char *module, const char *name, struct buf *b)
{
	struct bed bed;
	struct profile p = { 0 };
	frame_id id;
	void *worker;

	load(&bed, filter);
	worker = bed.rewriter.worker_new(bed.rewriter.ctx);
	p.frames = bed.frames;
	p.strings = bed.strings;
	id = frames_add(bed.frames, &(struct frame){ .kind = FRAME_UNKNOWN,
					    .why = WHY_NO_JIT_MAP,
					    .name = strtab_add_str(bed.strings, name),
					    .module = strtab_add_str(bed.strings, module) });
	{
		struct stack s = { .frames = &id, .n = 1, .root = &bed.root, .samples = 1 };

		bed.rewriter.apply(worker, &s);
		if (s.n && !s.dropped)
			profile_put_name(&p, id, b);
	}
	bed.rewriter.worker_merge(bed.rewriter.ctx, worker);
	bed_teardown(&bed);
}

static void no_filter_takes_out_jit_code_without_a_name(void **state)
{
	static const char *const of_languages[] = { "nodejs", "nodejs-app-only", "javascript",
		"v8-internals", "classic-node", "java", "python", "ruby", "dotnet", "php", "erlang",
		"julia", "luajit", "wasm", "bun", "jit", "android" };
	struct buf shown = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(shipped); i++) {
		shown.n = 0;
		filter_unnamed_jit(shipped[i], "/tmp/perf-7.map", "", &shown);
		if (!shown.n)
			fail_msg("%s takes it out", shipped[i]);
	}
	for (i = 0; i < ARRAY_LEN(of_languages); i++) {
		shown.n = 0;
		filter_unnamed_jit(of_languages[i], "/proc/5/root/tmp/perf-7.map", "", &shown);
		assert_string_equal(buf_str(&shown), "[JIT]");
		shown.n = 0;
		filter_unnamed_jit(of_languages[i], "perf-8.map", "[perf-8.map]", &shown);
		assert_string_equal(buf_str(&shown), "[JIT]");
	}
	buf_release(&shown);
}

/* ---- other languages ---------------------------------------------------------------------- */

/* By filter: names and what becomes of them, as above. */
static const struct {
	const char *filter, *changes;
} languages[] = {
	{ "nodejs-app-only", "JS:*handle /srv/app.js:9:3  =>  handle /srv/app.js:9:3\n"
			     "JS:^ /srv/app.js:9:3  =>  (anonymous) /srv/app.js:9:3\n"
			     "JS:*parse /srv/node_modules/qs/lib/parse.js:5:1  =>  -\n"
			     "JS:*emit node:events:466:44  =>  -\n"
			     "JS:*emit ext:core/01_core.js:466:44  =>  -\n"
			     "LazyCompile:*emit events.js:315  =>  -\n"
			     "LazyCompile:~f internal/util.js:1  =>  -\n"
			     "LazyCompile:*reduce native array.js:10  =>  -\n"
			     "LazyCompile:*toFib /srv/fs.js:3  =>  toFib /srv/fs.js:3\n"
			     "Builtins_ArrayPrototypeSort  =>  -\n"
			     "node::StreamBase::Writev  =>  -\n"
			     "__libc_write  =>  -\n"
			     "v8::internal::Heap::Scavenge  =>  (garbage collector)\n"
			     "JS:spin-0-liftoff  =>  spin [wasm]\n"
			     "RegExp:^a$  =>  [RegExp] /^a$\n" },
	{ "libuv", "uv__run_timers  =>  [loop] timers\n"
		   "uv__io_poll  =>  [loop] poll\n"
		   "uv__io_poll.part.0  =>  [loop] poll\n"
		   "uv__work_done  =>  [loop] work done\n"
		   "uv__run_closing_handles  =>  [loop] closing\n"
		   "uv_run  =>  -\n"
		   "uv__stream_io  =>  -\n"
		   "worker  =>  =\n"
		   "uv__fs_work  =>  [threadpool] fs\n"
		   "uv_fs_read  =>  =\n"
		   "uv__work_submit  =>  =\n" },
	{ "java", "java.lang.String F$In.s(int)  =>  F$In.s\n"
		  "int F$$Lambda$2/0x00007f3aa8001000.applyAsInt(int)  =>  F$$Lambda.applyAsInt\n"
		  "byte[] java.util.Arrays.copyOfRange(byte[], int, int)  =>  "
		  "java.util.Arrays.copyOfRange\n"
		  "I2C/C2I adapters  =>  -\n"
		  "StubRoutines (1)  =>  -\n"
		  "_new_array_nozero_Java  =>  -\n"
		  "Ljava/util/ArrayList;::lastIndexOf  =>  java.util.ArrayList.lastIndexOf\n"
		  "org/x/A:::run  =>  org.x.A.run\n"
		  "Lorg/x/A$B;::<init>  =>  org.x.A$B.<init>\n"
		  "java/util/ArrayList.add  =>  java.util.ArrayList.add\n"
		  "void com.x.Main.<clinit>()  =>  com.x.Main.<clinit>\n"
		  "Interpreter  =>  [interpreter]\n"
		  "vtable stub  =>  [dispatch]\n"
		  "JavaCalls::call_helper  =>  -\n"
		  "Thread::call_run  =>  -\n"
		  "CompileBroker::compiler_thread_loop  =>  (jit compiler)\n"
		  "G1ParScanThreadState::copy_to_survivor_space  =>  (garbage collector)\n"
		  "JVM_MonitorWait  =>  =\n"
		  "memcpy  =>  =\n" },
	{ "python",
		"py::fib:/home/u/f.py  =>  fib /home/u/f.py\n"
		"py::Words.join.<locals>.<genexpr>:/srv/w.py  =>  "
		"Words.join.<locals>.<genexpr> /srv/w.py\n"
		"py::loads:/usr/lib/python3.12/json/__init__.py  =>  loads json/__init__.py\n"
		"py::get:/v/lib/python3.12/site-packages/requests/api.py  =>  get requests/api.py\n"
		"py::_find_and_load:<frozen importlib._bootstrap>  =>  "
		"_find_and_load <frozen importlib._bootstrap>\n"
		"_PyEval_EvalFrameDefault  =>  -\n"
		"_PyEval_EvalFrameDefault.cold  =>  -\n"
		"PyObject_Vectorcall  =>  -\n"
		"py_trampoline_evaluator  =>  -\n"
		"Py_RunMain  =>  -\n"
		"gc_collect_main  =>  (garbage collector)\n"
		"scan_once_unicode  =>  =\n"
		"PyUnicode_Format  =>  =\n"
		"list_sort  =>  =\n" },
	{ "ruby", "[JIT] Integer#fib@/srv/app.rb:3  =>  Integer#fib /srv/app.rb:3\n"
		  "zjit::block in run@/srv/a b@c/app.rb:9  =>  block in run /srv/a b@c/app.rb:9\n"
		  "[JIT] entry  =>  entry\n"
		  "vm_exec_core  =>  [interpreter]\n"
		  "vm_exec_loop  =>  [interpreter]\n"
		  "rb_vm_exec  =>  [interpreter]\n"
		  "vm_call_iseq_setup  =>  -\n"
		  "vm_call0_cfunc_with_frame  =>  -\n"
		  "rb_iterate0  =>  -\n"
		  "rb_ec_exec_node  =>  -\n"
		  "gc_marks_rest  =>  (garbage collector)\n"
		  "rb_str_concat  =>  =\n"
		  "rb_ary_push  =>  =\n" },
	{ "dotnet", "instance void [System.Private.CoreLib] "
		    "System.Threading.Thread::StartCallback()[Optimized]  =>  "
		    "System.Threading.Thread.StartCallback\n"
		    "int32 [app] Program::Fib(int32)[OptimizedTier1]  =>  Program.Fib\n"
		    "int32 [app] Program::Fib(int32)[QuickJitted]  =>  Program.Fib\n"
		    "void [app] Busy::run(float64)[InstrumentedTier]  =>  Busy.run\n"
		    "bool [System.Linq] "
		    "System.Linq.Enumerable/Iterator`1[System.__Canon]::MoveNext()[PreJIT]  =>  "
		    "System.Linq.Enumerable/Iterator`1[System.__Canon].MoveNext\n"
		    "[app] Program::.ctor()[Tier0]  =>  Program..ctor\n"
		    "stub<1> AllocateTemporaryEntryPoints<PRECODE_FIXUP>  =>  -\n"
		    "stub ReportStubBlock<MethodCallThunk>  =>  -\n"
		    "ThePreStub  =>  -\n"
		    "IL_STUB_PInvoke  =>  -\n"
		    "WKS::gc_heap::mark_object_simple  =>  (garbage collector)\n"
		    "SystemNative_Read  =>  =\n" },
	{ "php", "TRACE-3$fib$1  =>  fib:1\n"
		 "TRACE-9$/srv/f.php$12  =>  /srv/f.php:12\n"
		 "JIT$K::loop  =>  K::loop\n"
		 "JIT$/srv/f.php  =>  /srv/f.php\n"
		 "JIT$$assign_cv  =>  -\n"
		 "jit$$trace_exit_0  =>  -\n"
		 "execute_ex  =>  [interpreter]\n"
		 "ZEND_ADD_SPEC_CV_CV_HANDLER  =>  -\n"
		 "zend_gc_collect_cycles  =>  (garbage collector)\n"
		 "zend_jit_compile_op_array  =>  (compiler)\n"
		 "zend_hash_find  =>  =\n" },
	{ "erlang", "$lists:keyfind/3  =>  lists:keyfind/3\n"
		    "lists:keyfind/3  =>  =\n"
		    "$lists:keyfind/3-CodeInfoPrologue  =>  -\n"
		    "$global::call_bif_shared  =>  -\n"
		    "global::arith_compare_shared  =>  -\n"
		    "$lists::codeHeader  =>  -\n"
		    "work:'-words/1-fun-0-'/1  =>  work:words/1 [fun]\n"
		    "$m:'-f/2-lc$^0/1-0-'/3  =>  m:f/2 [fun]\n"
		    "Elixir.My.Mod:run/1  =>  My.Mod:run/1\n"
		    "'Elixir.Enum':map/2  =>  Enum:map/2\n"
		    "erts_garbage_collect_nobump  =>  (garbage collector)\n"
		    "asmjit::_abi_1_9::x86::Assembler::_emit  =>  (code loader)\n"
		    "process_main  =>  -\n"
		    "erts_cmp_compound  =>  =\n" },
	{ "julia", "julia_fib_123  =>  fib\n"
		   "japi1_f!_7  =>  f!\n"
		   "julia_#f#3_9  =>  #f#3\n"
		   "jfptr_fib_124  =>  -\n"
		   "jl_apply_generic  =>  -\n"
		   "ijl_apply_generic  =>  -\n"
		   "_jl_invoke  =>  -\n"
		   "jl_gc_collect  =>  (garbage collector)\n"
		   "ijl_gc_collect  =>  (garbage collector)\n"
		   "jl_type_infer  =>  (compiler)\n"
		   "jl_array_grow_end  =>  =\n"
		   "ijl_alloc_array_1d  =>  =\n" },
	{ "luajit", "TRACE_12::app.lua:34  =>  trace app.lua:34\n"
		    "TRACE_3::@/srv/a b.lua:1  =>  trace /srv/a b.lua:1\n"
		    "lj_BC_CALL  =>  [interpreter]\n"
		    "lj_vm_call  =>  [interpreter]\n"
		    "lj_gc_step  =>  (garbage collector)\n"
		    "lj_trace_ins  =>  (jit compiler)\n"
		    "lj_str_new  =>  =\n" },
	{ "android", "nterp_op_invoke_virtual  =>  -\n"
		     "art::FindFieldFast  =>  =\n" },
	{ "bun", "JSC-FTL: main#EgW0sx  =>  main\n"
		 "main#EgW0sx  =>  main\n"
		 "a->b (x)#EgW0sx  =>  a->b (x)\n"
		 "JSC-DFG: #AHMaik  =>  (anonymous)#AHMaik\n"
		 "(anonymous)#AHMaik  =>  =\n"
		 "JSC-YarrJIT: /(a)->b/  =>  [RegExp] /(a)->b/\n"
		 "JSC-InlineCache: GetById Load handler  =>  -\n"
		 "JSC-FTLThunk: unspecified  =>  -\n"
		 "memcpy  =>  =\n" },
	{ "wasm", "wasm[0]::function[12]::fib  =>  fib [wasm]\n"
		  "wasm[0]::function[12]  =>  func[12] [wasm]\n"
		  "JS:fib-12-turbofan  =>  fib [wasm]\n"
		  "JS:wasm-function[3]-3-liftoff  =>  func[3] [wasm]\n"
		  "Function:WASM_function#0:module:spin (wasm):0  =>  spin [wasm]\n"
		  "wasm[0]::array_to_wasm_trampoline[1]  =>  -\n"
		  "Stub:js_to_wasm:i:i  =>  -\n"
		  "Builtins_JSToWasmWrapper  =>  -\n"
		  "wasmtime::runtime::vm::traphandlers::catch_traps  =>  -\n"
		  "cranelift_codegen::machinst::compile  =>  (compiler)\n"
		  "JS:*f /srv/a.js:1:2  =>  =\n" },
	{ "go", "runtime.goexit  =>  -\n"
		"runtime.goexit.abi0  =>  -\n"
		"runtime.main  =>  -\n"
		"main.main  =>  =\n"
		"main.Map[go.shape.int,go.shape.string]  =>  main.Map[...]\n"
		"main.(*T).Run-fm  =>  main.(*T).Run\n"
		"runtime.gcBgMarkWorker  =>  (garbage collector)\n"
		"runtime.schedule  =>  (scheduler)\n"
		"runtime.mallocgc  =>  =\n"
		"net/http.(*conn).serve  =>  =\n" },
	{ "rust", "my::f::h0123456789abcdef  =>  my::f\n"
		  "my::f::h0123456789abcdef.llvm.123  =>  my::f\n"
		  "my_crate[0123456789abcdef]::f  =>  my_crate::f\n"
		  "my::run::{{closure}}  =>  my::run::{closure}\n"
		  "my::run::{closure#0}::{closure#1}  =>  my::run::{closure}\n"
		  "std::rt::lang_start::{{closure}}  =>  -\n"
		  "core::ops::function::FnOnce::call_once{{vtable.shim}}  =>  -\n"
		  "core::ops::function::FnOnce::call_once  =>  -\n"
		  "<F as core::ops::function::FnOnce<()>>::call_once  =>  -\n"
		  "std::sys::backtrace::__rust_begin_short_backtrace  =>  -\n"
		  "std::sys::backtrace::__rust_begin_short_backtrace::<w::{closure}, u64>  =>  -\n"
		  "<std::sys::thread::unix::Thread>::new::thread_start  =>  -\n"
		  "<w::{closure#0} as core::ops::function::FnOnce<()>>::call_once::{shim:vtable#0} "
		  " =>  -\n"
		  "std::thread::Builder::spawn_unchecked_::{{closure}}  =>  -\n"
		  "alloc::raw_vec::RawVec<T,A>::grow_one  =>  =\n"
		  "<my::A as core::fmt::Display>::fmt  =>  =\n"
		  "main  =>  -\n" },
	{ "cpp-std", "foo() [clone .isra.0]  =>  foo()\n"
		     "std::__cxx11::basic_string<char, std::char_traits<char>, "
		     "std::allocator<char> >::append  =>  "
		     "std::string::append\n"
		     "std::vector<int, std::allocator<int> >::push_back  =>  "
		     "std::vector<int>::push_back\n"
		     "std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke  =>  -\n"
		     "std::__invoke<void (*)(int)>  =>  -\n"
		     "void std::__invoke_impl<void, void (*)()>  =>  -\n"
		     "std::function<int (int)>::operator()  =>  -\n"
		     "std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)()> > "
		     ">::_M_run  =>  "
		     "-\n"
		     "execute_native_thread_routine  =>  -\n"
		     "std::unique_ptr<A, std::default_delete<A> >::get  =>  -\n"
		     "std::sort<int*>  =>  =\n"
		     "std::map<int, int>::operator[]  =>  =\n"
		     "std::getline  =>  =\n"
		     "mystd::forward  =>  =\n"
		     "work  =>  =\n" },
	{ "idle", "do_idle  =>  -\n"
		  "intel_idle_irq  =>  -\n"
		  "do_epoll_wait  =>  -\n"
		  "epoll_wait  =>  -\n"
		  "epoll_wait@@GLIBC_2.3.2  =>  -\n"
		  "__poll  =>  -\n"
		  "futex_wait_queue  =>  -\n"
		  "Unsafe_Park  =>  -\n"
		  "work  =>  =\n"
		  "poll_events  =>  =\n"
		  "selected  =>  =\n"
		  "futex_wake  =>  =\n" },
};

static void filters_of_languages_do_what_their_heads_say(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(languages); i++)
		expect_changes(languages[i].filter, languages[i].changes);
}

static void expect_category(
	struct bed *b, void *worker, const char *name, uint8_t kind, const char *category)
{
	struct frame f = { .kind = kind, .name = strtab_add_str(b->strings, name) };
	frame_id ids[1] = { frames_add(b->frames, &f) };
	struct stack s = { .frames = ids, .n = 1, .root = &b->root };

	b->rewriter.apply(worker, &s);
	assert_int_equal(s.n, 1);
	assert_string_equal(
		strtab_str(b->strings, frames_get(b->frames, ids[0])->category), category);
}

static void frames_get_categories_for_colours(void **state)
{
	struct bed b;
	void *w;

	(void)state;
	load(&b, "nodejs");
	w = b.rewriter.worker_new(b.rewriter.ctx);
	expect_category(&b, w, "JS:*f /srv/app.js:1:2", FRAME_JIT, "app");
	expect_category(&b, w, "JS:*f /srv/node_modules/x/i.js:1:2", FRAME_JIT, "deps");
	expect_category(&b, w, "JS:*emit node:events:1:2", FRAME_JIT, "core");
	expect_category(&b, w, "JS:*emit ext:core/01_core.js:1:2", FRAME_JIT, "core");
	expect_category(&b, w, "LazyCompile:*emit events.js:1", FRAME_JIT, "core");
	expect_category(&b, w, "LazyCompile:*f internal/util.js:1", FRAME_JIT, "core");
	expect_category(&b, w, "LazyCompile:*f /srv/events.js:1", FRAME_JIT, "app");
	expect_category(&b, w, "JS:f-0-turbofan", FRAME_JIT, "wasm");
	expect_category(&b, w, "RegExp:x", FRAME_JIT, "regexp");
	expect_category(&b, w, "Builtins_ArrayPrototypeSort", FRAME_USER, "v8");
	expect_category(&b, w, "v8::internal::JsonStringify", FRAME_USER, "v8");
	expect_category(&b, w, "v8::internal::Heap::Scavenge", FRAME_USER, "gc");
	expect_category(&b, w, "node::StreamBase::Write", FRAME_USER, "native");
	expect_category(&b, w, "vfs_read", FRAME_KERNEL, "kernel");
	b.rewriter.worker_merge(b.rewriter.ctx, w);
	bed_teardown(&b);
}

static void frames_of_other_languages_get_categories_too(void **state)
{
	static const struct {
		const char *filter, *name;
		uint8_t kind;
		const char *category;
	} cases[] = {
		{ "java", "int F.fib(int)", FRAME_JIT, "app" },
		{ "java", "int java.util.List.size()", FRAME_JIT, "core" },
		{ "java", "Interpreter", FRAME_JIT, "vm" },
		{ "java", "memcpy", FRAME_USER, "native" },
		{ "java", "G1ParTask::work", FRAME_USER, "gc" },
		{ "java", "vfs_read", FRAME_KERNEL, "kernel" },
		{ "python", "py::f:/srv/app.py", FRAME_JIT, "app" },
		{ "python", "py::f:/usr/lib/python3.12/json/x.py", FRAME_JIT, "core" },
		{ "python", "py::f:/v/lib/python3.12/site-packages/r/x.py", FRAME_JIT, "deps" },
		{ "python", "scan_once_unicode", FRAME_USER, "native" },
		{ "dotnet", "int32 [app] P::F(int32)[Tier0]", FRAME_JIT, "app" },
		{ "dotnet", "void [System.Linq] System.Linq.E::M()[PreJIT]", FRAME_JIT, "core" },
		{ "ruby", "[JIT] f@/srv/app.rb:1", FRAME_JIT, "app" },
		{ "ruby", "[JIT] f@/usr/lib/ruby/gems/3.3.0/gems/r/x.rb:1", FRAME_JIT, "deps" },
		{ "php", "JIT$fib", FRAME_JIT, "app" },
		{ "erlang", "$work:fib/1", FRAME_JIT, "app" },
		{ "erlang", "$lists:map/2", FRAME_JIT, "core" },
		{ "julia", "julia_fib_1", FRAME_JIT, "app" },
		{ "luajit", "TRACE_1::app.lua:2", FRAME_JIT, "app" },
		{ "android", "com.example.Main.draw", FRAME_JIT, "app" },
		{ "android", "android.view.View.draw", FRAME_USER, "core" },
		{ "bun", "main#EgW0sx", FRAME_JIT, "app" },
		{ "bun", "JSC-YarrJIT: /a/", FRAME_JIT, "regexp" },
		{ "bun", "memcpy", FRAME_USER, "native" },
		{ "wasm", "wasm[0]::function[1]::f", FRAME_JIT, "wasm" },
		{ "go", "main.work", FRAME_USER, "app" },
		{ "go", "runtime.mallocgc", FRAME_USER, "core" },
		{ "go", "encoding/json.Marshal", FRAME_USER, "core" },
		{ "go", "github.com/x/y.F", FRAME_USER, "deps" },
		{ "rust", "my::f", FRAME_USER, "app" },
		{ "rust", "<alloc::vec::Vec<T> as X>::f", FRAME_USER, "core" },
		{ "cpp-std", "std::sort<int*>", FRAME_USER, "core" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct bed b;
		void *w;

		load(&b, cases[i].filter);
		w = b.rewriter.worker_new(b.rewriter.ctx);
		expect_category(&b, w, cases[i].name, cases[i].kind, cases[i].category);
		b.rewriter.worker_merge(b.rewriter.ctx, w);
		bed_teardown(&b);
	}
}

/* ---- names from recordings ---------------------------------------------------------------- */

static const unsigned versions[] = { 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26 };

typedef void (*visit_name)(struct bed *b, void *worker, const char *name);

static void each_recorded_name(const char *filter, visit_name visit)
{
	struct bed b;
	void *worker;
	size_t i;

	load(&b, filter);
	worker = b.rewriter.worker_new(b.rewriter.ctx);
	for (i = 0; i < ARRAY_LEN(versions); i++) {
		char *path = xasprintf("testdata/names/v8/node%u.names", versions[i]);
		size_t cap = 0, names = 0;
		FILE *in = fopen(path, "r");
		char *line = NULL;

		assert_non_null(in);
		while (getline(&line, &cap, in) > 0) {
			line[strcspn(line, "\n")] = '\0';
			visit(&b, worker, line);
			names++;
		}
		assert_true(names > 50);
		fclose(in);
		free(line);
		free(path);
	}
	b.rewriter.worker_merge(b.rewriter.ctx, worker);
	bed_teardown(&b);
}

/* NAME URL:LINE[:COLUMN], put together from what the parser of V8's names says. */
static char *name_and_place(const struct v8_name *v8)
{
	struct span name = v8->function.n ? v8->function : SPAN("(anonymous)");
	char column[16] = "";

	if (v8->column)
		snprintf(column, sizeof(column), ":%u", v8->column);
	return xasprintf("%.*s %.*s:%u%s", SPAN_ARG(name), SPAN_ARG(v8->url), v8->line, column);
}

static void expect_name_and_place(struct bed *b, void *worker, const char *name)
{
	struct frame f = frame_named(b, name);
	const char *after = one_frame(b, worker, &f);
	struct v8_name v8;
	char *expected;

	if (!v8_name_parse(span_of(name), &v8))
		return;
	if (!v8.line) {
		/* "f-0-turbofan", "Script:~events.js", "LazyCompile:": no place, but no prefix. */
		assert_false(v8_name_parse(span_of(after), &v8));
		assert_null(strpbrk(after, "~^*+"));
		return;
	}
	expected = name_and_place(&v8);
	assert_string_equal(after, expected);
	free(expected);
}

static void every_function_of_every_version_ends_as_its_name_and_place(void **state)
{
	(void)state;
	each_recorded_name("nodejs", expect_name_and_place);
}

static void expect_once_is_enough(struct bed *b, void *worker, const char *name)
{
	struct frame f = frame_named(b, name);
	const char *once = one_frame(b, worker, &f), *twice;

	if (!strcmp(once, "-"))
		return;
	f = frame_named(b, once);
	twice = one_frame(b, worker, &f);
	assert_string_equal(once, twice);
}

static void a_filter_applied_twice_is_the_filter_applied_once(void **state)
{
	static const char *const names[] = { "v8::internal::Runtime_StringAdd", "__GI___GI_x",
		"Builtins_ArrayPrototypeSort", "Builtins_StringAdd_CheckNone", "JS:*JS:~x",
		"v8::internal::Builtin_JsonParse", "non-virtual thunk to node::X::Y",
		"memcpy@@GLIBC_2.14", "a.isra.0.part.1", "__x64_sys_read", "f(int)(char)",
		"RegExp:0123456789012345678901234567890123456789012345678901234567890123456789" };
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_LEN(shipped); i++) {
		struct bed b;
		void *worker;

		each_recorded_name(shipped[i], expect_once_is_enough);
		load(&b, shipped[i]);
		worker = b.rewriter.worker_new(b.rewriter.ctx);
		for (k = 0; k < ARRAY_LEN(names); k++)
			expect_once_is_enough(&b, worker, names[k]);
		b.rewriter.worker_merge(b.rewriter.ctx, worker);
		bed_teardown(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodejs_names_functions_as_their_authors_do),
		cmocka_unit_test(nodejs_removes_frames_between_functions),
		cmocka_unit_test(the_other_filters_do_what_their_heads_say),
		cmocka_unit_test(filters_of_languages_do_what_their_heads_say),
		cmocka_unit_test(classic_node_is_egrep_sed_and_stackcollapse),
		cmocka_unit_test(classic_node_looks_at_paths_too),
		cmocka_unit_test(no_filter_takes_out_jit_code_without_a_name),
		cmocka_unit_test(frames_get_categories_for_colours),
		cmocka_unit_test(frames_of_other_languages_get_categories_too),
		cmocka_unit_test(every_function_of_every_version_ends_as_its_name_and_place),
		cmocka_unit_test(a_filter_applied_twice_is_the_filter_applied_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
