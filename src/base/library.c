#include "base/library.h"

#include <dlfcn.h>
#include <stddef.h>

void *library_load(const char *name, int flags, const char **why)
{
#ifdef PERFOLD_STATIC
	(void)name;
	(void)flags;
	*why = "this program is linked statically";
	return NULL;
#else
	void *handle = dlopen(name, flags);

	if (!handle)
		*why = dlerror();
	return handle;
#endif
}

/* ISO C knows no way from an object's pointer to a function's; dlsym(3) gives this one. */
bool library_get(void *handle, const char *name, void *function)
{
	*(void **)function = dlsym(handle, name);
	return *(void **)function;
}
