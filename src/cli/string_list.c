#include "cli/string_list.h"

#include "base/mem.h"

#include <stdlib.h>

void string_list_add(struct string_list *l, const char *s)
{
	ARRAY_RESERVE(l->item, l->n + 2, l->cap);
	l->item[l->n++] = s;
	l->item[l->n] = NULL;
}

void string_list_release(struct string_list *l)
{
	free(l->item);
	*l = (struct string_list){ 0 };
}

void string_list_release_all(struct string_list *l)
{
	while (l->n)
		free((char *)l->item[--l->n]);
	string_list_release(l);
}
