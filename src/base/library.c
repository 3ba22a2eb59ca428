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

/* ISO C cannot turn an object pointer into a function pointer; this way is from dlsym(3). */
bool library_get(void *handle, const char *name, void *function)
{
	*(void **)function = dlsym(handle, name);
	return *(void **)function;
}
