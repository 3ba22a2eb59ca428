#include "trace/syscall_names.h"

#include "base/mem.h"

#define CALL(number, name) [number] = #name,

static const char *const of_x86_64[] = {
#include "trace/syscall_names_x86_64.def"
#include "trace/syscall_names_common.def"
};

static const char *const of_others[] = {
#include "trace/syscall_names_generic.def"
#include "trace/syscall_names_common.def"
};

#undef CALL

static bool is_generic(struct span arch)
{
	return span_eq(arch, SPAN("aarch64")) || span_eq(arch, SPAN("arm64")) ||
	       span_eq(arch, SPAN("riscv64")) || span_eq(arch, SPAN("loongarch64"));
}

const char *syscall_names_find(struct span arch, uint64_t number)
{
	if (span_eq(arch, SPAN("x86_64")))
		return number < ARRAY_LEN(of_x86_64) ? of_x86_64[number] : NULL;
	if (is_generic(arch))
		return number < ARRAY_LEN(of_others) ? of_others[number] : NULL;
	return NULL;
}
