#include "model/names/module_name.h"

#include "base/mem.h"

/* [ext4], but not [anon:v8] nor [JIT app cache]. */
static bool is_bracketed_word(struct span s)
{
	size_t i;

	if (s.n < 3 || s.p[0] != '[' || s.p[s.n - 1] != ']')
		return false;
	for (i = 1; i < s.n - 1; i++)
		if (strchr(" :/()[]", s.p[i]))
			return false;
	return true;
}

static bool is_kernel(struct span module)
{
	static const char *const user[] = { "[vdso]", "[vdso32]", "[vdsox32]", "[vvar]", "[heap]",
		"[stack]", "[anon]", "[unknown]", "[vsyscall]", "[vectors]", "[sigpage]",
		"[uprobes]" };
	static const char *const bpf[] = { "bpf_prog_", "bpf_trampoline_", "bpf_dispatcher_" };
	struct span base = span_basename(module);
	size_t i;

	for (i = 0; i < ARRAY_LEN(user); i++)
		if (span_eq(module, span_of(user[i])))
			return false;
	for (i = 0; i < ARRAY_LEN(bpf); i++)
		if (span_starts(module, span_of(bpf[i])))
			return true;
	/* [kernel.kallsyms]_text, [guest.kernel.kallsyms.1234] */
	if (span_starts(module, SPAN("[kernel.")) || span_starts(module, SPAN("[guest.kernel")))
		return true;
	return is_bracketed_word(module) || span_starts(base, SPAN("vmlinux")) ||
	       span_ends(base, SPAN(".ko")) || span_find(base, SPAN(".ko.")) >= 0;
}

bool module_name_is_perf_map(struct span module)
{
	struct span base = span_basename(module), s = span_skip(base, 5);
	uint64_t pid;

	return span_starts(base, SPAN("perf-")) && span_scan_u64(&s, &pid) &&
	       span_starts(s, SPAN(".map"));
}

bool module_name_is_injected(struct span module)
{
	struct span base = span_basename(module);

	return span_starts(base, SPAN("jitted-")) && span_find(base, SPAN(".so")) >= 0;
}

static bool is_generated(struct span module)
{
	static const char *const starts[] = { "//anon", "[anon", "anon_inode:", "[JIT",
		"memfd:", "/memfd:" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(starts); i++)
		if (span_starts(module, span_of(starts[i])))
			return true;
	return module_name_is_perf_map(module) || module_name_is_injected(module);
}

enum frame_kind module_name_kind(struct span module)
{
	if (!module.n)
		return FRAME_USER;
	if (is_generated(module))
		return FRAME_JIT;
	return is_kernel(module) ? FRAME_KERNEL : FRAME_USER;
}
