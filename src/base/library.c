#include "base/library.h"

#include <dlfcn.h>

/* ISO C knows no way from an object's pointer to a function's; dlsym(3) gives this one. */
bool library_get(void *handle, const char *name, void *function)
{
	*(void **)function = dlsym(handle, name);
	return *(void **)function;
}
