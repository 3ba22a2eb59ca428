#include "symbolize/code/capstone_library.h"

#include "base/library.h"

#include <dlfcn.h>

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
	bool whole = true;
	const char *why;
	/* NODELETE: what it set up at its first use stays. */
	void *handle = library_load(LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE, &why);

	if (!handle)
		return err_set(e, ERR_IO, "cannot load the library that disassembles: %s", why);
#define LOAD(name)      whole = library_get(handle, "cs_" #name, &l->name) && whole;
	CAPSTONE_LIBRARY_FUNCTIONS(LOAD)
#undef LOAD
	dlclose(handle); /* it stays loaded */
	return whole ? OK : err_set(e, ERR_IO, LIBRARY ": lacks a function");
}
#endif
