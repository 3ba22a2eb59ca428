#include "cli/curses_library.h"

#include "base/library.h"

#include <dlfcn.h>

#ifdef PERFOLD_STATIC
int curses_library_load(struct curses_library *l, struct err *e)
{
	(void)e;
#define ASSIGN(name) l->name = name;
	CURSES_LIBRARY_FUNCTIONS(ASSIGN)
#undef ASSIGN
	return OK;
}
#else

/* Another major version has another interface. */
#define TEXT_OF(number) #number
#define NAME_OF(major)  "libncursesw.so." TEXT_OF(major)
#define LIBRARY         NAME_OF(NCURSES_VERSION_MAJOR)

int curses_library_load(struct curses_library *l, struct err *e)
{
	bool whole = true;
	const char *why;
	void *handle = library_load(LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE, &why);

	if (!handle)
		return err_set(e, ERR_IO, "cannot load the library that draws: %s", why);
		/* Functions of libtinfo come with it. */
#define LOAD(name)      whole = library_get(handle, #name, &l->name) && whole;
	CURSES_LIBRARY_FUNCTIONS(LOAD)
#undef LOAD
	dlclose(handle); /* it stays loaded */
	return whole ? OK : err_set(e, ERR_IO, LIBRARY ": lacks a function");
}
#endif
