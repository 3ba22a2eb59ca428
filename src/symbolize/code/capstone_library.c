#include "symbolize/code/capstone_library.h"

#include "base/library.h"
#include "base/mem.h"

#ifdef PERFOLD_STATIC
int capstone_library_load(struct capstone_library *l, struct err *e)
{
	(void)e;
#define ASSIGN(name) l->name = cs_##name;
	CAPSTONE_LIBRARY_FUNCTIONS(ASSIGN)
#undef ASSIGN
	return OK;
}
#else

/* Another major version has another struct cs_insn. */
#define TEXT_OF(number) #number
#define NAME_OF(major)  "libcapstone.so." TEXT_OF(major)
#define LIBRARY         NAME_OF(CS_API_MAJOR)

int capstone_library_load(struct capstone_library *l, struct err *e)
{
#define WANTED(name)    { "cs_" #name, &l->name },
	const struct library_function wanted[] = { CAPSTONE_LIBRARY_FUNCTIONS(WANTED) };
#undef WANTED

	return library_load_functions(LIBRARY, "that disassembles", wanted, ARRAY_LEN(wanted), e);
}
#endif
