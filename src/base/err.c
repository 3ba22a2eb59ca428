#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, int code, const char *fmt, ...)
{
	va_list ap;

	e->code = code;
	e->errno_value = 0;
	va_start(ap, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, ap);
	va_end(ap);
	return code;
}

int err_errno(struct err *e, const char *fmt, ...)
{
	int saved = errno;
	char text[sizeof(e->msg)];
	char why[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(e, ERR_IO, "%.800s: %s", text, strerror_r(saved, why, sizeof(why)));
	e->errno_value = saved;
	return ERR_IO;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
	char old[sizeof(e->msg)];
	char text[sizeof(e->msg)];
	int saved = e->errno_value;
	va_list ap;

	memcpy(old, e->msg, sizeof(old));
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(e, e->code, "%.500s: %.500s", text, old);
	e->errno_value = saved;
	return e->code;
}

int err_of_output(struct err *e)
{
	if (e->code == ERR_IO)
		e->code = ERR_OUTPUT;
	return e->code;
}

bool err_is_temporary(const struct err *e)
{
	static const int shortages[] = { ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM };
	size_t i;

	for (i = 0; i < sizeof(shortages) / sizeof(*shortages); i++)
		if (e->errno_value == shortages[i])
			return true;
	return e->code == ERR_OUTPUT;
}
