#include "base/library.h"

#include <dlfcn.h>

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

int library_load_functions(const char *name, const char *what, const struct library_function *f,
	size_t n, struct err *e)
{
	bool whole = true;
	const char *why;
	void *handle = library_load(name, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE, &why);
	size_t i;

	if (!handle)
		return err_set(e, ERR_IO, "cannot load the library %s: %s", what, why);
	for (i = 0; i < n; i++)
		whole = library_get(handle, f[i].name, f[i].function) && whole;
	dlclose(handle); /* RTLD_NODELETE: it stays loaded */
	return whole ? OK : err_set(e, ERR_IO, "%s: lacks a function", name);
}
