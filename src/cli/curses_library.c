#include "cli/curses_library.h"

#include "base/library.h"
#include "base/mem.h"

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
	/* Functions of libtinfo come with it. */
#define WANTED(name)    { #name, &l->name },
	const struct library_function wanted[] = { CURSES_LIBRARY_FUNCTIONS(WANTED) };
#undef WANTED

	return library_load_functions(LIBRARY, "that draws", wanted, ARRAY_LEN(wanted), e);
}
#endif
